"""The persona's own part of a prompt: who it is, its lore, and what its author reminds it of."""

from collections.abc import Sequence

from bot.domain.message import Person, StoredMessage
from bot.domain.naming import shown_name
from bot.domain.persona import Persona
from bot.domain.turn import Turn
from bot.ports.tokens import TokenCounter
from bot.prompt.lore import Fired, called, standing
from bot.prompt.macros import SOMEBODY, Macros
from bot.prompt.render import tamed

NOTHING_FIRED = Fired()
MOST_MESSAGES = 100
"""Last messages in which lore is looked for at most."""


def stable_macros(turn: Turn) -> Macros:
    """Return what macros stand for in text that must not change from turn to turn: in groups it is said to nobody in particular."""
    persona = turn.persona
    return Macros(persona.id, persona.name, SOMEBODY if turn.is_group else shown_name(turn.asker))


def fresh_macros(turn: Turn) -> Macros:
    """Return what macros stand for in this turn alone."""
    persona, now = turn.persona, turn.started_at.astimezone(turn.persona.zone)
    return Macros(persona.id, persona.name, shown_name(turn.asker), now=now, seed=str(turn.addressed.id))


def standing_lore(turn: Turn, tokens: TokenCounter, *, most: int) -> Fired:
    """Return the lore that stands in every prompt, in `most` tokens."""
    lore = turn.persona.lore
    return standing(lore, tokens, stable_macros(turn), most=most) if lore.entries else NOTHING_FIRED


def called_lore(turn: Turn, history: Sequence[StoredMessage], tokens: TokenCounter, *, most: int) -> Fired:
    """Return the lore that the last messages call, in what is left of `most` tokens."""
    lore = turn.persona.lore
    if not lore.entries:
        return NOTHING_FIRED
    said = [message.text for message in (*history[-MOST_MESSAGES:], *turn.messages)]
    return called(lore, said, tokens, constant=stable_macros(turn), macros=fresh_macros(turn), most=most)


def persona_block(turn: Turn, lore: Fired) -> str:
    """Return who the persona is, in the same words from turn to turn."""
    persona, macros = turn.persona, stable_macros(turn)
    examples = [f"Somebody: {example.user}\n{persona.name}: {example.reply}" for example in persona.examples]
    written = [
        macros.fill(persona.instructions).strip(),
        *lore.before,
        macros.fill(persona.voice).strip(),
        *lore.after,
        f"Greeting: {macros.fill(persona.greeting)}",
        macros.fill("How you talk:\n" + "\n\n".join(examples)) if examples else "",
    ]
    lines = [tamed(f"Name: {persona.name}"), *(tamed(text) for text in written if text)]
    return "<persona>\n" + "\n\n".join(lines) + "\n</persona>"


def lore_block(lore: Fired) -> str:
    """Return the lore that was called, or an empty text when none was."""
    return "\n".join(["<lore>", "\n\n".join(map(tamed, lore.texts)), "</lore>"]) if lore.texts else ""


def reminder_block(turn: Turn) -> str:
    """Return what the persona's author reminds it of after the history, or an empty text."""
    reminder = fresh_macros(turn).fill(turn.persona.reminder).strip() if turn.persona.reminder else ""
    return f"<reminder>\n{tamed(reminder)}\n</reminder>" if reminder else ""


def shown_greeting(persona: Persona, person: Person | None = None, *, number: int = 0) -> str:
    """Return one of a persona's greetings as people read it; number 0 is the first, and there is one for every number."""
    greetings = (persona.greeting, *persona.greetings)
    user = shown_name(person) if person else SOMEBODY
    return Macros(persona.id, persona.name, user, is_shown=True).fill(greetings[number % len(greetings)])
