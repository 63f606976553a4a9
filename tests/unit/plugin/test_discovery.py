"""Plugins are found in a folder and among installed packages, and broken ones stop none of the others."""

import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.plugin.manager import PluginManager

GOOD = """
from bot.plugin import PromptSection, Turn, hookimpl
from {imported} import NAME

async def render(turn: Turn) -> str:
    return "x"

@hookimpl
def register_prompt_sections():
    return [PromptSection(NAME, render)]
"""


def test_a_folder_gives_files_and_packages_and_survives_broken_ones(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "__init__.py").write_text(GOOD.format(imported=".inner"))
    (tmp_path / "package" / "inner.py").write_text("NAME = 'from a package'")
    (tmp_path / "single.py").write_text(GOOD.format(imported="os").replace("from os import NAME", "NAME = 'from a file'"))
    (tmp_path / "syntax.py").write_text("def (")
    (tmp_path / "leaves.py").write_text("import sys; sys.exit(3)")
    (tmp_path / "missing.py").write_text("import no_such_module_anywhere")
    (tmp_path / "_draft.py").write_text("raise AssertionError")
    (tmp_path / "notes.txt").write_text("no plugin")
    (tmp_path / "empty_folder").mkdir()
    manager = PluginManager()

    with capture_logs() as logs:
        manager.load_folder(tmp_path)

    assert [section.name for section in manager.sections] == ["from a package", "from a file"]
    assert sorted(entry["plugin"] for entry in logs if entry["event"] == "plugin_failed") == ["leaves", "missing", "syntax"]


def test_two_folders_may_hold_plugins_of_one_module_name(tmp_path: Path) -> None:
    before = set(sys.modules)
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "json.py").write_text(f"PLACE = {folder!r}")
        PluginManager().load_folder(tmp_path / folder)

    places = {getattr(sys.modules[name], "PLACE", None) for name in set(sys.modules) - before}

    assert places >= {"one", "two"}
    assert not hasattr(sys.modules["json"], "PLACE")


def test_a_folder_that_is_not_there_has_no_plugins(tmp_path: Path) -> None:
    manager = PluginManager()

    manager.load_folder(tmp_path / "none")

    assert manager.sections == ()


def test_installed_packages_announce_plugins_in_the_group_baku(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "announced_plugin.py").write_text(GOOD.format(imported="os").replace("from os import NAME", "NAME = 'announced'"))
    info = tmp_path / "announced_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: announced-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[baku]\nannounced = announced_plugin\nbroken = no_such_module_anywhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    manager = PluginManager()

    with capture_logs() as logs:
        manager.load_entry_points()

    assert [section.name for section in manager.sections] == ["announced"]
    assert [entry["plugin"] for entry in logs if entry["event"] == "plugin_failed"] == ["broken"]
