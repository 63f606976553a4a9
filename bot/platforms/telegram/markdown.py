"""Markdown as models write it, as tokens."""

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.rules_inline.state_inline import Delimiter
from markdown_it.token import Token

from bot.domain.text import is_wide
from bot.platforms.latex import DOLLARS, looks_like_formula

_BLOCK_PAIRS = ((r"\[", r"\]"), ("$$", "$$"))
_PAIRS = ((r"\(", r"\)"), *_BLOCK_PAIRS)


def parse(text: str) -> list[Token]:
    """Return the tokens of CommonMark with tables, ~~strikes~~ and formulas (types `formula`, `formula_block`).

    HTML and text indented by four blanks are plain text: in a chat both are slips far more often than meant.
    """
    return _PARSER.parse(text)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("code")
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.inline.ruler.at("emphasis", _emphasis)
    parser.block.ruler.before("paragraph", "formula_block", _formula_block, {"alt": ["paragraph", "list", "blockquote"]})
    return parser


def _formula(state: StateInline, silent: bool) -> bool:
    for opening, closing in _PAIRS:
        if state.src.startswith(opening, state.pos):
            start = state.pos + len(opening)
            end = state.src.find(closing, start, state.posMax)
            return end > start and _push_formula(state, state.src[start:end], end + len(closing), silent)
    match = DOLLARS.match(state.src, state.pos, state.posMax)
    if match is None or not looks_like_formula(match.group(1)):
        return False
    return _push_formula(state, match.group(1), match.end(), silent)


def _push_formula(state: StateInline, tex: str, end: int, silent: bool) -> bool:
    if not silent:
        state.push("formula", "", 0).content = tex
    state.pos = end
    return True


def _emphasis(state: StateInline, silent: bool) -> bool:
    """Read stars and underscores as CommonMark does, but let stars beside CJK letters and punctuation open and close.

    A star between digits multiplies.
    """
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    scanned = state.scanDelims(state.pos, marker == "*")
    before = state.src[state.pos - 1] if state.pos else " "
    after = state.src[state.pos + scanned.length] if state.pos + scanned.length < state.posMax else " "
    near_cjk = marker == "*" and (_is_cjk(before) or _is_cjk(after))
    is_product = marker == "*" and before.isdigit() and after.isdigit()
    can_open = not is_product and (scanned.can_open or (near_cjk and not after.isspace()))
    can_close = not is_product and (scanned.can_close or (near_cjk and not before.isspace()))
    for _ in range(scanned.length):
        state.push("text", "", 0).content = marker
        state.delimiters.append(Delimiter(ord(marker), scanned.length, len(state.tokens) - 1, -1, can_open, can_close))
    state.pos += scanned.length
    return True


def _is_cjk(character: str) -> bool:
    return is_wide(character) and not character.isspace()


def _formula_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    beginning = state.src[state.bMarks[start_line] + state.tShift[start_line] : state.eMarks[start_line]][:2]
    if beginning not in {opening for opening, _ in _BLOCK_PAIRS}:
        return False
    text = state.getLines(start_line, end_line, state.blkIndent, keepLastLF=False)
    for opening, closing in _BLOCK_PAIRS:
        if not text.lstrip().startswith(opening):
            continue
        start = text.index(opening) + len(opening)
        end = text.find(closing, start)
        rest_of_line = text[end + len(closing) :].partition("\n")[0]
        if end <= start or rest_of_line.strip() or "\n\n" in text[start:end]:
            return False
        if not silent:
            state.line = start_line + text[: end + len(closing)].count("\n") + 1
            state.push("formula_block", "", 0).content = text[start:end]
        return True
    return False


_PARSER = _parser()
