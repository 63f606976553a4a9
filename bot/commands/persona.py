"""`/persona`: see who can speak, and choose who does."""

from dataclasses import dataclass

from bot.commands import persona_texts as texts
from bot.commands.paging import PAGE_OPTION, page_of
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Reach, refusing
from bot.commands.persona_editing import editing_commands
from bot.commands.persona_exchange import exchange_commands
from bot.commands.persona_guests import guest_commands
from bot.commands.persona_hours import hours_commands
from bot.commands.persona_nickname import nickname_commands
from bot.commands.persona_places import GREET, PLACE, greets, place_meant, place_word
from bot.commands.persona_preview import Rehearsal, preview_commands
from bot.domain.chat import BindingTarget
from bot.domain.command import Answer, Command, CommandCall, Option, WhoMay
from bot.domain.placement import binding_target
from bot.ports.persona_files import PersonaFiles
from bot.ports.queue import TurnQueue
from bot.ports.store import Transaction
from bot.prompt.character import shown_greeting


def persona_commands(
    cast: Cast, files: PersonaFiles, rehearsal: Rehearsal, queue: TurnQueue, reach: Reach = lambda _: ()
) -> tuple[Command, ...]:
    """Return the commands by which personas are seen, chosen, made, changed, tried and exchanged."""
    stage = _Stage(cast, queue)
    to_show = Option("name", "The persona's name; whoever speaks here when left out", required=False, suggest=cast.suggest)
    persona = Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA)
    commands = (
        Command(("persona", "list"), "See who can speak here", stage.list_all, (PAGE_OPTION,)),
        Command(("persona", "show"), "Get to know a persona", refusing(stage.show), (to_show,)),
        Command(("persona", "use"), "Choose who speaks here", refusing(stage.choose), (persona, PLACE, GREET), who=WhoMay.ADMINS),
        Command(("persona", "free"), "Take the choice for a place back", refusing(stage.free), (PLACE,), who=WhoMay.ADMINS),
        *guest_commands(cast, queue, reach),
        *editing_commands(cast, files),
        *exchange_commands(cast, files),
        *preview_commands(cast, rehearsal),
        *hours_commands(cast),
    )
    return nickname_commands(cast, reach, commands)


@dataclass(frozen=True, slots=True)
class _Stage:
    """Who speaks where."""

    cast: Cast
    queue: TurnQueue

    async def list_all(self, call: CommandCall) -> Answer:
        """Show all personas, which of them were made here, and who speaks."""
        place = call.conversation
        async with self.cast.store.read() as tx:
            here, known = (await self.cast.company(tx, call)).personas, await self.cast.there(tx, call)
            own = {persona.id for persona in await tx.personas.all(place.platform, place.space_id)}
        host, guests = here[0].id, {each.id for each in here[1:]}
        lines = [texts.persona_line(each, speaks_here=each.id == host, is_own=each.id in own, is_guest=each.id in guests) for each in known]
        page = page_of(lines, int(call.options.get("page", 1)))
        return Answer(texts.persona_list(page.lines, page.note), buttons=page.buttons("persona list "))

    async def show(self, call: CommandCall) -> Answer:
        """Introduce one persona."""
        async with self.cast.store.read() as tx:
            persona = await (self.cast.named(tx, call, "name") if "name" in call.options else self.cast.speaking(tx, call))
        return Answer(texts.persona_page(persona, shown_greeting(persona, call.asker)))

    async def choose(self, call: CommandCall) -> Answer:
        """Bind a persona to a place, and let it greet where it is new."""
        place = place_word(call)
        async with self.cast.store.write() as tx:
            persona = await self.cast.named(tx, call)
            await tx.bindings.bind(await _target(tx, call), persona.id)
            speaking = await self.cast.speaking(tx, call)
            if greets(call) and speaking.id == persona.id and await self.cast.greet(tx, call, persona):
                await self.queue.ask(tx, call.conversation)
        text = texts.persona_is_set(persona, place)
        return Answer(text if speaking.id == persona.id else f"{text}\n\n{texts.place_keeps_its_own(speaking.name)}")

    async def free(self, call: CommandCall) -> Answer:
        """Take the binding of a place away."""
        async with self.cast.store.write() as tx:
            was_bound = await tx.bindings.free(await _target(tx, call))
            speaking = await self.cast.speaking(tx, call)
        return Answer(texts.place_is_free(speaking.name)) if was_bound else Answer(texts.nothing_chosen(speaking.name), private=True)


async def _target(tx: Transaction, call: CommandCall) -> BindingTarget:
    return binding_target(call.conversation, await place_meant(tx, call))
