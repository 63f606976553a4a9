"""Where something is, and whole places that go. Tables are found by their columns, so that a new one is not forgotten."""

from collections.abc import Collection, Iterable, Sequence
from typing import assert_never

from sqlalchemy import Table, or_, select

from bot.domain.chat import Audience, AudienceKind, ConversationKey, ConversationKind, parse_key, space_of
from bot.domain.erasing import Counts, DeletedMessages, ErasureTarget, Kept, OneConversation, OneMemory, OnePerson, OneSpace, added
from bot.domain.message import Role
from bot.domain.night import diary_setting
from bot.storage.sql.entity_tables import EntityRow, RelationRow
from bot.storage.sql.erasing_lists import delete_where
from bot.storage.sql.erasing_messages import MESSAGES, begins, by_person, is_place
from bot.storage.sql.erasing_names import take_audience_names
from bot.storage.sql.journal import JOURNAL
from bot.storage.sql.memory_rows import MEMORIES
from bot.storage.sql.nights import RECORDS
from bot.storage.sql.past_tables import LeaseRow, PastRow
from bot.storage.sql.recalls import RECALL_TABLES
from bot.storage.sql.scopes import SCOPES
from bot.storage.sql.session import SqlSession, table_of
from bot.storage.sql.tables import BaseRow, JobClaimRow, OutboxRow, SpaceSettingRow

_COUNTED = {
    "messages": Kept.MESSAGES,
    "memories": Kept.MEMORIES,
    "journal": Kept.REVISIONS,
    "chunks": Kept.CHUNKS,
    "rolling_summaries": Kept.SUMMARIES,
    "structured_memories": Kept.STRUCTURED,
    "outbox": Kept.UNSENT,
    "recalls": Kept.RECALLS,
    "answer_recalls": Kept.RECALLS,
    "token_usage": Kept.USAGE,
    "space_settings": Kept.SETTINGS,
    "bindings": Kept.SETTINGS,
}
_ENTITIES, _RELATIONS = table_of(EntityRow), table_of(RelationRow)
_LEASES, _CLAIMS, _SETTINGS = table_of(LeaseRow), table_of(JobClaimRow), table_of(SpaceSettingRow)
_AUDIENCE = ("audience_kind", "audience_id")


async def conversations_of(sql: SqlSession, target: ErasureTarget) -> Sequence[ConversationKey]:
    """Return where something of a target may be."""
    match target:
        case OneMemory(scope):
            return await _of_audience(sql, scope.audience)
        case DeletedMessages(conversation):
            known = await _distinct(sql, (table_of(PastRow), *RECALL_TABLES), str(conversation))
            return sorted({conversation, *(key for key in known if _is_in_place(key, conversation))}, key=str)
        case OnePerson():
            return [key for key in await _with_person(sql, target) if _is_where(key, target)]
        case OneConversation(conversation):
            return sorted(
                {conversation, *(key for key in await _beginning(sql, str(conversation)) if _is_in_place(key, conversation))}, key=str
            )
        case OneSpace(platform, space_id):
            beginning = str(ConversationKey(platform, space_id, "")).removesuffix(":")
            return [key for key in await _beginning(sql, beginning) if (key.platform, key.space_id) == (platform, space_id)]
        case _:
            assert_never(target)


async def take_audience(sql: SqlSession, audience: Audience) -> Counts:
    """Delete all that is kept of an audience."""
    here = [SCOPES.c[name] == value for name, value in zip(_AUDIENCE, (audience.kind.value, audience.id), strict=True)]
    scopes = await sql.rows(select(SCOPES.c.id, SCOPES.c.persona_id).where(*here), {})
    counts = await take_audience_names(sql, audience)
    ids = [row.id for row in scopes]
    if ids:
        for table in [JOURNAL, MEMORIES, *_tables_with("scope_id", but={"journal", "memories"})]:
            gone = await delete_where(sql, table, table.c.scope_id.in_(ids))
            counts = added(counts, {_COUNTED.get(table.name, Kept.OTHERS): 0 if table.name == "memory_terms" else gone})
        subjects = [f"{row.persona_id} {audience}" for row in scopes]
        jobs = await delete_where(sql, RECORDS, RECORDS.c.subject.in_(subjects))
        await delete_where(sql, _CLAIMS, _CLAIMS.c.subject.in_(subjects))
        await delete_where(sql, SCOPES, SCOPES.c.id.in_(ids))
        counts = added(counts, {Kept.JOBS: jobs})
    platform, space_id = space_of(audience)
    diary = (_SETTINGS.c.platform == platform, _SETTINGS.c.space_id == space_id, _SETTINGS.c.name == diary_setting(audience))
    return added(counts, {Kept.SETTINGS: await delete_where(sql, _SETTINGS, *diary)})


async def take_conversation(sql: SqlSession, conversation: ConversationKey) -> Counts:
    """Delete what is left of a conversation in every table that names it."""
    here, counts = str(conversation), dict[Kept, int]()
    first = table_of(OutboxRow)
    for table in [first, *_tables_with("conversation", but={first.name, "messages"}), MESSAGES]:
        gone = await delete_where(sql, table, table.c.conversation == here)
        kind = _COUNTED.get(table.name)
        counts = dict(added(counts, {kind: gone} if kind else {}))
    await delete_where(sql, _LEASES, _LEASES.c.name == f"past:{here}")
    return counts


