"""`/memory pending`: admins see what waits before a persona may remember it, and decide; in a direct chat its person does."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.commands import pending_texts as texts
from bot.commands.memory_texts import age
from bot.commands.numbers import number_choices
from bot.commands.ownership import Place, origin_of, place_of
from bot.commands.paging import page_of
from bot.domain.command import Answer, Button, Choice, Command, CommandCall, Option, OptionKind, WhoMay
from bot.domain.memory import EditOrigin, Remember
from bot.domain.pending import MOST_PENDING, PendingMemory
from bot.domain.persona import Personas
from bot.memory.edit import MemoryEditor
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction
from bot.wording.say import say

APPROVE, REJECT, LIST = "approve", "reject", "list"
YES, NO = "✓", "✗"
MOST_PRESSED = 5
"""Texts of a page that can be decided on by a press; for all others there is the command."""


def pending_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the command by which admins decide what a persona may remember."""
    desk = _Pending(store, personas, clock)
    action = Option("action", "approve or reject; what waits is shown when left out", required=False, suggest=_suggest)
    number = Option("number", "Which one, as the list shows it", OptionKind.NUMBER, required=False, suggest=desk.suggest)
    summary = "See and decide what waits before I remember it"
    return (Command(("memory", "pending"), summary, desk.decide, (action, number), who=WhoMay.ADMINS, private=True),)


@dataclass(frozen=True, slots=True)
class _Pending:
    """What waits where the asker is."""

    store: Store
    personas: Personas
    clock: Clock

    async def decide(self, call: CommandCall) -> Answer:
        """Show what waits, or let one of it become a memory or go."""
        action, number = str(call.options.get("action", "")).strip().casefold(), int(call.options.get("number", 0))
        if action in {"", LIST}:
            return await self._list(call, number)
        if action not in (APPROVE, REJECT):
            return Answer(texts.unknown_action(action))
        if not number:
            return Answer(texts.number_needed())
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            pending = await tx.pending.get(place.scope, number)
            if pending is None:
                return Answer(texts.not_pending(number))
            await tx.pending.remove(place.scope, number)
            if action == APPROVE:
                await self._remember(tx, place, pending, call)
            others = await tx.pending.page(place.scope, limit=1)
        told = texts.approved(pending) if action == APPROVE else texts.rejected(number)
        return Answer(told, buttons=(replace(_button("‹", LIST, "/memory pending"), turns=True),) if others else ())

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return what waits, the first first."""
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            waiting = await tx.pending.page(place.scope, limit=MOST_PENDING)
        return number_choices(waiting, typed)

    async def _list(self, call: CommandCall, number: int) -> Answer:
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            waiting = await tx.pending.page(place.scope, limit=MOST_PENDING)
        if not waiting:
            return Answer(texts.nothing_pending())
        lines = [texts.pending_line(pending, age(pending.at, self.clock.now())) for pending in waiting]
        page = page_of(lines, number)
        shown = texts.pending_list(page.lines, page.note, example=waiting[0].number)
        numbers = [pending.number for pending, line in zip(waiting, lines, strict=True) if line in page.lines][:MOST_PRESSED]
        decide = [_button(sign, f"{action} {each}", f"#{each}") for each in numbers for sign, action in ((YES, APPROVE), (NO, REJECT))]
        return Answer(shown, buttons=(*decide, *page.buttons(f"memory pending {LIST} ")))

    async def _remember(self, tx: Transaction, place: Place, pending: PendingMemory, call: CommandCall) -> None:
        """Make a memory of it: its speaker stays who said it, and the journal tells who let it in."""
        by = origin_of(call)
        origin = EditOrigin(by.actor, by.reason, author=pending.author, source_message_ids=pending.source_message_ids)
        edit = Remember(pending.number, pending.text, pending.subject, pending.importance, pending.group)
        await MemoryEditor(tx, place.scope, place.persona.memory, self.clock.now()).apply(edit, origin)


def _button(sign: str, does: str, label: str) -> Button:
    return Button(f"{sign} {label}", f"memory pending {does}")


async def _suggest(_call: CommandCall, typed: str) -> Sequence[Choice]:
    actions = [Choice(say("list – see what waits"), LIST)]
    actions += [Choice(say("approve – let me remember it"), APPROVE), Choice(say("reject – delete it"), REJECT)]
    return [action for action in actions if action.value.startswith(typed.strip().casefold())]
