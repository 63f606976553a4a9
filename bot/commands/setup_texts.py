"""What `/setup` says."""

from collections.abc import Mapping, Sequence

from bot.commands.escape import shown
from bot.domain.chat import DISCORD
from bot.wording.say import later, say, translated

HEADINGS: Mapping[str, str] = {
    "rights": later("What I may do here"),
    "persona": later("Who speaks"),
    "speak": later("When I speak"),
    "memory": later("What I know where"),
    "home": later("Language and time zone"),
}
_TASKS: Mapping[str, str] = {
    "persona": later("Choose who speaks everywhere here. `/persona use` chooses for one channel alone, `/persona create` makes a new one."),
    "speak": later(
        "Choose what I answer everywhere here. What is addressed to me I always answer; `/speak` sets single channels and more."
    ),
    "memory": later("Choose whether what is told in one public channel is known in the others. Private channels and chats never share."),
    "home": later(
        "Choose the language of my own notices, and the time zone for times, quiet hours and dreams. To people I talk in the language "
        "that they write in. `/timezone` takes every other time zone."
    ),
}
_TASKS_IN_DIRECT: Mapping[str, str] = {"persona": later("Choose who speaks in our chat. `/persona create` makes a new one.")}
BACK, SKIP, NEXT, LEAVE = later("‹ Back"), later("Skip ›"), later("Next ›"), later("Leave")
AGAIN, SETTINGS, FROM_THE_START = later("Check again"), later("All settings"), later("Begin again")
EACH, SHARED = later("Each for itself"), later("They share")


def page(step: str, number: int, steps: int, *parts: str, is_direct: bool = False) -> str:
    """Show one step."""
    tasks = {**_TASKS, **_TASKS_IN_DIRECT} if is_direct else _TASKS
    heading = say("Set-up {number} of {steps}: {name}", number=number, steps=steps, name=translated(HEADINGS[step]))
    task = translated(tasks[step]) if step in tasks else ""
    return "\n\n".join(part for part in (f"**{heading}**", task, *parts) if part)


def done(text: str) -> str:
    """Show what a command said to a choice."""
    return f"✓ {text}"


def rights(missing: Sequence[str], platform: str) -> str:
    """Name what the bot may not do, and how to change that."""
    if not missing:
        return say("✓ I may do all that I need here.")
    lines = "\n".join(f"- {shown(right)}" for right in missing)
    how = (
        say("Give my role these rights: in the settings of the channel or its category under Permissions. Then press the button below.")
        if platform == DISCORD
        else say("Change that in the settings of the group, under Permissions or Administrators. Then press the button below.")
    )
    return f"{say('Here I lack these rights:')}\n{lines}\n\n{how}"


def summary(rows: Sequence[str], *, is_direct: bool) -> str:
    """Show what is set now, and what to try next."""
    first = (
        say("- Write me something, and tell me what I shall remember.")
        if is_direct
        else say("- Mention me, or reply to me, and tell me what I shall remember.")
    )
    tries = "\n".join(
        [
            first,
            say("- `/memory list` shows what I remember about you, `/privacy` what is kept."),
            say("- `/persona preview` tries a persona without anybody seeing it."),
            say("- `/settings` shows all that is set, `/help` all that can be typed."),
        ]
    )
    return f"**{say('Set-up is done')}**\n\n" + "\n".join(rows) + f"\n\n{say('What to try next:')}\n{tries}"


def left() -> str:
    """Confirm that the set-up was left."""
    return say("All that was chosen stays. `/setup` goes on at any time, and `/settings` shows what is set.")
