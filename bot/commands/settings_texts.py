"""What `/settings` says."""

from collections.abc import Mapping, Sequence

from bot.commands.texts import echo
from bot.wording.say import later, say, translated

LABELS: Mapping[str, str] = {
    "persona": later("Personas"),
    "model": later("Model"),
    "speak": later("When I speak"),
    "memory": later("Memory"),
    "dreams": later("Dreams"),
    "limits": later("Limits"),
    "access": later("Who may talk"),
    "privacy": later("Privacy"),
}
"""The themes that buttons lead to."""
MEANINGS: Mapping[str, str] = {
    "persona use": later("who speaks here"),
    "persona invite": later("further personas that answer here"),
    "persona nickname": later("whether my name here follows who speaks"),
    "persona schedule": later("hours of other personas"),
    "model use": later("the language model"),
    "memory policy": later("how strongly I remember"),
    "memory scope": later("whether public channels share what I remember"),
    "memory pending": later("what waits before I remember it"),
    "dream schedule": later("when I dream"),
    "limits set": later("limits of this place's own"),
    "access show": later("who may talk to me"),
    "privacy retention": later("days for which messages are kept"),
    "privacy optout": later("whether I may remember you"),
    "privacy optin": later("whether I may remember you"),
    "language": later("the language of my own notices"),
    "timezone": later("the time zone"),
}


def page(rows: Sequence[str], note: str, *, is_direct: bool) -> str:
    """Show all that is set, with the command that changes each."""
    heading = say("What is set in our chat") if is_direct else say("What is set here")
    how = say(
        "Each line begins with the command that changes it; the buttons show more. `/setup` goes through the most important step by step."
    )
    return f"**{heading}**{note}\n\n" + "\n".join(rows) + f"\n\n{how}"


def row(command: str, value: str, meaning: str, origin: str) -> str:
    """Show one setting: how to change it, its value, what it means and where that comes from."""
    whence = f" ({origin})" if origin else ""
    return f"- `/{command}`: **{echo(value) or '–'}** – {translated(meaning)}{whence}"


def usual() -> str:
    """Say that nobody has set something."""
    return say("as usual")


def of_persona() -> str:
    """Say that something stands in the persona's file."""
    return say("the persona's own")


def set_here(number: int) -> str:
    """Say how many values of something are set."""
    return say("{number} set here", number=number) if number else usual()


def by_the_clock() -> str:
    """Say that it is somebody's hours."""
    return say("by its hours")


def switch(*, on: bool) -> str:
    """Say that something is on or off."""
    return say("on") if on else say("off")


def allowed(allows: int, denies: int) -> str:
    """Say how long the lists are."""
    return say("{allowed} allowed, {denied} denied", allowed=allows, denied=denies) if allows or denies else say("everybody")


def for_ever() -> str:
    """Say that something has no end."""
    return say("for ever")


def back_label() -> str:
    """Name the button that leads back."""
    return say("‹ Settings")
