"""The picture of fading in docs/memory.md: `python -m tests.docs.fading` draws it anew."""

from bot.cli.simulate import fading_chart, picture
from bot.domain.persona import MemoryPolicy
from bot.testing.clock import START
from bot.testing.factories import a_scope
from tests.docs.pages import ROOT

PICTURE = ROOT / "docs" / "pictures" / "fading.svg"


def drawn() -> str:
    """Return the picture of the usual policy over 90 days."""
    return picture(fading_chart(MemoryPolicy(), a_scope(), days=90, used_every=7, start=START))


def main() -> None:
    """Draw the picture anew."""
    PICTURE.write_text(drawn(), encoding="utf-8")


if __name__ == "__main__":
    main()
