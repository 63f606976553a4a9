"""What `/persona schedule` says."""

from collections.abc import Sequence

from bot.domain.casting import Shift
from bot.wording.say import figure, say


def shift_page(shifts: Sequence[Shift]) -> str:
    """Show who speaks at what hours."""
    if not shifts:
        return say("No persona has hours of its own here. `/persona schedule <persona> 22:00 06:00` gives it some.")
    lines = [f"- {shift.hours}: `{shift.persona_id}`" for shift in shifts]
    return say("**Hours**") + "\n\n" + "\n".join(lines)


def no_hours() -> str:
    """Refuse times that are none."""
    return say(
        "Write two different times of the day, such as `22:00 06:00`, and a time zone such as Europe/Berlin if it is not the persona's."
    )


def too_many_shifts(most: int) -> str:
    """Refuse one more shift."""
    return say("A place takes at most {most} of them. Take one away with `/persona schedule <persona> off`.", most=figure(most))
