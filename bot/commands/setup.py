"""`/setup`: admins set a place up step by step. Each choice is the command that it stands for; the buttons hold all there is to know."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from bot.commands import setup_texts as texts
from bot.commands.locality_texts import TONGUES
from bot.commands.paging import Page
from bot.commands.seat import CHANNEL, SERVER, seat_of
from bot.commands.settings_rows import Survey
from bot.commands.speak_texts import MODES
from bot.domain.chat import BindingTarget, ConversationKey, ConversationKind
from bot.domain.command import LONGEST_LINE, Answer, Button, Choice, Command, CommandCall, Option, WhoMay
from bot.domain.persona import Persona
from bot.domain.placement import WHOLE_SPACE
from bot.domain.speaking import SpeakMode, speaking_at
from bot.domain.text import one_line
from bot.memory.elsewhere import SETTING as SHARING
from bot.memory.elsewhere import WHOLE_SPACE as SHARED
from bot.ports.platform import CommandRunner
from bot.ports.store import Transaction
from bot.wording.say import translated

RIGHTS, PERSONA, SPEAK, MEMORY, HOME = "rights", "persona", "speak", "memory", "home"
STEPS = (RIGHTS, PERSONA, SPEAK, MEMORY, HOME)
IN_DIRECT = (PERSONA, HOME)
"""Steps that a direct chat has: it is read by one person, and always answered."""
END, LEAVE = "end", "leave"
PERSONAS_AT_ONCE = 9
_LABEL = 40
SUMMED_UP = frozenset({"persona use", "speak mode", "memory scope", "language", "timezone"})
"""Settings that the end shows."""
ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "en": ("Europe/London", "America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Australia/Sydney"),
        "de": ("Europe/Berlin", "Europe/Vienna", "Europe/Zurich"),
        "es": ("Europe/Madrid", "America/Mexico_City", "America/Bogota", "America/Santiago", "America/Lima"),
        "ja": ("Asia/Tokyo",),
        "zh": ("Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore"),
    }
)
"""Time zones in which many people speak a language; `/timezone` takes all others."""

Missing = Callable[[ConversationKey], Awaitable[Sequence[str]]]
"""Returns what the bot may not do in a place."""


def setup_commands(survey: Survey, desk: CommandRunner, missing: Missing) -> tuple[Command, ...]:
    """Return the command; `desk` runs the commands that its choices stand for."""
    options = (
        Option("step", "Where to go on; at the beginning when left out", required=False, suggest=_suggest_steps),
        Option("value", "What to choose there", required=False),
    )
    run = _Setup(survey, desk, missing).run
    return (Command(("setup",), "Set me up here step by step", run, options, who=WhoMay.ADMINS, private=True),)


@dataclass(frozen=True, slots=True)
class _Setup:
    survey: Survey
    desk: CommandRunner
    missing: Missing

    async def run(self, call: CommandCall) -> Answer:
        """Show a step, after making the choice of the button that was pressed."""
        steps = _steps(call)
        step, value = (str(call.options.get(name, "")).strip() for name in ("step", "value"))
        if step == LEAVE:
            return Answer(texts.left())
        if step == END:
            return await self._end(call, steps)
        if step not in steps:
            step, value = steps[0], ""
        is_choice = bool(value) and not value.startswith("+")
        said = await self._choose(call, step, value) if is_choice else Answer("")
        if said.confirmation is not None:
            yes = replace(said.confirmation, line=f"setup {step} {value}")
            return Answer(_page(step, steps, said.text), confirmation=yes, buttons=tuple(_turns(step, steps, is_done=False)))
        note = texts.done(said.text) if said.text else ""
        text, choices = await self._offer(call, step, int(value[1:]) if value[1:].isdecimal() and not is_choice else 1)
        return Answer(_page(step, steps, text, note), buttons=(*choices, *_turns(step, steps, is_done=is_choice)))

    async def _choose(self, call: CommandCall, step: str, value: str) -> Answer:
        """Run the command that a choice stands for, for the whole server, group or direct chat."""
        commands: Mapping[str, tuple[str, Mapping[str, str]]] = {
            PERSONA: ("persona use", {"persona": value, "place": SERVER, "greet": "no"}),
            SPEAK: ("speak mode", {"value": value, "where": SERVER}),
            MEMORY: ("memory scope", {"where": value}),
            HOME: ("language" if value in TONGUES else "timezone", {"value": value, "where": SERVER}),
        }
        if step not in commands:
            return Answer("")
        name, options = commands[step]
        return await self.desk.run(replace(call, path=tuple(name.split()), options=options))

    async def _offer(self, call: CommandCall, step: str, number: int) -> tuple[str, Sequence[Button]]:
        """Return what a step has to say beside its task, and a button for each choice."""
        if step == RIGHTS:
            missing = await self.missing(call.conversation)
            return texts.rights(missing, call.conversation.platform), [Button(translated(texts.AGAIN), f"setup {RIGHTS}")]
        async with self.survey.cast.store.read() as tx:
            seat = await seat_of(tx, call)
            own = await tx.settings.all(*seat.space)
            speaks = await self.survey.cast.speaking(tx, call)
            if step == PERSONA:
                return "", _personas(await self.survey.cast.there(tx, call), await self._chosen(tx, call, speaks), number)
        if step == SPEAK:
            mode = speaking_at(own, (WHOLE_SPACE,))[0].mode
            return "", [_choice(SPEAK, known, translated(MODES[known]), mode) for known in SpeakMode]
        if step == MEMORY:
            scope = SERVER if own.get(SHARING) == SHARED else CHANNEL
            labels = {CHANNEL: texts.EACH, SERVER: texts.SHARED}
            return "", [_choice(MEMORY, where, translated(label), scope) for where, label in labels.items()]
        return "", [*(_choice(HOME, tag, name, speaks.language) for tag, name in TONGUES.items()), *_zones(speaks)]

    async def _chosen(self, tx: Transaction, call: CommandCall, speaks: Persona) -> str:
        """Return who is chosen for the whole space."""
        if call.kind is ConversationKind.DIRECT:
            return speaks.id
        space = BindingTarget(call.conversation.platform, call.conversation.space_id)
        return await tx.bindings.find([space]) or self.survey.cast.personas.default_id

    async def _end(self, call: CommandCall, steps: Sequence[str]) -> Answer:
        """Show what is set now, and what to try next."""
        async with self.survey.cast.store.read() as tx:
            rows = [str(row) for row in await self.survey.rows(tx, call) if row.command in SUMMED_UP]
        ways = {texts.BACK: f"setup {steps[-1]}", texts.FROM_THE_START: f"setup {steps[0]}", texts.SETTINGS: "settings"}
        text = texts.summary(rows, is_direct=call.kind is ConversationKind.DIRECT)
        return Answer(text, buttons=tuple(Button(translated(label), line) for label, line in ways.items()))


async def _suggest_steps(call: CommandCall, typed: str) -> Sequence[Choice]:
    return [Choice(translated(texts.HEADINGS[step]), step) for step in _steps(call) if typed.strip().casefold() in step]


def _steps(call: CommandCall) -> Sequence[str]:
    return IN_DIRECT if call.kind is ConversationKind.DIRECT else STEPS


def _page(step: str, steps: Sequence[str], *parts: str) -> str:
    return texts.page(step, steps.index(step) + 1, len(steps), *parts, is_direct=steps is IN_DIRECT)


def _turns(step: str, steps: Sequence[str], *, is_done: bool) -> list[Button]:
    """Return the buttons that go back, on and out."""
    at = steps.index(step)
    back = [Button(translated(texts.BACK), f"setup {steps[at - 1]}", turns=True)] if at else []
    on = steps[at + 1] if at + 1 < len(steps) else END
    return [
        *back,
        Button(translated(texts.NEXT if is_done or step == RIGHTS else texts.SKIP), f"setup {on}", turns=True),
        Button(translated(texts.LEAVE), f"setup {LEAVE}", turns=True),
    ]


def _personas(known: Sequence[Persona], chosen: str, number: int) -> list[Button]:
    """Return a button for each persona, a few at once."""
    pages = [known[start : start + PERSONAS_AT_ONCE] for start in range(0, len(known), PERSONAS_AT_ONCE)] or [[]]
    at = min(max(number, 1), len(pages))
    made = [_choice(PERSONA, persona.id, persona.name, chosen) for persona in pages[at - 1]]
    return [*made, *Page((), at, len(pages)).buttons(f"setup {PERSONA} +")]


def _zones(persona: Persona) -> list[Button]:
    """Return the time zone that holds, and those that are likely in a language."""
    likely = ZONES.get(persona.language.partition("-")[0], ())
    zones = dict.fromkeys([*likely, persona.time_zone, "UTC"])
    return [_choice(HOME, zone, zone, persona.time_zone) for zone in zones if len(f"setup {HOME} {zone}") <= LONGEST_LINE]


def _choice(step: str, value: str, label: str, chosen: str) -> Button:
    """Return the button of a choice; a long id is cut, and still stands for itself."""
    return Button(one_line(label, _LABEL), f"setup {step} {value}"[:LONGEST_LINE], chosen=value == chosen)
