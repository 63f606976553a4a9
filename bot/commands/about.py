"""`/memory about`: what is known of a person, a place or a thing that came up here, present and past, with who said so."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.commands import about_texts as texts
from bot.commands.links import message_link
from bot.commands.ownership import Place, place_of
from bot.commands.paging import PAGE_LENGTH, fitting
from bot.domain.chat import Audience, audience_of
from bot.domain.command import Answer, Choice, Command, CommandCall, Option
from bot.domain.entity import name_key
from bot.domain.past import EntityFacts, Relation
from bot.domain.persona import Personas
from bot.memory.hidden import hidden_there, hides_relation, shown_entities
from bot.ports.clock import Clock
from bot.ports.store import Store, Transaction

SUGGESTIONS = 20
MOST_RELATIONS = 30
_LATELY = 5
_LONGEST_NAME = 80


def about_commands(store: Store, personas: Personas, clock: Clock) -> tuple[Command, ...]:
    """Return the command by which people see what is known of a name."""
    about = _About(store, personas, clock)
    name = Option("name", "A person, a place or a thing that came up here", suggest=about.suggest)
    return (Command(("memory", "about"), "See what I know about a person, place or thing", about.show, (name,), private=True),)


@dataclass(frozen=True, slots=True)
class _About:
    """What came up in the audience where somebody asks, and nothing of any other."""

    store: Store
    personas: Personas
    clock: Clock

    async def show(self, call: CommandCall) -> Answer:
        """Show kind and mentions of a name, and what holds and held of it."""
        name = str(call.options["name"])[:_LONGEST_NAME]
        async with self.store.read() as tx:
            place = await place_of(tx, self.personas, call, self.clock.now())
            audience = place.scope.audience
            known = await tx.entities.known(audience, {name_key(name)})
            keys = {name_key(name)} | {name_key(each) for facts in known for each in (facts.name, *facts.aliases)}
            relations = await tx.relations.about(audience, keys, limit=MOST_RELATIONS)
            hidden = (await hidden_there(tx, audience)).but(call.asker)
            known = shown_entities(known, hidden)
            relations = [relation for relation in relations if not hides_relation(relation, hidden)]
            if not known and not relations:
                lately = [facts.name for facts in shown_entities(await tx.entities.page(audience, limit=_LATELY), hidden)]
                return Answer(texts.nothing_known(name, lately))
            present = [await _line(tx, place, relation) for relation in relations if relation.valid_to is None]
            past = [await _line(tx, place, relation) for relation in relations if relation.valid_to is not None]
        return Answer(_page(name, known, present, past))

    async def suggest(self, call: CommandCall, typed: str) -> Sequence[Choice]:
        """Return the names that came up last, those that begin as what is typed."""
        async with self.store.read() as tx:
            hidden = (await hidden_there(tx, _audience(call))).but(call.asker)
            recent = shown_entities(await tx.entities.page(_audience(call), limit=SUGGESTIONS * 10), hidden)
        begins = name_key(typed)
        names = [facts.name for facts in recent if any(name_key(name).startswith(begins) for name in (facts.name, *facts.aliases))]
        return [Choice(name[:_LONGEST_NAME], name[:_LONGEST_NAME]) for name in dict.fromkeys(names)][:SUGGESTIONS]


def _audience(call: CommandCall) -> Audience:
    return audience_of(call.conversation, call.kind, call.asker.id)


def _page(name: str, known: Sequence[EntityFacts], present: Sequence[str], past: Sequence[str]) -> str:
    """Return as much as one message holds: half of it what holds, then what held, then the last sentences."""
    now = fitting(present, length=PAGE_LENGTH // 2) if present else []
    before = fitting(past, length=PAGE_LENGTH // 4) if past else []
    said = [texts.sentence_line(sentence) for sentence in dict.fromkeys(sentence for facts in known for sentence in facts.sentences)]
    heads = fitting(texts.known(facts) for facts in known) or [texts.unnamed(name)]
    return texts.page(heads, now, before, fitting(said, length=PAGE_LENGTH // 4) if said else [])


async def _line(tx: Transaction, place: Place, relation: Relation) -> str:
    message, persona = await tx.messages.get(place.scope.audience, relation.source_row), place.persona
    link = message_link(message.conversation, message.message_id) if message else ""
    source = texts.source_of(message.author.display_name if message else "", relation.evidence if message else "", link)
    until = relation.valid_to.astimezone(persona.zone) if relation.valid_to else None
    return texts.relation_line(relation, relation.valid_from.astimezone(persona.zone), until, source)
