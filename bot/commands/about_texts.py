"""What `/memory about` says, in English."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.claim import has_one_value
from bot.domain.entity import EntityKind
from bot.domain.past import EntityFacts, Relation
from bot.domain.text import one_line
from bot.memory.entities import statement

KIND_NAMES = {
    EntityKind.PERSON: "a person",
    EntityKind.PLACE: "a place",
    EntityKind.ORGANISATION: "an organisation",
    EntityKind.EVENT: "an event",
    EntityKind.WORK: "a work",
    EntityKind.PRODUCT: "a product",
    EntityKind.OTHER: "of unknown kind",
}
_SENTENCE = 160
"""Characters of a sentence that are shown."""


def nothing_known(name: str, lately: Sequence[str]) -> str:
    """Answer for a name that did not come up here, with what to do next."""
    others = f" Names that came up lately: {', '.join(map(shown, lately))}." if lately else ""
    return (
        f"Nothing is known here about “{echo(name)}” yet.{others} Names are picked up a little while after they are mentioned; "
        "`/memory search` looks through what I remember."
    )


def known(facts: EntityFacts) -> str:
    """Head what is known of a name."""
    also = f", also called {', '.join(map(shown, facts.aliases))}" if facts.aliases else ""
    times = "not mentioned by others yet" if not facts.mentions else f"mentioned {facts.mentions} time{'s' if facts.mentions > 1 else ''}"
    member = "a member of this chat" if facts.person_id else KIND_NAMES[facts.kind]
    return f"**{shown(facts.name)}**: {member}{also}, {times}"


def unnamed(name: str) -> str:
    """Head what is known of something that is no name, such as a thing that somebody likes."""
    return f"**{shown(name)}**"


def relation_line(relation: Relation, since: datetime, until: datetime | None, source: str) -> str:
    """Show that something holds or held, since when, and who said so."""
    begin = f"since {since:%Y-%m-%d}" if has_one_value(relation.predicate) else f"said on {since:%Y-%m-%d}"
    when = begin if until is None else f"until {until:%Y-%m-%d}"
    return f"- {shown(statement(relation))} ({when}){source}"


def source_of(who: str, sentence: str, link: str) -> str:
    """Show who said what, with a link where there is one."""
    source = f" [source]({link})" if link else ""
    said = f" — {shown(who)}: “{shown(one_line(sentence, _SENTENCE))}”" if sentence else ""
    return f"{said}{source}"


def sentence_line(sentence: str) -> str:
    """Show a sentence in which a name came up."""
    return f"- “{shown(one_line(sentence, _SENTENCE))}”"


def page(heads: Iterable[str], present: Sequence[str], past: Sequence[str], sentences: Sequence[str]) -> str:
    """Return all that is known, under its headings; none stands empty."""
    parts = ["\n".join(heads)]
    parts += [
        f"**{title}**\n" + "\n".join(lines) for title, lines in (("Now", present), ("Before", past), ("Last mentioned", sentences)) if lines
    ]
    return "\n\n".join(parts)
