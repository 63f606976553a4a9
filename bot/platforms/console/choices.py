"""What stands below an answer to be chosen, as lines that can be typed: a terminal has no buttons."""

from collections.abc import Sequence

from bot.domain.command import Button

CHOSEN = " ✓"


def choices_text(buttons: Sequence[Button]) -> str:
    """Return a line for each button; empty where there are none."""
    return "\n".join(f"- `/{button.line}` – {button.label}{CHOSEN if button.chosen else ''}" for button in buttons)
