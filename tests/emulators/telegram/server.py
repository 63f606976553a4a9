"""The HTTP side: /bot<token>/<method> and /file/bot<token>/<path>."""

import re
from dataclasses import dataclass

from aiohttp import web

from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.errors import Refusal
from tests.emulators.telegram.faults import DroppedConnection, Fault, OutagePage
from tests.emulators.telegram.methods import METHODS
from tests.emulators.telegram.params import Params, read_params
from tests.emulators.telegram.world import Call, World

TOKEN = re.compile(r"\d+:[A-Za-z0-9_-]{5,}")
BIGGEST_REQUEST = 60 * 1024 * 1024
OUTAGE = "<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"


@dataclass(frozen=True, slots=True)
class BotApi:
    """Answers the calls of bots out of one world."""

    world: World

    def application(self) -> web.Application:
        """Return the web application with its routes."""
        app = web.Application(client_max_size=BIGGEST_REQUEST)
        app.router.add_route("*", "/bot{token}/{method}", self._answer)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        return app

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        try:
            answer = await self._guarded(request)
        except Refusal as refusal:
            answer = web.json_response(refusal.to_json(), status=refusal.code)
        self.world.changes.notify()
        return answer

    async def _guarded(self, request: web.Request) -> web.Response:
        bot = self._bot(request.match_info["token"])
        name = request.match_info["method"]
        method = METHODS.get(name.lower())
        if method is None:
            raise Refusal(404, "Not Found: method not found")
        params = await read_params(request)
        call = Call(bot, name, params, self.world.clock.now())
        self.world.calls.append(call)
        self.world.changes.notify()
        fault = self.world.fault_for(name, params)
        if fault is not None:
            return await self._troubled(request, call, fault)
        result = await method(self.world, call)
        return web.json_response({"ok": True, "result": result})

    async def _troubled(self, request: web.Request, call: Call, fault: Fault) -> web.Response:
        match fault.trouble:
            case Refusal() as refusal:
                raise refusal
            case OutagePage(status):
                return web.Response(status=status, text=OUTAGE, content_type="text/html")
            case DroppedConnection(performed):
                if performed:
                    await METHODS[call.method.lower()](self.world, call)
                if request.transport is not None:
                    request.transport.close()
                return web.Response(status=500)

    async def _download(self, request: web.Request) -> web.Response:
        self._bot(request.match_info["token"])
        stored = self.world.files.get(request.match_info["path"].removeprefix("documents/"))
        if stored is None or self.world.fault_for("download", Params({})):
            return web.json_response(Refusal(404, "Not Found").to_json(), status=404)
        return web.Response(body=stored.content, content_type="application/octet-stream")

    def _bot(self, token: str) -> BotAccount:
        bot = self.world.bots.get(token)
        if bot is not None:
            return bot
        raise Refusal(401, "Unauthorized") if TOKEN.fullmatch(token) else Refusal(404, "Not Found")
