"""The documentation, read as data."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Page:
    """A Markdown page, named by its path from the root."""

    path: str

    @property
    def text(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    @property
    def prose(self) -> str:
        """Return the text without its code blocks."""
        return FENCE.sub("", self.text)

    def blocks(self, language: str) -> list[str]:
        """Return the code blocks of one language."""
        return [code for name, code in FENCE.findall(self.text) if name == language]

    def links(self) -> list[str]:
        """Return the targets of all links."""
        return LINK.findall(self.prose)

    def anchors(self) -> set[str]:
        """Return what `#…` can point at."""
        return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in HEADING.findall(self.prose)}


def pages() -> list[Page]:
    """Return the README, the change log and all pages below docs/."""
    paths = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [Page(path.relative_to(ROOT).as_posix()) for path in paths]
