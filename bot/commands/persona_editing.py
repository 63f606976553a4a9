"""`/persona create`, `edit`, `set`, `history`, `undo` and `reset`: personas are made and changed where they live, at once."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.commands import persona_editing_texts as texts
from bot.commands.paging import page_of
from bot.commands.persona_cast import WHICH_PERSONA, Cast, Refused, refusing
from bot.commands.persona_values import RESET, TEXTS, VALUES, text_in, with_text, with_value
from bot.domain.command import LONGEST_LINE, Answer, Choice, Command, CommandCall, Confirmation, Option, RunCommand, WhoMay
from bot.domain.nearest import nearest
from bot.domain.persona import Persona, PersonaVersion
from bot.domain.persona_id import persona_id_of
from bot.memory.gate.claims import safely_named
from bot.memory.policy import RULES
from bot.ports.persona_files import PersonaFiles
from bot.ports.store import Transaction
from bot.wording.say import say, translated

SHOWN_VERSIONS, LOOKED_BACK = 100, 500
_UNDONE = re.compile(r"undo (\d+)")
"""The reason of a version that is an earlier one again."""
_NUMBERED = re.compile(r"(.*\S)\s+(\d{1,3})")
_VOICE = "voice"
_OF_A_NEW_ONE = (
    Option("name", "What it is called", question="What shall the persona be called?"),
    Option(_VOICE, "Who it is and how it talks", is_long=True, question="Who is it, and how does it talk?"),
    Option("greeting", "What it says first", required=False, is_long=True, question="What does it say first?"),
    Option("summary", "One line for lists", required=False, is_long=True, question="What shall lists say of it, in one line?"),
)


def editing_commands(cast: Cast, files: PersonaFiles) -> tuple[Command, ...]:
    """Return the commands by which admins make and change personas."""
    desk = _Editing(cast, files)
    persona = Option("persona", "The persona's name", suggest=cast.suggest, question=WHICH_PERSONA)
    return (
        _admins("create", "Make a new persona for this server", desk.create, *_OF_A_NEW_ONE),
        _admins(
            "edit",
            "Change what a persona says and how it talks",
            desk.edit,
            persona,
            Option("what", "Which of its texts; its voice when left out", required=False, suggest=_suggest_texts),
            Option(
                "text",
                "The new text, or reset to take it away",
                required=False,
                is_long=True,
                prefill=desk.prefill,
                question="What shall it say instead? The word reset takes it away",
            ),
        ),
        _admins(
            "set",
            "See and set single values of a persona: model, tools, triggers, memory",
            desk.set,
            persona,
            Option("name", "The value to see or set; all are shown when left out", required=False, suggest=_suggest_values),
            Option("value", "Its new value, or reset for the usual one", required=False, suggest=_suggest_words),
        ),
        _admins("history", "See how a persona was changed here, and by whom", desk.history, persona),
        _admins("undo", "Take the last change of a persona back", desk.undo, persona),
        _admins("reset", "Take all changes of a persona back, or a persona away", desk.reset, persona),
    )


def _admins(word: str, summary: str, run: RunCommand, *options: Option) -> Command:
    return Command(("persona", word), summary, refusing(run), options, who=WhoMay.ADMINS, private=True)


@dataclass(frozen=True, slots=True)
class _Editing:
    """Makes versions of a space's own personas."""

    cast: Cast
    files: PersonaFiles

    async def create(self, call: CommandCall) -> Answer:
        """Make a persona of a name and a voice."""
        name = " ".join(str(call.options["name"]).split())
        given = {option: str(call.options.get(option, "")) for option in (_VOICE, "greeting", "summary")}
        persona = Persona(persona_id_of(name), name, voice="", greeting=f"*{name}*")
        for option, text in given.items():
            persona = with_text(persona, option, text) if text.strip() else persona
        await self.files.check(persona)
        async with self.cast.store.write() as tx:
            new = replace(persona, id=await self.cast.new_id(tx, call, persona.id))
            await self.cast.keep(tx, call, new, "create")
        return Answer(texts.created(new))

    async def edit(self, call: CommandCall) -> Answer:
        """Change one of a persona's texts; the word `reset` in its place takes away what it can do without."""
        what = str(call.options.get("what", _VOICE)).casefold()
        if what not in TEXTS:
            raise Refused(texts.unknown_text(what))
        if "text" not in call.options:
            raise Refused(texts.no_text(what))
        typed = str(call.options["text"])
        return await self._change(call, what, lambda persona: with_text(persona, what, "" if typed.strip() == RESET else typed))

    async def set(self, call: CommandCall) -> Answer:
        """Show all single values or one, or set one."""
        name, typed = (str(call.options.get(option, "")).strip() for option in ("name", "value"))
        name = name.casefold().removeprefix("memory.")
        if not typed:
            return await self._show(call, name)
        if name not in VALUES:
            raise Refused(texts.unknown_value(name, nearest(name, VALUES)))
        return await self._change(call, name, lambda persona: _valued(persona, name, typed))

    async def history(self, call: CommandCall) -> Answer:
        """Show the last versions, in pages: a number behind the persona says which."""
        async with self.cast.store.read() as tx:
            (persona_id, wanted), place = await self._id_and_page(tx, call), call.conversation
            versions = await tx.personas.versions(place.platform, place.space_id, persona_id, limit=SHOWN_VERSIONS)
        page = page_of([texts.version_line(version) for version in versions], wanted)
        return Answer(texts.history_page(persona_id, page.lines, page.note), buttons=page.buttons(f"persona history {persona_id} "))

    async def undo(self, call: CommandCall) -> Answer:
        """Go one version back: each undo goes further than the one before."""
        place = call.conversation
        async with self.cast.store.write() as tx:
            persona_id = await self._known_id(tx, call)
            versions = await tx.personas.versions(place.platform, place.space_id, persona_id, limit=LOOKED_BACK)
            known = {version.number: version for version in versions}
            number = (_shown_version(versions[0]) if versions else 0) - 1
            if number < 0 or (number and number not in known):
                raise Refused(texts.nothing_to_undo(persona_id))
            before = known[number].persona if number else None
            reason = f"undo {number}"
            if before is not None:
                await self.cast.keep(tx, call, before, reason)
            elif not await tx.personas.take_back(
                place.platform, place.space_id, persona_id, by=safely_named(call.asker), at=self.cast.clock.now(), reason=reason
            ):
                raise Refused(texts.nothing_to_undo(persona_id))
        return Answer(texts.undone(persona_id, number))

    async def reset(self, call: CommandCall) -> Answer:
        """Take the space's own version back, once the asker has said so."""
        place = call.conversation
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
            own = await self.cast.own(tx, call, persona.id)
        is_installed = persona.id in self.cast.personas.by_id
        if own is None:
            raise Refused(texts.not_own(persona))
        if not call.confirmed:
            question = texts.really_reset(persona, is_installed=is_installed)
            return Answer(question, confirmation=Confirmation(say("Take back"), f"persona reset {persona.id}"[:LONGEST_LINE]))
        async with self.cast.store.write() as tx:
            await tx.personas.take_back(
                place.platform, place.space_id, persona.id, by=safely_named(call.asker), at=self.cast.clock.now(), reason="reset"
            )
        return Answer(texts.is_reset(persona, is_installed=is_installed))

    async def prefill(self, call: CommandCall) -> str:
        """Return what the text to edit says now; empty where nothing is known yet."""
        what = str(call.options.get("what", _VOICE)).casefold()
        if what not in TEXTS or "persona" not in call.options:
            return ""
        async with self.cast.store.read() as tx:
            try:
                return text_in(await self.cast.named(tx, call), what)
            except Refused:
                return ""

    async def _show(self, call: CommandCall, name: str) -> Answer:
        if name and name not in VALUES:
            raise Refused(texts.unknown_value(name, nearest(name, VALUES)))
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
        return Answer(texts.one_value(persona, name) if name else texts.value_page(persona))

    async def _change(self, call: CommandCall, what: str, change: Callable[[Persona], Persona]) -> Answer:
        """Keep a persona with a change as the space's own. It is checked before anything is held for it."""
        async with self.cast.store.read() as tx:
            persona = await self.cast.named(tx, call)
        changed = change(persona)
        if changed == persona:
            return Answer(texts.unchanged(persona, what))
        await self.files.check(changed)
        async with self.cast.store.write() as tx:
            await self.cast.keep(tx, call, change(await self.cast.named(tx, call)), f"{'edit' if what in TEXTS else 'set'} {what}")
        return Answer(texts.changed(changed, what))

    async def _id_and_page(self, tx: Transaction, call: CommandCall) -> tuple[str, int]:
        """Return a persona's id, and the number behind its name; a name may itself end in a number."""
        numbered = _NUMBERED.fullmatch(str(call.options["persona"]))
        try:
            return await self._known_id(tx, call), 1
        except Refused:
            if numbered is None:
                raise
        return await self._known_id(tx, replace(call, options={**call.options, "persona": numbered[1]})), int(numbered[2])

    async def _known_id(self, tx: Transaction, call: CommandCall) -> str:
        """Return the id of a persona that is here, or was."""
        typed, place = str(call.options["persona"]).strip().strip("`").casefold(), call.conversation
        if await tx.personas.versions(place.platform, place.space_id, typed, limit=1):
            return typed
        return (await self.cast.named(tx, call)).id


def _valued(persona: Persona, name: str, typed: str) -> Persona:
    try:
        return with_value(persona, name, typed)
    except ValueError:
        raise Refused(texts.wrong_value(name, typed)) from None


def _shown_version(version: PersonaVersion) -> int:
    """Return which version it is that a version shows: its own, or the earlier one that an undo went back to."""
    undone = _UNDONE.fullmatch(version.reason)
    return int(undone[1]) if undone else version.number


async def _suggest_texts(_call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(f"{name} – {translated(meaning)}", name) for name, meaning in TEXTS.items() if typed.strip().casefold() in name]


async def _suggest_values(_call: CommandCall, typed: str) -> Sequence[Choice]:
    part = typed.strip().casefold()
    return [Choice(f"{name} – {translated(rule.meaning)}", name) for name, rule in VALUES.items() if part in name]


async def _suggest_words(call: CommandCall, typed: str) -> Sequence[Choice]:
    rule = RULES.get(str(call.options.get("name", "")))
    words = () if rule is None else ("true", "false") if rule.kind is bool else rule.words
    return [Choice(word, word) for word in (*words, RESET) if word.startswith(typed.strip().casefold())]
