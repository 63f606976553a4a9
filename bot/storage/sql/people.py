"""People in columns of one prefix."""

from bot.domain.message import Person


def person_columns(prefix: str, person: Person | None) -> dict[str, object]:
    """Return a person as four columns, all null for nobody."""
    return {
        f"{prefix}_id": person.id if person else None,
        f"{prefix}_name": person.display_name if person else None,
        f"{prefix}_is_bot": person.is_bot if person else None,
        f"{prefix}_is_service": person.is_service if person else None,
    }
