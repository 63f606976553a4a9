"""The lines of the menu."""

from bot.domain.command import Answer, Command, CommandCall
from bot.platforms.telegram.menu import menu_of


async def nothing(call: CommandCall) -> Answer:
    return Answer("")


def test_a_command_that_runs_alone_stands_there_under_its_first_word_too() -> None:
    commands = [Command(("privacy", "show"), "See what I keep", nothing, alone=True), Command(("privacy", "optout"), "Stop it", nothing)]

    lines = [(line.command, line.description) for line in menu_of(commands)]

    assert lines == [("privacy", "See what I keep"), ("privacy_show", "See what I keep"), ("privacy_optout", "Stop it")]


def test_a_menu_speaks_other_languages_under_the_same_names() -> None:
    commands = [Command(("help",), "See what you can type", nothing)]

    assert [[(line.command, line.description) for line in menu_of(commands, language)] for language in ("", "de", "pt")] == [
        [("help", "See what you can type")],
        [("help", "Zeigt, was du eingeben kannst")],
        [("help", "See what you can type")],
    ]
