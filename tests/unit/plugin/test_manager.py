"""Plugins add to the bot, and none of them can stop it."""

import asyncio
import threading
from collections.abc import Iterable, Mapping, Sequence

import pytest
from structlog.testing import capture_logs

from bot.domain.command import Answer, Command, CommandCall
from bot.domain.extension import PromptSection, Tool, ToolContext
from bot.domain.message import StoredMessage
from bot.domain.tool import JsonValue, ToolSpec
from bot.domain.turn import Turn, TurnReport
from bot.plugin.hooks import hookimpl
from bot.plugin.manager import PluginManager
from bot.testing.factories import a_turn, stored
from bot.testing.platform import RecordingPlatform

MESSAGE = stored("hello")


async def tool_run(context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
    return "done"


async def command_run(call: CommandCall) -> Answer:
    return Answer("done")


def tool(name: str) -> Tool:
    return Tool(ToolSpec(name, "Does it.", {"type": "object", "properties": {}}), tool_run)


def command(*path: str) -> Command:
    return Command(path, "Does it", command_run)


class Registers:
    """A plugin that registers what it is given."""

    def __init__(self, *, tools: object = (), commands: object = (), sections: object = (), platforms: object = ()) -> None:
        self._given = tools, commands, sections, platforms

    @hookimpl
    def register_tools(self) -> Iterable[Tool]:
        return self._given[0]  # type: ignore[return-value] # nonsense is what is tested

    @hookimpl
    def register_commands(self) -> Iterable[Command]:
        return self._given[1]  # type: ignore[return-value] # as above

    @hookimpl
    def register_prompt_sections(self) -> Iterable[PromptSection]:
        return self._given[2]  # type: ignore[return-value] # as above

    @hookimpl
    def register_platforms(self) -> Iterable[RecordingPlatform]:
        return self._given[3]  # type: ignore[return-value] # as above


class Listens:
    """A plugin that notes what it is told, and then does as it is bid."""

    def __init__(self, name: str, heard: list[str], then: BaseException | None = None, *, hangs: bool = False) -> None:
        self._name, self._heard, self._then, self._hangs = name, heard, then, hangs

    @hookimpl
    async def message_recorded(self, message: StoredMessage) -> None:
        await self._note(message.text)

    @hookimpl
    async def reply_committed(self, report: TurnReport) -> None:
        await self._note(report.reply)

    async def _note(self, text: str) -> None:
        self._heard.append(f"{self._name}: {text}")
        if self._hangs:
            await asyncio.Event().wait()
        if self._then is not None:
            raise self._then


def loaded(*plugins: object) -> PluginManager:
    manager = PluginManager(start_seconds=5.0, turn_seconds=0.05)
    for number, plugin in enumerate(plugins):
        manager.register(plugin, f"p{number}")
    return manager


def test_what_plugins_register_arrives_in_their_order() -> None:
    platform = RecordingPlatform("radio")

    manager = loaded(
        Registers(tools=[tool("a")], platforms=[platform]), Registers(tools=(tool(name) for name in "bc"), commands=[command("x", "y")])
    )

    assert [found.spec.name for found in manager.tools] == ["a", "b", "c"]
    assert [found.path for found in manager.commands] == [("x", "y")]
    assert manager.platforms == (platform,)
    assert manager.models == ()
    assert manager.sections == ()


def test_of_two_with_one_name_the_first_wins_and_the_other_is_logged() -> None:
    first, second = tool("dice"), tool("dice")

    with capture_logs() as logs:
        manager = loaded(Registers(tools=[first]), Registers(tools=[second, tool("coin")]))
        names = [found.spec.name for found in manager.tools]

    assert names == ["dice", "coin"]
    assert manager.tools[0] is first
    assert [(entry["plugin"], entry["name"], entry["taken_by"]) for entry in logs if entry["event"] == "plugin_repeats_a_name"] == [
        ("p1", "dice", "p0")
    ]


class BuiltIn:
    """A plugin that comes last and goes first."""

    @hookimpl(tryfirst=True)
    def register_tools(self) -> Sequence[Tool]:
        return [tool("built-in")]


class Pushy:
    """A plugin that would like to go first, too."""

    @hookimpl(tryfirst=True)
    def register_tools(self) -> Sequence[Tool]:
        return [tool("pushy")]


class Modest:
    """A plugin that goes last."""

    @hookimpl(trylast=True)
    def register_tools(self) -> Sequence[Tool]:
        return [tool("modest")]


def test_what_is_built_in_goes_first_though_it_comes_last() -> None:
    manager = loaded(Pushy(), Modest(), Registers(tools=[tool("ordinary")]), BuiltIn())

    assert [found.spec.name for found in manager.tools] == ["built-in", "pushy", "ordinary", "modest"]


def test_a_command_and_a_group_of_one_name_cannot_both_be() -> None:
    manager = loaded(Registers(commands=[command("memory", "list")]), Registers(commands=[command("memory"), command("roll")]))

    assert [found.path for found in manager.commands] == [("memory", "list"), ("roll",)]


@pytest.mark.parametrize("nonsense", [None, 5, "text", [None, "x", object()], [Tool], [Tool(None, None)], {"a": 1}])  # type: ignore[arg-type] # nonsense is what is tested
def test_nonsense_is_logged_and_left_out(nonsense: object) -> None:
    with capture_logs() as logs:
        manager = loaded(Registers(tools=nonsense), Registers(tools=[tool("good")]))
        names = [found.spec.name for found in manager.tools]

    assert names == ["good"]
    assert {entry["plugin"] for entry in logs if entry["event"] == "plugin_nonsense"} == {"p0"}


class Raises:
    """A plugin that fails in every hook that registers."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    @hookimpl
    def configure(self, settings: Mapping[str, str]) -> None:
        raise self._error

    @hookimpl
    def register_tools(self) -> Iterable[Tool]:
        yield tool("half")
        raise self._error


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(1), KeyError("x"), RecursionError()])
def test_a_plugin_that_raises_is_logged_with_its_traceback_and_left_out(error: BaseException) -> None:
    with capture_logs() as logs:
        manager = loaded(Raises(error), Registers(tools=[tool("good")]))
        manager.configure({})
        names = [found.spec.name for found in manager.tools]

    assert names == ["good"]
    failures = [entry for entry in logs if entry["event"] == "plugin_failed"]
    assert [(entry["plugin"], entry["doing"], entry["exc_info"]) for entry in failures] == [
        ("p0", "configure", True),
        ("p0", "register_tools", True),
    ]


class HangsAtStart:
    """A plugin that does not come back from a hook that registers, until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()

    @hookimpl
    def register_tools(self) -> Iterable[Tool]:
        self.let_go.wait()
        return [tool("late")]


def test_a_plugin_that_hangs_at_start_is_left_behind() -> None:
    manager, hanging = PluginManager(start_seconds=0.05), HangsAtStart()
    manager.register(hanging, "hangs")
    manager.register(Registers(tools=[tool("good")]), "good")

    with capture_logs() as logs:
        names = [found.spec.name for found in manager.tools]
    hanging.let_go.set()

    assert names == ["good"]
    assert [(entry["event"], entry["plugin"]) for entry in logs] == [("plugin_too_slow", "hangs")]


def test_an_endless_list_ends() -> None:
    def endless() -> Iterable[Tool]:
        number = 0
        while True:
            number += 1
            yield tool(f"t{number}")

    assert len(loaded(Registers(tools=endless())).tools) == 1000


async def test_every_plugin_hears_of_messages_and_replies_in_order() -> None:
    heard: list[str] = []
    manager = loaded(Listens("one", heard), Listens("two", heard))

    await manager.message_recorded(MESSAGE)
    await manager.reply_committed(TurnReport(a_turn(MESSAGE), "hi", 0, ()))

    assert heard == ["one: hello", "two: hello", "one: hi", "two: hi"]


@pytest.mark.parametrize("error", [RuntimeError("boom"), SystemExit(1), asyncio.CancelledError(), TimeoutError("its own")])
async def test_a_plugin_that_raises_in_a_turn_does_not_keep_the_news_from_the_next(error: BaseException) -> None:
    heard: list[str] = []
    manager = loaded(Listens("bad", heard, error), Listens("good", heard))

    with capture_logs() as logs:
        await manager.message_recorded(MESSAGE)

    assert heard == ["bad: hello", "good: hello"]
    assert [(entry["event"], entry["plugin"], entry["exc_info"]) for entry in logs] == [("plugin_failed", "p0", True)]


async def test_a_plugin_that_hangs_in_a_turn_is_given_up() -> None:
    heard: list[str] = []
    manager = loaded(Listens("slow", heard, hangs=True), Listens("good", heard))

    with capture_logs() as logs:
        await asyncio.wait_for(manager.message_recorded(MESSAGE), timeout=5)

    assert heard == ["slow: hello", "good: hello"]
    assert [(entry["event"], entry["seconds"]) for entry in logs] == [("plugin_too_slow", 0.05)]


async def test_a_turn_that_is_cancelled_is_not_held_up_by_a_plugin() -> None:
    heard: list[str] = []
    manager = PluginManager()
    manager.register(Listens("slow", heard, hangs=True), "slow")

    telling = asyncio.ensure_future(manager.message_recorded(MESSAGE))
    await asyncio.sleep(0)
    telling.cancel()

    with pytest.raises(asyncio.CancelledError):
        await telling


class WrongKind:
    """A plugin whose hooks are of the wrong kind of function."""

    @hookimpl
    def message_recorded(self, message: StoredMessage) -> None:
        raise AssertionError("never called")

    @hookimpl
    async def register_tools(self) -> Sequence[Tool]:
        return [tool("never")]


async def test_a_hook_of_the_wrong_kind_is_logged_and_never_called() -> None:
    with capture_logs() as logs:
        manager = loaded(WrongKind())
        await manager.message_recorded(MESSAGE)
        tools = manager.tools

    assert tools == ()
    assert sorted(entry["problem"] for entry in logs if entry["event"] == "plugin_nonsense") == [
        "write the hook as a plain `async def`",
        "write the hook as a plain `def`",
    ]


class Misspelt:
    """A plugin with a hook that there is not."""

    @hookimpl
    def register_tool(self) -> Sequence[Tool]:
        return []


class TakesTooMuch:
    """A plugin whose hook asks for what it does not get."""

    @hookimpl
    async def message_recorded(self, message: StoredMessage, app: object) -> None:
        """Do nothing."""


def test_an_unknown_hook_is_logged_with_the_nearest() -> None:
    with capture_logs() as logs:
        loaded(Misspelt())

    assert [(entry["hook"], entry["did_you_mean"]) for entry in logs if entry["event"] == "plugin_hook_unknown"] == [
        ("register_tool", "register_tools")
    ]


@pytest.mark.parametrize("plugin", [TakesTooMuch(), Registers])
def test_what_is_no_proper_plugin_is_refused(plugin: object) -> None:
    with capture_logs() as logs:
        loaded(plugin)

    assert [entry["event"] for entry in logs] == ["plugin_refused"]


def test_a_second_plugin_of_one_name_is_refused() -> None:
    manager = PluginManager()

    with capture_logs() as logs:
        manager.register(Registers(tools=[tool("a")]), "same")
        manager.register(Registers(tools=[tool("b")]), "same")

    assert [found.spec.name for found in manager.tools] == ["a"]
    assert manager.names == ["same"]
    assert [entry["event"] for entry in logs] == ["plugin_registered", "plugin_refused"]


class Configured:
    """A plugin that keeps its settings."""

    def __init__(self) -> None:
        self.settings: Mapping[str, str] = {}

    @hookimpl
    def configure(self, settings: Mapping[str, str]) -> None:
        self.settings = settings


def test_every_plugin_gets_its_own_settings_only() -> None:
    manager, plugins = PluginManager(), {name: Configured() for name in ("dice", "dice_extra", "my-weather", "quiet")}
    for name, plugin in plugins.items():
        manager.register(plugin, name)

    with capture_logs() as logs:
        manager.configure({"dice_most": "3", "dice_extra_sides": "6", "my_weather_key": "k", "radio_station": "1"})

    assert {name: dict(plugin.settings) for name, plugin in plugins.items()} == {
        "dice": {"most": "3"},
        "dice_extra": {"sides": "6"},
        "my-weather": {"key": "k"},
        "quiet": {},
    }
    assert [entry["setting"] for entry in logs if entry["event"] == "plugin_setting_unused"] == ["radio_station"]


async def test_sections_are_rendered_for_a_turn_and_those_that_fail_are_left_out() -> None:
    async def weather(turn: Turn) -> str:
        return f"Rain for {turn.asker.display_name}."

    async def fails(turn: Turn) -> str:
        raise RuntimeError("boom")

    async def hangs(turn: Turn) -> str:
        await asyncio.Event().wait()
        return "never"

    async def empty(turn: Turn) -> str:
        return ""

    async def number(turn: Turn) -> str:
        return 5  # type: ignore[return-value] # nonsense is what is tested

    renders = {"weather": weather, "fails": fails, "hangs": hangs, "empty": empty, "number": number}
    sections = [PromptSection(name, render) for name, render in renders.items()]
    manager = loaded(Registers(sections=[*sections, PromptSection("rules", weather, stable=True)]))

    stable, fresh = await manager.prompt_sections(a_turn())

    assert stable == [("rules", "Rain for Ada.")]
    assert fresh == [("weather", "Rain for Ada.")]
