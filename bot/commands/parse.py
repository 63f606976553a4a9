"""Commands as people type them: `/memory add I like tea`. Shared by the console, Telegram and confirmation buttons."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from bot.commands import texts
from bot.commands.options import checked_options
from bot.domain.command import Command, Option, OptionKind
from bot.domain.nearest import nearest
from bot.wording.names import english_words

_HELP = ("help",)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "「": "」", "『": "』", "＂": "＂"}


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A command with its options, checked."""

    command: Command
    options: Mapping[str, str | int]

    @property
    def path(self) -> tuple[str, ...]:
        """Return the command's words."""
        return self.command.path


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """Why a line is no command that can run, in Markdown for whoever typed it."""

    text: str
    begun: ParsedLine | None = None
    """The command with the options it has, where it only lacks others."""


def parse_line(line: str, commands: Sequence[Command]) -> ParsedLine | ParseProblem:
    """Return the command of a line, with or without its slash, by its name in English or in any of our languages.

    A bare group such as `/memory` gives its help.
    """
    by_path = {command.path: command for command in commands}
    first, rest = _first_word(line.strip().lstrip("/／"))
    first = first.partition("@")[0].casefold()
    second, rest_of_two = _first_word(rest)
    group, _, joined = first.partition("_")
    third, rest_of_three = _first_word(rest_of_two)
    candidates = [
        ((first, f"{second}_{third}".casefold()), rest_of_three),
        ((first, second.casefold()), rest_of_two),
        ((first,), rest),
        ((group, joined), rest),
    ]
    in_english = ((words, typed) for path, typed in candidates for words in product(*map(english_words, path)))
    for path, typed in chain(candidates, in_english):
        if path in by_path:
            return _with_options(by_path[path], typed)
    groups = {path[0] for path in by_path}
    return _without_command(next((word for word in english_words(first) if word in groups), first), second, by_path)


def _without_command(first: str, second: str, by_path: Mapping[tuple[str, ...], Command]) -> ParsedLine | ParseProblem:
    in_group = [command for path, command in by_path.items() if path[0] == first]
    alone = next((command for command in in_group if command.alone), None)
    if alone is not None and not second:
        return ParsedLine(alone, {})
    if second and in_group:
        typed, known = f"{first} {second}", [command.name for command in in_group]
    elif in_group or not first:
        if _HELP in by_path:
            return ParsedLine(by_path[_HELP], {"command": first} if first else {})
        return ParseProblem(texts.choose_one(in_group or by_path.values()))
    else:
        typed, known = first, [command.name for command in by_path.values()] + [path[0] for path in by_path]
    return ParseProblem(texts.unknown_command(typed, nearest(typed, known)))


def _with_options(command: Command, typed: str) -> ParsedLine | ParseProblem:
    given, typed = _named(command, typed)
    in_order = [option for option in command.options if not option.by_name]
    for option in in_order:
        takes_rest = option is in_order[-1] and option.kind is OptionKind.TEXT
        value, typed = (_unquoted(_unnamed(option, typed)), "") if takes_rest else _word(_unnamed(option, typed))
        if value:
            given[option.name] = value
    if typed:
        return ParseProblem(texts.too_much(command, typed))
    try:
        return ParsedLine(command, checked_options(command, given))
    except ValueError as problem:
        return ParseProblem(str(problem), _begun(command, given))


def _named(command: Command, typed: str) -> tuple[dict[str, str | int], str]:
    """Return the options that are typed with their names, before or behind all else, and the rest."""
    given: dict[str, str | int] = {}
    for option in (option for option in command.options if option.by_name):
        value = rf'{re.escape(option.name)}[:=]("[^"]*"|\S+)'
        found = re.search(rf"^{value}(?:\s+|$)|(?:^|\s){value}$", typed, re.IGNORECASE)
        if found is not None:
            given[option.name] = (found[1] or found[2]).strip('"')
            typed = (typed[: found.start()] + typed[found.end() :]).strip()
    return given, typed


def _begun(command: Command, given: Mapping[str, str | int]) -> ParsedLine | None:
    """Return the command with the options that are typed, if they are as they should be."""
    typed = tuple(option for option in command.options if given.get(option.name))
    try:
        return ParsedLine(command, checked_options(replace(command, options=typed), given))
    except ValueError:
        return None


def _unnamed(option: Option, typed: str) -> str:
    """Take the name off `after:20`, but not off a required text, which may begin like that."""
    if option.required and option.kind is OptionKind.TEXT:
        return typed
    return re.sub(rf"^{re.escape(option.name)}[:=]\s*", "", typed, count=1, flags=re.IGNORECASE)


def _first_word(text: str) -> tuple[str, str]:
    word, *rest = text.split(maxsplit=1) or [""]
    return word, rest[0].strip() if rest else ""


def _word(text: str) -> tuple[str, str]:
    """Return the first word, or all between quotes, and the rest."""
    closing = _QUOTES.get(text[:1], "")
    end = text.find(closing, 1) if closing else -1
    return (text[1:end], text[end + 1 :].strip()) if end > 0 else _first_word(text)


def _unquoted(text: str) -> str:
    """Take off quotes that stand around the whole text."""
    closing = _QUOTES.get(text[:1], "")
    inside = text[1:-1]
    return inside if closing and len(text) > 1 and text.endswith(closing) and closing not in inside else text
