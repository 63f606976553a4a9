"""`/usage`: the tokens of today and this month, by persona, against what may be spent."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import usage_texts as texts
from bot.commands.paging import PAGE_OPTION, page_of
from bot.domain.chat import audience_of, space_of
from bot.domain.command import Answer, Command, CommandCall, is_admin
from bot.domain.limits import HouseRules, Limits, day_of, in_force, month_of
from bot.domain.persona import Personas
from bot.memory.speaker import personas_there, speaker
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction


def usage_commands(store: Store, personas: Personas, clock: Clock, house: HouseRules) -> tuple[Command, ...]:
    """Return the command by which people see what is spent."""
    summary, usage = "See how many tokens I use here, and how many are left", _Usage(store, personas, clock, house)
    return (Command(("usage",), summary, usage.show, (PAGE_OPTION,), private=True, admins_may_more=True),)


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens of today and of this month."""

    name: str
    today: int
    month: int


@dataclass(frozen=True, slots=True)
class _Usage:
    store: Store
    personas: Personas
    clock: Clock
    house: HouseRules

    async def show(self, call: CommandCall) -> Answer:
        """Show admins the whole server by persona; everybody else this conversation, and how much of the budgets is used."""
        async with self.store.read() as tx:
            space = space_of(audience_of(call.conversation, call.kind, call.asker.id))
            limits = in_force(self.house.limits, await tx.settings.all(*space))
            total = await self._spent(tx, call, "", "")
            persona = await speaker(tx, self.personas, call.conversation, at=self.clock.now())
            own = await self._spent(tx, call, persona.name, persona.id)
            bars = _bars(limits, total, own)
            if not is_admin(call):
                here = await tx.usage.totals(call.conversation)
                return Answer(texts.for_members(here.prompt_tokens + here.reply_tokens, bars))
            known = [await self._spent(tx, call, each.name, each.id) for each in await personas_there(tx, self.personas, call.conversation)]
        rows = [spent for spent in known if spent.month]
        rest = Spent("", total.today - sum(each.today for each in rows), total.month - sum(each.month for each in rows))
        page = page_of([texts.row(spent.name, spent) for spent in rows], int(call.options.get("page", 1)))
        return Answer(texts.for_admins(page.lines, rest, total, bars, note=page.note), buttons=page.buttons("usage "))

    async def _spent(self, tx: Transaction, call: CommandCall, name: str, persona_id: str) -> Spent:
        space, now = call.conversation.space, self.clock.now()
        (today, _), (month, _) = day_of(now), month_of(now)
        of_day = await tx.usage.spent(today, space=space, persona_id=persona_id)
        return Spent(name, of_day, await tx.usage.spent(month, space=space, persona_id=persona_id))


def _bars(limits: Limits, total: Spent, own: Spent) -> Sequence[tuple[texts.Budget, int, int]]:
    """Return each budget that is set, with what is used of it and how much there is."""
    budgets = [
        (texts.Budget.DAY, total.today, limits.tokens_day),
        (texts.Budget.MONTH, total.month, limits.tokens_month),
        (texts.Budget.PERSONA_DAY, own.today, limits.persona_day),
        (texts.Budget.PERSONA_MONTH, own.month, limits.persona_month),
    ]
    return [(budget, used, most) for budget, used, most in budgets if most]
