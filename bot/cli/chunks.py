"""`baku memory chunks`: how a conversation's past is divided, and how far its summaries have come."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text

from bot.cli.conversations import NOBODY_SPOKE, meant_conversation
from bot.cli.database import opened_store
from bot.cli.fading import shortened
from bot.cli.output import show, table
from bot.config.loading import load_settings
from bot.config.settings import Settings
from bot.domain.chat import ConversationKey
from bot.domain.past import Chunk, ChunkState

PAGE = 500


@dataclass(frozen=True, slots=True)
class _Divided:
    """How a conversation is divided."""

    conversation: ConversationKey
    chunks: Sequence[Chunk]
    is_building: bool
    """Whether new ones are not complete yet."""


def show_chunks(typed: str, *, db: str | None) -> None:
    """Print the chunks of a conversation, oldest first."""
    found = asyncio.run(_chunks(load_settings(db=db), typed))
    if found is None:
        print(NOBODY_SPOKE)
        return
    if found.chunks:
        shown = table("from (UTC)", "until", "messages", "state", "summary")
        for chunk in found.chunks:
            times = (f"{time:%Y-%m-%d %H:%M}" for time in (chunk.began_at, chunk.ended_at))
            shown.add_row(*times, str(chunk.messages), _state(chunk), shortened(chunk.summary))
        show(shown)
    else:
        print(f"There are no chunks of {found.conversation} yet; they come with a language model, a few messages after what they tell of.")
    if any(chunk.state is ChunkState.PARKED for chunk in found.chunks):
        print(f"\nParked ones were given up after three failures; this tries again: baku memory regenerate {found.conversation}")
    if found.is_building:
        print(f"\nNew ones are not complete yet; this goes on with them: baku memory regenerate {found.conversation}")


async def _chunks(settings: Settings, typed: str) -> _Divided | None:
    """Return the chunks that are shown, oldest first; None when nobody has spoken anywhere."""
    async with opened_store(settings) as store:
        conversation = await meant_conversation(store, typed)
        if conversation is None:
            return None
        found: list[Chunk] = []
        async with store.read() as tx:
            state = await tx.pasts.state(conversation)
            while page := await tx.pasts.chunks(conversation, state.generation, after_row=found[-1].first_row if found else 0, limit=PAGE):
                found += page
        return _Divided(conversation, found, state.building is not None)


def _state(chunk: Chunk) -> Text:
    condensed = ", of several" if chunk.depth else ""
    return Text(f"{chunk.state}{condensed}", style="bold red" if chunk.state is ChunkState.PARKED else "")
