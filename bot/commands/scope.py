"""`/memory scope`: admins see and set whether the public rooms of their server share what is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.domain.chat import ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, WhoMay
from bot.memory.elsewhere import SETTING, WHOLE_SPACE
from bot.ports.store import Store
from bot.wording.say import later, say, translated

CHANNEL, SERVER = "channel", "server"
_LABEL = later("Share in this server")
_ALONE = later("Each room of this server remembers for itself: what is told in one is known in no other.")
_SHARED = later(
    "The rooms of this server that everybody can read share what is remembered: I also know in one what was told in another. "
    "Rooms that not everybody can read share nothing, and private chats never do."
)
_ASK = later(
    "Shall what is told in one room be known in the others? This goes for rooms that everybody in the server can read, and only as long as "
    "they can. What was told while a room was private stays there."
)
_PRIVATE = later("What you tell me in a private chat stays there. This can be set in a server or group.")


def scope_commands(store: Store) -> tuple[Command, ...]:
    """Return the command by which admins open the public rooms of a server to one another."""
    scopes = _Scopes(store)
    where = Option(
        "where", "channel (each room for itself) or server (public rooms share); shown when left out", required=False, suggest=_suggest
    )
    summary = "See and set whether public channels share what I remember"
    return (Command(("memory", "scope"), summary, scopes.run, (where,), who=WhoMay.ADMINS, private=True),)


@dataclass(frozen=True, slots=True)
class _Scopes:
    """How far what is told in a server is known there."""

    store: Store

    async def run(self, call: CommandCall) -> Answer:
        """Show how it is, or set it. To share is asked about first."""
        typed = str(call.options.get("where", "")).strip().casefold()
        if call.kind is ConversationKind.DIRECT:
            return Answer(translated(_PRIVATE))
        if typed in {"", "show"}:
            return Answer(translated(_SHARED if await self._is_shared(call) else _ALONE))
        if typed not in {CHANNEL, SERVER}:
            return Answer(say("Write `channel` or `server`, or nothing to see how it is."))
        if typed == SERVER and not call.confirmed:
            return Answer(translated(_ASK), confirmation=Confirmation(translated(_LABEL), f"{' '.join(call.path)} {SERVER}"))
        async with self.store.write() as tx:
            await tx.settings.set(*call.conversation.space, SETTING, WHOLE_SPACE if typed == SERVER else "")
        return Answer(translated(_SHARED if typed == SERVER else _ALONE))

    async def _is_shared(self, call: CommandCall) -> bool:
        async with self.store.read() as tx:
            return (await tx.settings.all(*call.conversation.space)).get(SETTING) == WHOLE_SPACE


async def _suggest(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(word, word) for word in (CHANNEL, SERVER) if word.startswith(typed.strip().casefold())]
