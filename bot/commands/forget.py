"""`/forget`: everything about a person, a conversation or a server goes, for good."""

from dataclasses import dataclass, replace

from bot.commands import forget_texts as texts
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Command, CommandCall, Confirmation, RunCommand, WhoMay
from bot.domain.erasing import ErasureTarget, OneConversation, OnePerson, OneSpace
from bot.memory.erasing.engine import Eraser
from bot.ports.clock import Clock
from bot.ports.queue import TurnQueue
from bot.ports.store import Store
from bot.wording.say import translated


def forget_commands(store: Store, clock: Clock, background: TurnQueue) -> tuple[Command, ...]:
    """Return the commands that erase; `background` is asked to write summaries anew."""
    desk = _Forgetting(Eraser(store, clock), background)
    return (
        _command("me", "Erase all I keep about you here; in a direct chat, everywhere", desk.person),
        _command("conversation", "Erase all I keep of this conversation", desk.conversation, who=WhoMay.ADMINS),
        _command("server", "Erase all I keep of this whole server", desk.server, who=WhoMay.ADMINS),
    )


def _command(word: str, summary: str, run: RunCommand, *, who: WhoMay = WhoMay.EVERYONE) -> Command:
    return Command(("forget", word), summary, run, who=who, private=True, slow=True)


@dataclass(frozen=True, slots=True)
class _Forgetting:
    """Erases where the asker is. Who that is and where comes from the platform's event alone."""

    eraser: Eraser
    background: TurnQueue

    async def person(self, call: CommandCall) -> Answer:
        """Erase the asker: here, or from a direct chat everywhere on the platform."""
        if call.asker.is_service:
            return Answer(translated(texts.NOBODY))
        place = None if call.kind is ConversationKind.DIRECT else replace(call.conversation, discussion="")
        target = OnePerson(call.conversation.platform, call.asker.id, place)
        return await self._erase(call, target, texts.ask_about_person(call.kind))

    async def conversation(self, call: CommandCall) -> Answer:
        """Erase the conversation, with the discussions in it."""
        return await self._erase(call, OneConversation(replace(call.conversation, discussion="")), texts.ask_about_conversation())

    async def server(self, call: CommandCall) -> Answer:
        """Erase the server or group."""
        if call.kind is ConversationKind.DIRECT:
            return Answer(translated(texts.NO_SERVER))
        target = OneSpace(call.conversation.platform, call.conversation.space_id)
        return await self._erase(call, target, texts.ask_about_server())

    async def _erase(self, call: CommandCall, target: ErasureTarget, question: str) -> Answer:
        if not call.confirmed:
            return Answer(question, confirmation=Confirmation(translated(texts.FORGET_LABEL), " ".join(call.path)))
        report = await self.eraser.erase(target)
        for conversation in report.conversations:
            await self.background.ring(conversation)
        return Answer(texts.erased(report))
