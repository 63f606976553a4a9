"""The values that a command takes, checked."""

import re
import unicodedata
from collections.abc import Mapping

from bot.commands import texts
from bot.domain.command import Command, Option, OptionKind
from bot.domain.text import storable

_NUMBER = re.compile(r"#?\s*([+-]?\d{1,15})")


def checked_options(command: Command, given: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return the values of the command's options, empty ones left out. Raises ValueError with what to type instead."""
    values: dict[str, str | int] = {}
    for option in command.options:
        text = storable(str(given.get(option.name, ""))).strip()
        if text:
            values[option.name] = _number(command, option, text) if option.kind is OptionKind.NUMBER else text
        elif option.required:
            raise ValueError(texts.missing_option(command, option))
    return values


def _number(command: Command, option: Option, text: str) -> int:
    match = _NUMBER.fullmatch(unicodedata.normalize("NFKC", text))
    if match is None:
        raise ValueError(texts.no_number(command, option, text))
    return int(match[1])
