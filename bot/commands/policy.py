"""`/memory policy`: admins see and set how strongly a persona remembers in their server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.commands import policy_texts as texts
from bot.commands.ownership import Place, place_of
from bot.domain.chat import space_of
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.nearest import nearest
from bot.domain.persona import Persona, Personas
from bot.memory.policy import PREFIX, RULES, disorder, parsed, policy_of, source_of, values_in
from bot.memory.speaker import persona_of
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import say, translated

RESET = "reset"


def policy_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the command by which admins see and set a server's memory policy."""
    policies = _Policies(store, personas, clock)
    name = Option("name", "The value to see or set, or reset for all; all are shown when left out", required=False, suggest=_suggest_names)
    value = Option("value", "Its new value, or reset for the persona's own", required=False, suggest=_suggest_values)
    summary = "See and set how strongly I remember in this server"
    return (Command(("memory", "policy"), summary, policies.run, (name, value), who=WhoMay.ADMINS, private=True),)


@dataclass(frozen=True, slots=True)
class _Policies:
    """The policies that hold where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def run(self, call: CommandCall) -> Answer:
        """Show all values or one, set one, or take back what was set."""
        name, value = (str(call.options.get(option, "")).strip().casefold() for option in ("name", "value"))
        if not name:
            return await self._show_all(call)
        if name == RESET:
            return await self._reset_all(call)
        name = name.removeprefix(PREFIX)
        if name not in RULES:
            return Answer(texts.unknown_name(name, nearest(name, RULES)))
        if not value:
            return await self._show(call, name)
        return await self._reset(call, name) if value == RESET else await self._set(call, name, value)

    async def _show_all(self, call: CommandCall) -> Answer:
        async with self.store.read() as tx:
            place, own, settings = await self._here(tx, call)
        lines = [texts.policy_line(name, getattr(place.persona.memory, name), source_of(name, own, settings)) for name in RULES]
        return Answer(texts.policy_page(place.persona.name, lines))

    async def _show(self, call: CommandCall, name: str) -> Answer:
        async with self.store.read() as tx:
            place, own, settings = await self._here(tx, call)
        source = source_of(name, own, settings)
        return Answer(texts.one_value(name, getattr(place.persona.memory, name), source, RULES[name]))

    async def _set(self, call: CommandCall, name: str, typed: str) -> Answer:
        try:
            value = parsed(name, typed)
        except ValueError as problem:
            return Answer(str(problem))
        kept = str(value).casefold()
        async with self.store.write() as tx:
            place, own, settings = await self._here(tx, call)
            if problem_there := disorder(policy_of(own, {**settings, f"{PREFIX}{name}": kept})):
                return Answer(texts.out_of_order(problem_there))
            await self._keep(tx, place, {name: kept})
        return Answer(texts.value_is_set(name, value, getattr(place.persona.memory, name)))

    async def _reset(self, call: CommandCall, name: str) -> Answer:
        async with self.store.write() as tx:
            before, _, settings = await self._here(tx, call)
            if f"{PREFIX}{name}" not in settings:
                return Answer(texts.not_set(name))
            await self._keep(tx, before, {name: ""})
            after, _, _ = await self._here(tx, call)
        return Answer(texts.value_is_reset(name, getattr(after.persona.memory, name)))

    async def _reset_all(self, call: CommandCall) -> Answer:
        async with self.store.write() as tx:
            place, _, settings = await self._here(tx, call)
            known, broken = values_in(settings)
            names = [*known, *(setting.removeprefix(PREFIX) for setting in broken)]
            await self._keep(tx, place, dict.fromkeys(names, ""))
        return Answer(texts.all_reset(len(names)))

    async def _here(self, tx: Transaction, call: CommandCall) -> tuple[Place, Persona, Mapping[str, str]]:
        """Return the place, with the policy that holds there, its persona as it is without, and what is set for its space."""
        place = await place_of(tx, self.personas, call, self.clock.now())
        own = await persona_of(tx, self.personas, place.scope.audience, place.persona.id)
        return place, own, await tx.settings.all(*space_of(place.scope.audience))

    async def _keep(self, tx: Transaction, place: Place, values: Mapping[str, str]) -> None:
        """Keep values, and let the prompt of the place where they were set follow them at once."""
        for name, value in values.items():
            await tx.settings.set(*space_of(place.scope.audience), f"{PREFIX}{name}", value)
        if values:
            await tx.memories.set_fold(place.scope, None)


async def _suggest_names(_call: CommandCall, typed: str) -> Sequence[Choice]:
    part = typed.strip().casefold()
    everything = [Choice(f"{name} – {translated(rule.meaning)}", name) for name, rule in RULES.items()]
    back = say("all back to the persona's own")
    return [choice for choice in (*everything, Choice(f"{RESET} – {back}", RESET)) if part in choice.value]


async def _suggest_values(call: CommandCall, typed: str) -> Sequence[Choice]:
    rule = RULES.get(str(call.options.get("name", "")))
    words = () if rule is None else ("true", "false") if rule.kind is bool else rule.words
    return [Choice(word, word) for word in (*words, RESET) if word.startswith(typed.strip().casefold())]
