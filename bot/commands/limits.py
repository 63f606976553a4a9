"""`/limits`: admins see what I answer and spend in their server, and set it tighter."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import limits_texts as texts
from bot.domain.chat import audience_of, space_of
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.limits import LIMITS, PREFIX, HouseRules, day_of, in_force, month_of, read_limit, set_here
from bot.domain.nearest import nearest
from bot.domain.persona import Personas
from bot.memory.speaker import speaker
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import translated

RESET = "reset"


def limits_commands(store: Store, personas: Personas, clock: Clock, house: HouseRules) -> tuple[Command, ...]:
    """Return the commands by which admins see and set what the bot answers and spends in their space."""
    desk = _LimitsDesk(store, personas, clock, house)
    name = Option("name", "The limit to set", suggest=_suggest_names, question="Which limit?")
    value = Option(
        "value", "Its new value, or reset", suggest=_suggest_reset, question="What shall it be? The word reset brings the usual value back"
    )
    return (
        Command(("limits", "show"), "See how much I may answer and spend here", desk.show, who=WhoMay.ADMINS, private=True),
        Command(("limits", "set"), "Set how much I may answer and spend here", desk.set, (name, value), who=WhoMay.ADMINS, private=True),
    )


@dataclass(frozen=True, slots=True)
class _LimitsDesk:
    """The limits of the space where the asker is."""

    store: Store
    personas: Personas
    clock: Clock
    house: HouseRules

    async def show(self, call: CommandCall) -> Answer:
        """Show what holds, who has set it, and what is used today and this month."""
        async with self.store.read() as tx:
            settings = await tx.settings.all(*_settings_of(call))
            persona = await speaker(tx, self.personas, call.conversation, at=self.clock.now())
            used = await self._used(tx, call, persona.id)
        limits, here = in_force(self.house.limits, settings), set_here(settings)
        lines = [texts.limit_row(name, getattr(limits, name), used.get(name), is_set_here=name in here) for name in LIMITS]
        return Answer(texts.limits_page(persona.name, lines))

    async def set(self, call: CommandCall) -> Answer:
        """Set one limit, or take it back."""
        name, typed = str(call.options["name"]).strip().casefold().removeprefix(PREFIX), str(call.options["value"]).strip()
        if name not in LIMITS:
            return Answer(texts.unknown_limit(name, nearest(name, LIMITS)))
        try:
            value = 0 if typed.casefold() == RESET else read_limit(name, typed)
        except ValueError:
            return Answer(texts.wrong_limit(name, LIMITS[name].most))
        async with self.store.write() as tx:
            await tx.settings.set(*_settings_of(call), f"{PREFIX}{name}", str(value) if value else "")
            limits = in_force(self.house.limits, await tx.settings.all(*_settings_of(call)))
        return Answer(texts.limit_is_set(name, value, getattr(limits, name), LIMITS[name]))

    async def _used(self, tx: Transaction, call: CommandCall, persona_id: str) -> dict[str, int]:
        """Return what is used of each budget."""
        space, now = call.conversation.space, self.clock.now()
        (today, _), (month, _) = day_of(now), month_of(now)
        return {
            "tokens_day": await tx.usage.spent(today, space=space),
            "tokens_month": await tx.usage.spent(month, space=space),
            "persona_day": await tx.usage.spent(today, space=space, persona_id=persona_id),
            "persona_month": await tx.usage.spent(month, space=space, persona_id=persona_id),
        }


def _settings_of(call: CommandCall) -> tuple[str, str]:
    return space_of(audience_of(call.conversation, call.kind, call.asker.id))


async def _suggest_reset(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(RESET, RESET)] if RESET.startswith(typed.strip().casefold()) else []


async def _suggest_names(_call: CommandCall, typed: str) -> Sequence[Choice]:
    part = typed.strip().casefold()
    return [Choice(f"{name} – {translated(rule.meaning)}", name) for name, rule in LIMITS.items() if part in name]
