"""`/persona`: see who can speak, and choose who does."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import persona_texts as texts
from bot.commands.paging import PAGE_OPTION, page_of
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Reach, Refused, refusing
from bot.commands.persona_editing import editing_commands
from bot.commands.persona_exchange import exchange_commands
from bot.commands.persona_guests import guest_commands
from bot.commands.persona_hours import hours_commands
from bot.commands.persona_nickname import nickname_commands
from bot.commands.persona_preview import Rehearsal, preview_commands
from bot.domain.chat import BindingTarget, ConversationKind, binding_targets
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, WhoMay
from bot.ports.persona_files import PersonaFiles
from bot.ports.queue import TurnQueue
from bot.ports.store import Transaction
from bot.prompt.character import shown_greeting
from bot.wording.say import later, translated

_HERE, _CHANNEL, _CATEGORY, _SERVER, _DIRECT = "here", "channel", "category", "server", "dm"
_PLACES = {
    _HERE: later("here – this channel or thread"),
    _CHANNEL: later("channel – this channel with its threads"),
    _CATEGORY: later("category – all channels of this category"),
    _SERVER: later("server – everywhere in this server or group"),
}
_NO = frozenset({"no", "false", "off"})


def persona_commands(
    cast: Cast, files: PersonaFiles, rehearsal: Rehearsal, queue: TurnQueue, reach: Reach = lambda _: ()
) -> tuple[Command, ...]:
    """Return the commands by which personas are seen, chosen, made, changed, tried and exchanged."""
    stage = _Stage(cast, queue)
    to_show = Option("name", "The persona's name; whoever speaks here when left out", required=False, suggest=cast.suggest)
    persona = Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA)
    place = Option("place", "here, channel, category or server; here when left out", required=False, suggest=_suggest_places)
    greet = Option("greet", "Whether it says its greeting, yes or no; yes when left out", required=False)
    commands = (
        Command(("persona", "list"), "See who can speak here", stage.list_all, (PAGE_OPTION,)),
        Command(("persona", "show"), "Get to know a persona", refusing(stage.show), (to_show,)),
        Command(("persona", "use"), "Choose who speaks here", refusing(stage.choose), (persona, place, greet), who=WhoMay.ADMINS),
        Command(("persona", "free"), "Take the choice for a place back", refusing(stage.free), (place,), who=WhoMay.ADMINS),
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
        place, greets = _place(call), str(call.options.get("greet", "")).casefold() not in _NO
        async with self.cast.store.write() as tx:
            persona = await self.cast.named(tx, call)
            await tx.bindings.bind(await _target(tx, call, place), persona.id)
            speaking = await self.cast.speaking(tx, call)
            if greets and speaking.id == persona.id and await self.cast.greet(tx, call, persona):
                await self.queue.ask(tx, call.conversation)
        text = texts.persona_is_set(persona, place)
        return Answer(text if speaking.id == persona.id else f"{text}\n\n{texts.place_keeps_its_own(speaking.name)}")

    async def free(self, call: CommandCall) -> Answer:
        """Take the binding of a place away."""
        async with self.cast.store.write() as tx:
            was_bound = await tx.bindings.free(await _target(tx, call, _place(call)))
            speaking = await self.cast.speaking(tx, call)
        return Answer(texts.place_is_free(speaking.name)) if was_bound else Answer(texts.nothing_chosen(speaking.name), private=True)


def _place(call: CommandCall) -> str:
    """Return which place is meant; in a direct chat all are one. Raises Refused for one that is none."""
    typed = str(call.options.get("place", _HERE)).casefold()
    is_direct = call.kind is ConversationKind.DIRECT
    if typed not in _PLACES and not (is_direct and typed == _DIRECT):
        raise Refused(texts.unknown_place(typed))
    return _HERE if is_direct else typed


async def _target(tx: Transaction, call: CommandCall, place: str) -> BindingTarget:
    there = call.conversation
    match place:
        case "server":
            return BindingTarget(there.platform, there.space_id)
        case "channel":
            return BindingTarget(there.platform, there.space_id, there.channel_id)
        case "category":
            if category := call.category_id or await tx.places.category(there):
                return BindingTarget(there.platform, there.space_id, category)
            raise Refused(texts.no_category())
        case _:
            return binding_targets(there)[0]


async def _suggest_places(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(translated(text), place) for place, text in _PLACES.items() if place.startswith(typed.strip().casefold())]
