"""What is known of a name, and what a mention changes about it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.domain.entity import EntityKind, EntityMention, name_key
from bot.domain.past import EntityFacts
from bot.storage.sql.session import Fields

_NEVER_A_MEMBER = frozenset({EntityKind.PLACE, EntityKind.EVENT, EntityKind.WORK, EntityKind.PRODUCT})


@dataclass(frozen=True, slots=True)
class Entity:
    """A row of `entities`; without an id it is not stored yet."""

    id: int
    name: str
    kinds: Mapping[str, int]
    aliases: tuple[str, ...]
    mentions: int
    last_row: int
    person_id: str

    @property
    def kind(self) -> EntityKind:
        """Return what it is: a member is a person, all else what it was taken for most often; a guess beats no guess."""
        if self.person_id:
            return EntityKind.PERSON
        guesses = {kind: count for kind, count in self.kinds.items() if kind != EntityKind.OTHER}
        return EntityKind(max(guesses, key=guesses.__getitem__)) if guesses else EntityKind.OTHER

    @property
    def keys(self) -> frozenset[str]:
        """Return all keys that it is found by."""
        return frozenset(map(name_key, (self.name, *self.aliases)))

    @property
    def values(self) -> dict[str, object]:
        """Return the columns, without id and audience."""
        return {
            "name": self.name,
            "kinds": json.dumps(self.kinds, separators=(",", ":")),
            "aliases": json.dumps(self.aliases, ensure_ascii=False, separators=(",", ":")),
            "mentions": self.mentions,
            "last_row": self.last_row,
            "person_id": self.person_id,
        }

    def facts(self, sentences: Iterable[str]) -> EntityFacts:
        """Return what is known of it."""
        return EntityFacts(self.name, self.kind, self.mentions, tuple(sentences), self.aliases, self.person_id)


def entity_of(row: Fields) -> Entity:
    """Return the entity of a row."""
    aliases = tuple(json.loads(row.aliases))
    return Entity(row.id, row.name, json.loads(row.kinds), aliases, row.mentions, row.last_row, row.person_id)


def meant_by(mention: EntityMention, known: Sequence[Entity]) -> Entity | None:
    """Return which of the known entities a mention means; None for a new one."""
    if mention.person_id:
        return _member(mention, known)
    alike = [entity for entity in known if name_key(mention.name) in entity.keys]
    members = [entity for entity in alike if entity.person_id]
    if len(members) == 1 and mention.kind not in _NEVER_A_MEMBER:
        return members[0]
    return next((entity for entity in alike if not entity.person_id), None)


def first_known(mention: EntityMention, message_row: int) -> Entity:
    """Return a new entity that nobody has mentioned yet."""
    return Entity(0, mention.name, {}, (), 0, message_row, mention.person_id)


def told_of(entity: Entity, mention: EntityMention) -> Entity:
    """Return the entity with what the mention says of its name and person. The platform's name for a member is the best."""
    if mention.person_id:
        renamed = entity.name != mention.name and name_key(entity.name) != name_key(mention.name)
        aliases = [alias for alias in entity.aliases if name_key(alias) != name_key(mention.name)]
        aliases += [entity.name] if renamed else []
        return replace(entity, name=mention.name, person_id=mention.person_id, aliases=tuple(aliases))
    if not entity.person_id and name_key(entity.name) == name_key(mention.name) and _is_better(mention.name, entity.name):
        return replace(entity, name=mention.name)
    return entity


def mentioned(entity: Entity, mention: EntityMention, message_row: int) -> Entity:
    """Return the entity with one mention more."""
    kinds = {**entity.kinds, mention.kind.value: entity.kinds.get(mention.kind.value, 0) + 1}
    return replace(entity, kinds=kinds, mentions=entity.mentions + 1, last_row=max(entity.last_row, message_row))


def unmentioned(entity: Entity, kinds: Sequence[str]) -> Entity:
    """Return the entity without some mentions, by what it was taken for in each."""
    left = {kind: count - kinds.count(kind) for kind, count in entity.kinds.items() if count > kinds.count(kind)}
    return replace(entity, kinds=left, mentions=max(entity.mentions - len(kinds), 0))


def _member(mention: EntityMention, known: Sequence[Entity]) -> Entity | None:
    """Return the member, or the name that has no bearer yet and may have been theirs."""
    for entity in known:
        if entity.person_id == mention.person_id:
            return entity
    alike = [entity for entity in known if name_key(mention.name) in entity.keys]
    if any(entity.person_id for entity in alike):
        return None
    return next((entity for entity in alike if entity.kind not in _NEVER_A_MEMBER), None)


def _is_better(name: str, before: str) -> bool:
    """Say whether a name is written with capitals as names are, and the one before was not."""
    return before in (before.lower(), before.upper()) and name not in (name.lower(), name.upper())
