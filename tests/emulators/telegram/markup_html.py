"""parse_mode HTML, read and refused as Telegram does."""

import html
import re
from dataclasses import dataclass

from tests.emulators.telegram.entities import Entity
from tests.emulators.telegram.errors import Refusal, bad_request
from tests.emulators.telegram.text import units

KINDS = {
    "b": "bold", "strong": "bold", "i": "italic", "em": "italic", "u": "underline", "ins": "underline",
    "s": "strikethrough", "strike": "strikethrough", "del": "strikethrough", "tg-spoiler": "spoiler",
    "span": "spoiler", "code": "code", "pre": "pre", "a": "text_link", "blockquote": "blockquote",
    "tg-emoji": "custom_emoji",
}  # fmt: skip
TAG = re.compile(r"<(/?)([A-Za-z][\w-]*)((?:\s+[^<>]*)?)\s*>")
ATTRIBUTE = re.compile(r"([\w-]+)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+)))?")


@dataclass(frozen=True, slots=True)
class _OpenTag:
    name: str
    attributes: dict[str, str]
    unit_offset: int
    byte_offset: int


def parse_html(source: str) -> tuple[str, list[Entity]]:
    """Return the plain text and its entities; a mistake is refused with the byte where it stands."""
    reader = _Reader(source)
    return reader.read()


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._text = ""
        self._open: list[_OpenTag] = []
        self._entities: list[Entity] = []

    def read(self) -> tuple[str, list[Entity]]:
        position = 0
        while position < len(self._source):
            start = self._source.find("<", position)
            end = len(self._source) if start < 0 else start
            self._text += html.unescape(self._source[position:end])
            if start < 0:
                break
            position = self._read_tag(start)
        if self._open:
            raise _cannot_parse(f'Can\'t find end tag corresponding to start tag "{self._open[-1].name}"')
        return self._text, sorted(self._entities, key=lambda one: (one.offset, -one.length))

    def _read_tag(self, start: int) -> int:
        byte = len(self._source[:start].encode())
        match = TAG.match(self._source, start)
        if match is None:
            name = re.match(r"[^\s>]*", self._source[start + 1 :])
            if ">" not in self._source[start:]:
                raise _cannot_parse(f"Unclosed start tag at byte offset {byte}")
            shown = name.group().lower() if name else ""
            raise _cannot_parse(f'Unsupported start tag "{shown}" at byte offset {byte}')
        closing, name_text, attributes = match.group(1), match.group(2).lower(), match.group(3)
        if closing:
            self._close(name_text, byte)
        else:
            self._start(name_text, attributes, byte)
        return match.end()

    def _start(self, name: str, attribute_text: str, byte: int) -> None:
        if name not in KINDS:
            raise _cannot_parse(f'Unsupported start tag "{name}" at byte offset {byte}')
        attributes = {
            found.group(1).lower(): html.unescape(found.group(2) or found.group(3) or found.group(4) or "")
            for found in ATTRIBUTE.finditer(attribute_text)
        }
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise _cannot_parse(f'Tag "span" must have class "tg-spoiler" at byte offset {byte}')
        self._open.append(_OpenTag(name, attributes, units(self._text), byte))

    def _close(self, name: str, byte: int) -> None:
        if not self._open:
            raise _cannot_parse(f"Unexpected end tag at byte offset {byte}")
        tag = self._open.pop()
        if tag.name != name:
            raise _cannot_parse(f'Unmatched end tag at byte offset {byte}, expected "</{tag.name}>", found "</{name}>"')
        length = units(self._text) - tag.unit_offset
        if length:
            self._add(tag, length)

    def _add(self, tag: _OpenTag, length: int) -> None:
        kind = KINDS[tag.name]
        if tag.name == "blockquote" and "expandable" in tag.attributes:
            kind = "expandable_blockquote"
        url = tag.attributes.get("href", "") if kind == "text_link" else ""
        if kind == "text_link" and not url:
            return
        language = tag.attributes.get("class", "").removeprefix("language-")
        if tag.name == "code" and language and self._open and self._open[-1].name == "pre":
            self._open[-1].attributes["class"] = f"language-{language}"
            return
        self._entities.append(Entity(kind, tag.unit_offset, length, url, language if kind == "pre" else ""))


def _cannot_parse(what: str) -> Refusal:
    return bad_request(f"can't parse entities: {what}")
