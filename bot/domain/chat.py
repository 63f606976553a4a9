"""Where people talk: conversations, and the audiences that may see what was said there."""

from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote

DISCORD = "discord"
TELEGRAM = "telegram"
CONSOLE = "console"

CONSOLE_PERSON_ID = "console-user"
"""Whoever sits at the terminal; the name of their account is only shown."""


class ConversationKind(StrEnum):
    """How many may read along."""

    DIRECT = "direct"
    """One person and the bot."""
    GROUP = "group"
    """Everything else: channels, threads, topics, group chats. The kind to assume in doubt."""


@dataclass(frozen=True, slots=True)
class ConversationKey:
    """What has one history: a channel, a thread, a direct chat, a forum topic, a console session.

    `space_id` is the server or group; in a direct chat it equals `channel_id`. `thread_id` is empty outside threads and topics.
    `discussion` is what somebody named a thread of talk of their own that has no place on the platform; empty in all other talk.
    """

    platform: str
    space_id: str
    channel_id: str
    thread_id: str = ""
    discussion: str = ""

    @property
    def space(self) -> tuple[str, str]:
        """Return platform and id of the server, group or direct chat that it belongs to."""
        return self.platform, self.space_id

    def __str__(self) -> str:
        """Return the key as one line, which `parse_key` reads back: `discord:10:20:30`, with a fifth part for a discussion."""
        parts = (self.platform, self.space_id, self.channel_id, self.thread_id, *([self.discussion] if self.discussion else []))
        return ":".join(quote(part, safe="") for part in parts)


def parse_key(text: str) -> ConversationKey:
    """Return the conversation that `str(key)` wrote. Raises ValueError on anything else."""
    parts = [unquote(part) for part in text.split(":")]
    if len(parts) not in {4, 5} or not all([*parts[:3], *parts[4:]]):
        raise ValueError(f"{text!r} is no conversation; write it as platform:space:channel:thread.")
    return ConversationKey(*parts)


def console_conversation(session: str = "main") -> ConversationKey:
    """Return the conversation of a terminal session."""
    return ConversationKey(CONSOLE, session, session)


class AudienceKind(StrEnum):
    """Who may ever see a memory."""

    CONVERSATION = "conversation"
    SPACE = "space"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Audience:
    """The wall around a memory. Made from a platform event by `audience_of`, never from text."""

    kind: AudienceKind
    id: str

    def __str__(self) -> str:
        """Return the audience as one line: `conversation/discord:10:20:`."""
        return f"{self.kind}/{self.id}"


def audience_of(conversation: ConversationKey, kind: ConversationKind, person_id: str) -> Audience:
    """Return who may see what is said here: the person in a direct chat, else the conversation alone."""
    match kind:
        case ConversationKind.DIRECT:
            return Audience(AudienceKind.PERSON, f"{conversation.platform}:{quote(person_id, safe='')}")
        case ConversationKind.GROUP:
            return Audience(AudienceKind.CONVERSATION, str(conversation))


def space_of(audience: Audience) -> tuple[str, str]:
    """Return platform and id of the space whose settings hold for an audience. Each person has one of their own, for all direct chats."""
    match audience.kind:
        case AudienceKind.PERSON:
            platform, _, person_id = audience.id.rpartition(":")
            return platform, f"person:{unquote(person_id)}"
        case AudienceKind.CONVERSATION | AudienceKind.SPACE:
            platform, space_id = audience.id.split(":")[:2]
            return unquote(platform), unquote(space_id)


def is_within(audience: Audience, conversation: ConversationKey, kind: ConversationKind, person_id: str) -> bool:
    """Say whether what a person said in a conversation is an audience's own: nobody outside it ever sees that."""
    match audience.kind:
        case AudienceKind.SPACE:
            return kind is ConversationKind.GROUP and audience == space_audience(conversation)
        case AudienceKind.PERSON | AudienceKind.CONVERSATION:
            return audience == audience_of(conversation, kind, person_id)


def space_audience(conversation: ConversationKey) -> Audience:
    """Return everybody in the server or group of a conversation."""
    return Audience(AudienceKind.SPACE, f"{quote(conversation.platform, safe='')}:{quote(conversation.space_id, safe='')}")


@dataclass(frozen=True, slots=True)
class MemoryScope:
    """One persona's memory of one audience. Every query for memories names one."""

    persona_id: str
    audience: Audience

    def __str__(self) -> str:
        """Return the scope as one line: `iris conversation/discord:10:20:`."""
        return f"{self.persona_id} {self.audience}"


def parse_scope(text: str) -> MemoryScope:
    """Return the scope that `str(scope)` wrote. Raises ValueError on anything else."""
    persona_id, _, audience = text.rpartition(" ")
    kind, _, audience_id = audience.partition("/")
    if not persona_id or not audience_id:
        raise ValueError(f"{text!r} is no scope; write it as persona kind/audience.")
    return MemoryScope(persona_id, Audience(AudienceKind(kind), audience_id))


@dataclass(frozen=True, slots=True)
class BindingTarget:
    """A place that a persona can be bound to; empty ids widen it: a thread, a channel, or a whole space."""

    platform: str
    space_id: str
    channel_id: str = ""
    thread_id: str = ""


def binding_targets(conversation: ConversationKey) -> tuple[BindingTarget, ...]:
    """Return where to look for a conversation's persona, the narrowest place first."""
    platform, space = conversation.platform, conversation.space_id
    places = [
        BindingTarget(platform, space, conversation.channel_id, conversation.thread_id),
        BindingTarget(platform, space, conversation.channel_id),
        BindingTarget(platform, space),
    ]
    return tuple(dict.fromkeys(places))
