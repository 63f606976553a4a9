"""A conversation's past as it stands in a prompt: what is summed up before the history, and what comes back after it."""

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from xml.sax.saxutils import escape

from bot.domain.claim import phrase
from bot.domain.message import Role, StoredMessage
from bot.domain.naming import named, shown_name
from bot.domain.past import EntityFacts, Excerpt, PastRecall, RecalledStructured, Relation
from bot.domain.steps import Step, StepKind
from bot.domain.text import one_line
from bot.domain.turn import Turn
from bot.prompt.render import section

SENTENCE_LIMIT = 240
"""Characters of a sentence that a name came up in."""
_RECENT = (StepKind.RECENT, StepKind.RECENT_UPDATED)


def summed_up(past: PastRecall, readers: Sequence[Step]) -> list[str]:
    """Return what lies before the history in short: it changes only when the history is trimmed."""
    delimiter = next((step.delimiter for step in readers if step.kind in _RECENT), Step(StepKind.RECENT).delimiter)
    recent = delimiter.join(chunk.summary for chunk in past.recent)
    return [_block("summary", escape(past.summary)), _block("recent_summaries", escape(recent))]


def come_back(past: PastRecall, turn: Turn) -> list[str]:
    """Return what the message brings back: names, old lines, structured memories, what further readers have found."""
    zone = turn.persona.zone
    names = [entity_line(facts, quoted=turn.is_group) for facts in past.entities]
    names += [relation_line(relation, zone) for relation in past.relations]
    return [
        _block("entities", "\n".join(names)),
        _block("relevant_past", "\n\n".join(_excerpt(excerpt, turn) for excerpt in past.excerpts)),
        _block("structured_memories", "\n".join(_structured(hit, zone) for hit in past.structured)),
        *(section(name, text) for name, text in past.sections),
    ]


def entity_line(facts: EntityFacts, *, quoted: bool) -> str:
    """Return what is known of a name, with the last sentence it came up in: as a quote where anybody may have said it."""
    said = one_line(facts.sentences[0], SENTENCE_LIMIT) if facts.sentences else ""
    shown = f': "{said}"' if said and quoted else f": {said}" if said else ""
    return escape(f"- {one_line(facts.name, SENTENCE_LIMIT)} ({facts.kind.value}){shown}")


def relation_line(relation: Relation, zone: tzinfo) -> str:
    """Return what holds, or held, between two names."""
    words = " ".join((relation.subject, phrase(relation.predicate, holds=relation.valid_to is None), relation.object))
    when = f"since {_day(relation.valid_from, zone)}" if relation.valid_to is None else f"until {_day(relation.valid_to, zone)}"
    said_by = f", said by {relation.said_by}" if relation.said_by else ""
    return escape(f"- {one_line(words, SENTENCE_LIMIT)} ({when}{said_by})")


def _excerpt(excerpt: Excerpt, turn: Turn) -> str:
    return "\n".join(_old_line(message, turn) for message in excerpt.messages)


def _old_line(message: StoredMessage, turn: Turn) -> str:
    when = message.sent_at.astimezone(turn.persona.zone).strftime("%Y-%m-%d %H:%M")
    return f"[{when}] {_who(message, turn)}: " + "\n  ".join(escape(message.text).splitlines())


def _who(message: StoredMessage, turn: Turn) -> str:
    if message.role is Role.ASSISTANT and message.persona_id == turn.persona.id:
        return f"you ({escape(turn.persona.name)})"
    return escape(named(message.author) if turn.is_group else shown_name(message.author))


def _structured(hit: RecalledStructured, zone: tzinfo) -> str:
    memory = hit.memory
    return escape(f"- [{_day(memory.at, zone)}] " + ": ".join(one_line(text, 2000) for text in (memory.title, memory.summary) if text))


def _block(tag: str, text: str) -> str:
    return f"<{tag}>\n{text.strip()}\n</{tag}>" if text.strip() else ""


def _day(moment: datetime, zone: tzinfo) -> str:
    return moment.astimezone(zone).strftime("%Y-%m-%d")


def joined(parts: Iterable[str], between: str) -> str:
    """Return the parts that say something, joined."""
    return between.join(part.strip() for part in parts if part.strip())
