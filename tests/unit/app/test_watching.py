import asyncio
import sys

import httpx
import pytest

from bot.app.standing import Standing
from bot.app.watching import Watched, watch_of, watching_services
from bot.app.world import SystemClock
from bot.config.settings import Settings
from bot.errors import ConfigError
from bot.ports.watch import NO_WATCH
from bot.storage.store import SqlStore
from bot.testing.databases import DATABASES
from tests.unit.web.test_server import free_port


def test_nothing_looks_on_unless_a_setting_asks_for_it() -> None:
    settings, store = Settings(_env_file=None), SqlStore(DATABASES.fresh())

    watch = watch_of(settings, SystemClock())

    assert watch is NO_WATCH
    assert watching_services(settings, Watched(store, Standing(store, {}), watch)) == ()


def test_traces_without_their_packages_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    monkeypatch.delitem(sys.modules, "bot.telemetry.otlp", raising=False)

    with pytest.raises(ConfigError, match=r'pip install --editable "\.\[trace\]"'):
        watch_of(Settings(_env_file=None, trace_url="http://localhost:4318/v1/traces"), SystemClock())


async def test_the_port_tells_of_life_readiness_and_metrics_without_a_token() -> None:
    settings, store = Settings(_env_file=None, watch_port=free_port()), SqlStore(DATABASES.fresh())
    watch = watch_of(settings, SystemClock())
    await store.open()

    services = watching_services(settings, Watched(store, Standing(store, {}), watch))
    async with asyncio.TaskGroup() as group:
        serving = [group.create_task(service()) for service in services]
        transport = httpx.AsyncHTTPTransport(retries=5)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{settings.watch_port}") as web:
            health, ready, metrics = [await web.get(path) for path in ("/healthz", "/readyz", "/metrics")]
            await store.close()
            unready = await web.get("/readyz")
        for task in serving:
            task.cancel()

    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()) == (200, {"ready": True, "parts": {"store": "serves"}})
    assert (unready.status_code, unready.json()["ready"]) == (503, False)
    assert metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "baku_queue_depth 0.0" in metrics.text
