"""A web API under test, on a real store, asked in memory or over a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import httpx

from bot.domain.chat import ConversationKind, MemoryScope, audience_of, console_conversation
from bot.domain.memory import EditOrigin, Remember
from bot.domain.message import Person
from bot.domain.persona import MemoryPolicy, Persona, Personas
from bot.memory.edit import MemoryEditor
from bot.storage.store import SqlStore
from bot.web.api import make_web_app

TOKEN = "a-token-that-is-long-enough"
IRIS = Persona("iris", "Iris", "Calm.", "Hello.", time_zone="Asia/Tokyo")
ROOK = Persona("rook", "Rook", "Loud.", "Ho!")
PERSONAS = Personas({"iris": IRIS, "rook": ROOK}, "iris")
SITTING = Person("console-user", "Ada")
NOON = datetime(2026, 5, 3, 12, 0, tzinfo=UTC)
MEMORY = "/api/persona/active/memory"


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SqlStore]:
    """Give a store at that address."""
    store = SqlStore(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def client(store: SqlStore, *, token: str | None = TOKEN) -> httpx.AsyncClient:
    """Return a client that bears the token, or another one, or none."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx.ASGITransport(make_web_app(store, PERSONAS, TOKEN))
    return httpx.AsyncClient(transport=transport, base_url="http://bot", headers=headers)


def sitting_scope(persona_id: str = "iris") -> MemoryScope:
    """Return what a persona knows of whoever sits at the terminal."""
    return MemoryScope(persona_id, audience_of(console_conversation(), ConversationKind.DIRECT, SITTING.id))


async def remember(store: SqlStore, *texts: str, scope: MemoryScope | None = None) -> None:
    """Let a persona remember texts."""
    scope = scope or sitting_scope()
    async with store.write() as tx:
        for text in texts:
            number = await tx.memories.reserve_number(scope)
            await MemoryEditor(tx, scope, MemoryPolicy(), NOON).apply(
                Remember(number, text, None), EditOrigin("operator", "a test", SITTING)
            )
