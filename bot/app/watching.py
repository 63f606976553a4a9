"""What looks on at a running app, as the settings say. Nothing of it is loaded where no setting asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bot.app.standing import Standing
from bot.app.world import Service
from bot.config.settings import Settings
from bot.errors import ConfigError
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.ports.traces import NO_TRACES, Traces
from bot.ports.watch import NO_WATCH, Watch

NO_EXTRA = "BAKU_TRACE_URL is set, and the packages for traces are not installed. Install them: {how}, or take the setting away."
HOW = '.venv/bin/python -m pip install --editable ".[trace]"'


def watch_of(settings: Settings, clock: Clock) -> Watch:
    """Return what counts and traces. Raises ConfigError when traces are asked for that cannot be written."""
    if not settings.watch_port:
        return Watch(traces=traces_of(settings)) if settings.trace_url else NO_WATCH
    from bot.telemetry.prometheus import PrometheusMetrics

    return Watch(PrometheusMetrics(clock), traces_of(settings))


def traces_of(settings: Settings) -> Traces:
    """Return what sends traces, or nothing that does where no address is set."""
    if not settings.trace_url:
        return NO_TRACES
    try:
        from bot.telemetry.otlp import OtlpTraces
    except ModuleNotFoundError as problem:
        raise ConfigError(NO_EXTRA.format(how=HOW)) from problem
    return OtlpTraces(settings.trace_url, installation=settings.db_url)


@dataclass(frozen=True, slots=True)
class Watched:
    """An app to look on at: its store, and how its parts do."""

    store: Store
    standing: Standing
    watch: Watch


def watching_services(settings: Settings, watched: Watched) -> Sequence[Service]:
    """Return the port for monitors, when it is set, with what it takes to fill its pages."""
    if not settings.watch_port:
        return ()
    from bot.telemetry.loop import watch_loop
    from bot.telemetry.page import MetricsPage
    from bot.telemetry.prometheus import PrometheusMetrics
    from bot.web.probes import make_probes_app
    from bot.web.server import Address, serve_web

    metrics = watched.watch.metrics
    assert isinstance(metrics, PrometheusMetrics), "watch_of makes them for the same settings"
    probes = make_probes_app(watched.standing.findings, MetricsPage(metrics, watched.store))
    address = Address(settings.watch_port, settings.watch_host, setting="BAKU_WATCH_PORT", what="The port for monitors")
    return (partial(serve_web, probes, address), partial(watch_loop, metrics))
