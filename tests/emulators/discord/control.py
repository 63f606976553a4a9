"""Driving an emulator that runs as a process of its own: one HTTP call, one deed."""

import json
from collections.abc import Awaitable, Callable

from aiohttp import web

from tests.emulators.discord.interactions import CommandUnavailable
from tests.emulators.discord.objects import Channel, Guild, Message, Payload, User
from tests.emulators.discord.permissions import Permission
from tests.emulators.discord.rest import answer
from tests.emulators.discord.server import DiscordEmulator

CONTROL = "/_control"

Deed = Callable[[Payload], Awaitable[Payload]]


class Control:
    """POST /_control/<deed> with a JSON object; ids are strings, as Discord writes them."""

    def __init__(self, emulator: DiscordEmulator) -> None:
        self._emulator = emulator
        self._deeds: dict[str, Deed] = {
            "guild": self.guild,
            "channel": self.channel,
            "thread": self.thread,
            "person": self.person,
            "dm": self.dm,
            "say": self.say,
            "edit": self.edit,
            "delete": self.delete,
            "slash": self.slash,
            "messages": self.messages,
            "calls": self.calls,
            "drop_gateway": self.drop_gateway,
            "outage": self.outage,
        }

    def add_to(self, app: web.Application) -> None:
        """Register the one route."""
        app.router.add_post(f"{CONTROL}/{{deed}}", self.handle)

    async def handle(self, request: web.Request) -> web.Response:
        """Do the deed; a wrong id or name is answered with 400."""
        deed = self._deeds.get(request.match_info["deed"])
        if deed is None:
            return answer({"error": f"There is no such deed; there are {sorted(self._deeds)}."}, 404)
        try:
            return answer(await deed(json.loads(await request.text() or "{}")))
        except (KeyError, ValueError, CommandUnavailable) as error:
            return answer({"error": repr(error)}, 400)

    async def guild(self, given: Payload) -> Payload:
        """Make a server: name, bot_permissions."""
        permissions = Permission(int(given.get("bot_permissions", 0)))
        return _id(self._emulator.guild(given.get("name", "Tea house"), bot_permissions=permissions).id)

    async def channel(self, given: Payload) -> Payload:
        """Make a channel: guild, name."""
        return _id(self._emulator.channel(self._guild(given), given.get("name", "general")).id)

    async def thread(self, given: Payload) -> Payload:
        """Open a thread: channel, user, name."""
        thread = self._emulator.thread(self._channel(given), given.get("name", "thread"), self._user(given))
        return _id(thread.id)

    async def person(self, given: Payload) -> Payload:
        """Make a person: name, guild, permissions."""
        guild = self._guild(given) if "guild" in given else None
        roles = None
        if guild is not None and "permissions" in given:
            roles = [self._emulator.role(guild, "role", Permission(int(given["permissions"])))]
        return _id(self._emulator.person(given["name"], guild, roles=roles).id)

    async def dm(self, given: Payload) -> Payload:
        """Open the private chat with a person: user."""
        return _id(self._emulator.dm(self._user(given)).id)

    async def say(self, given: Payload) -> Payload:
        """Let somebody write: channel, user, text, reply_to."""
        channel = self._channel(given)
        replied = self._message(channel, given["reply_to"]) if "reply_to" in given else None
        return _id(self._emulator.member_says(channel, self._user(given), given["text"], reply_to=replied).id)

    async def edit(self, given: Payload) -> Payload:
        """Change a message: channel, message, text."""
        self._emulator.member_edits(self._message(self._channel(given), given["message"]), given["text"])
        return {}

    async def delete(self, given: Payload) -> Payload:
        """Remove a message: channel, message."""
        self._emulator.member_deletes(self._message(self._channel(given), given["message"]))
        return {}

    async def slash(self, given: Payload) -> Payload:
        """Run a command and wait for its answer: channel, user, command, options."""
        asked = self._emulator.slash(self._user(given), self._channel(given), given["command"], **given.get("options", {}))
        await asked.answer()
        shown = [{"text": m.content, "ephemeral": m.ephemeral} for m in asked.messages]
        return {"deferred": asked.deferred, "answers": shown}

    async def messages(self, given: Payload) -> Payload:
        """Return what stands in a channel: channel."""
        return {
            "messages": [
                {
                    "id": str(m.id),
                    "user": str(m.author.id),
                    "text": m.content,
                    "reply_to": str(m.reply_to.id) if m.reply_to else None,
                    "pinged": sorted(m.pinged),
                }
                for m in self._channel(given).messages
                if not m.deleted
            ]
        }

    async def calls(self, _: Payload) -> Payload:
        """Return the REST requests so far, without their bodies."""
        return {"calls": [{"method": c.method, "path": c.path, "status": c.status} for c in self._emulator.calls]}

    async def drop_gateway(self, given: Payload) -> Payload:
        """Cut the gateway connections, or close them: code."""
        await self._emulator.drop_gateway(given.get("code"))
        return {}

    async def outage(self, given: Payload) -> Payload:
        """Let all of REST fail, or end that: status (null ends)."""
        self._emulator.outage(given.get("status"))
        return {}

    def _guild(self, given: Payload) -> Guild:
        return self._emulator.world.guilds[int(given["guild"])]

    def _channel(self, given: Payload) -> Channel:
        return self._emulator.world.channels[int(given["channel"])]

    def _user(self, given: Payload) -> User:
        return self._emulator.world.users[int(given["user"])]

    def _message(self, channel: Channel, message_id: str) -> Message:
        found = self._emulator.world.find_message(channel, int(message_id))
        if found is None:
            raise ValueError(f"There is no message {message_id}.")
        return found


def _id(number: int) -> Payload:
    return {"id": str(number)}
