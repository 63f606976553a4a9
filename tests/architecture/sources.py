"""The repository's own files, read as data."""

import ast
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
CODE_FOLDERS = ("bot", "plugins", "migrations", "benchmarks", "scripts", "tests")


@dataclass(frozen=True)
class Source:
    """A Python file, named by its path from the root."""

    path: str

    @cached_property
    def text(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def module(self) -> str:
        """Return the dotted name it is imported by."""
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def imports(self) -> Iterator[tuple[int, str]]:
        """Yield line and dotted name of everything imported, wherever it stands; `from a import b` gives `a.b`."""
        for node in self.nodes:
            match node:
                case ast.Import(names=names):
                    yield from ((node.lineno, alias.name) for alias in names)
                case ast.ImportFrom(module=str(module), names=names):
                    yield from ((node.lineno, f"{module}.{alias.name}") for alias in names)

    @property
    def functions(self) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Yield every function and method."""
        return (node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))

    def at(self, node: ast.stmt | ast.expr | ast.excepthandler) -> str:
        """Return the place of a node as editors open it."""
        return f"{self.path}:{node.lineno}"


def sources(*folders: str) -> list[Source]:
    """Return all Python files below the folders, or all of ours."""
    return [source for folder in folders or CODE_FOLDERS for source in _below(folder)]


@cache
def _below(folder: str) -> list[Source]:
    return [Source(path.relative_to(ROOT).as_posix()) for path in sorted((ROOT / folder).rglob("*.py"))]


def kept_files() -> list[str]:
    """Return the paths of all files that are in the repository or about to be."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [path for path in listing.stdout.split("\0") if path and (ROOT / path).is_file()]
