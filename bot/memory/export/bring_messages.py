"""Bringing messages back in: each to the end of its conversation, or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from bot.domain.chat import Audience, ConversationKey, ConversationKind, is_within
from bot.domain.erasing import erasures_of
from bot.domain.memory import Memory
from bot.domain.message import IncomingMessage, MessageState, ReplyTarget, StoredMessage
from bot.memory.erasing.facts import says_all
from bot.memory.export.outcome import Outcome
from bot.memory.export.parcel import SaidBefore, TalkBefore
from bot.memory.gate.unseen import visible
from bot.ports.store import Transaction

PAGE = 500


@dataclass(frozen=True, slots=True)
class Landed:
    """Where a message of the file stands now. The row is 0 where it is only tried whether it could be stored."""

    row: int
    conversation: ConversationKey
    kind: ConversationKind
    author_id: str
    text: str
    is_erased: bool = False

    def is_of(self, audience: Audience) -> bool:
        """Say whether an audience may rest something on it."""
        return not self.is_erased and is_within(audience, self.conversation, self.kind, self.author_id)


@dataclass(slots=True)
class Here:
    """What is in the conversation already."""

    by_id: dict[str, int] = field(default_factory=dict)
    by_line: dict[tuple[str, datetime, str], int] = field(default_factory=dict)
    kinds: set[ConversationKind] = field(default_factory=set)
    people: set[str] = field(default_factory=set)

    def add(self, said: StoredMessage) -> None:
        """Note a message."""
        if said.message_id:
            self.by_id[said.message_id] = said.id
        self.by_line[said.author.id, said.sent_at, visible(said.text)] = said.id
        self.kinds.add(said.kind)
        if said.is_human:
            self.people.add(said.author.id)

    def row_of(self, said: SaidBefore) -> int:
        """Return the row of a message of the file; 0 when it is not here."""
        if said.message_id:
            return self.by_id.get(said.message_id, 0)
        return self.by_line.get((said.author.id, said.at, said.text), 0)

    def fits(self, talk: TalkBefore) -> bool:
        """Say whether a conversation of the file is this one: as many read along, and it is the same person in a direct chat."""
        theirs = {said.author.id for said in talk.messages if not said.author.is_bot and not said.persona_id}
        return self.kinds <= {talk.kind} and (talk.kind is not ConversationKind.DIRECT or len(self.people | theirs) <= 1)


async def here_in(tx: Transaction, conversation: ConversationKey) -> Here:
    """Return what is in a conversation."""
    here, after = Here(), 0
    while page := await tx.messages.page(conversation, after=after, limit=PAGE):
        after = page[-1].id
        for said in page:
            here.add(said)
    return here


@dataclass(slots=True)
class MessageImport:
    """Decides for the messages of one conversation, in the order of time, and stores what may come in."""

    talk: TalkBefore
    here: Here
    now: datetime
    buried: Sequence[tuple[Memory, frozenset[str]]]
    """Memories of the file that were erased, with the messages that they rest on."""
    writes: bool
    _erased_from: datetime | None = None
    """When the first message was said that was erased: personas' lines from then on may repeat it."""

    async def bring(self, tx: Transaction, said: SaidBefore) -> tuple[Outcome, Landed]:
        """Return what becomes of the next message, and where it is then."""
        landed = Landed(self.here.row_of(said), self.talk.conversation, self.talk.kind, said.author.id, said.text)
        if landed.row:
            return Outcome.KNOWN, landed
        outcome = await self._outcome(tx, said)
        row = await self._store(tx, said) if outcome is Outcome.ADDED and self.writes else 0
        is_gone = outcome is Outcome.ERASED
        return outcome, Landed(row, landed.conversation, landed.kind, landed.author_id, landed.text, is_erased=is_gone)

    async def _outcome(self, tx: Transaction, said: SaidBefore) -> Outcome:
        if await self._is_erased(tx, said):
            self._erased_from = self._erased_from or said.at
            return Outcome.ERASED
        if said.at > self.now:
            return Outcome.FUTURE
        if not said.persona_id and await tx.people.out(self.talk.conversation.platform, [said.author.id]):
            return Outcome.OPTED_OUT
        last = await tx.messages.history(self.talk.conversation, limit=1)
        return Outcome.OLDER if last and said.at < last[0].sent_at else Outcome.ADDED

    async def _is_erased(self, tx: Transaction, said: SaidBefore) -> bool:
        place = self.talk.conversation
        if said.persona_id and self._erased_from is not None:
            return True
        if said.message_id and await tx.erasures.erased_messages(place, [said.message_id]):
            return True
        erased = await tx.erasures.erased_at(erasures_of(place, said.author.id))
        return any(said.at <= at for at in erased.values()) or any(self._tells(said, *each) for each in self.buried)

    def _tells(self, said: SaidBefore, memory: Memory, refs: frozenset[str]) -> bool:
        """Say whether somebody told an erased memory by a message, or a persona repeated it."""
        if not said.persona_id and said.author.id != memory.author.id:
            return False
        is_near = is_within(memory.scope.audience, self.talk.conversation, self.talk.kind, memory.author.id)
        return said.ref in refs or (is_near and says_all(said.text, memory))

    async def _store(self, tx: Transaction, said: SaidBefore) -> int:
        place, kind = self.talk.conversation, self.talk.kind
        if said.persona_id:
            line = await tx.messages.record_reply(
                ReplyTarget(place, kind), said.persona_id, said.author.display_name, said.text, at=said.at
            )
            return line.id
        quote = said.quote
        if quote and await tx.people.out(place.platform, [quote.author.id]):
            quote = None
        message = IncomingMessage(place, kind, said.message_id, said.author, said.text, said.at, addressed_to_bot=False, quote=quote)
        stored = await tx.messages.record(message, MessageState.HEARD)
        return stored.id if stored else 0
