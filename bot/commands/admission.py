"""Whether the gate lets in what somebody types to be remembered, and whom it is about."""

from dataclasses import replace
from datetime import datetime

from bot.commands import pending_texts as texts
from bot.commands.ownership import Place
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, CommandCall
from bot.domain.memory import Memory
from bot.domain.message import Person, Role
from bot.domain.pending import PendingMemory
from bot.memory.gate.claims import safely_named, subject_of
from bot.memory.gate.door import Door
from bot.memory.gate.unseen import is_tricky, visible
from bot.memory.gate.verdict import Concern, Ruling, Verdict
from bot.memory.gate.waiting import keep_pending
from bot.ports.store import Transaction

LOOK_BACK = 100
"""Messages whose authors a text may name."""


def readable(text: str) -> str:
    """Return a typed text without what nobody sees. Raises ValueError for one that hides what it says."""
    if is_tricky(text):
        raise ValueError(texts.refused(Concern.UNSEEN))
    return visible(text)


async def subject_in(tx: Transaction, place: Place, call: CommandCall, text: str) -> Person | None:
    """Return whom a typed fact is about: the asker, or in a group the one other member that it names."""
    if call.kind is ConversationKind.DIRECT:
        return call.asker
    said = await tx.messages.history(call.conversation, limit=LOOK_BACK)
    known = [memory for memory, _ in await tx.memories.search(place.scope, text, limit=LOOK_BACK)]
    people = [person for memory in known for person in (memory.subject, memory.author) if person is not None]
    subject = subject_of(text, call.asker, [*people, *(message.author for message in said)])
    return None if subject is None else safely_named(subject)


async def turned_away(
    tx: Transaction, place: Place, call: CommandCall, *, text: str, at: datetime, rows: tuple[int, ...] = ()
) -> Answer | None:
    """Return why a new fact is not remembered at once, after keeping what waits; None when it may be.

    `rows` are the messages that it rests on.
    """
    asker = safely_named(call.asker)
    verdict = await judged_here(tx, place, call, text=text, at=at)
    if verdict.ruling is Ruling.ACCEPT:
        return None
    if verdict.ruling is Ruling.REFUSE:
        return Answer(texts.refused(verdict.concern))
    number = await tx.memories.reserve_number(place.scope)
    subject, importance = await subject_in(tx, place, call, text), place.persona.memory.new_importance
    await keep_pending(tx, PendingMemory(place.scope, number, verdict.text, asker, subject, rows, verdict.concern, at, importance))
    return Answer(texts.waits(verdict.concern, number, for_asker=call.kind is ConversationKind.DIRECT))


async def judged_here(tx: Transaction, place: Place, call: CommandCall, *, text: str, at: datetime) -> Verdict:
    """Return what the gate says of a new fact that the asker tells."""
    return await (await _door(tx, place, call, at)).admit(text, safely_named(call.asker))


async def change_turned_away(tx: Transaction, place: Place, call: CommandCall, memory: Memory, *, text: str, at: datetime) -> Answer | None:
    """Return why a memory does not get a new text; None when it may."""
    verdict = await (await _door(tx, place, call, at)).admit_change(text, call.asker)
    if verdict.ruling is not Ruling.ACCEPT:
        return Answer(texts.refused(verdict.concern))
    subject, owner = await subject_in(tx, place, call, text), memory.subject or memory.author
    if call.kind is ConversationKind.GROUP and subject is not None and subject.id not in {call.asker.id, owner.id}:
        return Answer(texts.about_somebody_else())
    return None


def asker_of(call: CommandCall) -> CommandCall:
    """Return the call with an asker whose name is no more than a name."""
    return replace(call, asker=safely_named(call.asker))


async def _door(tx: Transaction, place: Place, call: CommandCall, at: datetime) -> Door:
    said = () if call.kind is ConversationKind.DIRECT else await tx.messages.history(call.conversation, limit=LOOK_BACK)
    people = {message.author for message in said if message.role is Role.USER}
    return Door(tx, place.scope, place.persona.memory, at, (place.persona.name,), people)
