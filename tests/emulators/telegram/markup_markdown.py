"""parse_mode MarkdownV2, read and refused as Telegram does."""

from dataclasses import dataclass

from tests.emulators.telegram.entities import Entity
from tests.emulators.telegram.errors import Refusal, bad_request
from tests.emulators.telegram.text import units

RESERVED = frozenset("_*[]()~`>#+-=|{}.!")
MARKS = (
    ("```", "Pre", "pre"),
    ("__", "Underline", "underline"),
    ("||", "Spoiler", "spoiler"),
    ("_", "Italic", "italic"),
    ("*", "Bold", "bold"),
    ("~", "Strikethrough", "strikethrough"),
    ("`", "Code", "code"),
)


@dataclass(slots=True)
class _OpenMark:
    mark: str
    name: str
    kind: str
    unit_offset: int
    byte_offset: int
    language: str = ""


def parse_markdown_v2(source: str) -> tuple[str, list[Entity]]:
    """Return the plain text and its entities; a mistake is refused with the byte where it stands."""
    return _Reader(source).read()


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._text = ""
        self._open: list[_OpenMark] = []
        self._entities: list[Entity] = []
        self._quote_start: int | None = None

    def read(self) -> tuple[str, list[Entity]]:
        while self._at < len(self._source):
            self._step()
        self._end_quote()
        if self._open:
            last = self._open[-1]
            raise _cannot_parse(f"Can't find end of {last.name} entity at byte offset {last.byte_offset}")
        return self._text, sorted(self._entities, key=lambda one: (one.offset, -one.length))

    def _step(self) -> None:
        character = self._source[self._at]
        if self._reads_quote_mark(character):
            return
        following = self._source[self._at + 1 : self._at + 2]
        if character == "\\" and following and ord(following) <= 126:
            self._write(following, 2)
        elif self._open and self._open[-1].kind in {"code", "pre"}:
            self._inside_code(character)
        elif character == "]" and self._open and self._open[-1].mark == "[":
            self._close_link()
        elif character == "[":
            self._start("[", "TextUrl", "text_link")
        elif not self._reads_mark():
            self._plain(character)

    def _plain(self, character: str) -> None:
        if character in RESERVED:
            raise _cannot_parse(f"Character '{character}' is reserved and must be escaped with the preceding '\\'")
        self._write(character, 1)

    def _reads_quote_mark(self, character: str) -> bool:
        at_line_start = self._at == 0 or self._source[self._at - 1] == "\n"
        if not at_line_start or (self._open and self._open[-1].kind in {"code", "pre"}):
            return False
        if character == ">":
            if self._quote_start is None:
                self._quote_start = units(self._text)
            self._at += 1
            return True
        self._end_quote()
        return False

    def _end_quote(self) -> None:
        if self._quote_start is not None and units(self._text) > self._quote_start:
            self._entities.append(Entity("blockquote", self._quote_start, units(self._text) - self._quote_start))
        self._quote_start = None

    def _reads_mark(self) -> bool:
        for mark, name, kind in MARKS:
            if not self._source.startswith(mark, self._at):
                continue
            if self._open and self._open[-1].mark == mark:
                self._close(mark)
            elif mark in {"_", "__"} and self._open and self._open[-1].mark in {"_", "__"}:
                self._close(self._open[-1].mark)
            else:
                self._start(mark, name, kind)
            return True
        return False

    def _inside_code(self, character: str) -> None:
        mark = self._open[-1].mark
        if self._source.startswith(mark, self._at):
            self._close(mark)
        else:
            self._write(character, 1)

    def _start(self, mark: str, name: str, kind: str) -> None:
        byte = len(self._source[: self._at].encode())
        self._at += len(mark)
        language = ""
        if kind == "pre":
            line, newline, _ = self._source[self._at :].partition("\n")
            if newline and line and "`" not in line and " " not in line:
                language = line
            if newline and (language or not line):
                self._at += len(line) + 1
        self._open.append(_OpenMark(mark, name, kind, units(self._text), byte, language))

    def _close(self, mark: str, url: str = "") -> None:
        opened = self._open.pop()
        self._at += len(mark)
        length = units(self._text) - opened.unit_offset
        if length:
            self._entities.append(Entity(opened.kind, opened.unit_offset, length, url, opened.language))

    def _close_link(self) -> None:
        self._at += 1
        if not self._source.startswith("(", self._at):
            self._close("")
            return
        end = self._at + 1
        url = ""
        while end < len(self._source) and self._source[end] != ")":
            end += self._source[end] == "\\"
            url += self._source[end : end + 1]
            end += 1
        if end >= len(self._source):
            byte = len(self._source[: self._at + 1].encode())
            raise _cannot_parse(f"Can't find end of a URL at byte offset {byte}")
        self._at = end + 1
        self._close("", url)

    def _write(self, text: str, consumed: int) -> None:
        self._text += text
        self._at += consumed


def _cannot_parse(what: str) -> Refusal:
    return bad_request(f"can't parse entities: {what}")
