"""A card as a persona, and a persona as a card; what has no place in a persona is kept with it."""

from dataclasses import replace

from bot.domain.card import Card
from bot.domain.lore import NO_LORE, Lorebook, LoreEntry
from bot.domain.persona import Persona
from bot.domain.persona_id import persona_id_of
from bot.domain.text import one_line
from bot.storage.cards.codec import card_text
from bot.storage.cards.examples import examples_of, text_of_examples
from bot.storage.cards.jsontext import read_object
from bot.storage.cards.spec import card_of_json
from bot.storage.persona_lore import MOST_DEPTH, MOST_KEY, MOST_TOKENS

_MOST_NAME = 100
_MOST_SUMMARY = 120


def persona_of(card: Card, persona_id: str = "") -> Persona:
    """Return the persona that a card describes, under an id made of its name if none is given.

    Macros stay as they are written; a prompt fills them in. The files that a card carries stay behind.
    """
    persona = _described(card, persona_id or persona_id_of(card.name, otherwise="card"))
    return replace(persona, card=card_text(replace(card, files=())).decode())


def card_of(persona: Persona) -> Card:
    """Return a persona as a card. One that came from a card gives it back, with what was changed since."""
    base = card_of_json(read_object(persona.card.encode(), "the persona's card")) if persona.card else Card(name=persona.name)
    was = _described(base, persona.id)
    changed = replace(
        base,
        first_message=base.first_message if persona.greeting == was.greeting else persona.greeting,
        alternate_greetings=base.alternate_greetings if persona.greetings == was.greetings else persona.greetings,
        example_messages=base.example_messages if persona.examples == was.examples else text_of_examples(persona.examples),
        system_prompt=base.system_prompt if persona.instructions == was.instructions else persona.instructions,
        post_history_instructions=base.post_history_instructions if persona.reminder == was.reminder else persona.reminder,
        creator_notes=base.creator_notes if persona.summary == was.summary else persona.summary,
        book=base.book if persona.lore == was.lore else _book(persona.lore, base.book or NO_LORE),
    )
    if persona.name != was.name:
        changed = replace(changed, nickname=persona.name)
    if persona.voice != was.voice:
        changed = replace(changed, description=persona.voice, personality="", scenario="")
    return changed


def _described(card: Card, persona_id: str) -> Persona:
    name = one_line(card.shown_name, _MOST_NAME)
    examples = examples_of(card.example_messages, name)
    return Persona(
        id=persona_id,
        name=name,
        voice=_voice(card, has_examples=bool(examples)),
        greeting=card.first_message.strip() or f"*{name}*",
        summary=one_line(card.creator_notes, _MOST_SUMMARY),
        examples=examples,
        greetings=tuple(greeting.strip() for greeting in card.alternate_greetings if greeting.strip()),
        instructions=card.system_prompt.strip(),
        reminder=card.post_history_instructions.strip(),
        lore=plain_lore(card.book or NO_LORE),
    )


def _voice(card: Card, *, has_examples: bool) -> str:
    told = card.example_messages.replace("<START>", "").strip()
    parts = [
        card.description.strip(),
        f"Personality: {card.personality.strip()}" if card.personality.strip() else "",
        f"Scenario: {card.scenario.strip()}" if card.scenario.strip() else "",
        f"How {{{{char}}}} talks:\n{told}" if told and not has_examples else "",
    ]
    return "\n\n".join(part for part in parts if part) or "You are {{char}}."


def plain_lore(book: Lorebook) -> Lorebook:
    """Return the lorebook as a persona file can hold it: without empty keys, and with numbers in its bounds."""
    budget = None if book.token_budget is None else min(max(book.token_budget, 0), MOST_TOKENS)
    entries = tuple(_plain(entry) for entry in book.entries)
    return replace(book, entries=entries, scan_depth=_depth(book.scan_depth), token_budget=budget, kept="")


def _plain(entry: LoreEntry) -> LoreEntry:
    keys, secondary = _keys(entry.keys), _keys(entry.secondary_keys)
    return replace(entry, keys=keys, secondary_keys=secondary, scan_depth=_depth(entry.scan_depth), kept="")


def _keys(keys: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(key for key in keys if key.strip() and len(key) <= MOST_KEY)


def _depth(depth: int | None) -> int | None:
    return None if depth is None else min(max(depth, 0), MOST_DEPTH)


def _book(lore: Lorebook, base: Lorebook) -> Lorebook:
    """Return a changed lorebook in which unchanged entries have kept what the card said of them beyond."""
    known = {_plain(entry): entry for entry in base.entries}
    return replace(lore, entries=tuple(known.get(entry, entry) for entry in lore.entries), kept=base.kept)
