"""Every module has a test that knows it by name."""

import ast

from tests.architecture.sources import ROOT, Source, sources


def test_every_module_has_its_mirror_among_the_unit_tests_or_is_imported_by_a_test() -> None:
    imported = {name for source in sources("tests") for _, name in source.imports()}

    untested = [source.path for source in sources("bot") if _has_behaviour(source) and not _is_tested(source, imported)]

    assert untested == []


def _has_behaviour(source: Source) -> bool:
    """Return whether some function has a body, so that neither values nor Protocols count."""
    return any(not _is_declaration(function.body) for function in source.functions())


def _is_declaration(body: list[ast.stmt]) -> bool:
    return all(isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in body)


def _is_tested(source: Source, imported: set[str]) -> bool:
    folder, _, name = source.path.removeprefix("bot/").rpartition("/")
    mirror = ROOT / "tests" / "unit" / folder / f"test_{name}"
    return mirror.exists() or any(name == source.module or name.startswith(f"{source.module}.") for name in imported)
