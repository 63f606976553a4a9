import pytest

from bot.commands.parse import ParsedLine, ParseProblem, parse_line
from bot.commands.questions import how_to_answer, lacking, question, value_of
from bot.domain.command import Answer, Command, CommandCall, Option, OptionKind


async def nothing(call: CommandCall) -> Answer:
    return Answer("")


NAME = Option("name", "What it is called", question="What shall it be called?")
VOICE = Option("voice", "How it talks", is_long=True)
GREETING = Option("greeting", "What it says first", required=False, is_long=True)
NUMBER = Option("number", "Its number", OptionKind.NUMBER)
FILE = Option("file", "A card", OptionKind.FILE, required=False)
CREATE = Command(("persona", "create"), "Make one", nothing, (NAME, VOICE, GREETING))
EDIT = Command(("persona", "edit"), "Change one", nothing, (NAME, Option("what", "Which", required=False), GREETING))
IMPORT = Command(("persona", "import"), "Bring one in", nothing, (Option("persona", "Whose place", required=False), FILE))
FORGET = Command(("memory", "forget"), "Forget one", nothing, (NUMBER,))


@pytest.mark.parametrize(
    ("command", "given", "asked"),
    [
        pytest.param(CREATE, {}, (NAME, VOICE, GREETING), id="all that a form would show"),
        pytest.param(CREATE, {"name": "Iris"}, (VOICE, GREETING), id="the rest"),
        pytest.param(CREATE, {"name": "Iris", "voice": "calm"}, (), id="no more where the long text was typed"),
        pytest.param(EDIT, {"name": "iris"}, (GREETING,), id="a long text that may be left out, where it is the only one"),
        pytest.param(IMPORT, {}, (FILE,), id="a file"),
        pytest.param(FORGET, {"number": 3}, (), id="nothing"),
    ],
)
def test_what_a_command_lacks_is_asked_for(command: Command, given: dict[str, str | int], asked: tuple[Option, ...]) -> None:
    assert lacking(command, given) == asked


def test_a_file_that_came_along_is_not_asked_for() -> None:
    assert lacking(IMPORT, {}, has_file=True) == ()


def test_a_line_that_lacks_something_keeps_what_was_typed() -> None:
    lacks, wrong = (parse_line(line, [CREATE, FORGET]) for line in ("/persona create Iris", "/memory forget soon"))

    assert isinstance(lacks, ParseProblem)
    assert lacks.begun == ParsedLine(CREATE, {"name": "Iris"})
    assert isinstance(wrong, ParseProblem)
    assert wrong.begun is None


def test_an_answer_is_checked_as_a_typed_value_is() -> None:
    assert (value_of(FORGET, NUMBER, " #３ "), value_of(CREATE, GREETING, "Hi\nyou")) == (3, "Hi\nyou")
    with pytest.raises(ValueError, match="/memory forget <number>"):
        value_of(FORGET, NUMBER, "soon")
    with pytest.raises(ValueError, match="needs one more text"):
        value_of(CREATE, GREETING, " ")


def test_a_question_tells_how_it_is_answered() -> None:
    assert question(CREATE, NAME) == "`/persona create`: **What shall it be called?**"
    assert question(CREATE, VOICE) == "`/persona create`: **How it talks**"
    assert how_to_answer(NAME, by_reply=True) == "Reply to this message. /cancel stops."
    assert how_to_answer(GREETING, by_reply=False, prefilled=True) == (
        "Above is what it says now, to copy and change. Write it here now. A text file will do too. /skip leaves it out, /cancel stops."
    )
    assert how_to_answer(FILE, by_reply=False).startswith("Send it here now.")
    assert how_to_answer(NAME, by_reply=True, choices=["one"]).startswith("Press one, or reply")
