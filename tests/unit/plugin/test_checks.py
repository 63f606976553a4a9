import pytest

from bot.domain.command import Answer, Command, CommandCall, Option
from bot.domain.extension import PromptSection, Tool, ToolContext
from bot.domain.tool import ToolSpec
from bot.domain.turn import Turn
from bot.plugin.checks import checked_command, checked_model, checked_platform, checked_section, checked_tool
from bot.testing.platform import RecordingPlatform


async def run_tool(context: ToolContext, arguments: object) -> str:
    return ""


async def run_command(call: CommandCall) -> Answer:
    return Answer("")


async def render(turn: Turn) -> str:
    return ""


def spec(name: str = "dice", **parameters: object) -> ToolSpec:
    return ToolSpec(name, "Rolls.", {"type": "object"} | parameters)  # type: ignore[arg-type] # nonsense is what is tested


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        pytest.param("dice", "a str is no Tool", id="a text"),
        pytest.param(Tool(spec("roll dice"), run_tool), "a tool cannot be called 'roll dice'", id="name with a blank"),
        pytest.param(Tool(spec("x" * 65), run_tool), "a tool cannot be called", id="long name"),
        pytest.param(Tool(spec(type="string"), run_tool), "no JSON Schema of type object", id="schema of no object"),
        pytest.param(Tool(spec(default={1, 2}), run_tool), "are no JSON: ", id="schema that is no JSON"),
        pytest.param(Tool(ToolSpec("dice", 7, {"type": "object"}), run_tool), "description of 'dice' is no text", id="no description"),  # type: ignore[arg-type] # as above
        pytest.param(Tool(spec(), None), "the tool 'dice' has no function", id="no function"),  # type: ignore[arg-type] # as above
    ],
)
def test_a_tool_that_no_model_could_be_told_of_is_refused(tool: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        checked_tool(tool)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param(None, "a NoneType is no Command", id="nothing"),
        pytest.param(Command((), "Does", run_command), r"a command cannot be called \(\)", id="no name"),
        pytest.param(Command(("a", "b", "c"), "Does", run_command), "a command cannot be called", id="three words"),
        pytest.param(Command("roll", "Does", run_command), "a command cannot be called 'roll'", id="text"),  # type: ignore[arg-type] # as above
        pytest.param(Command(("Roll",), "Does", run_command), "a command cannot be called", id="capital"),
        pytest.param(Command(("roll-it",), "Does", run_command), "a command cannot be called", id="dash, which Telegram refuses"),
        pytest.param(Command(("roll",), "", run_command), "the summary of 'roll' must have 1 to 100", id="no summary"),
        pytest.param(Command(("roll",), "x" * 101, run_command), "the summary of 'roll' must have 1 to 100", id="long summary"),
        pytest.param(Command(("roll",), "Does", run_command, (Option("A", "x"),)), "an option of 'roll' cannot be called 'A'", id="option"),
        pytest.param(Command(("roll",), "Does", run_command, (Option("a", ""),)), "the summary of 'roll a'", id="option without summary"),
        pytest.param(Command(("roll",), "Does", run_command, (Option("a", "x"), Option("a", "x"))), "a name of its own", id="same names"),
        pytest.param(
            Command(("roll",), "Does", run_command, (Option("a", "x", required=False), Option("b", "x"))),
            "required options first",
            id="order",
        ),
        pytest.param(
            Command(("roll",), "Does", run_command, tuple(Option(f"o{n}", "x") for n in range(26))), "at most 25 options", id="26 options"
        ),
        pytest.param(Command(("roll",), "Does", None), "the command 'roll' has no function", id="no function"),  # type: ignore[arg-type] # as above
    ],
)
def test_a_command_that_some_platform_would_refuse_is_refused_here(command: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        checked_command(command)


@pytest.mark.parametrize(
    ("section", "said"),
    [
        (object(), "a object is no PromptSection"),
        (PromptSection("", render), "a section cannot be called ''"),
        (PromptSection("two\nlines", render), "a section cannot be called"),
        (PromptSection("x", "text"), "the section 'x' has no function"),  # type: ignore[arg-type] # nonsense is what is tested
    ],
)
def test_a_section_that_could_not_stand_in_a_prompt_is_refused(section: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        checked_section(section)


def test_a_platform_needs_all_parts_of_one() -> None:
    assert checked_platform(platform := RecordingPlatform()) is platform
    with pytest.raises(ValueError, match="a object is no Platform: it has no name"):
        checked_platform(object())


def test_a_model_needs_all_parts_of_one() -> None:
    with pytest.raises(ValueError, match="'console' is no ChatModel: it lacks stream, close, takes_tools, takes_images"):
        checked_model(RecordingPlatform("console"))
