"""`/privacy`: what is kept and where it goes, and the asker's say in it."""

from dataclasses import dataclass

from bot.commands import privacy_texts as texts
from bot.commands.export import Exports, exporting
from bot.commands.ownership import place_of
from bot.domain.chat import CONSOLE, ConversationKind, space_of
from bot.domain.command import Answer, Command, CommandCall, Confirmation, Option, OptionKind, RunCommand, WhoMay
from bot.domain.persona import Personas
from bot.domain.privacy import LONGEST_RETENTION, RETENTION_SETTING, Keeping, days_kept
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.wording.say import translated


def privacy_commands(store: Store, personas: Personas, clock: Clock, keeping: Keeping, *, erase: RunCommand) -> tuple[Command, ...]:
    """Return the commands on one's privacy; `erase` runs what deletes all that is kept on the asker."""
    desk = _Privacy(store, personas, clock, keeping)
    days = Option("days", "How many days, fewer than usual; 0 for the usual number", OptionKind.NUMBER, required=False)
    return (
        Command(("privacy", "show"), "See what I keep, for how long, where it goes, and your choices", desk.show, private=True, alone=True),
        Command(("privacy", "optout"), "Stop me from remembering anything of you", desk.opt_out, private=True),
        Command(("privacy", "optin"), "Let me remember you again", desk.opt_in, private=True),
        exporting(("privacy", "export"), Exports(store, personas, clock).own),
        Command(("privacy", "erase"), "Erase all I keep on you here; in a direct chat, everywhere", erase, private=True, slow=True),
        Command(
            ("privacy", "retention"),
            "See and set for how many days messages are kept in this server",
            desk.retention,
            (days,),
            who=WhoMay.ADMINS,
            private=True,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Privacy:
    """What somebody may know and decide about what is kept of them."""

    store: Store
    personas: Personas
    clock: Clock
    keeping: Keeping

    async def show(self, call: CommandCall) -> Answer:
        """Tell what is kept here, with a button for the wish that is not had yet."""
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            days = days_kept(self.keeping, (await tx.settings.all(*space_of(place.scope.audience))).get(RETENTION_SETTING, ""))
            is_out = bool(await tx.people.out(call.conversation.platform, [call.asker.id]))
        text = texts.page(
            place.persona.name,
            self.keeping,
            days,
            is_direct=call.kind is ConversationKind.DIRECT,
            is_out=is_out,
            remembers=place.persona.memory.enabled,
        )
        return Answer(text, confirmation=None if call.asker.is_service or _asks_at_once(call) else _button(is_out=is_out))

    async def opt_out(self, call: CommandCall) -> Answer:
        """Keep nothing of the asker from now on."""
        if call.asker.is_service:
            return Answer(texts.nobody())
        async with self.store.write() as tx:
            is_new = await tx.people.opt_out(call.conversation.platform, call.asker.id, self.clock.now())
        return Answer(texts.opted_out() if is_new else texts.opted_out_already())

    async def opt_in(self, call: CommandCall) -> Answer:
        """Let the asker be remembered again."""
        if call.asker.is_service:
            return Answer(texts.nobody())
        async with self.store.write() as tx:
            was_out = await tx.people.opt_in(call.conversation.platform, call.asker.id)
        return Answer(texts.opted_in() if was_out else texts.opted_in_already())

    async def retention(self, call: CommandCall) -> Answer:
        """Show or set for how long messages are kept in the space."""
        days = call.options.get("days")
        async with self.store.write() as tx:
            space = space_of((await place_of(tx, self.personas, call, self.clock.now())).scope.audience)
            if days is None:
                now = days_kept(self.keeping, (await tx.settings.all(*space)).get(RETENTION_SETTING, ""))
                return Answer(texts.retention(now, self.keeping.days))
            if not 0 <= int(days) <= LONGEST_RETENTION:
                return Answer(texts.wrong_days(int(days)))
            await tx.settings.set(*space, RETENTION_SETTING, str(days) if int(days) else "")
        return Answer(texts.retention_is_set(days_kept(self.keeping, str(days))))


def _asks_at_once(call: CommandCall) -> bool:
    """Say whether a button becomes a question that takes the next line: so it is in the terminal."""
    return call.conversation.platform == CONSOLE


def _button(*, is_out: bool) -> Confirmation:
    label, line = (texts.OPT_IN_LABEL, "privacy optin") if is_out else (texts.OPT_OUT_LABEL, "privacy optout")
    return Confirmation(translated(label), line)
