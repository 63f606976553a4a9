"""Draws a chat as people see it: discs with initials, names, times, bold words, code and buttons. The same shots give the same picture."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape

from tests.docs.shots import Shot

WIDTH, EDGE, LEFT = 780, 20, 76
SIZE, LINE, SMALL = 14.0, 21.0, 11.0
BUTTON, GAP = 32.0, 8.0
PAPER, PRIVATE, INK, DIM, BLUE, MENTION, GREY = "#313338", "#3a3c4e", "#dbdee1", "#949ba4", "#5865f2", "#c9cdfb", "#4e5058"
PEOPLE = ("#f0b232", "#23a55a", "#eb459e", "#5865f2", "#e67e22")
_WIDTHS = (
    "318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636 636 337 337 838 838 838 531 "
    "1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611 732 684 989 685 611 685 390 337 390 838 500 "
    "500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635 635 411 521 392 634 592 818 592 592 525 636 337 636 838"
)
_ADVANCE = {chr(32 + place): int(width) / 1000 for place, width in enumerate(_WIDTHS.split())} | {"–": 0.5, "•": 0.59, "‹": 0.4, "›": 0.4}
"""How wide letters are in Verdana and DejaVu Sans, of which most machines have one."""
_PIECES = re.compile(r"\*\*(?P<bold>.+?)\*\*|`(?P<code>[^`]+)`|<(?P<named>[@/][^>]+)>|\[(?P<link>[^\]]+)\]\(\)|\\(?P<plain>\W)")
_GROUNDED = {"code": "#1e1f22", "named": "#3c4270"}
_LOOKS = {
    "": f'fill="{INK}"',
    "bold": f'fill="{INK}" font-weight="bold"',
    "code": f'fill="{INK}" font-family="DejaVu Sans Mono, Menlo, monospace" font-size="13"',
    "named": f'fill="{MENTION}"',
    "link": 'fill="#00a8fc"',
    "dim": f'fill="{DIM}" font-size="{SMALL:g}"',
    "name": 'fill="#f2f3f5" font-weight="bold"',
    "label": 'fill="#ffffff" font-size="13"',
}


@dataclass(slots=True)
class Paper:
    """What is drawn so far, and how far down it reaches."""

    down: float = 0.0
    drawn: list[str] = field(default_factory=list)

    def box(self, left: float, top: float, width: float, height: float, fill: str, *, round_by: float = 4) -> None:
        """Draw a filled box."""
        self.drawn.append(f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" rx="{round_by:g}" fill="{fill}"/>')

    def write(self, left: float, base: float, text: str, look: str = "") -> float:
        """Write a text and return where it ends; what is named or code stands on a ground of its own."""
        width = width_of(text, look)
        if look in _GROUNDED:
            self.box(left - 2, base - 15, width + 4, 19, _GROUNDED[look], round_by=3)
        size = f' textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"' if len(text) > 1 else ""
        self.drawn.append(
            f'<text x="{left:.1f}" y="{base:.1f}" {_LOOKS[look]}{size} xml:space="preserve">{escape(text, quote=False)}</text>'
        )
        return left + width


def width_of(text: str, look: str = "") -> float:
    """Return about how wide a text is; it is then drawn exactly so wide, whatever letters a reader's machine has."""
    if look == "code":
        return len(text) * 7.83
    size = {"dim": SMALL, "label": 13.0}.get(look, SIZE)
    wide = 1.11 if look in ("bold", "name") else 1.0
    return sum(_ADVANCE.get(letter, 0.77) for letter in text) * size * wide


def drawing(title: str, shots: Sequence[Shot], data: str) -> str:
    """Return the picture of a chat, which holds the shots as data, too."""
    paper = Paper()
    paper.write(EDGE, 30, title, "name")
    paper.box(0, 46, WIDTH, 1, "#26272b", round_by=0)
    paper.down = 58
    for shot in shots:
        _draw(paper, shot)
    height = paper.down + 8
    body = "\n".join(paper.drawn)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}"'
        f' font-family="Verdana, DejaVu Sans, sans-serif" font-size="{SIZE:g}">\n'
        f"<metadata>{escape(data, quote=False)}</metadata>\n"
        f'<rect width="{WIDTH}" height="{height:.0f}" rx="8" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def _draw(paper: Paper, shot: Shot) -> None:
    """Draw one message: what it answers, who says it when, its text and its buttons."""
    top, begun = paper.down, len(paper.drawn)
    paper.down += 8
    if shot.above:
        paper.drawn.append(f'<path d="M56 {paper.down + 14:.1f} v-4 q0 -4 4 -4 h12" stroke="{GREY}" stroke-width="2" fill="none"/>')
        paper.write(LEFT, paper.down + 11, _short(_flat(shot.above), "dim", WIDTH - LEFT - 2 * EDGE), "dim")
        paper.down += 20
    _disc(paper, shot.who)
    _heading(paper, shot)
    *before, last = shot.text.split("\n")
    for line in before:
        _line(paper, line, is_edited=False)
    _line(paper, last, is_edited=shot.edited)
    _buttons(paper, shot)
    if shot.private:
        paper.down += 16
        paper.write(LEFT, paper.down, "Only you can see this", "dim")
        paper.down += 8
    paper.down += 6
    if shot.private:
        ground = f'<rect x="0" y="{top:.1f}" width="{WIDTH}" height="{paper.down - top:.1f}" fill="{PRIVATE}"/>'
        bar = f'<rect x="0" y="{top:.1f}" width="3" height="{paper.down - top:.1f}" fill="{BLUE}"/>'
        paper.drawn[begun:begun] = [ground, bar]
    if shot.pressed:
        paper.write(LEFT, paper.down + 18, f"▸ {shot.pressed}", "dim")
        paper.down += 26
    paper.down += 4


