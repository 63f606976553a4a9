"""`/persona`: see who can speak, and choose who does."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import texts
from bot.domain.chat import BindingTarget, ConversationKey, ConversationKind, binding_targets
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.nearest import nearest
from bot.domain.persona import Persona, Personas
from bot.memory.speaker import speaker
from bot.ports.store import Store
from bot.wording.say import say

_HERE = "here"
_SERVER = "server"


def persona_commands(store: Store, personas: Personas) -> tuple[Command, ...]:
    """Return the commands by which personas are seen and chosen."""
    cast = _Cast(store, personas)
    to_show = Option("name", "The persona's name; whoever speaks here when left out", required=False, suggest=cast.suggest_names)
    to_set = Option("name", "The persona's name", suggest=cast.suggest_names)
    where = Option("where", "here (this channel or thread) or server; here when left out", required=False, suggest=_suggest_places)
    return (
        Command(("persona", "list"), "See who can speak here", cast.list_all),
        Command(("persona", "show"), "Get to know a persona", cast.show, (to_show,)),
        Command(("persona", "set"), "Choose who speaks here", cast.choose, (to_set, where), who=WhoMay.ADMINS),
    )


@dataclass(frozen=True, slots=True)
class _Cast:
    """The personas of this installation, and who of them speaks where."""

    store: Store
    personas: Personas

    async def list_all(self, call: CommandCall) -> Answer:
        """Show all personas, and who speaks here."""
        speaking = await self._speaking(call.conversation)
        lines = (texts.persona_line(known, speaks_here=known.id == speaking.id) for known in self.personas.by_id.values())
        return Answer(texts.persona_list(lines))

    async def show(self, call: CommandCall) -> Answer:
        """Introduce one persona."""
        if "name" not in call.options:
            return Answer(texts.persona_page(await self._speaking(call.conversation)))
        found = self._find(str(call.options["name"]))
        return Answer(found if isinstance(found, str) else texts.persona_page(found))

    async def choose(self, call: CommandCall) -> Answer:
        """Bind a persona to the place where the asker is, or to its whole server."""
        persona, where = self._find(str(call.options["name"])), str(call.options.get("where", _HERE)).casefold()
        if isinstance(persona, str):
            return Answer(persona, private=True)
        if where not in (_HERE, _SERVER):
            return Answer(texts.unknown_place(where), private=True)
        whole_server = where == _SERVER and call.kind is ConversationKind.GROUP
        async with self.store.write() as tx:
            await tx.bindings.bind(_target(call.conversation, whole_server=whole_server), persona.id)
        text = texts.persona_is_set(persona, whole_server=whole_server)
        speaking = await self._speaking(call.conversation)
        return Answer(text if speaking is persona else f"{text}\n\n{texts.place_keeps_its_own(speaking.name)}")

    async def suggest_names(self, _call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the personas whose id or name holds what is typed."""
        part = typed.strip().casefold()
        matching = (known for known in self.personas.by_id.values() if part in known.id or part in known.name.casefold())
        return [Choice(f"{known.name} – {known.summary}" if known.summary else known.name, known.id) for known in matching]

    async def _speaking(self, conversation: ConversationKey) -> Persona:
        async with self.store.read() as tx:
            return await speaker(tx, self.personas, conversation)

    def _find(self, typed: str) -> Persona | str:
        """Return the persona of that id or name, or what to tell somebody who mistyped it."""
        wanted = typed.strip().strip("`").casefold()
        named = [known for known in self.personas.by_id.values() if known.name.casefold() == wanted]
        if by_id := self.personas.by_id.get(wanted):
            return by_id
        match named:
            case [only]:
                return only
            case []:
                names = [name for known in self.personas.by_id.values() for name in (known.name, known.id)]
                return texts.unknown_persona(typed, nearest(typed, names))
            case _:
                return texts.ambiguous_persona(typed, [known.id for known in named])


def _target(conversation: ConversationKey, *, whole_server: bool) -> BindingTarget:
    if whole_server:
        return BindingTarget(conversation.platform, conversation.space_id)
    return binding_targets(conversation)[0]


async def _suggest_places(_call: CommandCall, typed: str) -> Sequence[Choice]:
    places = [Choice(say("here – this channel or thread"), _HERE), Choice(say("server – everywhere in this server or group"), _SERVER)]
    return [place for place in places if place.value.startswith(typed.strip().casefold())]
