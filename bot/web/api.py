"""The routes of the web API."""

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from bot.domain.persona import Personas
from bot.errors import StoreError
from bot.ports.store import Store
from bot.web.guard import TokenGuard
from bot.web.memory import PersonaMemory, UnknownPersona, UnknownPlace, persona_memory

_REMEDIES = {404: "There is no such page; try GET /api/persona/active/memory.", 405: "This page is only read: use GET."}


def make_web_app(store: Store, personas: Personas, token: str) -> FastAPI:
    """Return the API. Everything but /healthz asks for the token. Raises ValueError when there is none."""
    if not token:
        raise ValueError("The web API needs a token; set BAKU_WEB_TOKEN.")
    app = FastAPI(title="Baku", docs_url=None, redoc_url=None, openapi_url=None)
    app.add_middleware(TokenGuard, token=token)
    _explain_errors(app)

    @app.get("/healthz")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/api/persona/active/memory")
    async def memory(response: Response, persona: str = "", conversation: str = "", person: str = "") -> PersonaMemory:
        response.headers["Cache-Control"] = "no-store"
        return await persona_memory(store, personas, persona_id=persona, place=conversation, person_id=person)

    return app


def _explain_errors(app: FastAPI) -> None:
    """Let every error come as JSON that says what to do."""

    @app.exception_handler(HTTPException)
    async def refused(_request: Request, problem: HTTPException) -> JSONResponse:
        return _error(problem.status_code, _REMEDIES.get(problem.status_code, str(problem.detail)))

    @app.exception_handler(RequestValidationError)
    async def malformed(_request: Request, problem: RequestValidationError) -> JSONResponse:
        return _error(400, "; ".join(f"{error['loc'][-1]}: {error['msg']}" for error in problem.errors()))

    @app.exception_handler(UnknownPlace)
    async def no_place(_request: Request, problem: UnknownPlace) -> JSONResponse:
        return _error(400, str(problem))

    @app.exception_handler(UnknownPersona)
    async def no_persona(_request: Request, problem: UnknownPersona) -> JSONResponse:
        return _error(404, str(problem))

    @app.exception_handler(StoreError)
    async def no_store(_request: Request, problem: StoreError) -> JSONResponse:
        return _error(503, str(problem))


def _error(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": text}, status_code=status)
