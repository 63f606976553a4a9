"""`/undo`: the last exchange is taken back, with what it did to memory."""

from dataclasses import dataclass

from bot.commands import again_texts as texts
from bot.commands.again import AnswerDesk
from bot.commands.exchange import Exchange, shown_in
from bot.commands.ownership import origin_of
from bot.domain.chat import MemoryScope
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind
from bot.domain.erasing import DeletedMessages
from bot.domain.message import StoredMessage
from bot.memory.erasing.engine import Eraser
from bot.memory.undoing import edits_of, take_back_edits
from bot.wording.say import translated


def undo_commands(desk: AnswerDesk) -> tuple[Command, ...]:
    """Return the command for who was answered and for admins."""
    which = Option("which", "Which exchange, as the question before it says; the last one when left out", OptionKind.NUMBER, required=False)
    summary = "Take back your last message and my answer, with what I remembered of it"
    return (Command(("undo",), summary, _Undo(desk).undo, (which,), private=True, slow=True, admins_may_more=True),)


@dataclass(frozen=True, slots=True)
class _Undo:
    desk: AnswerDesk

    async def undo(self, call: CommandCall) -> Answer:
        """Ask, then take the exchange out of memory, history and search, and the answer out of the chat."""
        async with self.desk.store.read() as tx:
            exchange = await self.desk.last(tx, call)
            if await self.desk.is_busy(tx, call):
                return Answer(texts.busy())
            problem = _problem(call, exchange)
            if exchange is None or problem:
                return Answer(problem)
            scope = await self.desk.scope(tx, call, exchange)
            edits = await edits_of(tx, scope, [message.id for message in exchange.asked])
        going, which = _of_asker(call, exchange), exchange.asked[-1].id
        if not call.confirmed:
            question = texts.ask_to_undo(messages=len(going), answers=len(exchange.answers), edits=edits)
            return Answer(question, confirmation=Confirmation(translated(texts.UNDO_LABEL), f"undo {which}"))
        if int(call.options.get("which", which)) != which:
            return Answer(texts.another_since())
        return await self._take_back(call, scope, exchange, [*going, *exchange.answers])

    async def _take_back(self, call: CommandCall, scope: MemoryScope, exchange: Exchange, going: list[StoredMessage]) -> Answer:
        desk = self.desk
        async with desk.store.write() as tx:
            await tx.erasures.hold(sorted({str(call.conversation), str(scope.audience)}))
            rows = [message.id for message in exchange.asked]
            taken_back = await take_back_edits(tx, scope, rows, origin_of(call), desk.clock.now())
            shown = await shown_in(tx, exchange.answers)
        ids = tuple(message.message_id for message in going if message.message_id)
        report = await Eraser(desk.store, desk.clock).erase(DeletedMessages(call.conversation, ids), wipes=False)
        await desk.delete_there(call, shown)
        for place in report.conversations:
            await desk.background.ring(place)
        return Answer(texts.undone(taken_back, report, deleted=len(shown)))


def _problem(call: CommandCall, exchange: Exchange | None) -> str:
    if exchange is None:
        return texts.nothing_said()
    if not exchange.asked:
        return texts.nothing_of_yours()
    return "" if exchange.is_for(call) else texts.not_yours()


def _of_asker(call: CommandCall, exchange: Exchange) -> list[StoredMessage]:
    """Return the asker's own messages of the exchange; of an admin who asked nothing, all."""
    own = [message for message in exchange.asked if message.author.id == call.asker.id]
    return own or list(exchange.asked)
