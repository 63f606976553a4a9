"""Traces to a collector of OpenTelemetry. Needs the extra `trace`; imported only where an address for traces is set.

All spans of one turn have one trace, in all processes: its id is made from the turn's, so that nothing has to carry it along.
"""

import asyncio
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256

from opentelemetry import trace
from opentelemetry.context import Context, attach, detach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.trace import NonRecordingSpan, Span, SpanContext, StatusCode, TraceFlags, set_span_in_context

from bot.ports.trail import turn_here

SEND_SECONDS = 5
_SERVICE = "baku"


class OtlpTraces:
    """Fulfils `bot.ports.traces.Traces`."""

    def __init__(self, address: str = "", *, installation: str = "", exporter: SpanExporter | None = None) -> None:
        """Send spans to an address such as http://localhost:4318/v1/traces; what `installation` says keeps two bots' turns apart."""
        self._installation = installation
        self._provider = TracerProvider(resource=Resource({SERVICE_NAME: _SERVICE}), shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter or OTLPSpanExporter(endpoint=address, timeout=SEND_SECONDS)))
        self._tracer: trace.Tracer = self._provider.get_tracer(_SERVICE)

    @contextmanager
    def span(self, name: str, marks: Mapping[str, str] | None = None) -> Iterator[None]:
        """Time a step. One that begins before its turn is known is made at its end, if it is known then."""
        if not turn_here():
            begun = time.time_ns()
            yield
            if turn_here():
                self._start(name, marks, begun).end()
            return
        span = self._start(name, marks, None)
        token = attach(set_span_in_context(span))
        try:
            yield
        finally:
            if (kind := sys.exc_info()[0]) is not None:
                span.set_status(StatusCode.ERROR, kind.__name__)  # the problem's text may hold what somebody said
            detach(token)
            span.end()

    async def close(self) -> None:
        """Send what is not sent yet."""
        await asyncio.to_thread(self._provider.shutdown)

    def _start(self, name: str, marks: Mapping[str, str] | None, begun: int | None) -> Span:
        row = turn_here()
        attributes: dict[str, str | int] = {**(marks or {}), **({"turn": row} if row else {})}
        return self._tracer.start_span(name, context=self._parent(row), attributes=attributes, start_time=begun)

    def _parent(self, row: int) -> Context | None:
        """Return the step that this one is part of; for a turn's first one here, what stands for the turn in all processes."""
        if not row or trace.get_current_span().get_span_context().is_valid:
            return None
        digest = sha256(f"{self._installation}:{row}".encode()).digest()
        trace_id, span_id = int.from_bytes(digest[:16]), int.from_bytes(digest[16:24])
        turn = SpanContext(trace_id, span_id, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
        return set_span_in_context(NonRecordingSpan(turn))
