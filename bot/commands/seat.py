"""Where an admin sets something: the place where they are, and the wider ones around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import seat_texts as texts
from bot.domain.chat import ConversationKind, audience_of, space_of
from bot.domain.command import Choice, CommandCall
from bot.domain.placement import WHOLE_SPACE, places_around
from bot.ports.store import Transaction

HERE, CHANNEL, CATEGORY, SERVER = "here", "channel", "category", "server"
PLACES = (HERE, CHANNEL, CATEGORY, SERVER)


@dataclass(frozen=True, slots=True)
class Seat:
    """The space whose settings are meant, and the places around, the narrowest first."""

    space: tuple[str, str]
    places: tuple[str, ...]
    category: str

    def at(self, where: str) -> str | None:
        """Return the place that a word stands for; None where there is no such place."""
        match where:
            case "here":
                return self.places[0]
            case "channel":
                return self.places[0].partition("/")[0]
            case "category":
                return self.category or None
            case _:
                return WHOLE_SPACE

    def named(self, place: str | None) -> str:
        """Return the word for a place that a value comes from; empty for a value that nobody has set."""
        if place is None:
            return ""
        words = {WHOLE_SPACE: SERVER, self.category or WHOLE_SPACE: CATEGORY if self.category else SERVER}
        return words.get(place, HERE if place == self.places[0] else CHANNEL)


async def seat_of(tx: Transaction, call: CommandCall) -> Seat:
    """Return the seat of whoever calls. A direct chat is one place, whose settings are the person's own."""
    place = call.conversation
    space = space_of(audience_of(place, call.kind, call.asker.id))
    if call.kind is ConversationKind.DIRECT:
        return Seat(space, (WHOLE_SPACE,), "")
    category = call.category_id or await tx.places.category(place)
    return Seat(space, places_around(place, category), category)


async def suggest_places(_call: CommandCall, typed: str) -> Sequence[Choice]:
    """Return the words for places that begin as what is typed."""
    return [Choice(texts.place_choice(place), place) for place in PLACES if place.startswith(typed.strip().casefold())]
