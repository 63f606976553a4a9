"""An export as it comes back in: every value checked, no identity taken from anything but its typed fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from bot.domain.chat import Audience, AudienceKind, BindingTarget, ConversationKey, ConversationKind, MemoryScope, parse_key
from bot.domain.memory import MAX_GROUP, Level, Memory
from bot.domain.message import Person, Quote
from bot.domain.past import Relation
from bot.memory.export.fields import LONGEST_ID, Fields

LONGEST_FACT = 2000
"""Characters of what may not be longer than a memory; longer ones of these are refused one by one."""


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """A message of the file."""

    ref: str
    message_id: str
    """Empty in a persona's own line."""
    author: Person
    text: str
    at: datetime
    persona_id: str
    quote: Quote | None


@dataclass(frozen=True, slots=True)
class TalkBefore:
    """A conversation of the file. Its messages stand in the order of time."""

    conversation: ConversationKey
    kind: ConversationKind
    messages: Sequence[SaidBefore]
    bindings: Sequence[tuple[BindingTarget, str]]
    left_out: int
    """Summaries and structured memories, which are written anew from the messages."""


@dataclass(frozen=True, slots=True)
class ChangeBefore:
    """A line of a memory's journal."""

    at: datetime
    actor: str
    reason: str
    before: str
    after: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KnownBefore:
    """A memory of the file. Its number and its sources are not those of this database yet."""

    memory: Memory
    sources: tuple[str, ...]
    changes: Sequence[ChangeBefore]


@dataclass(frozen=True, slots=True)
class AudienceBefore:
    """What was remembered in an audience of the file."""

    audience: Audience
    memories: Sequence[KnownBefore]
    relations: Sequence[tuple[Relation, str]]
    """Each with the message that it rests on."""
    settings: Sequence[tuple[str, str]]
    left_out: int
    """Names, which are found anew in the messages, and what waited to be approved."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """All of a file."""

    made_at: datetime
    talks: Sequence[TalkBefore]
    audiences: Sequence[AudienceBefore]


def parcel_of(data: dict[str, Any]) -> Parcel:
    """Return what the data of an export says. Raises ValueError, naming the place, at the first thing that no export writes."""
    fields = Fields(data, "")
    talks = [_talk(each) for each in fields.parts("conversations")]
    return Parcel(fields.time("made_at"), talks, [_audience_part(each) for each in fields.parts("remembered")])


def _talk(fields: Fields) -> TalkBefore:
    conversation = _key(fields, fields.id("conversation"))
    kind = ConversationKind.DIRECT if fields.id("kind") == ConversationKind.DIRECT.value else ConversationKind.GROUP
    messages = sorted((_message(each) for each in fields.parts("messages")), key=lambda each: each.at)
    people = {each.author.id for each in messages if not each.author.is_bot and not each.persona_id}
    if kind is ConversationKind.DIRECT and len(people) > 1:
        raise fields.wrong("kind")
    platform, space_id = conversation.platform, conversation.space_id
    bindings = [
        (BindingTarget(platform, space_id, each.id("channel", needed=False), each.id("thread", needed=False)), each.id("persona"))
        for each in fields.parts("personas")
    ]
    summed_up = bool(fields.text("summary")) + sum(1 for name in ("summaries", "structured") for _ in fields.parts(name))
    return TalkBefore(conversation, kind, messages, bindings, summed_up)


def _message(fields: Fields) -> SaidBefore:
    quoted = fields.part("in_reply_to")
    quote = Quote(quoted.id("id", needed=False), quoted.person("by"), quoted.text("text")) if quoted else None
    return SaidBefore(
        ref=fields.id("ref"),
        message_id=fields.id("id", needed=False),
        author=fields.person("by"),
        text=fields.text("text"),
        at=fields.time("at"),
        persona_id=fields.id("persona", needed=False),
        quote=quote,
    )


def _audience_part(fields: Fields) -> AudienceBefore:
    audience = _audience(fields)
    changes: dict[UUID, list[ChangeBefore]] = {}
    for each in fields.parts("journal"):
        changes.setdefault(each.uuid("memory"), []).append(_change(each))
    memories = [_memory(each, audience) for each in fields.parts("memories")]
    settings = fields.part("settings")
    return AudienceBefore(
        audience,
        [KnownBefore(memory, sources, sorted(changes.get(memory.id, ()), key=lambda change: change.at)) for memory, sources in memories],
        [_relation(each) for each in fields.parts("relations")],
        [(name[:LONGEST_ID], settings.id(name)) for name in settings.values] if settings else [],
        sum(1 for name in ("entities", "waiting") for _ in fields.parts(name)),
    )


def _change(fields: Fields) -> ChangeBefore:
    return ChangeBefore(
        at=fields.time("at"),
        actor=fields.text("who", LONGEST_FACT),
        reason=fields.text("why", LONGEST_FACT),
        before=fields.text("before", LONGEST_FACT),
        after=fields.text("after", LONGEST_FACT),
        sources=fields.ids("sources"),
    )


def _memory(fields: Fields, audience: Audience) -> tuple[Memory, tuple[str, ...]]:
    try:
        level = Level[fields.id("level").upper()]
    except KeyError as problem:
        raise fields.wrong("level") from problem
    memory = Memory(
        id=fields.uuid("id"),
        scope=MemoryScope(fields.id("persona"), audience),
        number=0,
        text=fields.text("text", LONGEST_FACT),
        subject=fields.person("about") if "about_id" in fields.values else None,
        author=fields.person("said_by"),
        source_message_ids=(),
        created_at=fields.time("created_at"),
        updated_at=fields.time("updated_at"),
        level=level,
        importance=fields.share("importance"),
        weighed_at=fields.time_or_none("weighed_at"),
        pinned=fields.yes("pinned"),
        group=fields.text("group", MAX_GROUP),
        ended_at=fields.time_or_none("ended_at"),
    )
    return memory, fields.ids("sources")


def _relation(fields: Fields) -> tuple[Relation, str]:
    relation = Relation(
        subject=fields.text("subject", LONGEST_FACT),
        predicate=fields.id("predicate"),
        object=fields.text("object", LONGEST_FACT),
        valid_from=fields.time("since"),
        source_row=0,
        evidence=fields.text("sentence"),
        valid_to=fields.time_or_none("until"),
        subject_person=fields.id("subject_id", needed=False),
        object_person=fields.id("object_id", needed=False),
    )
    return relation, fields.id("source", needed=False)


def _key(fields: Fields, text: str) -> ConversationKey:
    """Return the conversation that a text names, if that is the one way to write it."""
    try:
        key = parse_key(text)
    except ValueError as problem:
        raise fields.wrong("conversation") from problem
    if str(key) != text:
        raise fields.wrong("conversation")
    return key


def _audience(fields: Fields) -> Audience:
    kind, _, text = fields.id("audience").partition("/")
    parts = text.split(":")
    match kind:
        case AudienceKind.CONVERSATION.value:
            return Audience(AudienceKind.CONVERSATION, str(_key(fields, text)))
        case AudienceKind.PERSON.value | AudienceKind.SPACE.value if len(parts) == 2 and all(parts):
            if str(_key(fields, f"{text}:-:")) == f"{text}:-:":
                return Audience(AudienceKind(kind), text)
    raise fields.wrong("audience")
