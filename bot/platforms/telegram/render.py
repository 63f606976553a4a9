"""Markdown as text with spans. Telegram is never asked to parse anything, so it can refuse nothing."""

import re
from collections.abc import Callable, Mapping, Sequence

from markdown_it.token import Token

from bot.domain.message import Part, StyleKind
from bot.platforms.latex import readable_formula
from bot.platforms.telegram.markdown import parse
from bot.platforms.telegram.styled import StyledText
from bot.platforms.telegram.table import Row, Table
from bot.platforms.telegram.tags import LINE_TAGS, TAG, Tag, paired_tags

_MENTION = re.compile(r"(?<![\w@/])@(?=\w)")
_SPOILER = re.compile(r"\|\|(?=\S)(.+?)(?<=\S)\|\|")
_EMOJI = re.compile(r"<a?:(\w+):\d+>")
"""An emoji of a Discord server, which models have seen a lot of."""
_TASK = re.compile(r"\[([ xX])\]\s+")
_STYLES: Mapping[str, StyleKind] = {
    "strong": StyleKind.BOLD,
    "em": StyleKind.ITALIC,
    "s": StyleKind.STRIKE,
}
_WEB_ADDRESS = re.compile(r"https?://[^\s/?#.]+\.[^\s]+")
_RULE = "⎯" * 8


def render(markdown: str) -> Part:
    """Return Markdown as one part, however long.

    Lists, tables and formulas become readable text; an @name gets an invisible mark, so that nobody is notified by it.
    """
    writer = _Writer()
    writer.write_blocks(parse(markdown))
    return writer.out.part()


