import pytest

from bot.ports.trail import follow, on_turn

pytest.importorskip("opentelemetry.sdk", reason="comes with the extra `trace`")

from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from bot.telemetry.otlp import OtlpTraces


async def test_gateway_and_worker_write_into_one_trace_without_talking_to_one_another() -> None:
    gateway, worker, other = InMemorySpanExporter(), InMemorySpanExporter(), InMemorySpanExporter()
    traces = [OtlpTraces(exporter=exporter, installation=name) for exporter, name in ((gateway, "a"), (worker, "a"), (other, "b"))]

    with on_turn(), traces[0].span("receive", {"platform": "discord"}):
        follow(7)
    with on_turn(7), traces[1].span("turn"), traces[1].span("model"):
        pass
    with on_turn(7), traces[2].span("turn"):
        pass
    for each in traces:
        await each.close()

    (receive,), (model, turn), (elsewhere,) = (each.get_finished_spans() for each in (gateway, worker, other))
    assert dict(receive.attributes or {}) == {"platform": "discord", "turn": 7}
    assert receive.context.trace_id == turn.context.trace_id == model.context.trace_id != elsewhere.context.trace_id
    assert model.parent is not None
    assert model.parent.span_id == turn.context.span_id


async def test_what_belongs_to_no_turn_is_not_sent_and_what_fails_tells_its_kind_alone() -> None:
    exporter = InMemorySpanExporter()
    traces = OtlpTraces(exporter=exporter)

    with on_turn(), traces.span("receive"):
        pass
    with pytest.raises(RuntimeError), on_turn(3), traces.span("turn"):
        raise RuntimeError("what Ada said")
    await traces.close()

    (span,) = exporter.get_finished_spans()
    assert (span.status.description, list(span.events)) == ("RuntimeError", [])
