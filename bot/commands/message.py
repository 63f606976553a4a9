"""What people can do with one message: from its menu, or by a command in reply to it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.commands import message_texts as texts
from bot.commands.admission import asker_of, readable, subject_in, turned_away
from bot.commands.forget_texts import told
from bot.commands.memory_texts import FORGET_LABEL, added, known_already, memory_is_off
from bot.commands.memory_trace import MemoryTrace
from bot.commands.ownership import Place, is_own, origin_of, place_of
from bot.commands.privacy_texts import cannot_remember
from bot.domain.chat import audience_of
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind, is_admin
from bot.domain.erasing import DeletedMessages, ErasureTarget, OneMemory
from bot.domain.erasing import added as summed
from bot.domain.memory import Memory, Remember
from bot.domain.message import Person, Role, StoredMessage
from bot.domain.persona import Personas
from bot.memory.edit import MemoryEditor, memory_text
from bot.memory.erasing.engine import Eraser
from bot.memory.gate.claims import safely_named
from bot.memory.gate.own_words import own_words
from bot.memory.hidden import may_remember
from bot.memory.shares import copies_of
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction
from bot.wording.say import translated


def message_commands(store: Store, personas: Personas, clock: Clock, background: TurnQueue) -> tuple[Command, ...]:
    """Return the commands that are about one message; `background` is asked to write summaries anew."""
    desk = _Messages(store, personas, clock, background)
    row = Option(
        "which", "Which message, as the question before it says; the one you reply to when left out", OptionKind.NUMBER, required=False
    )
    return (
        Command(
            ("remember",),
            "Remember the message that you reply to",
            desk.remember,
            private=True,
            admins_may_more=True,
            menu="Remember this",
        ),
        Command(
            ("forget", "this"),
            "Forget what I know from the message that you reply to",
            desk.forget,
            (row,),
            private=True,
            slow=True,
            admins_may_more=True,
            menu="Forget this",
        ),
        Command(("why",), "See what I had in mind at the answer that you reply to", desk.why, private=True, menu="Why did you say that?"),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What a message says in its author's own words."""

    author: Person
    text: str
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Messages:
    """What rests on a message, and what may. Which message and whose it is comes from the platform's event and the store alone."""

    store: Store
    personas: Personas
    clock: Clock
    background: TurnQueue

    async def remember(self, call: CommandCall) -> Answer:
        """Keep a message's own words: as its author's for them and for admins, as the asker's claim for everybody else."""
        if call.about is None:
            return Answer(texts.reply_to_remember())
        if call.asker.is_service:
            return Answer(texts.nobody_asks())
        async with self.store.write() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            if not place.persona.memory.enabled:
                return Answer(memory_is_off(place.persona.name))
            told = await _told_in(tx, call)
            if isinstance(told, str):
                return Answer(told)
            is_theirs = told.author.id == call.asker.id or is_admin(call)
            try:
                text = memory_text(readable(told.text if is_theirs else texts.claim(told.author.display_name, told.text)))
            except ValueError as problem:
                return Answer(str(problem))
            return await self._keep(tx, place, replace(call, asker=told.author) if is_theirs else call, replace(told, text=text), by=call)

    async def _keep(self, tx: Transaction, place: Place, speaking: CommandCall, told: _Told, *, by: CommandCall) -> Answer:
        now, text = self.clock.now(), told.text
        if not await may_remember(tx, place.scope, text, (speaking.asker, told.author, by.asker)):
            return Answer(cannot_remember())
        turned = await turned_away(tx, place, speaking, text=text, at=now, rows=told.rows)
        if turned is not None:
            return turned
        is_claim = speaking.asker.id != told.author.id
        subject = told.author if is_claim else await subject_in(tx, place, speaking, text)
        number = await tx.memories.reserve_number(place.scope)
        origin = replace(origin_of(asker_of(by)), author=safely_named(speaking.asker), source_message_ids=told.rows)
        edit = Remember(number, text, subject=subject, importance=place.persona.memory.new_importance)
        await MemoryEditor(tx, place.scope, place.persona.memory, now).apply(edit, origin)
        return Answer(added(number, text) if await tx.memories.get(place.scope, number) else known_already(text))

    async def forget(self, call: CommandCall) -> Answer:
        """Ask, then forget what rests on a message of what the asker may have forgotten, and the message itself if it is theirs."""
        row = int(call.options.get("which", 0))
        if call.about is None and not row:
            return Answer(texts.reply_to_forget())
        async with self.store.read() as tx:
            message = await _by_row(tx, call, row) if row else await _known(tx, call, call.about.message_id if call.about else "")
            resting = await _resting(tx, call, message) if message is not None and not call.asker.is_service else []
        goes_itself = message is not None and bool(message.message_id) and _is_own_message(message, call)
        if message is None or not (resting or goes_itself):
            return Answer(texts.nothing_rests_on_it())
        if not call.confirmed:
            question = texts.ask_to_forget([memory.text for memory in resting], with_message=goes_itself)
            return Answer(question, confirmation=Confirmation(translated(FORGET_LABEL), f"{' '.join(call.path)} {message.id}"))
        async with self.store.read() as tx:
            targets = [
                OneMemory(copy.scope, copy.number, call.asker.id)
                for each in resting
                for copy in await copies_of(tx, each.scope, each.number, each.id)
            ]
        going: list[ErasureTarget] = [*targets, *(OneMemory(each.scope, each.number, call.asker.id) for each in resting)]
        if goes_itself:
            going.append(DeletedMessages(call.conversation, (message.message_id,)))
        return await self._erase(going)

    async def _erase(self, targets: Sequence[ErasureTarget]) -> Answer:
        eraser = Eraser(self.store, self.clock)
        reports = [await eraser.erase(target, wipes=target is targets[-1]) for target in targets]
        for place in dict.fromkeys(place for report in reports for place in report.conversations):
            await self.background.ring(place)
        report = replace(reports[-1], counts=summed(*(each.counts for each in reports)))
        return Answer(texts.forgotten(told(report)))

    async def why(self, call: CommandCall) -> Answer:
        """Show what stood in the prompt of an answer, by default the last one here."""
        message = None
        if call.about is not None:
            async with self.store.read() as tx:
                message = await _known(tx, call, call.about.message_id)
            if message is None:
                return Answer(texts.not_known_any_more())
            if message.role is not Role.ASSISTANT:
                return Answer(texts.not_said_by_me())
        return await MemoryTrace(self.store, self.personas, self.clock).why(call, message)


