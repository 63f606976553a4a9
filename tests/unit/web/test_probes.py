import httpx

from bot.domain.finding import Finding
from bot.web.probes import make_probes_app


async def test_a_process_is_ready_when_all_its_parts_are() -> None:
    found = [Finding("store", is_ready=True, state="serves"), Finding("discord", is_ready=False, state="refused")]

    async def findings() -> list[Finding]:
        return found

    async def metrics() -> bytes:
        return b"baku_turns_total 1.0\n"

    transport = httpx.ASGITransport(make_probes_app(findings, metrics))
    async with httpx.AsyncClient(transport=transport, base_url="http://bot") as web:
        unready = await web.get("/readyz")
        found.pop()
        ready, page = await web.get("/readyz"), await web.get("/metrics")

    assert (unready.status_code, unready.json()) == (503, {"ready": False, "parts": {"store": "serves", "discord": "refused"}})
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "parts": {"store": "serves"}})
    assert page.text == "baku_turns_total 1.0\n"
