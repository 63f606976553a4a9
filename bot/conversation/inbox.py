"""What platform adapters hand their events to: record first, then ask for a turn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import structlog

from bot.conversation.described import described
from bot.conversation.noted import NotedPlaces
from bot.conversation.threshold import Threshold
from bot.domain.chat import ConversationKey, ConversationKind, audience_of
from bot.domain.command import Answer, Choice, Command, CommandCall
from bot.domain.discussion import may_name, without_tags
from bot.domain.erasing import DeletedMessages, ErasureState
from bot.domain.message import IncomingMessage, MessageEdit, MessageState, StoredMessage
from bot.domain.privacy import Hidden
from bot.memory.erasing.engine import Eraser
from bot.memory.graph import unlearn
from bot.memory.hidden import meet
from bot.memory.past.index import reindex
from bot.plugin.manager import PluginManager
from bot.ports.platform import CommandRunner
from bot.ports.queue import TurnQueue
from bot.ports.store import Store, Transaction
from bot.ports.trail import follow, on_turn
from bot.ports.watch import NO_WATCH, Watch

FORWARDED_OF_NOBODY = "[forwarded message of somebody who asked not to be recorded]"
EDITED_WITHIN = 500
"""Messages of a conversation among which an edited one is looked for."""
WAITS_FOR_ERASURES = 60
"""Seconds that the news of another id waits for erasures."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ConversationInbox:
    """The Inbox of all platforms."""

    store: Store
    queue: TurnQueue
    background: TurnQueue
    """Asked to make messages findable."""
    plugins: PluginManager
    desk: CommandRunner
    threshold: Threshold
    eraser: Eraser
    discussion_people: frozenset[str] = frozenset()
    """Who may name a discussion in a group, as `platform:id`."""
    noted: NotedPlaces = field(default_factory=NotedPlaces)
    watch: Watch = NO_WATCH

    @property
    def commands(self) -> Sequence[Command]:
        """Return all commands."""
        return self.desk.commands

    async def receive(self, message: IncomingMessage) -> None:
        """Store a message, and ask for a turn when it wants an answer."""
        with on_turn(), self.watch.traces.span("receive", {"platform": message.conversation.platform}):
            await self._receive(message)

    async def _receive(self, message: IncomingMessage) -> None:
        message = self._placed(message)
        async with self.store.write() as tx:
            await self._note_place(tx, message)
            wishes = await _wishes(tx, message)
            message, passes = without_words_of(message, wishes), wishes.hides(message.author)
            decision = await self.threshold.decide(tx, message)
            state = MessageState.WAITING if decision.speaks else MessageState.HEARD
            if passes and not (decision.speaks and message.addressed_to_bot):
                return  # nothing is kept of it, not even a line in the log
            stored = await tx.messages.record(replace(message, text=described(message)), state)
            rings = stored is not None and await self.threshold.settle(tx, message, decision)
            if stored is not None and decision.speaks:
                follow(stored.id, stored.sent_at)
            if passes and stored is not None:
                await tx.people.pass_by(stored.conversation, [stored.id], stored.sent_at)
            elif stored is not None:
                await _meet(tx, stored, message)
                await self.background.ask(tx, message.conversation)
            if rings:
                await self.queue.ask(tx, message.conversation)
        self.noted.keep(message)
        if stored is None:
            log.info("repeat_dropped", platform=message.conversation.platform)
            return
        self.watch.metrics.received(message.conversation.platform, speaks=decision.speaks)
        log.info("message_recorded", platform=message.conversation.platform, row=stored.id, speaks=decision.speaks, reason=decision.reason)
        if not passes:
            await self.plugins.message_recorded(stored)

    async def last_heard(self, platform: str, *, limit: int) -> Sequence[StoredMessage]:
        """Return people's last stored message of each place of a platform, the newest first; its discussions are one place with it."""
        async with self.store.read() as tx:
            heard = await tx.messages.last_heard(platform, limit=limit)
        newest: dict[ConversationKey, StoredMessage] = {}
        for message in heard:
            newest.setdefault(replace(message.conversation, discussion=""), message)
        return list(newest.values())

    async def edit(self, edit: MessageEdit) -> None:
        """Change the stored text of a message. What was answered is not answered again."""
        async with self.store.read() as tx:
            edit = await _without_forwarded(tx, edit)
        said = without_tags(edit.text)
        places = dict.fromkeys([edit.conversation, replace(edit.conversation, discussion=said.discussion)])
        if await self._is_of_somebody_out(places, edit.message_id):
            await self.delete(edit.conversation, [edit.message_id])  # what it says now is not to be kept, what it said was taken back
            return
        async with self.store.write() as tx:
            # A message is known in a discussion only where its author could name it: the first time decides.
            text = described(replace(edit, text=said.text))
            changed = [place for place in places if await tx.messages.change_text(place, edit.message_id, text)]
            for place in changed:
                await _reindex(tx, place, edit)
                await self.background.ask(tx, place)
        log.info("message_edited", platform=edit.conversation.platform, known=bool(changed))

    async def delete(self, conversation: ConversationKey, message_ids: Sequence[str]) -> None:
        """Erase messages that the platform has deleted."""
        report = await self.eraser.erase(DeletedMessages(conversation, tuple(message_ids)), wipes=False)
        for place in report.conversations:
            await self.background.ring(place)

    async def left(self, platform: str, space_id: str) -> None:
        """Note that the bot has left a space."""
        async with self.store.write() as tx:
            await tx.erasures.left(platform, space_id, self.eraser.clock.now())
        log.info("space_left", platform=platform)

    async def joined(self, platform: str, *space_ids: str) -> None:
        """Note that the bot is in spaces."""
        async with self.store.read() as tx:
            left = {each.space_id for each in await tx.erasures.departures() if each.platform == platform}
        if back := left.intersection(space_ids):
            async with self.store.write() as tx:
                for space_id in sorted(back):
                    await tx.erasures.joined(platform, space_id)

    async def moved(self, platform: str, old_id: str, new_id: str) -> None:
        """Let all that is kept of a space follow it to its new id, and go on there with what waits."""
        await self._let_erasures_end(platform, old_id)
        async with self.store.write() as tx:
            places = await tx.places.move(platform, old_id, new_id, self.eraser.clock.now())
            for place in places:
                await self.queue.ask(tx, place)
                await self.background.ask(tx, place)
        log.info("space_moved", platform=platform, conversations=len(places))

    async def run_command(self, call: CommandCall) -> Answer:
        """Return what the command says."""
        return await self.desk.run(call)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed."""
        return await self.desk.suggest(call, option, typed)

    async def prefill(self, call: CommandCall, option: str) -> str:
        """Return what stands in the form of an option before anybody has written there."""
        return await self.desk.prefill(call, option)

    async def _let_erasures_end(self, platform: str, space_id: str) -> None:
        """Wait until nothing is being erased of a space: an erasure under way knows its old id."""
        for _ in range(WAITS_FOR_ERASURES):
            await self.eraser.finish_all(wipes=False)
            async with self.store.read() as tx:
                begun = [one for one in await tx.erasures.unfinished() if one.state is ErasureState.BEGUN]
            places = {(place.conversation.platform, place.conversation.space_id) for one in begun for place in one.plan.places}
            if (platform, space_id) not in places:
                return
            await self.eraser.clock.sleep(1)

    async def _is_of_somebody_out(self, places: Iterable[ConversationKey], message_id: str) -> bool:
        """Say whether a message that is kept is of a person who has opted out since."""
        async with self.store.read() as tx:
            said = [await _last_of_id(tx, place, message_id) for place in places]
            people = {message.author.id for messages in said for message in messages if not message.author.is_bot}
            return bool(await tx.people.out(next(iter(places)).platform, people))

    async def _note_place(self, tx: Transaction, message: IncomingMessage) -> None:
        """Keep which category the channel is in, where that is news."""
        place = message.conversation
        if (
            message.kind is ConversationKind.GROUP
            and self.noted.is_news(message)
            and await tx.places.category(place) != message.category_id
        ):
            await tx.places.note(place, message.category_id)

    def _placed(self, message: IncomingMessage) -> IncomingMessage:
        """Return the message without tags, in the discussion that it names if its author may name one."""
        said = without_tags(message.text)
        quote = message.quote and replace(message.quote, text=without_tags(message.quote.text).text)
        if said.is_broken or (said.discussion and not may_name(message, self.discussion_people)):
            log.warning("discussion_ignored", platform=message.conversation.platform, is_broken=said.is_broken)
        place = message.conversation
        if said.discussion and may_name(message, self.discussion_people):
            place = replace(place, discussion=said.discussion)
        # Who reads along in a discussion is not for its place's permissions to say.
        return replace(message, conversation=place, text=said.text, quote=quote, is_public=message.is_public and not place.discussion)


async def _wishes(tx: Transaction, message: IncomingMessage) -> Hidden:
    """Return who opted out, of the author, the one who is quoted, and those whose words either passes on."""
    people = (
        message.author,
        message.quote and message.quote.author,
        message.forwarded_from,
        message.quote and message.quote.forwarded_from,
    )
    return Hidden(await tx.people.out(message.conversation.platform, {person.id for person in people if person}))


def without_words_of(message: IncomingMessage, wishes: Hidden) -> IncomingMessage:
    """Return a message without the words of somebody else who opted out, be they quoted or forwarded."""
    quote = message.quote
    if quote and (wishes.hides(quote.author) or wishes.hides(quote.forwarded_from)):
        message = replace(message, quote=None)
    if wishes.hides(message.forwarded_from):
        return replace(message, text=FORWARDED_OF_NOBODY, attachments=(), mentioned=(), forwarded_from=None)
    return message


async def _without_forwarded(tx: Transaction, edit: MessageEdit) -> MessageEdit:
    """Return an edit without the words that it passes on of somebody who opted out."""
    origin = edit.forwarded_from
    if origin is None or not Hidden(await tx.people.out(edit.conversation.platform, [origin.id])).hides(origin):
        return edit
    return replace(edit, text=FORWARDED_OF_NOBODY, attachments=(), mentioned=(), forwarded_from=None)


async def _meet(tx: Transaction, stored: StoredMessage, message: IncomingMessage | MessageEdit) -> None:
    """Keep who is named by mention, or forwarded, in a message."""
    met = (*message.mentioned, *([message.forwarded_from] if message.forwarded_from else []))
    if met:
        await meet(tx, audience_of(stored.conversation, stored.kind, stored.author.id), stored.id, met)


async def _reindex(tx: Transaction, place: ConversationKey, edit: MessageEdit) -> None:
    """Let an edited message be found by its new text alone. What was learned of the old one is learned anew if its author changed it."""
    for message in await _last_of_id(tx, place, edit.message_id):
        await reindex(tx, message)
        if edit.says_the_same:
            continue
        await unlearn(tx, audience_of(place, message.kind, message.author.id), [message.id])
        await _meet(tx, message, edit)
        state = await tx.pasts.state(place)
        await tx.pasts.note(place, related_row=min(state.related_row, message.id - 1))


async def _last_of_id(tx: Transaction, place: ConversationKey, message_id: str) -> Sequence[StoredMessage]:
    return [message for message in await tx.messages.history(place, limit=EDITED_WITHIN) if message.message_id == message_id]
