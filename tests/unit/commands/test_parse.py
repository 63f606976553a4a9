import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.commands.help import help_command
from bot.commands.parse import ParsedLine, ParseProblem, parse_line
from bot.domain.command import Answer, Command, CommandCall, Option, OptionKind


async def nothing(call: CommandCall) -> Answer:
    return Answer("")


def command(name: str, *options: Option) -> Command:
    return Command(tuple(name.split()), f"Does {name}", nothing, options)


NUMBER = Option("number", "The number", OptionKind.NUMBER)
TEXT = Option("text", "The text")
OTHERS = (
    command("memory list", Option("after", "Where to begin", OptionKind.NUMBER, required=False)),
    command("memory add", TEXT),
    command("memory edit", NUMBER, TEXT),
    command("memory forget", NUMBER),
    command("persona set", Option("name", "Who"), Option("where", "Where", required=False)),
    command("roll", Option("dice", "What", required=False)),
    command("repeat", TEXT, Option("times", "How often", OptionKind.NUMBER, required=False)),
)
COMMANDS = (*OTHERS, help_command(OTHERS))
BY_NAME = {known.name: known for known in COMMANDS}
ONE_TEXT = st.text(min_size=1).map(str.strip).filter(bool)


def parsed(name: str, options: dict[str, str | int]) -> ParsedLine:
    return ParsedLine(BY_NAME[name], options)


@pytest.mark.parametrize(
    ("line", "name", "options"),
    [
        pytest.param("/memory list", "memory list", {}, id="two words"),
        pytest.param("  /Memory   LIST  ", "memory list", {}, id="case and blanks"),
        pytest.param("memory list", "memory list", {}, id="without slash, as a button says it"),
        pytest.param("／memory list", "memory list", {}, id="full-width slash"),
        pytest.param("/memory@BakuBot list", "memory list", {}, id="addressed, as Telegram writes it"),
        pytest.param("/memory_list 5", "memory list", {"after": 5}, id="joined, as a Telegram menu writes it"),
        pytest.param("/memory list after:20", "memory list", {"after": 20}, id="named option"),
        pytest.param("/memory add I like tea", "memory add", {"text": "I like tea"}, id="rest of the line"),
        pytest.param('/memory add "I like tea"', "memory add", {"text": "I like tea"}, id="quotes"),
        pytest.param("/memory add “I like tea”", "memory add", {"text": "I like tea"}, id="typographic quotes"),
        pytest.param("/memory add 「お茶が好き」", "memory add", {"text": "お茶が好き"}, id="Japanese quotes"),
        pytest.param('/memory add "tea" and "cake"', "memory add", {"text": '"tea" and "cake"'}, id="quotes inside"),
        pytest.param("/memory add 'til dawn", "memory add", {"text": "'til dawn"}, id="apostrophe"),
        pytest.param("/memory add text: hello", "memory add", {"text": "text: hello"}, id="required text is never named"),
        pytest.param("/memory add two\nlines", "memory add", {"text": "two\nlines"}, id="lines"),
        pytest.param("/memory edit 3 new  text", "memory edit", {"number": 3, "text": "new  text"}, id="number and text"),
        pytest.param("memory forget #3", "memory forget", {"number": 3}, id="number sign"),
        pytest.param("memory forget ＃３", "memory forget", {"number": 3}, id="full-width digits"),
        pytest.param("/memory forget number:3", "memory forget", {"number": 3}, id="named number"),
        pytest.param("/persona set rook", "persona set", {"name": "rook"}, id="optional left out"),
        pytest.param("/persona set rook where:server", "persona set", {"name": "rook", "where": "server"}, id="optional named"),
        pytest.param('/persona set "Old Tom" here', "persona set", {"name": "Old Tom", "where": "here"}, id="quoted word"),
        pytest.param("/roll", "roll", {}, id="one word"),
        pytest.param("/roll 2d6 + 1", "roll", {"dice": "2d6 + 1"}, id="one word with a rest"),
        pytest.param("/repeat hello 3", "repeat", {"text": "hello", "times": 3}, id="text before a number is one word"),
        pytest.param("/memory", "help", {"command": "memory"}, id="a group gives its help"),
        pytest.param("/", "help", {}, id="nothing gives help"),
        pytest.param("/help memory add", "help", {"command": "memory add"}, id="help on a command"),
    ],
)
def test_a_line_becomes_a_command_with_its_options(line: str, name: str, options: dict[str, str | int]) -> None:
    assert parse_line(line, COMMANDS) == parsed(name, options)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/memroy list", "There is no command “/memroy”. Did you mean `/memory`?"),
        ("/memory lst", "There is no command “/memory lst”. Did you mean `/memory list`?"),
        ("/xyzzy", "There is no command “/xyzzy”. `/help` shows all commands."),
        ("/**x** @everyone", "There is no command “/\\*\\*x\\*\\*”. `/help` shows all commands."),
        ("/memory forget", "`/memory forget` needs one more number: the number. Type it as `/memory forget <number>`."),
        ("/memory edit 3", "`/memory edit` needs one more text: the text. Type it as `/memory edit <number> <text>`."),
        ("/memory forget tea", "“tea” is no number. Type it as `/memory forget <number>`; `number` is a number such as 3."),
        ("/memory forget 1_000", "“1_000” is no number. Type it as `/memory forget <number>`; `number` is a number such as 3."),
        ("/memory forget " + "9" * 30, "is no number"),
        ("/memory list after = 20", "`/memory list` has no use for “\\= 20”. Type it as `/memory list [after]`."),
        ("/memory forget 3 please", "`/memory forget` has no use for “please”. Type it as `/memory forget <number>`."),
        ('/memory add ""', "`/memory add` needs one more text: the text. Type it as `/memory add <text>`."),
    ],
)
def test_a_line_that_cannot_run_says_what_to_type(line: str, said: str) -> None:
    problem = parse_line(line, COMMANDS)

    assert isinstance(problem, ParseProblem)
    assert said in problem.text


