"""Every module is known to a test, or is an inner part of a package whose door a test knows."""

import ast

from tests.architecture.sources import ROOT, Source, sources


def test_every_module_is_imported_by_a_test_or_serves_one_of_its_own_package_that_is() -> None:
    modules = {source.module: source for source in sources("bot")}
    used = {module: _used(source, modules) for module, source in modules.items()}
    tested = {name for source in sources("tests") for name in _used(source, modules)} | {
        name for name in modules if _has_mirror(modules[name])
    }

    waiting = list(tested)
    while waiting:
        module = waiting.pop()
        inner = {name for name in used[module] if _package(name) == _package(module)} - tested
        tested |= inner
        waiting += inner

    assert {source.path for module, source in modules.items() if module not in tested and _has_behaviour(source)} == set()


def _used(source: Source, modules: dict[str, Source]) -> set[str]:
    return {name for _, imported in source.imports for name in (imported, imported.rpartition(".")[0]) if name in modules}


def _has_mirror(source: Source) -> bool:
    folder, _, name = source.path.removeprefix("bot/").rpartition("/")
    return (ROOT / "tests" / "unit" / folder / f"test_{name}").exists()


def _package(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _has_behaviour(source: Source) -> bool:
    """Return whether some function has a body, so that neither values nor Protocols count."""
    return any(not _is_declaration(function.body) for function in source.functions)


def _is_declaration(body: list[ast.stmt]) -> bool:
    return all(isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) for statement in body)
