"""From Discord's interactions to command calls; pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import discord

from bot.domain.chat import ConversationKind
from bot.domain.command import MOST_BUTTONS, Answer, CommandCall, UploadedFile, button_rows
from bot.domain.message import Quote
from bot.domain.text import one_line
from bot.platforms.discord.convert import Place, category_of, direct_place, place_of, to_person

CONFIRM_PREFIX = "baku:"
GO_PREFIX = "baku-go:"
IN_A_ROW = 5
MOST_ROWS = 5
MAX_LABEL = 80

Asked = discord.Interaction[discord.Client]


def place_of_interaction(asked: Asked) -> Place | None:
    """Return where somebody used a command; None where Discord tells too little. An interaction names its channel's kind itself."""
    channel = asked.channel
    if isinstance(channel, discord.DMChannel):
        place = direct_place(channel.id)
        return replace(place, kind=ConversationKind.GROUP) if asked.context.private_channel else place
    return place_of(channel)


def to_call(
    asked: Asked,
    path: tuple[str, ...],
    options: Mapping[str, str | int],
    place: Place,
    *,
    confirmed: bool = False,
    about: Quote | None = None,
    file: UploadedFile | None = None,
) -> CommandCall:
    """Return the call. Rights are those that Discord resolved for this channel at this moment."""
    in_own_chat = place.kind is ConversationKind.DIRECT
    may = asked.permissions
    return CommandCall(
        path=path,
        options=options,
        asker=to_person(asked.user),
        conversation=place.conversation,
        kind=place.kind,
        asker_is_admin=in_own_chat or may.administrator or may.manage_guild,
        confirmed=confirmed,
        language=str(asked.locale).partition("-")[0],
        about=about,
        category_id=category_of(asked.channel),
        file=file,
    )


@dataclass(frozen=True, slots=True)
class Pressed:
    """What a pressed button says."""

    line: str
    """The command to run."""
    confirms: bool
    """The button of a question, rather than one that only goes on: to a page, to a choice."""


def buttons_of(answer: Answer) -> discord.ui.View | None:
    """Return the buttons below an answer, None where it has none. They carry their commands, so that they work after a restart."""
    if answer.confirmation is None and not answer.buttons:
        return None
    view = discord.ui.View(timeout=None)
    rows = button_rows(answer.buttons[:MOST_BUTTONS], IN_A_ROW)
    fits = len(rows) + (answer.confirmation is not None) <= MOST_ROWS
    for number, row in enumerate(rows):
        for button in row:
            style = discord.ButtonStyle.primary if button.chosen else discord.ButtonStyle.secondary
            view.add_item(_button(button.label, GO_PREFIX + button.line, style, row=number if fits else None))
    if answer.confirmation is not None:
        style = discord.ButtonStyle.success if answer.confirmation.is_harmless else discord.ButtonStyle.danger
        view.add_item(_button(answer.confirmation.label, CONFIRM_PREFIX + answer.confirmation.line, style))
    # Stopped at once: discord.py would else keep every such view for good.
    view.stop()
    return view


def pressed_in(asked: Asked) -> Pressed | None:
    """Return what a pressed button says, or None for any other interaction."""
    if asked.type is not discord.InteractionType.component or asked.data is None:
        return None
    custom_id = str(asked.data.get("custom_id", ""))
    if custom_id.startswith(CONFIRM_PREFIX):
        return Pressed(custom_id.removeprefix(CONFIRM_PREFIX), confirms=True)
    return Pressed(custom_id.removeprefix(GO_PREFIX), confirms=False) if custom_id.startswith(GO_PREFIX) else None


def _button(label: str, custom_id: str, style: discord.ButtonStyle, row: int | None = None) -> discord.ui.Button[discord.ui.View]:
    return discord.ui.Button(label=one_line(label, MAX_LABEL), custom_id=custom_id, style=style, row=row)


def is_for_somebody_else(asked: Asked) -> bool:
    """Say whether the pressed button was shown to another person."""
    about = asked.message.interaction_metadata if asked.message is not None else None
    return about is not None and about.user.id != asked.user.id
