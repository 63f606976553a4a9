"""What `/speak` says."""

from collections.abc import Mapping, Sequence

from bot.commands.seat_texts import origin_of, place_name
from bot.commands.texts import echo
from bot.domain.speaking import SpeakMode
from bot.wording.say import later, say, translated

SUMMARIES: Mapping[str, str] = {
    "mode": "Set what I answer here without being addressed",
    "words": "Set words that I listen to here",
    "quiet": "Set the hours in which I keep quiet here",
    "quiet_for": "Set what I leave unanswered in quiet hours",
    "limit": "Set how much I answer in an hour without being addressed",
    "unprompted": "Set how many messages a day I may write unasked",
    "reacts": "Set whether I show by a reaction that I am about to answer",
    "streams": "Set whether people see my answers grow",
    "long_as_file": "Set whether very long answers come as a file",
}
MODES: Mapping[SpeakMode, str] = {
    SpeakMode.MENTIONS: later("Only what is addressed to me"),
    SpeakMode.NAMES: later("My name and keywords too"),
    SpeakMode.EVERY: later("Every message"),
    SpeakMode.CHOICE: later("When I have something to say"),
}
MEANINGS: Mapping[str, str] = {
    "mode": later("what I answer in a group"),
    "words": later("words I also listen to"),
    "quiet": later("hours in which I keep quiet"),
    "quiet_for": later("what I leave unanswered then"),
    "limit": later("answers an hour that nobody asked me for"),
    "unprompted": later("messages a day that I write unasked"),
    "reacts": later("a reaction shows that I am about to answer"),
    "streams": later("people see my answers grow"),
    "long_as_file": later("very long answers come as a file"),
}
_ALLOWED: Mapping[str, str] = {
    "mode": later("one of mentions, names, every, choice"),
    "words": later("up to 20 words or phrases with commas between them, or off"),
    "quiet": later("two times and perhaps a time zone, such as 23:00-08:00 Europe/Berlin, or off"),
    "quiet_for": later("unaddressed or all"),
    "limit": later("a whole number from 1 to 200"),
    "unprompted": later("a whole number from 0 to 10"),
    "reacts": later("on or off"),
    "streams": later("on or off"),
    "long_as_file": later("on or off"),
}


def page(rows: Sequence[str], *, is_group: bool) -> str:
    """Show all that holds in a place."""
    heading = say("When and how I speak here")
    how = say(
        "`/speak mode` and so on, with a value and perhaps here, channel, category or server, sets one; the value `reset` takes it back."
    )
    private = "" if is_group else say("In a direct chat I always answer.")
    return "\n\n".join(part for part in (f"**{heading}**", private, "\n".join(rows), how) if part)


def row(name: str, value: str, source: str, *, is_broken: bool) -> str:
    """Show one value, what it means and where it comes from."""
    origin = say("what is set cannot be understood, so as usual") if is_broken else origin_of(source)
    return f"- `{name}`: **{echo(value)}** – {translated(MEANINGS[name])} ({origin})"


def value_choice(value: str) -> str:
    """Return a mode as it is chosen from while it is typed: with what it means."""
    meaning = next((translated(meaning) for mode, meaning in MODES.items() if mode == value), "")
    return f"{value} – {meaning}" if meaning else value


def is_set(name: str, value: str, where: str, *, holds: str, source: str) -> str:
    """Confirm a value; what holds here may come from a narrower place."""
    place, meaning = place_name(where), translated(MEANINGS[name])
    if not value:
        line = say("`{name}` ({meaning}) is no longer set for: {place}.", name=name, meaning=meaning, place=place)
    else:
        line = say(
            "`{name}` ({meaning}) is {value} from now on for: {place}.", name=name, meaning=meaning, value=f"**{echo(value)}**", place=place
        )
    if value == holds:
        return line
    here = say("Here it is {value}, {origin}.", value=f"**{echo(holds)}**", origin=origin_of(source))
    return f"{line} {here}"


def wrong_value(name: str, typed: str) -> str:
    """Refuse a value that does not fit."""
    return say("`{name}` is {allowed}, not “{typed}”.", name=name, allowed=translated(_ALLOWED[name]), typed=echo(typed))