class _Writer:
    def __init__(self) -> None:
        self.out = StyledText()
        self._lists: list[int | None] = []
        self._links: list[bool] = []
        self._blocks: Mapping[str, Callable[[Token], None]] = {
            "inline": lambda token: self._write_inline(token.children or ()),
            "heading_open": lambda _token: self.out.open(StyleKind.BOLD),
            "heading_close": lambda _token: self._end_block(StyleKind.BOLD),
            "paragraph_close": lambda token: self.out.break_lines(1 if token.hidden else 2),
            "blockquote_open": lambda _token: self.out.open(StyleKind.QUOTE),
            "blockquote_close": lambda _token: self._end_block(StyleKind.QUOTE),
            "fence": self._write_fence,
            "formula_block": self._write_formula_block,
            "hr": lambda _token: self._write_block(_RULE),
            "bullet_list_open": lambda _token: self._lists.append(None),
            "ordered_list_open": lambda token: self._lists.append(int(token.attrGet("start") or 1)),
            "bullet_list_close": lambda _token: self._end_list(),
            "ordered_list_close": lambda _token: self._end_list(),
            "list_item_close": lambda _token: self.out.break_lines(1),
        }

    def write_blocks(self, tokens: Sequence[Token]) -> None:
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if token.type == "table_open":
                end = next(index for index in range(position, len(tokens)) if tokens[index].type == "table_close")
                self._write_table(tokens[position:end])
                position = end
            elif token.type == "list_item_open":
                self._begin_item(_task_in(tokens[position : position + 3]))
            elif token.type in self._blocks:
                self._blocks[token.type](token)
            position += 1

    def _end_block(self, kind: StyleKind) -> None:
        self.out.close(kind)
        self.out.break_lines(2)

    def _write_block(self, text: str) -> None:
        self.out.write(text)
        self.out.break_lines(2)

    def _write_fence(self, token: Token) -> None:
        code, language = token.content.rstrip("\n"), token.info.strip().split(" ")[0]
        if code.strip():
            self.out.write_code(StyleKind.CODE_BLOCK, code, language)
            self.out.break_lines(2)

    def _write_formula_block(self, token: Token) -> None:
        self._write_block(readable_formula(token.content))

    def _begin_item(self, task: str) -> None:
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        self.out.break_lines(1)
        self.out.write("   " * (len(self._lists) - 1) + (task or ("• " if number is None else f"{number}. ")))

    def _end_list(self) -> None:
        self._lists.pop()
        self.out.break_lines(1 if self._lists else 2)

    def _write_table(self, tokens: Sequence[Token]) -> None:
        table = _table_of(tokens)
        if table.fits:
            self.out.write_code(StyleKind.CODE_BLOCK, table.drawn())
            self.out.break_lines(2)
            return
        for first, *others in table.rows:
            self.out.open(StyleKind.BOLD)
            self.out.write(_harmless(first))
            self.out.close(StyleKind.BOLD)
            for name, cell in zip(table.header[1:], others, strict=True):
                self.out.break_lines(1)
                self.out.write(_harmless(f"{name}: {cell}" if name else cell))
            self.out.break_lines(2)

    def _write_inline(self, tokens: Sequence[Token]) -> None:
        tags = paired_tags(tokens)
        for index, token in enumerate(tokens):
            name, _, edge = token.type.partition("_")
            if name == "link":
                self._write_link_edge(token, tokens[index + 1 : index + 3])
            elif name in _STYLES:
                (self.out.open if edge == "open" else self.out.close)(_STYLES[name])
            elif token.type == "text":
                self._write_tagged(token.content, {tag.place: tag for tag in tags if tag.token == index})
            else:
                self._write_leaf(token)

    def _write_leaf(self, token: Token) -> None:
        match token.type:
            case "softbreak" | "hardbreak":
                self.out.write("\n")
            case "code_inline":
                self.out.write_code(StyleKind.CODE, token.content)
            case "formula":
                self.out.write(_harmless(readable_formula(token.content)))
            case "image":
                self._write_image(token)

    def _write_tagged(self, text: str, paired: Mapping[int, Tag]) -> None:
        """Write text with its HTML tags: those of a pair become a style, all else that is a tag of text goes."""
        begin = 0
        for found in TAG.finditer(text):
            self._write_text(text[begin : found.start()])
            tag = paired.get(found.start())
            if found["name"].casefold() in LINE_TAGS:
                self.out.write("\n")
            elif tag is not None:
                (self.out.open if tag.opens else self.out.close)(tag.kind)
            begin = found.end()
        self._write_text(text[begin:])

    def _write_text(self, text: str) -> None:
        for index, piece in enumerate(_SPOILER.split(_harmless(_EMOJI.sub(r":\1:", text)))):
            if index % 2:
                self.out.open(StyleKind.SPOILER)
            self.out.write(piece)
            if index % 2:
                self.out.close(StyleKind.SPOILER)

    def _write_link_edge(self, token: Token, following: Sequence[Token]) -> None:
        if token.type == "link_close":
            if self._links.pop():
                self.out.close(StyleKind.LINK)
            return
        address = str(token.attrGet("href") or "")
        says_itself = [one.type for one in following] == ["text", "link_close"] and following[0].content == address
        self._links.append(not says_itself and self._opens_link(address))

    def _write_image(self, token: Token) -> None:
        is_link = self._opens_link(str(token.attrGet("src") or ""))
        self.out.write(_harmless(token.content) or "🖼")
        if is_link:
            self.out.close(StyleKind.LINK)

    def _opens_link(self, address: str) -> bool:
        """Begin a link if Telegram takes the address, and say whether it did."""
        is_link = bool(_WEB_ADDRESS.fullmatch(address)) and not any(self._links)
        if is_link:
            self.out.open(StyleKind.LINK, address)
        return is_link


def _table_of(tokens: Sequence[Token]) -> Table:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_plain(token))
    header: Row = rows[0]
    return Table(header, rows[1:])


def _task_in(item: Sequence[Token]) -> str:
    """Return the box of a list item that is a task, which is taken off its text; empty for other items."""
    first = item[-1].children[0] if item[-1].type == "inline" and item[-1].children else None
    box = _TASK.match(first.content) if first is not None and first.type == "text" else None
    if first is None or box is None:
        return ""
    first.content = first.content[box.end() :]
    return "☐ " if box[1] == " " else "☑ "


def _plain(token: Token) -> str:
    writer = _Writer()
    writer.write_blocks([token])
    return writer.out.part().text.replace("\n", " ").strip()


def _harmless(text: str) -> str:
    """Return the text with an invisible mark in each @name: Telegram notifies whoever is named."""
    return _MENTION.sub("@\N{WORD JOINER}", text)
