"""Gateway sessions: what each client was sent, so that it can resume."""

import asyncio
import json
import secrets
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any

from aiohttp import WSMsgType, web

from tests.emulators.discord.objects import Payload


class Intent(IntFlag):
    """The gateway intents that matter to a chat bot."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    EXPRESSIONS = 1 << 3
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT
ALWAYS = Intent(0)
KNOWN_BITS = (1 << 26) - 1


class Connection:
    """One websocket: frames leave in order, compressed when the client asked for it."""

    def __init__(self, request: web.Request, socket: web.WebSocketResponse) -> None:
        self._request = request
        self._socket = socket
        self._frames: asyncio.Queue[str] = asyncio.Queue()
        compress = request.query.get("compress") == "zlib-stream"
        self._compressor = zlib.compressobj() if compress else None

    def send(self, frame: Payload) -> None:
        """Queue one frame."""
        self._frames.put_nowait(json.dumps(frame))

    async def write_forever(self) -> None:
        """Write queued frames until cancelled or the socket is gone."""
        while not self._socket.closed:
            text = await self._frames.get()
            if self._compressor is None:
                await self._socket.send_str(text)
                continue
            squeezed = self._compressor.compress(text.encode())
            await self._socket.send_bytes(squeezed + self._compressor.flush(zlib.Z_SYNC_FLUSH))

    async def read(self) -> Any:
        """Return the next frame from the client, or None when it is gone."""
        message = await self._socket.receive()
        if message.type is WSMsgType.TEXT:
            return json.loads(message.data)
        return None

    async def close(self, code: int) -> None:
        """Close with a code of Discord's list."""
        await self._socket.close(code=code)

    def cut(self) -> None:
        """Tear the connection down without a word, as a network does."""
        if self._request.transport is not None:
            self._request.transport.abort()


@dataclass(slots=True, eq=False)
class Session:
    """What one IDENTIFY began; it outlives its connections until it is invalidated."""

    intents: Intent
    shard: tuple[int, int] | None = None
    id: str = field(default_factory=lambda: secrets.token_hex(16))
    connection: Connection | None = None
    sent: list[Payload] = field(default_factory=list)

    @property
    def sequence(self) -> int:
        """Return the number of the last event."""
        return len(self.sent)

    def dispatch(self, event: str, data: Payload) -> None:
        """Send an event, or keep it for a resume while no client is there."""
        frame: Payload = {"op": 0, "t": event, "s": self.sequence + 1, "d": data}
        self.sent.append(frame)
        if self.connection is not None:
            self.connection.send(frame)

    def replay(self, connection: Connection, after: int) -> None:
        """Send again what followed the event numbered `after`, then RESUMED."""
        missed = self.sent[after:]
        self.connection = connection
        for frame in missed:
            connection.send(frame)
        self.dispatch("RESUMED", {})

    def serves(self, guild_id: int | None) -> bool:
        """Say whether this shard gets the server's events; private chats go to the first."""
        if self.shard is None:
            return True
        number, count = self.shard
        return number == ((guild_id or 0) >> 22) % count


class Sessions:
    """All sessions that may still receive events."""

    def __init__(self) -> None:
        self._sessions: dict[str, Session] = {}

    def add(self, session: Session) -> None:
        """Keep the session; what the same shard left behind without a connection goes."""
        stale = [s for s in self if s.connection is None and s.shard == session.shard]
        for old in stale:
            self.drop(old)
        self._sessions[session.id] = session

    def get(self, session_id: str) -> Session | None:
        """Return the session unless it was invalidated."""
        return self._sessions.get(session_id)

    def drop(self, session: Session) -> None:
        """Forget the session, so that it cannot be resumed."""
        self._sessions.pop(session.id, None)

    def __iter__(self) -> Iterator[Session]:
        """Go through the sessions as they are now."""
        return iter(list(self._sessions.values()))

    @property
    def connected(self) -> list[Session]:
        """Return the sessions with a client at the other end."""
        return [s for s in self._sessions.values() if s.connection is not None]