def _disc(paper: Paper, who: str) -> None:
    colour = PEOPLE[sum(place * ord(letter) for place, letter in enumerate(who, 1)) % len(PEOPLE)]
    middle = paper.down + 20
    paper.drawn.append(f'<circle cx="46" cy="{middle:.1f}" r="20" fill="{colour}"/>')
    paper.drawn.append(
        f'<text x="46" y="{middle + 6:.1f}" text-anchor="middle" fill="#ffffff" font-size="17" font-weight="bold">{escape(who[:1])}</text>'
    )


def _heading(paper: Paper, shot: Shot) -> None:
    base = paper.down + 14
    end = paper.write(LEFT, base, shot.who, "name") + GAP
    if shot.is_bot:
        paper.box(end, base - 12, 32, 16, BLUE, round_by=3)
        paper.drawn.append(f'<text x="{end + 16:.1f}" y="{base:.1f}" text-anchor="middle" fill="#ffffff" font-size="11">APP</text>')
        end += 32 + GAP
    paper.write(end, base, shot.at, "dim")
    paper.down += LINE


def _line(paper: Paper, line: str, *, is_edited: bool) -> None:
    """Write one line of Markdown in as many as it takes."""
    if not line:
        paper.down += LINE / 2
        return
    left = LEFT + 18.0 if line.startswith("- ") else float(LEFT)
    if left > LEFT:
        paper.write(LEFT + 4, paper.down + 15, "•")
    words = [*_words(line.removeprefix("- ")), *([(" (edited)", "dim")] if is_edited else [])]
    for runs in _filled(words, WIDTH - EDGE - left):
        at = left
        for text, look in runs:
            at = paper.write(at, paper.down + 15, text, look)
        paper.down += LINE


def _filled(words: Iterable[tuple[str, str]], width: float) -> Iterator[list[tuple[str, str]]]:
    """Yield lines of words, those that look alike joined."""
    runs: list[tuple[str, str]] = []
    used = 0.0
    for text, look in words:
        if runs and used + width_of(text.rstrip(), look) > width:
            yield runs
            runs, used = [(text.lstrip(), look)], width_of(text.lstrip(), look)
            continue
        used += width_of(text, look)
        if runs and runs[-1][1] == look and look not in _GROUNDED:
            runs[-1] = (runs[-1][0] + text, look)
        else:
            runs.append((text, look))
    yield runs


def _words(line: str) -> Iterator[tuple[str, str]]:
    """Yield the words of a line with how each looks, blanks before them; what is bold or code may be cut at blanks, too."""
    end = 0
    for found in _PIECES.finditer(line):
        yield from _cut(line[end : found.start()], "")
        look = found.lastgroup or ""
        text = found[look]
        yield from ([(text, look)] if look in _GROUNDED else _cut(text, "" if look == "plain" else look))
        end = found.end()
    yield from _cut(line[end:], "")


def _cut(text: str, look: str) -> Iterator[tuple[str, str]]:
    yield from ((word, look) for word in re.findall(r"\s*\S+|\s+$", text))


def _buttons(paper: Paper, shot: Shot) -> None:
    for row in shot.buttons:
        left = float(LEFT)
        paper.down += GAP / 2
        for label, is_chosen in row:
            width = width_of(label, "label") + 28
            if left + width > WIDTH - EDGE and left > LEFT:
                left, paper.down = float(LEFT), paper.down + BUTTON + GAP
            paper.box(left, paper.down, width, BUTTON, BLUE if is_chosen else GREY, round_by=6)
            paper.write(left + 14, paper.down + 21, label, "label")
            left += width + GAP
        paper.down += BUTTON + GAP / 2


def _flat(text: str) -> str:
    return _PIECES.sub(lambda found: found[found.lastgroup or 0], text).replace("\n", " ")


def _short(text: str, look: str, width: float) -> str:
    """Return as much of a text as fits."""
    if width_of(text, look) <= width:
        return text
    while width_of(f"{text}…", look) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"
