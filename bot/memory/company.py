"""The personas that share a place, and which of them a message is for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from bot.domain.calling import calls_any, first_place
from bot.domain.casting import guests_around, has_guests
from bot.domain.chat import ConversationKey
from bot.domain.locality import at_home
from bot.domain.message import Byline, IncomingMessage, Quote, Role, StoredMessage
from bot.domain.persona import Persona, Personas
from bot.domain.placement import places_around
from bot.memory.speaker import persona_there, speaker
from bot.ports.store import Transaction

REPLIED_WITHIN = 200
"""Messages among which the one that somebody replies to is looked for."""
_MARKUP = "*_ :"


@dataclass(frozen=True, slots=True)
class Company:
    """The personas that may answer in a place: the one whose place it is first, its guests behind it."""

    personas: tuple[Persona, ...]

    @property
    def host(self) -> Persona:
        """Return the one whose place it is: it answers whatever is for nobody else."""
        return self.personas[0]

    @property
    def is_shared(self) -> bool:
        """Say whether there are several."""
        return len(self.personas) > 1

    def of_id(self, persona_id: str) -> Persona | None:
        """Return the one of that id."""
        return next((each for each in self.personas if each.id == persona_id), None)

    def named_in(self, text: str) -> Persona | None:
        """Return the one that a text turns to, else the one whose name or trigger falls first; None where no name falls."""
        called = [each for each in self.personas if calls_any(text, names_of(each))]
        places = [(place, each) for each in called or self.personas if (place := first_place(text, names_of(each))) >= 0]
        return min(places, key=lambda found: found[0])[1] if places else None

    def byline_of(self, persona: Persona) -> Byline | None:
        """Return a persona as people are to see it; None where there is no other to tell it from."""
        return Byline(persona.id, persona.name) if self.is_shared else None


def names_of(persona: Persona) -> tuple[str, ...]:
    """Return what a persona is called."""
    return (persona.name, *persona.triggers)


async def company_in(
    tx: Transaction, personas: Personas, conversation: ConversationKey, *, at: datetime, settings: Mapping[str, str] | None = None
) -> Company:
    """Return who may answer in a conversation at a moment. The settings are those of its space, where they are known already."""
    settings = await tx.settings.all(conversation.platform, conversation.space_id) if settings is None else settings
    host = await speaker(tx, personas, conversation, at=at, settings=settings)
    if not has_guests(settings):
        return Company((host,))
    places = places_around(conversation, await tx.places.category(conversation))
    guests = guests_around(settings, places)
    known = [await persona_there(tx, personas, conversation, each) for each in guests if each != host.id]
    return Company((host, *(at_home(each, settings, places) for each in known if each is not None)))


async def shared_company(
    tx: Transaction, personas: Personas, conversation: ConversationKey, *, at: datetime, settings: Mapping[str, str] | None = None
) -> Company | None:
    """Return who shares a conversation; None, after one look at its space's settings, where there is only one persona."""
    settings = await tx.settings.all(conversation.platform, conversation.space_id) if settings is None else settings
    if not has_guests(settings):
        return None
    company = await company_in(tx, personas, conversation, at=at, settings=settings)
    return company if company.is_shared else None


async def addressee(tx: Transaction, company: Company, message: IncomingMessage | StoredMessage) -> Persona:
    """Return the persona that answers a message: the one it replies to, else the one it names, else the one whose place it is."""
    if not company.is_shared:
        return company.host
    replied = await _replied_to(tx, company, message.conversation, message.quote) if message.quote else None
    return replied or company.named_in(message.text) or company.host


async def addressees(tx: Transaction, company: Company, messages: Sequence[StoredMessage]) -> Mapping[int, str]:
    """Return the ids of the personas that answer these messages, by row; nothing where there is only one."""
    return {message.id: (await addressee(tx, company, message)).id for message in messages} if company.is_shared else {}


async def _replied_to(tx: Transaction, company: Company, conversation: ConversationKey, quote: Quote) -> Persona | None:
    """Return the persona whose line somebody replies to; the name that stands over old lines tells it where the line is not found."""
    said = await tx.messages.history(conversation, limit=REPLIED_WITHIN)
    line = next((each for each in reversed(said) if each.message_id == quote.message_id), None)
    if line is None and quote.author.is_bot:
        parts = await tx.messages.parts_of([each.id for each in said if each.role is Role.ASSISTANT])
        line = next((each for each in said if quote.message_id in parts.get(each.id, ())), None)
    if line is not None:
        return company.of_id(line.persona_id) if line.role is Role.ASSISTANT else None
    if not quote.author.is_bot or quote.author.is_service:
        return None  # anybody may give a webhook a persona's name
    shown = {quote.author.display_name.casefold(), quote.text.partition("\n")[0].strip(_MARKUP).casefold()}
    return next((each for each in company.personas if each.name.casefold() in shown), None)
