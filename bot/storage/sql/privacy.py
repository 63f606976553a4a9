"""What people have said about being remembered."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from urllib.parse import unquote

from sqlalchemy import Executable, Table, and_, bindparam, delete, exists, literal, select

from bot.domain.chat import Audience, ConversationKey, parse_key
from bot.domain.entity import name_key
from bot.domain.message import MessageState
from bot.domain.privacy import Hidden
from bot.storage.sql.entity_tables import EntityRow
from bot.storage.sql.erasing_lists import in_batches
from bot.storage.sql.erasing_marks import expect_no_message
from bot.storage.sql.privacy_tables import IntroductionRow, OptOutRow, PassingRow
from bot.storage.sql.session import SqlSession, insert_into, table_of
from bot.storage.sql.tables import MessageRow, OutboxRow

_OUT, _INTRODUCED, _PASSING = table_of(OptOutRow), table_of(IntroductionRow), table_of(PassingRow)
_MESSAGES, _OUTBOX, _ENTITIES = table_of(MessageRow), table_of(OutboxRow), table_of(EntityRow)

FEW = 50
"""People of a platform who opted out that are read at once, where there are no more, rather than asked for one by one."""
_OUT_OF = select(_OUT.c.person_id).where(_OUT.c.platform == bindparam("there"), _OUT.c.person_id.in_(bindparam("ids", expanding=True)))
_FIRST_OUT = (
    select(_OUT.c.person_id)
    .where(_OUT.c.platform == bindparam("there"))
    .order_by(_OUT.c.person_id)  # along the key, however few of many are of the platform
    .limit(literal(FEW + 1, literal_execute=True))
)
_IN = delete(_OUT).where(_OUT.c.platform == bindparam("there"), _OUT.c.person_id == bindparam("person"))
_KNOWN_OUT = (
    select(_ENTITIES.c.person_id, _ENTITIES.c.name, _ENTITIES.c.aliases)
    .join(_OUT, and_(_OUT.c.person_id == _ENTITIES.c.person_id, _OUT.c.platform == bindparam("there")))
    .where(_ENTITIES.c.audience_kind == bindparam("kind"), _ENTITIES.c.audience_id == bindparam("audience"))
)
_OF_PLACE = select(_PASSING.c.message_row).where(_PASSING.c.conversation == bindparam("here"))
_PLACES = select(_PASSING.c.conversation).distinct().order_by(_PASSING.c.conversation)
_READY = (
    select(_MESSAGES.c.id, _MESSAGES.c.message_id)
    .join(_PASSING, _PASSING.c.message_row == _MESSAGES.c.id)
    .where(
        _PASSING.c.conversation == bindparam("here"),
        _MESSAGES.c.state != MessageState.WAITING.value,
        ~exists().where(_OUTBOX.c.message_row == _MESSAGES.c.id),
    )
)
SHORTEST_ID = 5
"""Characters of an id that names its person in a text; a shorter one may be any word or number."""
_GO = delete(_MESSAGES).where(_MESSAGES.c.id.in_(bindparam("rows", expanding=True)))


class SqlPeople:
    """Fulfils `bot.ports.people.People`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def opt_out(self, platform: str, person_id: str, at: datetime) -> bool:
        """Note that a person is not to be remembered."""
        row = {"platform": platform, "person_id": person_id, "at": at}
        return await self._sql.row(_first(_OUT, self._sql.dialect), row) is not None

    async def opt_in(self, platform: str, person_id: str) -> bool:
        """Note that a person may be remembered."""
        return await self._sql.run(_IN, {"there": platform, "person": person_id}) > 0

    async def out(self, platform: str, person_ids: Collection[str]) -> frozenset[str]:
        """Return those who opted out."""
        ids = sorted(set(person_ids))
        first = await self._first_out(platform) if ids else frozenset[str]()
        if len(first) <= FEW:
            return first & frozenset(ids)
        return frozenset(row.person_id for row in await self._sql.rows(_OUT_OF, {"there": platform, "ids": ids}))

    async def hidden(self, audience: Audience) -> Hidden:
        """Return who of an audience opted out, by the index of its members."""
        platform = unquote(audience.id.partition(":")[0])
        if not await self._first_out(platform):
            return Hidden()
        values = {"there": platform, "kind": audience.kind.value, "audience": audience.id}
        found = await self._sql.rows(_KNOWN_OUT, values)
        known = {(row.person_id, name_key(name)) for row in found for name in (row.name, *json.loads(row.aliases))}
        known |= {(row.person_id, name_key(row.person_id)) for row in found if len(row.person_id) >= SHORTEST_ID}
        bearers = frozenset(bearer for bearer in known if len(bearer[1]) > 1)
        return Hidden(frozenset(row.person_id for row in found), frozenset(name for _, name in bearers), bearers)

    async def introduce(self, platform: str, space_id: str, at: datetime) -> bool:
        """Return True to the first caller."""
        row = {"platform": platform, "space_id": space_id, "at": at}
        return await self._sql.row(_first(_INTRODUCED, self._sql.dialect), row) is not None

    async def pass_by(self, conversation: ConversationKey, rows: Collection[int], at: datetime) -> None:
        """Note messages that are to be let go of."""
        for row in sorted(set(rows)):
            values = {"message_row": row, "conversation": str(conversation), "at": at}
            await self._sql.row(_first(_PASSING, self._sql.dialect), values)

    async def passing(self, conversation: ConversationKey) -> frozenset[int]:
        """Return the messages that are to be let go of."""
        return frozenset(row.message_row for row in await self._sql.rows(_OF_PLACE, {"here": str(conversation)}))

    async def passing_conversations(self) -> Sequence[ConversationKey]:
        """Return where there are some."""
        return [parse_key(row.conversation) for row in await self._sql.rows(_PLACES, {})]

    async def let_go(self, conversation: ConversationKey, at: datetime) -> int:
        """Delete what is answered and sent. All that refers to a message goes with its row."""
        ready = await self._sql.rows(_READY, {"here": str(conversation)})
        await expect_no_message(self._sql, conversation, [row.message_id for row in ready if row.message_id], at)
        return sum([await self._sql.run(_GO, {"rows": list(some)}) for some in in_batches(row.id for row in ready)])

    async def _first_out(self, platform: str) -> frozenset[str]:
        """Return people of a platform who opted out: all, or more than a few."""
        return frozenset(row.person_id for row in await self._sql.known_rows(_FIRST_OUT, {"there": platform}))


@cache
def _first(table: Table, dialect: str) -> Executable:
    """Return an insert that gives the row, and nothing where it is there already."""
    return insert_into(table, dialect).on_conflict_do_nothing().returning(table.c.at)
