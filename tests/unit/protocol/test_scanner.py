"""Text with markup in it, whatever the markup means."""

import re

import pytest

from bot.protocol.scanner import Removed, Scanner, Verdict, VisibleText


def read_mark(text: str, start: int, final: bool) -> Removed[str] | Verdict:
    """Read `<!>` as a mark, `<#>` as one that takes all up to `#`, `<~>` as one that voids what was before."""
    if len(text) < start + 3:
        return Verdict.SHOW if final else Verdict.WAIT
    match text[start : start + 3]:
        case "<!>":
            return Removed(start + 3, ("mark",))
        case "<#>":
            return Removed(start + 3, skip_to=re.compile("#"))
        case "<~>":
            return Removed(start + 3, ("void",), restart=True)
        case _:
            return Verdict.SHOW


def scan(text: str) -> tuple[str, list[str]]:
    scanner = Scanner[str](read_mark)
    results = scanner.feed(text) + scanner.close()
    return "".join(r.text for r in results if isinstance(r, VisibleText)), [r for r in results if isinstance(r, str)]


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        pytest.param("<!> \n\n a", "a", id="nothing before it"),
        pytest.param("a <!> b", "a b", id="blanks on both sides"),
        pytest.param("a<!> b", "a b", id="no blank before it"),
        pytest.param("a\n <!> \n\nb", "a\n \nb", id="alone in its line"),
        pytest.param("a\r\n<!>\r\nb", "a\r\nb", id="alone in its line, with returns"),
        pytest.param("a <!><!> <!> b", "a b", id="several"),
        pytest.param("a <#> b # c", "a c", id="skipped"),
        pytest.param("a <#> b", "a ", id="skipped to the end"),
        pytest.param("a <x> <", "a <x> <", id="no marks"),
    ],
)
def test_what_is_removed_leaves_no_gap(text: str, visible: str) -> None:
    assert scan(text)[0] == visible
    assert scan_one_by_one(text) == visible


def scan_one_by_one(text: str) -> str:
    scanner = Scanner[str](read_mark)
    results = [result for char in text for result in scanner.feed(char)] + scanner.close()
    return "".join(result.text for result in results if isinstance(result, VisibleText))


def test_marks_in_code_are_text() -> None:
    assert scan("`<!>` \\`<!>\\` ```\n<!>```") == ("`<!>` \\`\\` ```\n<!>```", ["mark"])


def test_after_a_restart_the_text_begins_anew() -> None:
    assert scan("a <~>\n b<!>") == ("a b", ["void", "mark"])
