"""Brings the files with translations up to date with the texts in the code: `make words`."""

import ast
import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bot.domain.command import Command
from bot.domain.limits import LIMITS
from bot.memory.policy import RULES
from bot.testing.bot import make_bot
from bot.testing.scripted_model import ScriptedModel
from bot.wording.catalogues import COMMAND_NAME, FOLDER, NUMBER_FORMAT, SAMPLE_NUMBER, languages
from bot.wording.files import bring_up_to_date
from bot.wording.harvest import Text, texts_in

ROOT = Path(__file__).parents[1]
COMMANDS = "commands"
"""Where texts stand that belong to the list of commands."""


def all_texts() -> Mapping[Text, list[str]]:
    """Return every text that Baku says, with where it stands. Raises ValueError for one that cannot be translated."""
    where: dict[Text, list[str]] = {Text(SAMPLE_NUMBER, context=NUMBER_FORMAT): ["numbers"]}
    for path in sorted((ROOT / "bot").rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        try:
            found = {text for _, text in texts_in(ast.parse(path.read_text(encoding="utf-8")))}
        except ValueError as problem:
            raise ValueError(f"{name}, {problem}") from problem
        for text in found:
            where.setdefault(text, []).append(name)
    for text in texts_of(shipped_commands()):
        where.setdefault(text, []).append(COMMANDS)
    for meaning in (*(rule.meaning for rule in RULES.values()), *(rule.meaning for rule in LIMITS.values())):
        where.setdefault(Text(meaning), []).append("settings")
    return where


def texts_of(commands: Iterable[Command]) -> set[Text]:
    """Return what commands are called and say of themselves."""
    found: set[Text] = set()
    for command in commands:
        found |= {Text(word, context=COMMAND_NAME) for word in command.path}
        of_options = [text for option in command.options for text in (option.summary, option.question)]
        found |= {Text(text) for text in (command.summary, command.menu, *of_options) if text}
    return found


def shipped_commands() -> Sequence[Command]:
    """Return all commands that Baku comes with."""

    async def collect() -> Sequence[Command]:
        async with make_bot(ScriptedModel()) as bot:
            return bot.app.inbox.commands

    return asyncio.run(collect())


def main() -> None:
    """Write all files, and tell how much there is to translate."""
    where = all_texts()
    for language in languages():
        missing = bring_up_to_date(FOLDER / f"{language}.po", where)
        print(f"{language}.po: {len(where)} texts, {missing} without a translation")


if __name__ == "__main__":
    main()
