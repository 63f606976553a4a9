"""What looks on while messages are answered: metrics and traces together."""

from dataclasses import dataclass

from bot.ports.metrics import NO_METRICS, Metrics
from bot.ports.traces import NO_TRACES, Traces


@dataclass(frozen=True, slots=True)
class Watch:
    """Whom the core tells what it does; nobody unless a setting asks for it."""

    metrics: Metrics = NO_METRICS
    traces: Traces = NO_TRACES


NO_WATCH = Watch()
