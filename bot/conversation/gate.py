"""Whether to answer a message. A pure rule; the reason goes to the log."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from bot.conversation.overheard import Inclination, inclination, is_for_somebody_else
from bot.domain.calling import calls_any, says_any
from bot.domain.chat import ConversationKind
from bot.domain.message import IncomingMessage, StoredMessage
from bot.domain.speaking import USUAL, QuietFor, Speaking, SpeakMode


class Reason(StrEnum):
    """Why the persona speaks or stays silent."""

    ADDRESSED = "addressed"
    TRIGGERED = "triggered"
    NAMED = "named"
    """Its name or a keyword fell."""
    ANYTHING = "anything"
    """Every message is answered there."""
    SOMETHING_TO_SAY = "something_to_say"
    UNSURE = "unsure"
    """A model is asked whether there is something to say; silent where it has been asked often enough."""
    NOTHING_TO_SAY = "nothing_to_say"
    FOR_SOMEBODY_ELSE = "for_somebody_else"
    QUIET_HOURS = "quiet_hours"
    SAID_ENOUGH = "said_enough"
    """It has answered often enough what nobody addressed to it."""
    ANOTHER_BOT = "another_bot"
    NOT_ADDRESSED = "not_addressed"
    NOTHING_SAID = "nothing_said"
    ONLY_HEARD = "only_heard"
    """It was said too long ago, or before the thread that it began."""
    DENIED = "denied"
    NOT_LISTED = "not_listed"
    NOT_HERE = "not_here"
    PERSON_LIMIT = "person_limit"
    CONVERSATION_LIMIT = "conversation_limit"
    SERVER_LIMIT = "server_limit"
    TOKENS_SPENT = "tokens_spent"
    LIKE_A_LOOP = "like_a_loop"
    """Too many answers to somebody who may be a program."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What to do with a message, and why."""

    speaks: bool
    reason: Reason
    until: datetime | None = None
    """When a limit ends that keeps the persona silent."""


@dataclass(frozen=True, slots=True)
class Barriers:
    """What stands between a message and an answer where it was said."""

    answers_bots: bool = False
    """Other bots may be answered when they address the persona."""
    stop: Decision | None = None
    """A list or a limit that keeps the persona silent."""


NO_BARRIERS = Barriers()


@dataclass(frozen=True, slots=True)
class Room:
    """What the gate knows of the place where a message was said."""

    triggers: tuple[str, ...] = ()
    name: str = ""
    """The persona's."""
    speaking: Speaking = USUAL
    recent: Sequence[StoredMessage] = ()
    """What was said there before, oldest first; needed where more is answered than what is addressed."""
    is_quiet: bool = False
    full_until: datetime | None = None
    """When the persona may answer again what nobody addressed to it."""
    may_ask: bool = True
    """A model may be asked whether the persona has something to say."""
    guests: tuple[str, ...] = ()
    """The names of the personas that share the place with it; their trigger words stand among the others."""

    @property
    def names(self) -> tuple[str, ...]:
        """Return what the personas there are called."""
        return (*self.triggers, self.name, *self.guests)


PRIVATE = Room()


def decide(message: IncomingMessage, room: Room = PRIVATE, barriers: Barriers = NO_BARRIERS) -> Decision:
    """Return whether the persona answers: what is addressed to it, and what admins let it answer beside, unless something stops it."""
    if unfit := _unfit(message, barriers):
        return Decision(speaks=False, reason=unfit)
    if message.kind is ConversationKind.DIRECT and message.addressed_to_bot:
        return barriers.stop or Decision(speaks=True, reason=Reason.ADDRESSED)
    wished = Decision(speaks=True, reason=Reason.ADDRESSED) if message.addressed_to_bot else _overheard(message, room)
    if not wished.speaks:
        return wished
    if room.is_quiet and (not message.addressed_to_bot or room.speaking.quiet_for is QuietFor.ALL):
        return Decision(speaks=False, reason=Reason.QUIET_HOURS)
    return barriers.stop or wished


def _unfit(message: IncomingMessage, barriers: Barriers) -> Reason | None:
    """Return why a message is answered nowhere, whatever is set."""
    if message.only_heard:
        return Reason.ONLY_HEARD
    if message.author.is_bot and not (barriers.answers_bots and message.addressed_to_bot):
        return Reason.ANOTHER_BOT
    return None if message.text.strip() or message.attachments else Reason.NOTHING_SAID


def _overheard(message: IncomingMessage, room: Room) -> Decision:
    """Return whether the persona answers what nobody addressed to it."""
    reason = _reason_to_speak(message, room)
    if reason in _SILENT:
        return Decision(speaks=False, reason=reason)
    if is_for_somebody_else(message, room.recent, room.names):
        return Decision(speaks=False, reason=Reason.FOR_SOMEBODY_ELSE)
    if reason is Reason.TRIGGERED:
        return Decision(speaks=True, reason=reason)
    if room.full_until is not None:
        return Decision(speaks=False, reason=Reason.SAID_ENOUGH, until=room.full_until)
    return Decision(speaks=reason is not Reason.UNSURE or room.may_ask, reason=reason)


def _reason_to_speak(message: IncomingMessage, room: Room) -> Reason:
    if says_any(message.text, room.triggers):
        return Reason.TRIGGERED
    match room.speaking.mode:
        case SpeakMode.MENTIONS:
            # A mention reaches the bot alone: who shares a place is called by name.
            is_called = bool(room.guests) and calls_any(message.text, (room.name, *room.guests))
            return Reason.NAMED if is_called else Reason.NOT_ADDRESSED
        case SpeakMode.NAMES:
            is_named = says_any(message.text, (room.name, *room.guests, *room.speaking.words))
            return Reason.NAMED if is_named else Reason.NOT_ADDRESSED
        case SpeakMode.EVERY:
            return Reason.ANYTHING
        case SpeakMode.CHOICE:
            return _INCLINED[inclination(message, room.recent, names=room.names, words=room.speaking.words)]
        case _:
            assert_never(room.speaking.mode)


_SILENT = frozenset({Reason.NOT_ADDRESSED, Reason.NOTHING_TO_SAY})
_INCLINED: Mapping[Inclination, Reason] = {
    Inclination.YES: Reason.SOMETHING_TO_SAY,
    Inclination.NO: Reason.NOTHING_TO_SAY,
    Inclination.UNSURE: Reason.UNSURE,
}
