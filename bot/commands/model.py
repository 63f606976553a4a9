"""`/model`: admins see which model a persona speaks with here, and choose another of those that are set up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.commands import model_texts as texts
from bot.commands.persona_cast import Cast, refusing
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.nearest import nearest
from bot.domain.persona import Persona
from bot.memory.speaker import persona_there
from bot.ports.model import ChatModel, ModelChain, ModelStanding

USUAL = "default"


@dataclass(frozen=True, slots=True)
class ModelShelf:
    """The models that are set up: by their names alone, never by their address or key."""

    models: Callable[[], Sequence[ChatModel]]
    default: ChatModel
    """Speaks for personas that name no other."""
    window_tokens: int

    def of(self, persona: Persona) -> Sequence[ModelStanding]:
        """Return the models that answer for a persona, the first one first."""
        chosen = next((model for model in self.models() if model.name == persona.model.name), self.default)
        standings = _standings(chosen)
        by_name = persona.model.name and persona.model.name not in {model.name for model in self.models()}
        return [replace(standings[0], name=persona.model.name), *standings[1:]] if by_name else standings

    def names(self) -> list[str]:
        """Return what can be chosen."""
        return list(dict.fromkeys(standing.name for model in self.models() for standing in _standings(model)))


def model_commands(cast: Cast, shelf: ModelShelf) -> tuple[Command, ...]:
    """Return the commands for admins."""
    desk = _Models(cast, shelf)
    name = Option(
        "name", "The model to speak with, or default for the usual one", suggest=desk.suggest, question="Which model shall I speak with?"
    )
    return (
        Command(("model", "show"), "See which model speaks here, and what it can", desk.show, who=WhoMay.ADMINS, private=True, alone=True),
        Command(("model", "use"), "Choose the model that speaks here", refusing(desk.use), (name,), who=WhoMay.ADMINS, private=True),
    )


@dataclass(frozen=True, slots=True)
class _Models:
    cast: Cast
    shelf: ModelShelf

    async def show(self, call: CommandCall) -> Answer:
        """Show the model of who speaks here, what it can, and how it and those that stand in for it do."""
        async with self.cast.store.read() as tx:
            persona = await self.cast.speaking(tx, call)
        standings, now = self.shelf.of(persona), self.cast.clock.now()
        lines = [texts.model_line(standing, now, stands_in=place > 0) for place, standing in enumerate(standings)]
        return Answer(texts.model_page(persona, standings[0].name, lines, self.shelf.window_tokens, self.shelf.names()))

    async def use(self, call: CommandCall) -> Answer:
        """Let who speaks here speak with another model in this space."""
        typed, names = str(call.options["name"]).strip().strip("`"), self.shelf.names()
        wanted = next((name for name in names if name.casefold() == typed.casefold()), None)
        if wanted is None and typed.casefold() != USUAL:
            return Answer(texts.unknown_model(typed, nearest(typed, names), names))
        async with self.cast.store.write() as tx:
            speaks = await self.cast.speaking(tx, call)
            persona = await persona_there(tx, self.cast.personas, call.conversation, speaks.id) or speaks
            usual = self.cast.personas.by_id.get(persona.id)
            name = wanted if wanted is not None else usual.model.name if usual else ""
            if persona.model.name == name:
                return Answer(texts.model_already(persona, self.shelf.of(persona)[0].name))
            changed = replace(persona, model=replace(persona.model, name=name))
            await self.cast.keep(tx, call, changed, f"/{' '.join(call.path)}")
        return Answer(texts.model_is_set(changed, self.shelf.of(changed)[0].name))

    async def suggest(self, _call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the models whose names hold what is typed."""
        part = typed.strip().casefold()
        return [Choice(name, name) for name in (*self.shelf.names(), USUAL) if part in name.casefold()]


def _standings(model: ChatModel) -> Sequence[ModelStanding]:
    return model.standings() if isinstance(model, ModelChain) else [ModelStanding(model.name, model.takes_tools, model.takes_images)]