async def _told_in(tx: Transaction, call: CommandCall) -> _Told | str:
    """Return what a message says, as it is kept, or as its platform shows it where it never was; or why that is no fact."""
    about = call.about
    if about is None or about.author.is_bot or about.author.is_service:
        return texts.only_peoples_words()
    found = await _known(tx, call, about.message_id)
    if found is None and await _is_elsewhere(tx, call, about.message_id):
        return texts.unknown_message()
    if found is not None and not found.is_human:
        return texts.only_peoples_words()
    author, text = (found.author, found.text) if found else (about.author, "" if about.forwarded_from else about.text)
    words = own_words(text)
    return _Told(author, words, (found.id,) if found else ()) if words else texts.no_words_of_their_own()


async def _known(tx: Transaction, call: CommandCall, message_id: str) -> StoredMessage | None:
    """Return the message of that id in the asker's conversation."""
    found = await tx.erasures.said(call.conversation, message_ids=[message_id], limit=1) if message_id else ()
    return found[0] if found else None


async def _by_row(tx: Transaction, call: CommandCall, row: int) -> StoredMessage | None:
    """Return a message that was said in the asker's conversation."""
    found = await tx.messages.several(call.conversation, [row])
    return found[0] if found else None


async def _is_elsewhere(tx: Transaction, call: CommandCall, message_id: str) -> bool:
    """Say whether a message was erased, or belongs to a discussion, which has a memory of its own."""
    if await tx.erasures.erased_messages(call.conversation, [message_id]):
        return True
    places = await tx.erasures.conversations(DeletedMessages(call.conversation, (message_id,)))
    return any([await tx.erasures.said(place, message_ids=[message_id], limit=1) for place in places])


async def _resting(tx: Transaction, call: CommandCall, message: StoredMessage) -> list[Memory]:
    """Return the memories that rest on a message, of those that are the asker's."""
    audience = audience_of(call.conversation, call.kind, call.asker.id)
    found = [resting.memory for resting in await tx.erasures.resting(audience, [message.id]) if resting.memory is not None]
    return [memory for memory in found if is_own(memory, call)]


def _is_own_message(message: StoredMessage, call: CommandCall) -> bool:
    return message.is_human and message.author.id == call.asker.id and not call.asker.is_service
