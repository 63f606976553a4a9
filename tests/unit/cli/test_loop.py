import asyncio
import os
import signal

import pytest
import typer

from bot.cli.loop import INTERRUPTED, run_until_stopped


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_stop_lets_the_job_clean_up(number: signal.Signals) -> None:
    done = []

    async def serve() -> None:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            done.append("closed")

    run_until_stopped(serve())

    assert done == ["closed"]
    assert signal.getsignal(number) is signal.SIG_DFL


def test_ctrl_c_gives_the_code_that_shells_expect() -> None:
    async def serve() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.Event().wait()

    with pytest.raises(typer.Exit) as ended:
        run_until_stopped(serve())

    assert ended.value.exit_code == INTERRUPTED


def test_a_job_may_run_out_of_time_by_itself() -> None:
    async def late() -> None:
        raise TimeoutError("the endpoint")

    with pytest.raises(TimeoutError, match="the endpoint"):
        run_until_stopped(late())
