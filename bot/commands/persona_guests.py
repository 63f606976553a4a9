"""`/persona invite` and `dismiss`: further personas that speak in a place, beside the one whose place it is."""

from dataclasses import dataclass

from bot.commands import persona_guest_texts as texts
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Reach, Refused, refusing
from bot.commands.persona_places import GREET, PLACE, greets, place_meant
from bot.domain.casting import GUESTS, MOST_GUESTS, guests_around, guests_text
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Command, CommandCall, Option, WhoMay
from bot.domain.message import Byline, ReplyTarget
from bot.domain.persona import Avatar, Persona
from bot.domain.placement import WHOLE_SPACE, places_around, setting_at
from bot.ports.platform import Bylines
from bot.ports.queue import TurnQueue
from bot.ports.store import Transaction


def guest_commands(cast: Cast, queue: TurnQueue, reach: Reach) -> tuple[Command, ...]:
    """Return the commands by which admins let several personas share a place."""
    door = _Door(cast, queue, reach)
    persona = Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA)
    to_invite, to_dismiss = "Let a further persona answer here, beside the one that speaks", "Let a further persona answer here no longer"
    return (
        Command(("persona", "invite"), to_invite, refusing(door.invite), (persona, PLACE, GREET), who=WhoMay.ADMINS, slow=True),
        Command(("persona", "dismiss"), to_dismiss, refusing(door.dismiss), (persona, PLACE), who=WhoMay.ADMINS),
    )


@dataclass(frozen=True, slots=True)
class _List:
    """The guests of one place, as its own list or that of the wider places around it says."""

    space: tuple[str, str]
    place: str
    guests: tuple[str, ...]
    around: tuple[str, ...]
    """Those that it has by the wider places alone."""

    async def keep(self, tx: Transaction, guests: tuple[str, ...]) -> None:
        """Give the place a list of its own, unless it is the same without one."""
        is_needless = guests == self.around and bool(self.place or not guests)
        await tx.settings.set(*self.space, setting_at(GUESTS, self.place), "" if is_needless else guests_text(guests))


@dataclass(frozen=True, slots=True)
class _Door:
    """Who comes and who goes."""

    cast: Cast
    queue: TurnQueue
    reach: Reach

    async def invite(self, call: CommandCall) -> Answer:
        """Let a persona answer in a place too, and greet where it is new."""
        async with self.cast.store.write() as tx:
            persona, there = await self.cast.named(tx, call), await self._list(tx, call)
            host = await self.cast.speaking(tx, call)
            if persona.id in there.guests or (persona.id == host.id and there.place != WHOLE_SPACE):
                raise Refused(texts.is_here_already(persona))
            if len(there.guests) >= MOST_GUESTS:
                raise Refused(texts.too_many_guests(MOST_GUESTS))
            await there.keep(tx, (*there.guests, persona.id))
            company = await self.cast.company(tx, call)
            answers_here = company.of_id(persona.id) is not None and persona.id != host.id
            if greets(call) and answers_here and await self.cast.greet(tx, call, persona):
                await self.queue.ask(tx, call.conversation)
        shows = await self._shows(call, persona) if answers_here else True
        return Answer(texts.invited(persona, host, answers_here=answers_here, shows=shows))

    async def dismiss(self, call: CommandCall) -> Answer:
        """Let a persona answer in a place no longer."""
        async with self.cast.store.write() as tx:
            persona, there = await self.cast.named(tx, call), await self._list(tx, call)
            if persona.id not in there.guests:
                raise Refused(texts.is_no_guest(persona))
            await there.keep(tx, tuple(each for each in there.guests if each != persona.id))
            left = await self.cast.company(tx, call)
        return Answer(texts.dismissed(persona, left.personas, stays=left.of_id(persona.id) is not None))

    async def _list(self, tx: Transaction, call: CommandCall) -> _List:
        """Return the guests of the place that is meant. Raises Refused for one that is none."""
        here = call.conversation
        place, places = await place_meant(tx, call), places_around(here, call.category_id or await tx.places.category(here))
        settings = await tx.settings.held(here.platform, here.space_id)
        at = places.index(place)
        around = guests_around(settings, places[at + 1 :])
        return _List((here.platform, here.space_id), place, guests_around(settings, places[at:]), around)

    async def _shows(self, call: CommandCall, persona: Persona) -> bool:
        """Say whether people see there who speaks, or the platform never shows it otherwise than by a name above the answer."""
        target = ReplyTarget(call.conversation, call.kind, byline=Byline(persona.id, persona.name))

        async def picture() -> Avatar | None:
            async with self.cast.store.read() as tx:
                return await tx.personas.avatar(call.conversation.platform, call.conversation.space_id, persona.id)

        platforms = self.reach(call.conversation.platform) if call.kind is ConversationKind.GROUP else ()
        return all([await platform.shows_byline(target, picture) for platform in platforms if isinstance(platform, Bylines)])
