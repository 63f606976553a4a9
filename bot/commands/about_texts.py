"""What `/memory about` says."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from bot.commands.escape import shown
from bot.commands.texts import echo
from bot.domain.claim import has_one_value
from bot.domain.entity import EntityKind
from bot.domain.past import EntityFacts, Relation
from bot.domain.text import one_line
from bot.memory.entities import statement
from bot.wording.lists import listed
from bot.wording.say import later, say, say_count, translated

KIND_NAMES = {
    EntityKind.PERSON: later("a person"),
    EntityKind.PLACE: later("a place"),
    EntityKind.ORGANISATION: later("an organisation"),
    EntityKind.EVENT: later("an event"),
    EntityKind.WORK: later("a work"),
    EntityKind.PRODUCT: later("a product"),
    EntityKind.OTHER: later("of unknown kind"),
}
_SENTENCE = 160
"""Characters of a sentence that are shown."""


def nothing_known(name: str, lately: Sequence[str]) -> str:
    """Answer for a name that did not come up here, with what to do next."""
    if lately:
        return say(
            "Nothing is known here about “{name}” yet. Names that came up lately: {names}. Names are picked up a little while after they "
            "are mentioned; `/memory search` looks through what I remember.",
            name=echo(name),
            names=listed(map(shown, lately)),
        )
    return say(
        "Nothing is known here about “{name}” yet. Names are picked up a little while after they are mentioned; "
        "`/memory search` looks through what I remember.",
        name=echo(name),
    )


def known(facts: EntityFacts) -> str:
    """Head what is known of a name."""
    member = say("a member of this chat") if facts.person_id else translated(KIND_NAMES[facts.kind])
    also = [say("also called {names}", names=listed(map(shown, facts.aliases)))] if facts.aliases else []
    times = say_count(facts.mentions, "mentioned {number} time", "mentioned {number} times")
    if not facts.mentions:
        times = say("not mentioned by others yet")
    return f"**{shown(facts.name)}**: {listed([member, *also, times])}"


def unnamed(name: str) -> str:
    """Head what is known of something that is no name, such as a thing that somebody likes."""
    return f"**{shown(name)}**"


def relation_line(relation: Relation, since: datetime, until: datetime | None, source: str) -> str:
    """Show that something holds or held, since when, and who said so."""
    if until is not None:
        when = say("until {day}", day=_day(until))
    elif has_one_value(relation.predicate):
        when = say("since {day}", day=_day(since))
    else:
        when = say("said on {day}", day=_day(since))
    return f"- {shown(statement(relation))} ({when}){source}"


def source_of(who: str, sentence: str, link: str) -> str:
    """Show who said what, with a link where there is one."""
    source = f" [{say('source')}]({link})" if link else ""
    said = f" — {shown(who)}: {_quoted(sentence)}" if sentence else ""
    return f"{said}{source}"


def sentence_line(sentence: str) -> str:
    """Show a sentence in which a name came up."""
    return f"- {_quoted(sentence)}"


def page(heads: Iterable[str], present: Sequence[str], past: Sequence[str], sentences: Sequence[str]) -> str:
    """Return all that is known, under its headings; none stands empty."""
    parts = ["\n".join(heads)]
    titled = ((say("Now"), present), (say("Before"), past), (say("Last mentioned"), sentences))
    parts += [f"**{title}**\n" + "\n".join(lines) for title, lines in titled if lines]
    return "\n\n".join(parts)


def _quoted(sentence: str) -> str:
    return say("“{text}”", text=shown(one_line(sentence, _SENTENCE)))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
