"""Who made a space's personas, when that person goes; what they made stays with the space."""

from sqlalchemy import update

from bot.domain.erasing import OnePerson
from bot.storage.sql.home_tables import SpacePersonaRow
from bot.storage.sql.session import SqlSession, table_of

_VERSIONS = table_of(SpacePersonaRow)


async def blank_author(sql: SqlSession, person: OnePerson) -> None:
    """Let no version of a persona name the person any more, in the space that is meant or everywhere on the platform."""
    theirs = [_VERSIONS.c.platform == person.platform, _VERSIONS.c.by_id == person.person_id]
    space_id = person.conversation.space_id if person.conversation else person.space_id
    if space_id:
        theirs.append(_VERSIONS.c.space_id == space_id)
    await sql.run(update(_VERSIONS).where(*theirs).values(by_id="", by_name=""), {})
