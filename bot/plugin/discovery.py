"""Finding plugins: Python files in a folder, and installed packages that announce one."""

import hashlib
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from bot.plugin.hooks import PROJECT


def plugin_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and file of each plugin: `dice.py`, or `dice/__init__.py`. What begins with `_` or `.` is none."""
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        file = entry / "__init__.py" if entry.is_dir() else entry
        if file.suffix == ".py" and file.is_file() and not entry.name.startswith(("_", ".")):
            yield entry.stem, file


def import_file(name: str, file: Path) -> ModuleType:
    """Return the plugin's module, imported under a name that no other module has. Raises whatever the plugin raises."""
    place = hashlib.sha256(str(file.resolve()).encode()).hexdigest()[:8]
    module_name = f"{PROJECT}_plugin_{name}_{place}"
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(module_name, file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} cannot be imported.")
    module = module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[module_name]
        raise
    return module


def announced() -> list[EntryPoint]:
    """Return the plugins that installed packages announce, by name."""
    return sorted(entry_points(group=PROJECT), key=lambda entry: entry.name)
