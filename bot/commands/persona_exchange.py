"""`/persona import`, `export` and `avatar`: personas come and go as files, and nothing comes in before somebody has seen what it is."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import uuid4

from bot.commands import persona_exchange_texts as texts
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Refused, refusing
from bot.commands.persona_editing_texts import created
from bot.domain.chat import ConversationKey
from bot.domain.command import Answer, Choice, Command, CommandCall, Confirmation, Option, OptionKind, WhoMay
from bot.domain.lore import Lorebook
from bot.domain.persona import Persona
from bot.ports.persona_files import Arrival, FileKind, PersonaFiles
from bot.wording.say import say

KEPT_FOR = timedelta(minutes=15)
MOST_KEPT = 8
"""Files that wait for a button at the same time; with one more, the oldest is let go of."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file that somebody was shown, and where."""

    arrival: Arrival
    replaces: str
    """The persona that it takes the place of; empty for a new one."""
    asker_id: str
    conversation: ConversationKey
    until: datetime


@dataclass(frozen=True, slots=True)
class Holding:
    """Files between being shown and being let in: a few, for a short time, in this process alone."""

    kept: OrderedDict[str, Held] = field(default_factory=OrderedDict)

    def put(self, held: Held) -> str:
        """Hold a file and return what its button says."""
        token = uuid4().hex[:12]
        self.kept[token] = held
        while len(self.kept) > MOST_KEPT:
            self.kept.popitem(last=False)
        return token

    def take(self, token: str, call: CommandCall, now: datetime) -> Held | None:
        """Return what is held, once, to the one who was shown it, where they were."""
        held = self.kept.get(token)
        if held is None or (held.asker_id, held.conversation) != (call.asker.id, call.conversation):
            return None
        del self.kept[token]
        return held if now < held.until else None


def exchange_commands(cast: Cast, files: PersonaFiles) -> tuple[Command, ...]:
    """Return the commands by which personas come and go."""
    desk = _Exchange(cast, files, Holding())
    persona = Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA)
    place_of = Option("persona", "The persona whose place it takes; a new one when left out", required=False, suggest=cast.suggest)
    kind = Option("kind", "pack, png, json or charx; a pack when left out", required=False, suggest=_suggest_kinds)
    card = "A character card (PNG, JSON or CHARX), a persona pack, or a lorebook (JSON)"
    file = Option(
        "file",
        card,
        OptionKind.FILE,
        required=False,
        question="Which file? A character card (PNG, JSON or CHARX), a persona pack, or a lorebook (JSON)",
    )
    picture = Option("file", "PNG, JPEG, GIF or WebP", OptionKind.FILE, required=False, question="Which picture? PNG, JPEG, GIF or WebP")
    options = {
        "import": ("Bring in a persona from a file", desk.bring, (place_of, file)),
        "export": ("Get a persona as a file", desk.export, (persona, kind)),
        "avatar": ("Give a persona a picture", desk.avatar, (persona, picture)),
    }
    return tuple(
        Command(("persona", word), summary, refusing(run), wanted, who=WhoMay.ADMINS, private=True, slow=True)
        for word, (summary, run, wanted) in options.items()
    )


@dataclass(frozen=True, slots=True)
class _Exchange:
    """Reads and writes files for admins."""

    cast: Cast
    files: PersonaFiles
    holding: Holding

    async def bring(self, call: CommandCall) -> Answer:
        """Show what a file would bring, and let it in when the asker says so."""
        if call.confirmed:
            return await self._let_in(call)
        if call.file is None:
            raise Refused(texts.no_file())
        lore = await self.files.read_lore(call.file)
        if lore is not None:
            return await self._bring_lore(call, lore)
        arrival = await self.files.read(call.file)
        await self.files.check(arrival.persona)
        async with self.cast.store.read() as tx:
            replaced = await self.cast.named(tx, call) if "persona" in call.options else None
            persona_id = replaced.id if replaced else await self.cast.new_id(tx, call, arrival.persona.id)
        arrival = replace(arrival, persona=replace(arrival.persona, id=persona_id))
        return self._asked(call, texts.arrived(arrival, replaced), arrival, replaced, is_harmless=replaced is None)

    async def _bring_lore(self, call: CommandCall, lore: Lorebook) -> Answer:
        """Show what entries a lorebook would add to a persona."""
        if "persona" not in call.options:
            raise Refused(texts.lore_for_whom())
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
        new = tuple(entry for entry in lore.entries if entry not in persona.lore.entries)
        if not new:
            raise Refused(texts.lore_known(persona))
        book = persona.lore if persona.lore.entries else lore
        changed = replace(persona, lore=replace(book, entries=(*persona.lore.entries, *new)))
        await self.files.check(changed)
        return self._asked(
            call, texts.lore_arrived(persona, new, known=len(lore.entries) - len(new)), Arrival(changed), persona, is_harmless=True
        )

    def _asked(self, call: CommandCall, text: str, arrival: Arrival, replaced: Persona | None, *, is_harmless: bool) -> Answer:
        """Hold what came, and ask for the button that lets it in."""
        until = self.cast.clock.now() + KEPT_FOR
        token = self.holding.put(Held(arrival, replaced.id if replaced else "", call.asker.id, call.conversation, until))
        return Answer(text, confirmation=Confirmation(say("Bring in"), f"persona import {token}", is_harmless=is_harmless))

    async def _let_in(self, call: CommandCall) -> Answer:
        held = self.holding.take(str(call.options.get("persona", "")), call, self.cast.clock.now())
        if held is None:
            raise Refused(texts.arrival_gone())
        persona, place = held.arrival.persona, call.conversation
        async with self.cast.store.write() as tx:
            if not held.replaces:
                persona = replace(persona, id=await self.cast.new_id(tx, call, persona.id))
            await self.cast.keep(tx, call, persona, "import")
            if held.arrival.avatar:
                await tx.personas.set_avatar(place.platform, place.space_id, persona.id, held.arrival.avatar)
        return Answer(created(persona))

    async def export(self, call: CommandCall) -> Answer:
        """Return a persona as a file, with its picture."""
        kind = str(call.options.get("kind", FileKind.PACK)).casefold()
        if kind not in set(FileKind):
            raise Refused(texts.nothing_to_export(FileKind))
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
            avatar = await tx.personas.avatar(call.conversation.platform, call.conversation.space_id, persona.id)
        return Answer(texts.exported(persona), file=await self.files.write(persona, avatar, FileKind(kind)))

    async def avatar(self, call: CommandCall) -> Answer:
        """Keep a picture of a persona, here alone."""
        if call.file is None:
            raise Refused(texts.no_picture())
        picture = await self.files.read_avatar(call.file)
        async with self.cast.store.write() as tx:
            persona = await self.cast.named(tx, call)
            await tx.personas.set_avatar(call.conversation.platform, call.conversation.space_id, persona.id, picture)
        return Answer(texts.picture_is_set(persona))


async def _suggest_kinds(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(kind, kind) for kind in FileKind if kind.startswith(typed.strip().casefold())]
