"""Metrics as Prometheus reads them. Each process has its own; the monitor adds them up."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, disable_created_metrics, generate_latest

from bot.domain.load import Backlog
from bot.domain.model import Usage
from bot.ports.clock import Clock
from bot.ports.metrics import Outcome, Retry, Stage

MOST_NAMES = 50
"""Different values that a label may take; what comes after is `other`. Admins may name models, and a monitor pays for each name."""
_OTHER = "other"
_ANSWERS = (0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300, 900)
_MODELS = (0.25, 0.5, 1, 2, 3, 5, 8, 13, 20, 30, 60, 120, 300)
_JOBS = (0.1, 1, 5, 15, 60, 300, 1800, 7200)
_LAGS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)


class _Names:
    """Values of a label, as many as a monitor can bear."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, name: str) -> str:
        if name not in self._known:
            if len(self._known) >= MOST_NAMES:
                return _OTHER
            self._known.add(name)
        return name


class PrometheusMetrics:
    """Fulfils `bot.ports.metrics.Metrics`, and writes the page that a monitor reads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        # When each series began would double what a monitor stores.
        disable_created_metrics()  # type: ignore[no-untyped-call] # the package leaves it untyped
        self._registry = CollectorRegistry()
        self._models, self._jobs = _Names(), _Names()
        self._count_answers()
        self._count_models()
        self._count_the_rest()
        ProcessCollector(registry=self._registry)

    def _counter(self, name: str, text: str, labels: Sequence[str]) -> Counter:
        return Counter(f"baku_{name}", text, labels, registry=self._registry)

    def _histogram(self, name: str, text: str, labels: Sequence[str], buckets: Sequence[float]) -> Histogram:
        return Histogram(f"baku_{name}", text, labels, registry=self._registry, buckets=buckets)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(f"baku_{name}", text, registry=self._registry)

    def _count_answers(self) -> None:
        self._received = self._counter("messages_received", "Messages recorded.", ["platform", "to_answer"])
        self._turns = self._counter("turns", "Turns that ended, by what became of them.", ["platform", "outcome"])
        self._seconds = self._histogram("answer_seconds", "From a message to its answer.", ["platform", "stage"], _ANSWERS)
        self._retries = self._counter("retries", "What was done once more.", ["what"])
        self._waits = self._counter("delivery_waits", "Times that a platform had a reply wait.", ["platform"])
        self._waited = self._counter("delivery_wait_seconds", "Seconds that platforms had replies wait.", ["platform"])
        self._notices = self._counter("line_notices", "People who were told that their message waits in line.", ["platform"])

    def _count_models(self) -> None:
        self._model_seconds = self._histogram("model_seconds", "From a request to the end of the model's answer.", ["model"], _MODELS)
        self._model_failures = self._counter("model_failures", "Answers of a model that did not come.", ["model", "trouble"])
        self._tokens = self._counter("model_tokens", "Tokens of prompts and replies.", ["model", "kind"])

    def _count_the_rest(self) -> None:
        self._job_seconds = self._histogram("job_seconds", "Runs of jobs by night and in the background.", ["job"], _JOBS)
        self._job_failures = self._counter("job_failures", "Runs of jobs that failed.", ["job"])
        self._lag = self._histogram("event_loop_lag_seconds", "By how much the event loop was late.", [], _LAGS)
        self._waiting = self._gauge("queue_depth", "Messages that wait for an answer, in all processes together.")
        self._oldest = self._gauge("queue_oldest_seconds", "Age of the message that waits longest.")
        self._unsent = self._gauge("outbox_unsent", "Replies that are decided and not sent, in all processes together.")
        self._connections = self._gauge("database_connections_in_use", "Connections of this process to the database in use.")

    def received(self, platform: str, *, speaks: bool) -> None:
        """Count a message."""
        self._received.labels(platform, "yes" if speaks else "no").inc()

    def turn_ended(self, platform: str, outcome: Outcome) -> None:
        """Count a turn."""
        self._turns.labels(platform, outcome.value).inc()

    def reached(self, platform: str, stage: Stage, seconds: float) -> None:
        """Note when an answer was seen. Clocks of platforms may be a little ahead of ours."""
        self._seconds.labels(platform, stage.value).observe(max(0.0, seconds))

    def model_answered(self, model: str, seconds: float) -> None:
        """Note how long a model took."""
        self._model_seconds.labels(self._models(model)).observe(seconds)

    def model_failed(self, model: str, trouble: str) -> None:
        """Count a failure."""
        self._model_failures.labels(self._models(model), trouble).inc()

    def tokens_used(self, usage: Usage) -> None:
        """Count tokens."""
        model = self._models(usage.model)
        self._tokens.labels(model, "prompt").inc(usage.prompt_tokens)
        self._tokens.labels(model, "reply").inc(usage.reply_tokens)

    def retried(self, what: Retry) -> None:
        """Count a retry."""
        self._retries.labels(what.value).inc()

    def delivery_waited(self, platform: str, seconds: float) -> None:
        """Note a wait."""
        self._waits.labels(platform).inc()
        self._waited.labels(platform).inc(seconds)

    def notice_shown(self, platform: str) -> None:
        """Count a notice."""
        self._notices.labels(platform).inc()

    def job_ended(self, job: str, seconds: float, *, failed: bool) -> None:
        """Note a job."""
        name = self._jobs(job)
        self._job_seconds.labels(name).observe(max(0.0, seconds))
        self._job_failures.labels(name).inc(1 if failed else 0)

    def loop_lagged(self, seconds: float) -> None:
        """Note a lag."""
        self._lag.observe(max(0.0, seconds))

    def page(self, backlog: Backlog | None, connections: int) -> bytes:
        """Return all metrics; those of the backlog stay as they were where the store could not tell it."""
        if backlog is not None:
            self._waiting.set(backlog.waiting)
            self._unsent.set(backlog.unsent)
            age = (self._clock.now() - backlog.oldest).total_seconds() if backlog.oldest else 0.0
            self._oldest.set(max(0.0, age))
        self._connections.set(connections)
        return generate_latest(self._registry)
