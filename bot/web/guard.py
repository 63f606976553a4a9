"""Nothing is answered without the token."""

from secrets import compare_digest

from fastapi.responses import JSONResponse
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

OPEN_PATHS = frozenset({"/healthz"})
_SCHEME = "bearer"


class TokenGuard:
    """Lets a request through when it bears the token; anything else gets 401, known path or not."""

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        if scope["type"] == "lifespan" or scope["path"] in OPEN_PATHS or self._bears_token(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        refusal = JSONResponse(
            {"error": "Send the token of BAKU_WEB_TOKEN in a header: Authorization: Bearer <token>"},
            status_code=401,
            headers={"WWW-Authenticate": "Bearer"},
        )
        await refusal(scope, receive, send)

    def _bears_token(self, headers: Headers) -> bool:
        scheme, _, given = headers.get("authorization", "").partition(" ")
        return scheme.lower() == _SCHEME and compare_digest(given.strip().encode("latin-1"), self._token)
