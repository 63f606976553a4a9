"""docs/plugins.md names every hook, and its examples work as they stand there."""

import inspect
import tomllib
from pathlib import Path

import pytest

import bot.plugin
from bot.domain.command import CommandCall
from bot.plugin.hooks import PROJECT, Hooks
from bot.plugin.manager import PluginManager
from bot.testing.factories import ADA, DIRECT, kind_of
from tests.docs.pages import Page

PAGE = Page("docs/plugins.md")
PLUGIN, TEST = PAGE.blocks("python")
HOOKS = {name: function for name, function in vars(Hooks).items() if not name.startswith("_")}


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_has_its_row_with_its_arguments(name: str) -> None:
    arguments = ", ".join(list(inspect.signature(HOOKS[name]).parameters)[1:])
    marker = "async " if inspect.iscoroutinefunction(HOOKS[name]) else ""

    assert f"| `{marker}{name}({arguments})` |" in PAGE.text


@pytest.mark.parametrize("name", bot.plugin.__all__)
def test_what_plugins_import_is_there(name: str) -> None:
    assert hasattr(bot.plugin, name)


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a working folder with the page's plugin in it."""
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "moon.py").write_text(PLUGIN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_the_example_plugin_gives_its_command(garden: Path) -> None:
    plugins = PluginManager()
    plugins.load_folder(garden / "plugins")

    (command,) = plugins.commands
    answer = await command.run(CommandCall(command.path, {}, ADA, DIRECT, kind_of(DIRECT)))

    assert command.name == "moon"
    assert answer.text.startswith("Tonight the moon is ")


async def test_the_example_test_passes(garden: Path) -> None:
    page: dict[str, object] = {}
    exec(compile(TEST, PAGE.path, "exec"), page)
    (test,) = [value for name, value in page.items() if name.startswith("test_")]

    assert inspect.iscoroutinefunction(test)
    await test()


def test_the_example_entry_point_is_in_the_group_that_is_looked_up() -> None:
    (block,) = PAGE.blocks("toml")

    assert PROJECT in tomllib.loads(block)["project"]["entry-points"]
