"""The lists hold for commands too: who is kept out sees and takes away what is known of them, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.commands import access_texts as texts
from bot.commands.texts import store_trouble
from bot.domain.access import Verdict, may_talk_in_private, rules_in, verdict_on
from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, is_admin
from bot.domain.limits import HouseRules
from bot.errors import StoreError
from bot.ports.platform import CommandRunner
from bot.ports.store import Store
from bot.wording.say import in_language

OPEN_WORDS = frozenset({"help", "privacy"})
OPEN_COMMANDS = frozenset(("memory", word) for word in ("list", "search", "show", "why", "history", "forget", "export"))
"""Whoever is kept out has a right to these all the same."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class GuardedDesk:
    """A CommandRunner in front of another one. Admins are let in whatever the lists say, so that they can mend them."""

    desk: CommandRunner
    store: Store
    house: HouseRules

    @property
    def commands(self) -> Sequence[Command]:
        """Return all commands."""
        return self.desk.commands

    async def run(self, call: CommandCall) -> Answer:
        """Return what the command says, or why it is not for the asker."""
        try:
            verdict = await self._verdict(call)
        except StoreError as problem:
            log.exception("command_without_store", command=" ".join(call.path), platform=call.conversation.platform, problem=str(problem))
            with in_language(call.language):
                return Answer(store_trouble(), private=True)
        if verdict is Verdict.WELCOME:
            return await self.desk.run(call)
        log.info("command_kept_out", platform=call.conversation.platform, command=" ".join(call.path), verdict=verdict)
        with in_language(call.language):
            return Answer(texts.kept_out(verdict, in_private=call.kind is ConversationKind.DIRECT), private=True)

    async def suggest(self, call: CommandCall, option: str, typed: str) -> Sequence[Choice]:
        """Return choices for an option that is being typed; none for who is kept out."""
        return await self.desk.suggest(call, option, typed) if await self._is_welcome(call) else ()

    async def prefill(self, call: CommandCall, option: str) -> str:
        """Return what stands in the form of an option; nothing for who is kept out."""
        return await self.desk.prefill(call, option) if await self._is_welcome(call) else ""

    async def _is_welcome(self, call: CommandCall) -> bool:
        """Say whether nothing keeps somebody out, as far as can be known just now."""
        try:
            return await self._verdict(call) is Verdict.WELCOME
        except StoreError as problem:
            log.warning("lists_unknown", platform=call.conversation.platform, problem=type(problem).__name__)
            return False

    async def _verdict(self, call: CommandCall) -> Verdict:
        if call.path[:1] and (call.path[0] in OPEN_WORDS or call.path in OPEN_COMMANDS):
            return Verdict.WELCOME
        place = call.conversation
        if call.kind is ConversationKind.DIRECT:
            return Verdict.WELCOME if may_talk_in_private(call.asker, place.platform, self.house.direct_people) else Verdict.NOT_LISTED
        if is_admin(call):
            return Verdict.WELCOME
        async with self.store.read() as tx:
            rules = rules_in(await tx.settings.all(place.platform, place.space_id))
        return verdict_on(call.asker, place, rules)
