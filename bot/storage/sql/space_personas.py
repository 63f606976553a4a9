"""Personas that spaces have made their own."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache

import structlog
from sqlalchemy import Executable, bindparam, delete, insert, select, tuple_, update

from bot.domain.chat import Audience, ConversationKey, space_of
from bot.domain.message import Person
from bot.domain.persona import Avatar, Persona, PersonaVersion
from bot.errors import PersonaError
from bot.ports.personas import SpacePersona
from bot.storage.persona_text import persona_from, text_of
from bot.storage.sql.home_tables import AvatarRow, SpacePersonaRow
from bot.storage.sql.session import Fields, SqlSession, insert_into, table_of

log = structlog.get_logger(__name__)

_VERSIONS, _AVATARS = table_of(SpacePersonaRow), table_of(AvatarRow)
_COLUMN = _VERSIONS.c
_IN_SPACE = (_COLUMN.platform == bindparam("there")) & (_COLUMN.space_id == bindparam("space"))
_IS_ONE = _IN_SPACE & (_COLUMN.persona_id == bindparam("persona"))
_COUNTS = _COLUMN.is_last & (_COLUMN.text != "")
_ORDER = (_COLUMN.platform, _COLUMN.space_id, _COLUMN.persona_id)

_LAST = select(_VERSIONS).where(_IS_ONE, _COLUMN.is_last)
_ALL = select(_VERSIONS).where(_IN_SPACE, _COUNTS).order_by(_COLUMN.persona_id)
_OF_AUDIENCE = select(_VERSIONS).where(
    _COLUMN.audience_space == bindparam("space"),
    _COLUMN.platform == bindparam("there"),
    _COLUMN.persona_id == bindparam("persona"),
    _COUNTS,
)
_EVERYWHERE = (
    select(_VERSIONS)
    .where(tuple_(*_ORDER) > tuple_(bindparam("after_platform"), bindparam("after_space"), bindparam("after_id")), _COUNTS)
    .order_by(*_ORDER)
    .limit(bindparam("most"))
)
_HISTORY = select(_VERSIONS).where(_IS_ONE).order_by(_COLUMN.number.desc()).limit(bindparam("most"))
_ADD = insert(_VERSIONS)
_OUTDATE = update(_VERSIONS).where(_IS_ONE).values(is_last=False)

_IS_PICTURE = (
    (_AVATARS.c.platform == bindparam("there"))
    & (_AVATARS.c.space_id == bindparam("space"))
    & (_AVATARS.c.persona_id == bindparam("persona"))
)
_PICTURE = select(_AVATARS).where(_IS_PICTURE)
_NO_PICTURE = delete(_AVATARS).where(_IS_PICTURE)


class SqlSpacePersonas:
    """Fulfils `bot.ports.personas.SpacePersonas`."""

    def __init__(self, sql: SqlSession) -> None:
        self._sql = sql

    async def get(self, platform: str, space_id: str, persona_id: str) -> Persona | None:
        """Return a space's own persona."""
        last = await self._last(platform, space_id, persona_id)
        return _readable(persona_id, last.text) if last else None

    async def all(self, platform: str, space_id: str) -> Sequence[Persona]:
        """Return all of a space's own."""
        rows = await self._sql.rows(_ALL, {"there": platform, "space": space_id})
        return [own for row in rows if (own := _readable(row.persona_id, row.text))]

    async def of_audience(self, audience: Audience, persona_id: str) -> Persona | None:
        """Return the own persona of an audience's space."""
        platform, space = space_of(audience)
        row = await self._sql.row(_OF_AUDIENCE, {"there": platform, "space": space, "persona": persona_id})
        return _readable(persona_id, row.text) if row else None

    async def everywhere(self, *, after: tuple[str, str, str] = ("", "", ""), limit: int) -> Sequence[SpacePersona]:
        """Return personas of all spaces."""
        values = dict(zip(("after_platform", "after_space", "after_id"), after, strict=True))
        return [
            SpacePersona(row.platform, row.space_id, row.audience_space, own)
            for row in await self._sql.rows(_EVERYWHERE, {**values, "most": limit})
            if (own := _readable(row.persona_id, row.text))
        ]

    async def put(
        self, conversation: ConversationKey, audience: Audience, persona: Persona, *, by: Person, at: datetime, reason: str
    ) -> PersonaVersion:
        """Keep the new state of a persona."""
        _, audience_space = space_of(audience)
        text = text_of(persona)
        number = await self._add(
            (conversation.platform, conversation.space_id, persona.id), audience_space, text, by=by, at=at, reason=reason
        )
        return PersonaVersion(number, persona_from(persona.id, text), by, at, reason)

    async def take_back(self, platform: str, space_id: str, persona_id: str, *, by: Person, at: datetime, reason: str) -> bool:
        """Let a space have no such persona any more."""
        last = await self._last(platform, space_id, persona_id)
        if last is None or not last.text:
            return False
        await self._add((platform, space_id, persona_id), last.audience_space, "", by=by, at=at, reason=reason)
        return True

    async def versions(self, platform: str, space_id: str, persona_id: str, *, limit: int) -> Sequence[PersonaVersion]:
        """Return the last versions."""
        rows = await self._sql.rows(_HISTORY, {**_names(platform, space_id, persona_id), "most": limit})
        return [
            PersonaVersion(row.number, _readable(persona_id, row.text), Person(row.by_id, row.by_name), row.at, row.reason) for row in rows
        ]

    async def avatar(self, platform: str, space_id: str, persona_id: str) -> Avatar | None:
        """Return a picture."""
        row = await self._sql.row(_PICTURE, _names(platform, space_id, persona_id))
        return Avatar(row.media_type, row.content) if row else None

    async def set_avatar(self, platform: str, space_id: str, persona_id: str, avatar: Avatar | None) -> None:
        """Keep a picture, or take it away."""
        if avatar is None:
            await self._sql.run(_NO_PICTURE, _names(platform, space_id, persona_id))
            return
        values = {"platform": platform, "space_id": space_id, "persona_id": persona_id}
        await self._sql.run(_picturing(self._sql.dialect), {**values, "media_type": avatar.media_type, "content": avatar.content})

    async def _last(self, platform: str, space_id: str, persona_id: str) -> Fields | None:
        return await self._sql.row(_LAST, _names(platform, space_id, persona_id))

    async def _add(self, key: tuple[str, str, str], audience_space: str, text: str, *, by: Person, at: datetime, reason: str) -> int:
        await self._sql.hold(f"persona {' '.join(key)}")
        last = await self._last(*key)
        number = last.number + 1 if last else 1
        await self._sql.run(_OUTDATE, _names(*key))
        row = dict(zip(("platform", "space_id", "persona_id"), key, strict=True))
        told = {"by_id": by.id, "by_name": by.display_name, "at": at, "reason": reason}
        await self._sql.run(_ADD, {**row, "number": number, "audience_space": audience_space, "is_last": True, "text": text, **told})
        return number


def _readable(persona_id: str, text: str) -> Persona | None:
    """Return the persona of a row; one that today's rules do not read any more is left out, so that the installed one speaks."""
    try:
        return persona_from(persona_id, text) if text else None
    except PersonaError as problem:
        log.error("space_persona_unreadable", persona=persona_id, line=problem.line)
        return None


def _names(platform: str, space_id: str, persona_id: str) -> Mapping[str, str]:
    return {"there": platform, "space": space_id, "persona": persona_id}


@cache
def _picturing(dialect: str) -> Executable:
    picturing = insert_into(_AVATARS, dialect)
    given = {"media_type": picturing.excluded.media_type, "content": picturing.excluded.content}
    return picturing.on_conflict_do_update(index_elements=["platform", "space_id", "persona_id"], set_=given)
