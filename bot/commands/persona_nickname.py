"""`/persona nickname`: the bot's own name in a server follows the persona that speaks everywhere in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.commands import persona_guest_texts as texts
from bot.commands.persona_cast import Cast, Reach
from bot.domain.chat import BindingTarget, ConversationKind
from bot.domain.command import Answer, Choice, Command, CommandCall, Option, RunCommand, WhoMay
from bot.errors import DeliveryRefused, PlatformError
from bot.memory.speaker import persona_there
from bot.ports.platform import Nicknames
from bot.ports.store import Transaction

NICKNAME = "persona.nickname"
"""The setting by which it follows."""
BORNE = "persona.nickname.borne"
"""The setting with the name that the bot was last given."""
ON, OFF = "on", "off"
_CHANGING = frozenset({"use", "free", "edit", "set", "undo", "reset", "import"})
"""The commands that may change who speaks everywhere, or what that one is called."""


def nickname_commands(cast: Cast, reach: Reach, others: Sequence[Command]) -> tuple[Command, ...]:
    """Return the other commands on personas, after which the bot's name follows, and the one that says whether it does."""
    plate = _NamePlate(cast, reach)
    switch = Option("switch", "on or off; shows which when left out", required=False, suggest=_suggest)
    summary = "Let my name in this server follow the persona that speaks in it"
    return (
        *(replace(each, run=plate.after(each.run)) if each.path[-1] in _CHANGING else each for each in others),
        Command(("persona", "nickname"), summary, plate.switch, (switch,), who=WhoMay.ADMINS, private=True, slow=True),
    )


@dataclass(frozen=True, slots=True)
class _NamePlate:
    """What the bot is called in a server."""

    cast: Cast
    reach: Reach

    async def switch(self, call: CommandCall) -> Answer:
        """Let the name follow, or give the bot its own back; without a word, show which."""
        word, space = str(call.options.get("switch", "")).strip().casefold(), call.conversation.space
        if call.kind is not ConversationKind.GROUP or not self._renaming(call):
            return Answer(texts.no_nicknames())
        if word not in {ON, OFF, ""}:
            return Answer(texts.on_or_off())
        async with self.cast.store.write() as tx:
            if word:
                await tx.settings.set(*space, NICKNAME, ON if word == ON else "")
            is_on = (await tx.settings.all(*space)).get(NICKNAME) == ON
            name = await self._name(tx, call) if is_on else ""
        if not word:
            return Answer(texts.nickname_state(is_on=is_on))
        problem = await self._rename(call, name)
        return Answer(problem or (texts.follows(name) if is_on else texts.follows_no_longer()))

    def after(self, run: RunCommand) -> RunCommand:
        """Return a command after which the bot's name follows; it says so where that changes it."""

        async def followed(call: CommandCall) -> Answer:
            answer = await run(call)
            note = await self._follow(call) if call.kind is ConversationKind.GROUP and answer.confirmation is None else ""
            return replace(answer, text=f"{answer.text}\n\n{note}") if note else answer

        return followed

    async def _follow(self, call: CommandCall) -> str:
        async with self.cast.store.read() as tx:
            settings = await tx.settings.all(*call.conversation.space)
            if settings.get(NICKNAME) != ON:
                return ""
            name = await self._name(tx, call)
        return "" if settings.get(BORNE) == name else await self._rename(call, name) or texts.is_called(name)

    async def _name(self, tx: Transaction, call: CommandCall) -> str:
        """Return the name of the persona that speaks everywhere in the server."""
        bound = await tx.bindings.find([BindingTarget(*call.conversation.space)])
        personas = self.cast.personas
        found = await persona_there(tx, personas, call.conversation, bound or personas.default_id)
        return (found or personas.get(None)).name

    async def _rename(self, call: CommandCall, name: str) -> str:
        """Give the bot a name on the platform and keep it; return what went wrong, in words."""
        try:
            for platform in self._renaming(call):
                await platform.rename(call.conversation, name)
        except DeliveryRefused:
            return texts.may_not_rename()
        except PlatformError:
            return texts.cannot_rename_now()
        async with self.cast.store.write() as tx:
            await tx.settings.set(*call.conversation.space, BORNE, name)
        return ""

    def _renaming(self, call: CommandCall) -> Sequence[Nicknames]:
        """Return the platform there, if the bot can bear other names on it."""
        return [platform for platform in self.reach(call.conversation.platform) if isinstance(platform, Nicknames)]


async def _suggest(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(word, word) for word in (ON, OFF) if word.startswith(typed.strip().casefold())]
