"""The pictures of chats in docs/pictures, drawn from sessions on the emulated Discord: `python -m tests.docs.chats` draws them anew."""

import asyncio
from pathlib import Path

from tests.docs.chat_drawing import drawing
from tests.docs.pages import ROOT
from tests.docs.shots import SESSIONS, recorded


def picture(name: str) -> Path:
    """Return where the picture of a session is."""
    return ROOT / "docs" / "pictures" / f"{name}.svg"


async def drawn(name: str) -> str:
    """Return the picture of a session, which takes place for it."""
    shots = await SESSIONS[name]()
    return drawing("# general", shots, recorded(shots))


def main() -> None:
    """Draw the pictures anew."""
    for name in SESSIONS:
        picture(name).write_text(asyncio.run(drawn(name)), encoding="utf-8")


if __name__ == "__main__":
    main()
