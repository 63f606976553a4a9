from bot.conversation.asked_again import ThresholdForCommands
from bot.conversation.threshold import Threshold
from bot.domain.limits import HouseRules, Limits
from bot.domain.persona import Personas
from bot.storage.store import SqlStore
from bot.testing.clock import FrozenClock
from bot.testing.databases import DATABASES
from bot.testing.factories import a_persona, incoming


async def test_an_answer_asked_for_by_command_counts_as_any_other() -> None:
    store, clock = SqlStore(DATABASES.fresh()), FrozenClock()
    await store.open()
    personas = Personas({"iris": a_persona()}, "iris")
    admission = ThresholdForCommands(Threshold(personas, clock, HouseRules(Limits(person=1))), personas, clock)

    async with store.write() as tx:
        first = await admission.admit(tx, incoming("…", message_id="", sent_at=clock.now()))
        second = await admission.admit(tx, incoming("…", message_id="", sent_at=clock.now()))

    assert first == ""
    assert second.startswith("That was a lot in a short time.")
    await store.close()
