"""Forms: what a command needs in several lines is asked for in a window of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import discord

from bot.domain.command import Command, Option
from bot.domain.text import one_line, utf16_length
from bot.platforms.discord.calls import Asked
from bot.wording.say import figure, say, translated

FORM_PREFIX = "baku-form:"
LONGEST_ID = 100
MOST_FIELDS = 5
LONGEST_FIELD = 4000
"""UTF-16 units in one field."""
LONGEST_LABEL = 45


@dataclass(frozen=True, slots=True)
class FilledIn:
    """A form as it came back."""

    path: tuple[str, ...]
    options: Mapping[str, str]


def fields_of(command: Command, given: Mapping[str, object]) -> Sequence[Option]:
    """Return what to ask for in a form: all long texts that are not typed, if one is needed or none is there."""
    long = [option for option in command.options if option.is_long]
    missing = [option for option in long if option.name not in given]
    return missing[:MOST_FIELDS] if len(missing) == len(long) or any(option.required for option in missing) else ()


def is_too_long(text: str) -> bool:
    """Say whether a form cannot hold a text: sent, it would lose the rest."""
    return utf16_length(text) > LONGEST_FIELD


def too_long(command: Command, commands: Sequence[Command]) -> str:
    """Say why there is no form, and how the text is changed all the same, if there are commands for that."""
    word, known = command.path[0], {each.path for each in commands}
    why = say(
        "No form is open: the text is longer than the {most} characters that a form takes, and the rest would be lost.",
        most=figure(LONGEST_FIELD),
    )
    if not {(word, "export"), (word, "import")} <= known:
        return why
    return why + " " + say("Get it as a file with `/{word} export`, change it there, and bring it in with `/{word} import`.", word=word)


def form_for(
    command: Command, given: Mapping[str, str | int], fields: Sequence[Option], prefilled: Mapping[str, str]
) -> discord.ui.Modal | None:
    """Return the form, which carries the command with it, so that it works after a restart; None where that is too long.

    No text in it may be longer than a form takes.
    """
    carried = f"{FORM_PREFIX}{command.name}?{urlencode(given)}"
    if len(carried) > LONGEST_ID:
        return None
    modal = discord.ui.Modal(title=one_line(translated(command.summary), LONGEST_LABEL), custom_id=carried)
    for option in fields:
        modal.add_item(_input(option, prefilled.get(option.name, "")))
    # Stopped at once: discord.py would else keep it for as long as it may be open.
    modal.stop()
    return modal


def filled_in(asked: Asked) -> FilledIn | None:
    """Return the form that somebody sent, or None for any other interaction."""
    if asked.type is not discord.InteractionType.modal_submit or asked.data is None:
        return None
    custom_id = str(asked.data.get("custom_id", ""))
    if not custom_id.startswith(FORM_PREFIX):
        return None
    name, _, carried = custom_id.removeprefix(FORM_PREFIX).partition("?")
    written = {field["custom_id"]: str(field.get("value") or "") for field in _fields_in(asked.data)}
    return FilledIn(tuple(name.split()), {**dict(parse_qsl(carried)), **{key: text for key, text in written.items() if text.strip()}})


def _input(option: Option, text: str) -> discord.ui.TextInput[discord.ui.View]:
    return discord.ui.TextInput(
        label=one_line(translated(option.summary), LONGEST_LABEL),
        custom_id=option.name,
        style=discord.TextStyle.paragraph,
        default=text or None,
        required=option.required,
        max_length=LONGEST_FIELD,
    )


def _fields_in(data: Any) -> list[dict[str, Any]]:
    rows = (data or {}).get("components") or []
    return [field for row in rows for field in row.get("components") or [row.get("component") or {}] if "custom_id" in field]
