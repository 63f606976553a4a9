from datetime import timedelta
from time import perf_counter

from bot.domain.load import Backlog
from bot.domain.model import Usage
from bot.ports.metrics import Outcome, Retry, Stage
from bot.telemetry.prometheus import MOST_NAMES, PrometheusMetrics
from bot.testing.clock import START, FrozenClock


def counted() -> PrometheusMetrics:
    """Return metrics after one of everything."""
    metrics = PrometheusMetrics(FrozenClock())
    metrics.received("discord", speaks=True)
    metrics.turn_ended("discord", Outcome.ANSWERED)
    metrics.reached("discord", Stage.SENT, 2.5)
    metrics.model_answered("gpt", 2.0)
    metrics.model_failed("gpt", "busy")
    metrics.tokens_used(Usage("gpt", 100, 20))
    metrics.retried(Retry.TURN)
    metrics.delivery_waited("discord", 3.0)
    metrics.notice_shown("discord")
    metrics.job_ended("dream", 12.0, failed=True)
    metrics.loop_lagged(0.02)
    return metrics


def test_the_page_holds_what_was_counted_and_how_much_waits() -> None:
    waits = Backlog(waiting=3, oldest=START - timedelta(seconds=90), newest_row=9, unsent=1)

    lines = counted().page(waits, connections=2).decode().splitlines()

    assert {
        'baku_messages_received_total{platform="discord",to_answer="yes"} 1.0',
        'baku_turns_total{outcome="answered",platform="discord"} 1.0',
        'baku_answer_seconds_sum{platform="discord",stage="sent"} 2.5',
        'baku_model_seconds_count{model="gpt"} 1.0',
        'baku_model_failures_total{model="gpt",trouble="busy"} 1.0',
        'baku_model_tokens_total{kind="prompt",model="gpt"} 100.0',
        'baku_retries_total{what="turn"} 1.0',
        'baku_delivery_wait_seconds_total{platform="discord"} 3.0',
        'baku_line_notices_total{platform="discord"} 1.0',
        'baku_job_failures_total{job="dream"} 1.0',
        "baku_event_loop_lag_seconds_sum 0.02",
        "baku_queue_depth 3.0",
        "baku_queue_oldest_seconds 90.0",
        "baku_outbox_unsent 1.0",
        "baku_database_connections_in_use 2.0",
    } <= set(lines)


def test_however_many_models_there_are_a_monitor_sees_a_few() -> None:
    metrics = PrometheusMetrics(FrozenClock())

    for number in range(3 * MOST_NAMES):
        metrics.model_answered(f"model-{number}", 1.0)

    page = metrics.page(None, 0).decode()
    assert page.count("baku_model_seconds_count{") == MOST_NAMES + 1
    assert f'baku_model_seconds_count{{model="other"}} {2 * MOST_NAMES}.0' in page


def test_all_that_is_counted_of_a_turn_takes_no_time_that_anybody_would_notice() -> None:
    metrics = counted()
    begun = perf_counter()

    for _ in range(1000):
        metrics.received("discord", speaks=True)
        metrics.reached("discord", Stage.VISIBLE, 1.0)
        metrics.tokens_used(Usage("gpt", 100, 20))
        metrics.model_answered("gpt", 2.0)
        metrics.turn_ended("discord", Outcome.ANSWERED)
        metrics.reached("discord", Stage.SENT, 2.5)

    assert (perf_counter() - begun) / 1000 < 0.0005, "the usual figure is a twentieth of that"