async def take_space(sql: SqlSession, platform: str, space_id: str) -> Counts:
    """Delete what is kept of a space in every table that names one."""
    counts: Counts = {}
    for table in (table for table in _tables_with("space_id") if "platform" in table.c):
        gone = await delete_where(sql, table, table.c.platform == platform, table.c.space_id == space_id)
        counts = added(counts, {_COUNTED[table.name]: gone} if table.name in _COUNTED else {})
    return counts


async def names_there(sql: SqlSession, conversation: ConversationKey, person_id: str) -> Sequence[str]:
    """Return the names that somebody has written under."""
    wanted = select(MESSAGES.c.author_name).where(is_place(conversation), by_person(person_id)).distinct()
    return [row.author_name for row in await sql.rows(wanted, {})]


def _tables_with(column: str, *, but: Collection[str] = ()) -> list[Table]:
    return [table for table in BaseRow.metadata.sorted_tables[::-1] if column in table.c and table.name not in but]


async def _beginning(sql: SqlSession, beginning: str) -> Sequence[ConversationKey]:
    """Return every conversation that any table names and whose text begins so, in large or small letters."""
    found = set(await _distinct(sql, _tables_with("conversation"), beginning))
    for table in (SCOPES, _ENTITIES, _RELATIONS):
        in_groups, there = table.c.audience_kind == AudienceKind.CONVERSATION.value, begins(table.c.audience_id, beginning)
        wanted = select(table.c.audience_id).where(in_groups, there).distinct()
        found |= {parse_key(row.audience_id) for row in await sql.rows(wanted, {})}
    return sorted(found, key=str)


async def _distinct(sql: SqlSession, tables: Iterable[Table], beginning: str) -> Sequence[ConversationKey]:
    found = {
        row.conversation
        for table in tables
        for row in await sql.rows(select(table.c.conversation).where(begins(table.c.conversation, beginning)).distinct(), {})
    }
    return [parse_key(text) for text in sorted(found)]


async def _with_person(sql: SqlSession, target: OnePerson) -> Sequence[ConversationKey]:
    """Return the conversations in which a person has written, was quoted, or is known."""
    person = target.person_id
    wrote = select(MESSAGES.c.conversation).where(or_(by_person(person), MESSAGES.c.quote_author_id == person)).distinct()
    found = {parse_key(row.conversation) for row in await sql.rows(wrote, {})}
    theirs = (
        (_ENTITIES, _ENTITIES.c.person_id == person),
        (_RELATIONS, or_(_RELATIONS.c.subject_person == person, _RELATIONS.c.object_person == person)),
        (SCOPES, SCOPES.c.id.in_(select(MEMORIES.c.scope_id).where(or_(MEMORIES.c.subject_id == person, MEMORIES.c.author_id == person)))),
    )
    for table, is_theirs in theirs:
        in_groups = table.c.audience_kind == AudienceKind.CONVERSATION.value
        found |= {parse_key(row[0]) for row in await sql.rows(select(table.c.audience_id).where(in_groups, is_theirs).distinct(), {})}
    return sorted(found, key=str)


async def _of_audience(sql: SqlSession, audience: Audience) -> Sequence[ConversationKey]:
    match audience.kind:
        case AudienceKind.CONVERSATION:
            return [parse_key(audience.id)]
        case AudienceKind.SPACE:
            return [key for key in await _beginning(sql, f"{audience.id}:") if ":".join(str(key).split(":")[:2]) == audience.id]
        case AudienceKind.PERSON:
            person = space_of(audience)[1].removeprefix("person:")
            direct = MESSAGES.c.kind == ConversationKind.DIRECT.value
            rows = await sql.rows(select(MESSAGES.c.conversation).where(direct, by_person(person)).distinct(), {})
            return [key for row in rows if (key := parse_key(row.conversation)).platform == space_of(audience)[0]]


async def people_in_direct(sql: SqlSession, conversation: ConversationKey) -> Sequence[str]:
    """Return who has written in a direct chat."""
    wanted = select(MESSAGES.c.author_id).where(
        MESSAGES.c.conversation == str(conversation),
        MESSAGES.c.kind == ConversationKind.DIRECT.value,
        MESSAGES.c.role == Role.USER.value,
        MESSAGES.c.author_is_bot.is_(False),
    )
    return [row.author_id for row in await sql.rows(wanted.distinct(), {})]


def _is_in_place(key: ConversationKey, place: ConversationKey) -> bool:
    """Say whether it is that conversation, or a discussion beside it."""
    beside = (key.platform, key.space_id, key.channel_id, key.thread_id) == (
        place.platform,
        place.space_id,
        place.channel_id,
        place.thread_id,
    )
    return key == place or (beside and not place.discussion)


def _is_where(key: ConversationKey, target: OnePerson) -> bool:
    if key.platform != target.platform:
        return False
    if target.conversation is not None:
        return _is_in_place(key, target.conversation)
    return not target.space_id or key.space_id == target.space_id
