"""What monitors ask a process: whether it lives, whether it may be sent work, and its metrics. Nothing there is personal."""

from collections.abc import Awaitable, Callable, Sequence

from fastapi import FastAPI, Response
from fastapi.responses import JSONResponse

from bot.domain.finding import Finding

METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8"


def make_probes_app(findings: Callable[[], Awaitable[Sequence[Finding]]], metrics: Callable[[], Awaitable[bytes]]) -> FastAPI:
    """Return the pages. None needs a token, so open them to monitors alone."""
    app = FastAPI(title="Baku", docs_url=None, redoc_url=None, openapi_url=None)

    @app.get("/healthz")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/readyz")
    async def readiness() -> JSONResponse:
        found = await findings()
        is_ready = all(finding.is_ready for finding in found)
        parts = {finding.part: finding.state for finding in found}
        return JSONResponse({"ready": is_ready, "parts": parts}, status_code=200 if is_ready else 503)

    @app.get("/metrics")
    async def metrics_page() -> Response:
        return Response(await metrics(), media_type=METRICS_TYPE)

    return app
