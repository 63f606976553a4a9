"""Message entities: what Telegram finds in a text by itself, and what it makes of entities it is given."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.people import User
from tests.emulators.telegram.text import boundaries, cut, units

FOUND_BY_TELEGRAM = (
    ("url", re.compile(r"https?://[^\s<>()\"']+[^\s<>()\"'.,!?;:]")),
    ("mention", re.compile(r"(?<![\w@/])@[A-Za-z0-9_]{2,32}(?![\w@])")),
    ("bot_command", re.compile(r"(?<![\w/@<>])/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?(?![\w/])")),
    ("hashtag", re.compile(r"(?<![\w#])#\w*[^\W\d_]\w*")),
    ("email", re.compile(r"(?<![\w@.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
)
KINDS_A_BOT_MAY_SEND = frozenset(
    {
        "mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic",
        "underline", "strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre",
        "text_link", "text_mention", "custom_emoji", "date_time",
    }
)  # fmt: skip
MOST_ENTITIES = 100
CODE_KINDS = frozenset({"code", "pre"})
QUOTE_KINDS = frozenset({"blockquote", "expandable_blockquote"})


@dataclass(frozen=True, slots=True)
class Entity:
    """One marked stretch of a text; offset and length count UTF-16 units."""

    type: str
    offset: int
    length: int
    url: str = ""
    language: str = ""
    user: User | None = None

    @property
    def end(self) -> int:
        """The offset of the first unit after the stretch."""
        return self.offset + self.length

    def to_json(self) -> dict[str, object]:
        """Return the entity as the Bot API writes it."""
        body: dict[str, object] = {"type": self.type, "offset": self.offset, "length": self.length}
        if self.url:
            body["url"] = self.url
        if self.language:
            body["language"] = self.language
        if self.user is not None:
            body["user"] = self.user.to_json()
        return body


def find_entities(text: str) -> list[Entity]:
    """Return the mentions, commands, addresses and hashtags of a plain text, in order, none overlapping."""
    taken: list[Entity] = []
    for kind, pattern in FOUND_BY_TELEGRAM:
        for match in pattern.finditer(text):
            entity = Entity(kind, units(text[: match.start()]), units(match.group()))
            if not any(entity.offset < other.end and other.offset < entity.end for other in taken):
                taken.append(entity)
    return sorted(taken, key=lambda entity: entity.offset)


def check_entities(text: str, entities: list[Entity]) -> list[Entity]:
    """Return `entities` sorted, or refuse those that do not fit the text."""
    starts = boundaries(text)
    end_of_text = units(text)
    for entity in entities:
        _check_place(entity, starts, end_of_text)
    return sorted(entities, key=lambda entity: (entity.offset, -entity.length))


def _check_place(entity: Entity, starts: dict[int, int], end_of_text: int) -> None:
    if entity.type not in KINDS_A_BOT_MAY_SEND:
        raise bad_request(f"can't parse MessageEntity: unsupported type {entity.type}")
    if entity.offset < 0:
        raise bad_request(f"receive an entity with incorrect offset {entity.offset}")
    if entity.length < 0:
        raise bad_request(f"receive an entity with incorrect length {entity.length}")
    if entity.offset > end_of_text:
        raise bad_request(f"entity begins after the end of the text at UTF-16 offset {entity.offset}")
    if entity.end > end_of_text:
        raise bad_request(f"entity beginning at UTF-16 offset {entity.offset} ends after the end of the text at UTF-16 offset {entity.end}")
    if entity.offset not in starts:
        raise bad_request(f"entity begins in a middle of a UTF-16 symbol at byte offset {starts[entity.offset + 1]}")
    if entity.end not in starts:
        raise bad_request(
            f"entity beginning at UTF-16 offset {entity.offset} ends in a middle of a UTF-16 symbol at byte offset {starts[entity.end + 1]}"
        )


def settle(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    """Return text and entities as Telegram keeps them: trimmed, nothing inside code, crossings split, a hundred at most."""
    text, entities = _trim(text, entities)
    kept = _without_nested_in_code(entities)
    return text, _split_crossings(kept)[:MOST_ENTITIES]


def spans(text: str, entities: list[Entity]) -> list[tuple[str, str]]:
    """Return each entity as (kind, marked text): what a person sees."""
    return [(entity.type, cut(text, entity.offset, entity.length)) for entity in entities]


def _trim(text: str, entities: list[Entity]) -> tuple[str, list[Entity]]:
    stripped = text.strip()
    skipped = units(text[: len(text) - len(text.lstrip())])
    size = units(stripped)
    moved = []
    for entity in entities:
        start = min(max(entity.offset - skipped, 0), size)
        end = min(max(entity.end - skipped, 0), size)
        if cut(stripped, start, end - start).strip():
            moved.append(replace(entity, offset=start, length=end - start))
    return stripped, moved


def _without_nested_in_code(entities: list[Entity]) -> list[Entity]:
    codes = [entity for entity in entities if entity.type in CODE_KINDS]
    return [
        entity
        for entity in entities
        if not any(
            code is not entity
            and entity.type not in QUOTE_KINDS
            and entity.offset < code.end
            and code.offset < entity.end
            and (entity.type not in CODE_KINDS or entities.index(code) < entities.index(entity))
            for code in codes
        )
    ]


def _split_crossings(entities: list[Entity]) -> list[Entity]:
    result: list[Entity] = []
    for entity in sorted(entities, key=lambda one: (one.offset, -one.length)):
        cuts = [other.end for other in result if other.offset < entity.offset < other.end < entity.end]
        edges = [entity.offset, *sorted(set(cuts)), entity.end]
        for start, end in pairwise(edges):
            result.append(replace(entity, offset=start, length=end - start))
    return sorted(result, key=lambda one: (one.offset, -one.length))
