"""Errors are caught narrowly, and what the tools are told to overlook says why."""

import ast
import re
import tomllib

from tests.architecture.sources import ROOT, Source, sources

CATCH_ALL_PLACES = {
    "bot/queueing/": "a conversation's worker",
    "bot/jobs/": "a job",
    "bot/plugin/": "a plugin",
    "bot/tools/registry.py": "a plugin's tool",
}
EXCUSES = re.compile(r"#\s*(type:\s*ignore|noqa|pragma|mypy:|ruff:)", re.IGNORECASE)
REASONED_EXCUSE = re.compile(r"# (?:type: ignore\[[a-z-]+(?:, ?[a-z-]+)*\]|noqa: [A-Z]+[0-9]+(?:, ?[A-Z]+[0-9]+)*)\W+\w+.{2,}")


def test_everything_is_caught_only_around_plugins_workers_and_jobs() -> None:
    strays = [
        source.at(handler)
        for source in sources("bot", "plugins")
        if not source.path.startswith(tuple(CATCH_ALL_PLACES))
        for handler in _catch_alls(source)
    ]

    assert strays == []


def test_a_catch_all_logs_the_traceback() -> None:
    silent = [
        source.at(handler)
        for source in sources("bot", "plugins")
        for handler in _catch_alls(source)
        if not re.search(r"\.exception\(|exc_info=|raise\b", ast.unparse(handler))
    ]

    assert silent == []


def test_every_excuse_to_the_tools_carries_its_code_and_a_reason() -> None:
    unreasoned = [
        f"{source.path}:{number}: {line.strip()}"
        for source in sources()
        if source.path != "tests/architecture/test_errors.py"
        for number, line in enumerate(source.text.splitlines(), 1)
        if EXCUSES.search(line) and not REASONED_EXCUSE.search(line)
    ]

    assert unreasoned == []


def test_the_type_checker_is_strict_for_all_of_our_code() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    loosened = {module for override in settings.get("overrides", []) for module in _as_list(override["module"])}

    assert settings["strict"] is True
    assert [module for module in loosened if module.split(".")[0] in {"bot", "plugins", "tests", "benchmarks", "migrations"}] == []


def _catch_alls(source: Source) -> list[ast.ExceptHandler]:
    return [node for node in source.nodes if isinstance(node, ast.ExceptHandler) and _catches_everything(node.type)]


def _catches_everything(caught: ast.expr | None) -> bool:
    match caught:
        case None:
            return True
        case ast.Tuple(elts=kinds):
            return any(_catches_everything(kind) for kind in kinds)
        case ast.Name(id=name):
            return name in {"Exception", "BaseException"}
    return False


def _as_list(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else value
