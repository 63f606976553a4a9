"""What places are called where something is set for them."""

from collections.abc import Mapping

from bot.wording.say import later, say, translated

_FROM: Mapping[str, str] = {
    "": later("as usual"),
    "here": later("set here"),
    "channel": later("set for this channel"),
    "category": later("set for this category"),
    "server": later("set for everywhere"),
}
_PLACES: Mapping[str, str] = {
    "here": later("this channel or thread"),
    "channel": later("this channel with its threads"),
    "category": later("all channels of this category"),
    "server": later("everywhere in this server or group"),
}


def origin_of(source: str) -> str:
    """Say where a value comes from; an empty source stands for one that nobody has set."""
    return translated(_FROM[source])


def place_name(place: str) -> str:
    """Say which place a word stands for."""
    return translated(_PLACES[place])


def no_category() -> str:
    """Say that there is no category here."""
    return say("This channel is in no category. Choose here, channel or server.")


def place_choice(place: str) -> str:
    """Show a place while it is typed."""
    return f"{place} – {translated(_PLACES[place])}"
