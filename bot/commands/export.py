"""`/memory export`: all that is kept on the asker, or on their server, as one file for their eyes alone."""

from dataclasses import dataclass

from bot.commands import privacy_texts as texts
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, AnswerFile, Command, CommandCall, RunCommand, WhoMay
from bot.domain.persona import Personas
from bot.memory.export.export import Export, Exporter
from bot.memory.export.written import Written
from bot.ports.clock import Clock
from bot.ports.store import Store

MOST_BYTES = 8 * 1024 * 1024
"""Every platform takes a file of that size."""


def export_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the commands that export."""
    desk = Exports(store, personas, clock)
    server = "Get all I keep on this server as one file"
    return (
        exporting(("memory", "export"), desk.own),
        Command(("memory", "export_server"), server, desk.server, who=WhoMay.ADMINS, private=True, slow=True),
    )


def exporting(path: tuple[str, ...], run: RunCommand) -> Command:
    """Return a command by which people get what is kept on them."""
    return Command(path, "Get all I keep on you here as one file", run, private=True, slow=True, admins_may_more=True)


@dataclass(frozen=True, slots=True)
class Exports:
    """Exports what may be seen where the asker is, and by them."""

    store: Store
    personas: Personas
    clock: Clock

    async def own(self, call: CommandCall) -> Answer:
        """Return what is kept on the asker: in a direct chat all of it, in a group their part."""
        if call.asker.is_service:
            return Answer(texts.nobody())
        async with self.store.read() as tx:
            exporter = Exporter(tx, self.personas, self.clock.now())
            export = await exporter.own(call.asker, call.conversation, call.kind, is_admin=call.asker_is_admin)
        return self._answer(export, call.asker.id)

    async def server(self, call: CommandCall) -> Answer:
        """Return what is kept on the server or group; in a direct chat, on the asker."""
        if call.kind is ConversationKind.DIRECT:
            return await self.own(call)
        async with self.store.read() as tx:
            exporter = Exporter(tx, self.personas, self.clock.now())
            export = await exporter.space(call.conversation.platform, call.conversation.space_id, asker_id=call.asker.id)
        return self._answer(export, "")

    def _answer(self, export: Export, asker_id: str) -> Answer:
        content = Written(export, asker_id).archive()
        if len(content) > MOST_BYTES:
            return Answer(texts.too_large(len(content)))
        messages, memories = sum(len(talk.messages) for talk in export.talks), sum(len(known.memories) for known in export.knowledge)
        name = f"baku-export-{export.made_at:%Y-%m-%d}.zip"
        return Answer(texts.exported(messages, memories), file=AnswerFile(name, content))