def test_where_there_is_no_help_a_group_names_its_commands() -> None:
    problem = parse_line("/persona", OTHERS)

    assert problem == ParseProblem("Choose one of `/persona set`.")


@given(st.text())
def test_any_line_is_a_command_or_a_problem_in_words(line: str) -> None:
    found = parse_line(line, COMMANDS)

    assert isinstance(found, ParsedLine) or found.text


@given(
    st.text()
    | st.sampled_from(["memory ", "memory edit ", "/memory forget #", '/persona set "']).flatmap(lambda start: st.text().map(start.__add__))
)
def test_what_was_parsed_names_a_command_and_only_its_options(line: str) -> None:
    found = parse_line(line, COMMANDS)

    if isinstance(found, ParsedLine):
        assert found.command in COMMANDS
        kinds = {option.name: int if option.kind is OptionKind.NUMBER else str for option in found.command.options}
        assert all(isinstance(value, kinds[name]) for name, value in found.options.items())


@given(
    number=st.integers(min_value=0, max_value=10**15 - 1),
    text=ONE_TEXT.filter(lambda text: "\0" not in text and text[0] not in '"“„«「『＂'),
)
def test_number_and_text_come_through_as_typed(number: int, text: str) -> None:
    assert parse_line(f"/memory edit {number} {text}", COMMANDS) == parsed("memory edit", {"number": number, "text": text})


@given(ONE_TEXT.filter(lambda text: '"' not in text and "\0" not in text))
def test_quotes_around_a_text_make_no_difference(text: str) -> None:
    assert parse_line(f'/memory add "{text}"', COMMANDS) == parsed("memory add", {"text": text})


def test_a_group_with_a_command_of_its_own_runs_it() -> None:
    show = Command(("privacy", "show"), "Show", nothing, alone=True)
    known = (show, command("privacy optout"), *COMMANDS)

    for line in ("/privacy", "privacy", "/privacy@baku_bot", "/privacy show", "/privacy_show"):
        assert parse_line(line, known) == ParsedLine(show, {})
    assert isinstance(parse_line("/privacy dance", known), ParseProblem)


def test_a_command_of_three_words_is_found_with_and_without_the_mark_between_them() -> None:
    known = (command("memory export"), command("memory export_server"), *COMMANDS)

    for line in ("/memory export server", "/memory export_server", "/memory_export_server", "/Memory Export Server"):
        assert parse_line(line, known) == ParsedLine(known[1], {})
    assert parse_line("/memory export", known) == ParsedLine(known[0], {})


@pytest.mark.parametrize(
    ("line", "name", "options"),
    [
        pytest.param("/記憶 一覧", "memory list", {}, id="both words"),
        pytest.param("／記憶　一覧 3", "memory list", {"after": 3}, id="with an option"),
        pytest.param("/Erinnerung_Liste", "memory list", {}, id="joined, in capitals"),
        pytest.param("/memory liste", "memory list", {}, id="half and half"),
        pytest.param("/記憶", "help", {"command": "memory"}, id="a bare group"),
        pytest.param("/hilfe", "help", {}, id="one word"),
    ],
)
def test_commands_are_known_by_their_names_in_other_languages(line: str, name: str, options: dict[str, str | int]) -> None:
    assert parse_line(line, COMMANDS) == parsed(name, options)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        pytest.param("/note green tea of:rose", {"text": "green tea", "of": "rose"}, id="behind"),
        pytest.param('/note of:"Rose Red" green tea', {"of": "Rose Red", "text": "green tea"}, id="before, in quotes"),
        pytest.param("/note the price of: tea", {"text": "the price of: tea"}, id="no name"),
    ],
)
def test_an_option_by_name_is_typed_before_or_behind_all_else(line: str, options: dict[str, str]) -> None:
    async def run(_call: CommandCall) -> Answer:
        return Answer("")

    note = Command(("note",), "Note", run, (Option("text", "Text"), Option("of", "Of whom", required=False, by_name=True)))
    parsed = parse_line(line, [note])

    assert isinstance(parsed, ParsedLine)
    assert parsed.options == options
