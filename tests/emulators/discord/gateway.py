"""The gateway websocket: HELLO, IDENTIFY, RESUME, heartbeats, events."""

import asyncio
import contextlib
import json
import time
from collections.abc import Callable

from aiohttp import web

from tests.emulators.changes import Changes
from tests.emulators.discord.objects import Channel, Message, Payload
from tests.emulators.discord.payloads import (
    application_payload,
    event_payload,
    guild_payload,
    member_payload,
    user_payload,
)
from tests.emulators.discord.sessions import (
    ALWAYS,
    KNOWN_BITS,
    PRIVILEGED,
    Connection,
    Intent,
    Session,
    Sessions,
)
from tests.emulators.discord.state import World

HEARTBEAT_MS = 41_250

UNKNOWN_OPCODE = 4001
UNDECODABLE = 4002
NOT_AUTHENTICATED = 4003
BAD_TOKEN = 4004
ALREADY_AUTHENTICATED = 4005
BAD_SEQUENCE = 4007
BAD_SHARD = 4010
BAD_INTENTS = 4013
DISALLOWED_INTENTS = 4014


class _Close(Exception):
    """The client broke the protocol; close with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Gateway:
    """Speaks to every connected client and decides which events it may see."""

    def __init__(self, world: World, changes: Changes) -> None:
        self._world = world
        self._changes = changes
        self.sessions = Sessions()
        self.identifies = 0
        self.resumes = 0
        self.allowed_intents = PRIVILEGED
        self.shards = 1
        self.max_concurrency = 1
        self.identify_seconds = 0.0
        """Between two identifications of one bucket; one that comes too early gets no session."""
        self.early_identifies = 0
        self._identified: dict[int, float] = {}
        self.url = ""
        self.files_url = ""

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one websocket from HELLO to its end."""
        socket = web.WebSocketResponse(autoping=True)
        await socket.prepare(request)
        connection = Connection(request, socket)
        writer = asyncio.create_task(connection.write_forever())
        session: Session | None = None
        try:
            connection.send({"op": 10, "d": {"heartbeat_interval": HEARTBEAT_MS}, "s": None, "t": None})
            while (frame := await connection.read()) is not None:
                session = self._receive(connection, session, frame)
        except json.JSONDecodeError:
            await connection.close(UNDECODABLE)
        except _Close as close:
            await connection.close(close.code)
        finally:
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await writer
            self._leave(connection)
        return socket

    def dispatch(self, event: str, data: Payload, *, needs: Intent = ALWAYS, guild_id: int | None = None) -> None:
        """Send the event to each session that asked for its kind and serves its server."""
        for session in self.sessions:
            if session.intents & needs == needs and session.serves(guild_id):
                session.dispatch(event, data)
        self._changes.notify()

    def dispatch_message(self, event: str, message: Message) -> None:
        """Send a message event; who lacks the content intent gets it without its content."""
        channel = message.channel
        if not self._world.bot_sees(channel):
            return
        guild_id = channel.guild.id if channel.guild else None
        needs = Intent.DIRECT_MESSAGES if guild_id is None else Intent.GUILD_MESSAGES
        for session in self.sessions:
            if session.intents & needs and session.serves(guild_id):
                session.dispatch(event, self._message_for(session, message))
        self._changes.notify()

    def dispatch_channel(self, event: str, channel: Channel, data: Payload) -> None:
        """Send a channel or thread event to those who may see the channel."""
        if channel.guild is not None and self._world.bot_sees(channel):
            self.dispatch(event, data, needs=Intent.GUILDS, guild_id=channel.guild.id)

    async def close_all(self, code: int) -> None:
        """Close each connection with the code; the sessions can be resumed."""
        for session in self.sessions.connected:
            if session.connection is not None:
                await session.connection.close(code)

    def cut_all(self) -> None:
        """Tear each connection down without a word; the sessions can be resumed."""
        self._with_connections(Connection.cut)

    def send_to_all(self, frame: Payload) -> None:
        """Send a frame that is no event, such as op 7."""
        self._with_connections(lambda connection: connection.send(frame))

    def forget_sessions(self) -> None:
        """Let no session be resumed."""
        for session in self.sessions:
            self.sessions.drop(session)

    def _with_connections(self, act: Callable[[Connection], None]) -> None:
        for session in self.sessions.connected:
            if session.connection is not None:
                act(session.connection)

    def _message_for(self, session: Session, message: Message) -> Payload:
        data = event_payload(self._world, message, self.files_url)
        bot = self._world.bot
        entitled = (
            bool(session.intents & Intent.MESSAGE_CONTENT)
            or message.channel.guild is None
            or message.author is bot
            or bot in message.mentions
        )
        if not entitled:
            data |= {"content": "", "embeds": [], "attachments": [], "components": []}
            data.pop("message_snapshots", None)
        return data

    def _receive(self, connection: Connection, session: Session | None, frame: Payload) -> Session | None:
        match frame:
            case {"op": 1}:
                connection.send({"op": 11, "d": None, "s": None, "t": None})
                return session
            case {"op": 2 | 6} if session is not None:
                raise _Close(ALREADY_AUTHENTICATED)
            case {"op": 2, "d": identify}:
                return self._identify(connection, identify)
            case {"op": 6, "d": resume}:
                return self._resume(connection, resume)
            case {"op": 3 | 4 | 8} if session is None:
                raise _Close(NOT_AUTHENTICATED)
            case {"op": 8, "d": request} if session is not None:
                self._send_members(session, request)
                return session
            case {"op": 3 | 4}:
                return session
            case _:
                raise _Close(UNKNOWN_OPCODE)

    def _identify(self, connection: Connection, identify: Payload) -> Session | None:
        if identify.get("token") != self._world.token:
            raise _Close(BAD_TOKEN)
        bits = identify.get("intents")
        if not isinstance(bits, int) or bits & ~KNOWN_BITS:
            raise _Close(BAD_INTENTS)
        if Intent(bits & PRIVILEGED) & ~self.allowed_intents:
            raise _Close(DISALLOWED_INTENTS)
        shard = identify.get("shard")
        if shard is not None and not 0 <= shard[0] < shard[1]:
            raise _Close(BAD_SHARD)
        if self._is_early((shard[0] if shard else 0) % self.max_concurrency):
            self.early_identifies += 1
            connection.send({"op": 9, "d": False, "s": None, "t": None})
            return None
        session = Session(Intent(bits), (shard[0], shard[1]) if shard else None)
        session.connection = connection
        self.sessions.add(session)
        self.identifies += 1
        self._greet(session)
        self._changes.notify()
        return session

    def _is_early(self, bucket: int) -> bool:
        now, last = time.monotonic(), self._identified.get(bucket, float("-inf"))
        if now - last < self.identify_seconds:
            return True
        self._identified[bucket] = now
        return False

    def _greet(self, session: Session) -> None:
        guilds = [g for g in self._world.guilds.values() if session.serves(g.id)]
        ready: Payload = {
            "v": 10,
            "user": user_payload(self._world.bot),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "application": _short_application(self._world),
        }
        if session.shard is not None:
            ready["shard"] = list(session.shard)
        session.dispatch("READY", ready)
        if session.intents & Intent.GUILDS:
            for guild in guilds:
                session.dispatch("GUILD_CREATE", guild_payload(self._world, guild))

    def _resume(self, connection: Connection, resume: Payload) -> Session | None:
        if resume.get("token") != self._world.token:
            raise _Close(BAD_TOKEN)
        session = self.sessions.get(str(resume.get("session_id")))
        if session is None:
            connection.send({"op": 9, "d": False, "s": None, "t": None})
            return None
        after = resume.get("seq") or 0
        if after > session.sequence:
            raise _Close(BAD_SEQUENCE)
        self.resumes += 1
        session.replay(connection, after)
        self._changes.notify()
        return session

    def _send_members(self, session: Session, request: Payload) -> None:
        guild = self._world.guilds.get(int(request["guild_id"]))
        if guild is None:
            return
        wanted = {int(i) for i in request.get("user_ids") or ()}
        query = str(request.get("query") or "").lower()
        may_list = bool(session.intents & Intent.GUILD_MEMBERS)
        found = [
            member_payload(member)
            for member in guild.members.values()
            if (member.user.id in wanted if wanted else member.user.name.lower().startswith(query)) and (may_list or wanted or query)
        ]
        chunk: Payload = {
            "guild_id": str(guild.id),
            "members": found[: request.get("limit") or None],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(i) for i in wanted if i not in guild.members],
        }
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk | {"nonce": request.get("nonce")})

    def _leave(self, connection: Connection) -> None:
        for session in self.sessions:
            if session.connection is connection:
                session.connection = None
        self._changes.notify()


def _short_application(world: World) -> Payload:
    full = application_payload(world)
    return {"id": full["id"], "flags": full["flags"]}
