"""What one plain reply in a group asks of the database, and the background's work after it: no more than it does today."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import Engine, event

from benchmarks.turn import HeldQueue
from bot.testing.bot import a_world, running
from bot.testing.factories import GROUP, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

WARM_UP = 3
"""Messages after which what is kept between turns is there."""


@dataclass
class Counted:
    """Statements and transactions."""

    statements: int = 0
    transactions: int = 0

    def is_within(self, most: "Counted") -> bool:
        """Say whether neither is more."""
        return self.statements <= most.statements and self.transactions <= most.transactions

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count as long as the context is open."""
        event.listen(Engine, "before_cursor_execute", self._on_statement)
        event.listen(Engine, "begin", self._on_begin)
        yield
        event.remove(Engine, "before_cursor_execute", self._on_statement)
        event.remove(Engine, "begin", self._on_begin)

    def _on_statement(self, _: object, __: object, statement: str, *___: object) -> None:
        self.statements += not statement.startswith("BEGIN")  # which is counted as a transaction

    def _on_begin(self, _: object) -> None:
        self.transactions += 1


@pytest.mark.parametrize(
    ("url_of", "most_before", "most_after"),
    [
        pytest.param("sqlite_url", Counted(46, 8), Counted(29, 5), id="sqlite"),
        pytest.param("postgres_url", Counted(50, 8), Counted(34, 5), id="postgresql"),
    ],
)
async def test_a_reply_asks_no_more_of_the_database_than_it_did(
    request: pytest.FixtureRequest, url_of: str, most_before: Counted, most_after: Counted
) -> None:
    background, platform = HeldQueue(), RecordingPlatform()
    world = a_world(ScriptedModel(*["Tea it is."] * (WARM_UP + 1)), [platform], database=request.getfixturevalue(url_of))
    reply, after = Counted(), Counted()

    async with running(replace(world, background=background)) as app:
        for number in range(WARM_UP + 1):
            is_counted = number == WARM_UP
            with (reply if is_counted else Counted()).counting():
                await app.inbox.receive(incoming("Zara likes green tea.", message_id=f"m{number}", conversation=GROUP))
                await app.queue.idle()
            with (after if is_counted else Counted()).counting():
                await background.idle()

    assert len(platform.sent) >= WARM_UP + 1
    assert reply.is_within(most_before), reply
    assert after.is_within(most_after), after
