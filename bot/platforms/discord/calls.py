"""From Discord's interactions to command calls; pure."""

from collections.abc import Mapping
from dataclasses import replace

import discord

from bot.domain.chat import ConversationKind
from bot.domain.command import CommandCall, Confirmation
from bot.domain.text import one_line
from bot.platforms.discord.convert import Place, direct_place, place_of, to_person

CONFIRM_PREFIX = "baku:"
MAX_LABEL = 80

Asked = discord.Interaction[discord.Client]


def place_of_interaction(asked: Asked) -> Place | None:
    """Return where somebody used a command; None where Discord tells too little. An interaction names its channel's kind itself."""
    channel = asked.channel
    if isinstance(channel, discord.DMChannel):
        place = direct_place(channel.id)
        return replace(place, kind=ConversationKind.GROUP) if asked.context.private_channel else place
    return place_of(channel)


def to_call(asked: Asked, path: tuple[str, ...], options: Mapping[str, str | int], place: Place, *, confirmed: bool = False) -> CommandCall:
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
    )


def confirm_button(confirmation: Confirmation) -> discord.ui.View:
    """Return a button that carries its command with it, so that it works after a restart too."""
    view = discord.ui.View(timeout=None)
    style = discord.ButtonStyle.danger
    label = one_line(confirmation.label, MAX_LABEL)
    view.add_item(discord.ui.Button(label=label, custom_id=CONFIRM_PREFIX + confirmation.line, style=style))
    # Stopped at once: discord.py would else keep every such view for good.
    view.stop()
    return view


def confirmed_line(asked: Asked) -> str | None:
    """Return the command that a pressed button carries, or None for any other interaction."""
    if asked.type is not discord.InteractionType.component or asked.data is None:
        return None
    custom_id = str(asked.data.get("custom_id", ""))
    return custom_id.removeprefix(CONFIRM_PREFIX) if custom_id.startswith(CONFIRM_PREFIX) else None


def is_for_somebody_else(asked: Asked) -> bool:
    """Say whether the pressed button was shown to another person."""
    about = asked.message.interaction_metadata if asked.message is not None else None
    return about is not None and about.user.id != asked.user.id
