"""The REST side: authorization, trouble and limits around the routes."""

import json
from dataclasses import dataclass, field

from aiohttp import BodyPartReader, web
from aiohttp.typedefs import Handler, Middleware

from tests.emulators.changes import Changes
from tests.emulators.discord.faults import Faults, LoseAnswer, ServerError
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.interactions import Interactions
from tests.emulators.discord.limits import RateLimits, TooMany
from tests.emulators.discord.objects import Attachment, Channel, Guild, Message, Payload
from tests.emulators.discord.posting import Post
from tests.emulators.discord.refusals import (
    Refusal,
    not_found,
    snowflake,
    unauthorized,
    unknown_channel,
    unknown_guild,
    unknown_message,
)
from tests.emulators.discord.state import World

API = "/api/v10"
OPEN_PATHS = (f"{API}/interactions/", f"{API}/webhooks/")
MAJOR_PARAMETERS = ("channel_id", "guild_id", "webhook_id", "webhook_token")


@dataclass(slots=True, frozen=True)
class Call:
    """One request that came in, as tests look at it."""

    method: str
    path: str
    body: Payload
    status: int


@dataclass(slots=True)
class Rest:
    """What all routes share."""

    world: World
    gateway: Gateway
    post: Post
    interactions: Interactions
    changes: Changes
    limits: RateLimits
    faults: Faults = field(default_factory=Faults)
    calls: list[Call] = field(default_factory=list)
    outage_status: int | None = None
    typing: list[int] = field(default_factory=list)

    def channel(self, request: web.Request) -> Channel:
        """Return the channel named in the path."""
        found = self.world.channels.get(snowflake("channel_id", request.match_info["channel_id"]))
        if found is None:
            raise unknown_channel()
        return found

    def guild(self, request: web.Request) -> Guild:
        """Return the server named in the path."""
        found = self.world.guilds.get(snowflake("guild_id", request.match_info["guild_id"]))
        if found is None or self.world.bot.id not in found.members:
            raise unknown_guild()
        return found

    def message(self, channel: Channel, request: web.Request) -> Message:
        """Return the message named in the path."""
        message_id = snowflake("message_id", request.match_info["message_id"])
        found = self.world.find_message(channel, message_id)
        if found is None:
            raise unknown_message()
        return found


def answer(payload: object, status: int = 200) -> web.Response:
    """Return JSON with exactly the content type that the client accepts."""
    body = json.dumps(payload).encode()
    return web.Response(body=body, status=status, headers={"Content-Type": "application/json"})


def nothing() -> web.Response:
    """Return 204."""
    return web.Response(status=204)


async def read_body(world: World, request: web.Request) -> tuple[Payload, list[Attachment]]:
    """Return the JSON of the request and the files that came with it."""
    if request.content_type != "multipart/form-data":
        return _as_object(await request.text()), []
    body: Payload = {}
    files: list[Attachment] = []
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = _as_object(data.decode())
        else:
            kind = part.headers.get("Content-Type", "application/octet-stream")
            files.append(world.attachment(part.filename or "file", data, kind))
    return body, files


def _as_object(text: str) -> Payload:
    if not text:
        return {}
    parsed = json.loads(text)
    return parsed if isinstance(parsed, dict) else {"": parsed}


def guard(rest: Rest) -> Middleware:
    """Return the middleware that answers as Discord does when something is wrong."""

    @web.middleware
    async def middleware(request: web.Request, handler: Handler) -> web.StreamResponse:
        if not request.path.startswith(API):
            return await handler(request)
        body = _as_object(await request.text()) if request.content_type == "application/json" else {}
        trouble = rest.faults.strike(request.method, request.path)
        if trouble is None or isinstance(trouble, LoseAnswer):
            response = await _respond(rest, request, handler)
        else:
            response = _refuse(trouble)
        call = Call(request.method, request.path.removeprefix(API), body, response.status)
        rest.calls.append(call)
        rest.changes.notify()
        if isinstance(trouble, LoseAnswer) and request.transport is not None:
            request.transport.abort()
        return response

    return middleware


async def _respond(rest: Rest, request: web.Request, handler: Handler) -> web.StreamResponse:
    if rest.outage_status is not None:
        return _refuse(ServerError(rest.outage_status))
    route, major = _route_of(request)
    too_many = rest.limits.check(request.method, route, major)
    if too_many is not None:
        return _refuse(too_many)
    try:
        _authorize(rest.world, request)
        response = await handler(request)
    except web.HTTPException:
        return _refused(not_found())
    except json.JSONDecodeError:
        return _refused(Refusal(400, 50109, "The request body contains invalid JSON."))
    except Refusal as refusal:
        return _refused(refusal)
    response.headers.update(rest.limits.headers(request.method, route, major))
    return response


def _authorize(world: World, request: web.Request) -> None:
    if request.path.startswith(OPEN_PATHS):
        return
    if request.headers.get("Authorization") != f"Bot {world.token}":
        raise unauthorized()


def _route_of(request: web.Request) -> tuple[str, str]:
    resource = request.match_info.route.resource
    route = resource.canonical.removeprefix(API) if resource is not None else request.path
    parts = (request.match_info.get(name, "") for name in MAJOR_PARAMETERS)
    return route, "/".join(parts)


def _refused(refusal: Refusal) -> web.Response:
    return answer(refusal.payload(), refusal.status)


def _refuse(trouble: ServerError | TooMany) -> web.Response:
    match trouble:
        case TooMany():
            response = answer(trouble.payload(), 429)
            response.headers.update(trouble.headers())
            return response
        case ServerError(status):
            page = f"<html><head><title>{status}</title></head><body>cloudflare</body></html>"
            return web.Response(text=page, status=status, content_type="text/html")
