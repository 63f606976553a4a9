"""Which place somebody means who chooses or invites a persona."""

from bot.commands.persona_cast import Refused
from bot.commands.persona_texts import unknown_place
from bot.commands.seat import HERE, PLACES, seat_of, suggest_places
from bot.commands.seat_texts import no_category
from bot.domain.chat import ConversationKind
from bot.domain.command import CommandCall, Option
from bot.domain.placement import places_around
from bot.ports.store import Transaction

PLACE = Option("place", "here, channel, category or server; here when left out", required=False, suggest=suggest_places)
GREET = Option("greet", "Whether it says its greeting, yes or no; yes when left out", required=False)
_DIRECT = "dm"
_NO = frozenset({"no", "false", "off"})


def place_word(call: CommandCall) -> str:
    """Return the word for the place that is meant; in a direct chat all are one. Raises Refused for one that is none."""
    typed = str(call.options.get(PLACE.name, HERE)).casefold()
    is_direct = call.kind is ConversationKind.DIRECT
    if typed not in PLACES and not (is_direct and typed == _DIRECT):
        raise Refused(unknown_place(typed))
    return HERE if is_direct else typed


async def place_meant(tx: Transaction, call: CommandCall) -> str:
    """Return the place that is meant, as settings name it. Raises Refused, also for a category where there is none."""
    word, narrowest = place_word(call), places_around(call.conversation)[0]
    place = narrowest if word == HERE else (await seat_of(tx, call)).at(word)
    if place is None:
        raise Refused(no_category())
    return place


def greets(call: CommandCall) -> bool:
    """Say whether the persona shall say its greeting."""
    return str(call.options.get(GREET.name, "")).casefold() not in _NO
