"""`/regenerate` and `/continue`: the last answer anew, or further."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.commands import again_texts as texts
from bot.commands.exchange import Exchange, last_exchange, shown_in
from bot.commands.ownership import origin_of, place_of
from bot.domain.chat import MemoryScope, audience_of
from bot.domain.command import Answer, Command, CommandCall
from bot.domain.message import IncomingMessage, MessageState, Quote, ReplyTarget, StoredMessage
from bot.domain.persona import Personas
from bot.memory.company import shared_company
from bot.memory.erasing.rows import take_documents
from bot.memory.gate.claims import safely_named
from bot.memory.undoing import TakenBack, take_back_edits
from bot.ports.clock import Clock
from bot.ports.platform import Platform
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction
from bot.ports.turns import Admission, RunningTurns

SAYS_NOTHING = "…"
"""What a request to go on says, so that nothing is looked up for it."""


@dataclass(frozen=True, slots=True)
class AnswerDesk:
    """What it takes to give answers anew and to take them back."""

    store: Store
    personas: Personas
    clock: Clock
    running: RunningTurns
    admission: Admission
    queue: TurnQueue
    background: TurnQueue
    platforms: Callable[[], Sequence[Platform]]

    async def is_busy(self, tx: Transaction, call: CommandCall) -> bool:
        """Say whether an answer is on its way there."""
        place = call.conversation
        if await self.running.is_writing(place):
            return True
        return bool(await tx.messages.waiting(place) or await tx.outbox.unsent(place))

    async def last(self, tx: Transaction, call: CommandCall) -> Exchange | None:
        """Return the last exchange there, of the persona that spoke last."""
        company = await shared_company(tx, self.personas, call.conversation, at=self.clock.now())
        return await last_exchange(tx, call.conversation, company)

    async def scope(self, tx: Transaction, call: CommandCall, exchange: Exchange) -> MemoryScope:
        """Return what memory the exchange could change."""
        scope = (await place_of(tx, self.personas, call, self.clock.now())).scope
        return replace(scope, persona_id=exchange.answers[0].persona_id) if exchange.answers else scope

    async def delete_there(self, call: CommandCall, message_ids: Sequence[str]) -> None:
        """Delete messages of the bot on the platform, as far as it lets us."""
        target = ReplyTarget(call.conversation, call.kind)
        for platform in self.platforms():
            if platform.name == call.conversation.platform:
                for message_id in message_ids:
                    await platform.withdraw(target, message_id)


def again_commands(desk: AnswerDesk) -> tuple[Command, ...]:
    """Return the commands for who was answered and for admins."""
    again = _Again(desk)
    return (
        Command(("regenerate",), "Let me give my last answer anew", again.regenerate, private=True, admins_may_more=True),
        Command(("continue",), "Let me go on where my last answer ended", again.go_on, private=True, admins_may_more=True),
    )


@dataclass(frozen=True, slots=True)
class _Again:
    desk: AnswerDesk

    async def regenerate(self, call: CommandCall) -> Answer:
        """Take the last answer and what it did to memory back, and let the same messages be answered again in its place."""
        desk, conversation = self.desk, call.conversation
        async with desk.store.write() as tx:
            exchange = await self._last(tx, call)
            if isinstance(exchange, Answer):
                return exchange
            if not exchange.asked:
                return Answer(texts.nobody_asked())
            if no := await desk.admission.admit(tx, self._asking(call)):
                return Answer(no)
            rows, shown = [message.id for message in exchange.answers], await shown_in(tx, exchange.answers)
            taken_back = await self._take_back(tx, call, exchange)
            await take_documents(tx, conversation, rows)
            await tx.expiry.remove(conversation, rows)
            await tx.messages.reopen([message.id for message in exchange.asked])
            if shown:
                await tx.outbox.set_draft(conversation, shown[0])
            await desk.queue.ask(tx, conversation)
        await desk.delete_there(call, shown[1:])
        return Answer(texts.anew(taken_back))

    async def go_on(self, call: CommandCall) -> Answer:
        """Let the persona speak once more, without anything new to answer."""
        desk = self.desk
        async with desk.store.write() as tx:
            exchange = await self._last(tx, call)
            if isinstance(exchange, Answer):
                return exchange
            if not exchange.answers:
                return Answer(texts.nothing_to_go_on())
            asking = self._asking(call, (await shown_in(tx, exchange.answers))[-1:], exchange.answers[-1])
            if no := await desk.admission.admit(tx, asking):
                return Answer(no)
            await tx.messages.record(asking, MessageState.WAITING)
            await desk.queue.ask(tx, call.conversation)
        return Answer(texts.going_on())

    async def _last(self, tx: Transaction, call: CommandCall) -> Exchange | Answer:
        """Return the last exchange, which no erasure changes before this transaction ends, or why it is not to be touched."""
        await _hold(tx, call)
        exchange = await self.desk.last(tx, call)
        if await self.desk.is_busy(tx, call):
            return Answer(texts.busy())
        if exchange is None:
            return Answer(texts.nothing_said())
        if not exchange.is_for(call):
            return Answer(texts.not_yours())
        return exchange if exchange.is_last else Answer(texts.not_the_last())

    async def _take_back(self, tx: Transaction, call: CommandCall, exchange: Exchange) -> TakenBack:
        rows = [message.id for message in exchange.asked]
        return await take_back_edits(tx, await self.desk.scope(tx, call, exchange), rows, origin_of(call), self.desk.clock.now())

    def _asking(self, call: CommandCall, shown: Sequence[str] = (), last: StoredMessage | None = None) -> IncomingMessage:
        """Return what stands for the command where answers are asked for by messages, in reply to what is `shown` of the last answer."""
        return IncomingMessage(
            call.conversation,
            call.kind,
            message_id="",
            author=safely_named(call.asker),
            text=SAYS_NOTHING,
            sent_at=self.desk.clock.now(),
            addressed_to_bot=True,
            quote=Quote(shown[-1], last.author, "") if last and shown else None,
        )


async def _hold(tx: Transaction, call: CommandCall) -> None:
    """Let no erasure there go on beside this transaction."""
    await tx.erasures.hold(sorted({str(call.conversation), str(audience_of(call.conversation, call.kind, call.asker.id))}))
