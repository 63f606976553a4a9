"""Members of the chat as names, and names as lines for a prompt or a person."""

import re
from collections.abc import Sequence

from bot.domain.claim import phrase
from bot.domain.entity import EntityKind, EntityMention, name_key
from bot.domain.message import Person, Role, StoredMessage
from bot.domain.past import EntityFacts, Relation

_FIRST_PERSON = re.compile(
    r"(?<![\w'’])(?:i|i['’]?m|i['’]ve|my|me|mine|myself|ich|mein\w*|mich|mir|je|j['’]\w+|moi|mon|ma|mes|yo|mi|mis|io|mio|mia|eu|meu|minha)(?!\w)"
    r"|私|わたし|僕|ぼく|俺|うちの|我",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(
    r"\b(?:who\w*|anyone|anybody|someone|somebody|wer|wem|wessen|qui|qui[eé]n\w*|chi|quem)\b|誰|だれ|谁|누가", re.IGNORECASE
)


def members_of(message: StoredMessage) -> Sequence[EntityMention]:
    """Return whoever wrote a message, and whom it replies to, as names that belong to members; bots and services are none."""
    people = [message.author] if message.role is Role.USER else []
    people += [message.quote.author] if message.quote else []
    return tuple(member for person in dict.fromkeys(people) if (member := as_member(person)) is not None)


def as_member(person: Person) -> EntityMention | None:
    """Return a member's name, which the platform says is theirs; None for who is nobody in particular."""
    if person.is_bot or person.is_service or not person.id or not name_key(person.display_name):
        return None
    return EntityMention(person.display_name, EntityKind.PERSON, "", person_id=person.id)


def speaks_of_self(text: str) -> bool:
    """Say whether a text has a word for whoever writes it."""
    return bool(_FIRST_PERSON.search(text))


def asks_who(text: str) -> bool:
    """Say whether a text asks for people."""
    return bool(_ASKS_WHO.search(text))


def entity_line(facts: EntityFacts) -> str:
    """Return what is known of a name on one line, such as `- Paris (GPE): Paris is rainy.`."""
    also = f", also {', '.join(facts.aliases)}" if facts.aliases else ""
    said = f": {facts.sentences[0]}" if facts.sentences else ""
    return f"- {facts.name} ({facts.kind.value}{also}){said}"


def statement(relation: Relation) -> str:
    """Return a relation as a sentence without its dates."""
    return f"{relation.subject} {phrase(relation.predicate, holds=relation.valid_to is None)} {relation.object}"
