import pytest

from bot.conversation.generate import Generation
from bot.conversation.remarks import remarked
from bot.memory.gate.verdict import Concern
from bot.testing.bot import make_bot
from bot.testing.factories import GROUP, a_turn, stored
from bot.testing.scripted_model import ScriptedModel
from tests.conformance.memory_tool import update


async def test_person_is_told_that_a_secret_was_not_kept_and_the_history_is_not() -> None:
    model = ScriptedModel(update(0, "The password is hunter2"), "Done.", "Hello.")
    async with make_bot(model) as bot:
        await bot.say("my password is hunter2")
        await bot.say("hello")

        assert await bot.memories() == []

    assert bot.replies[0].startswith("Done.\n\n(I never keep passwords")
    assert "I never keep passwords" not in model.prompts[-1].text


@pytest.mark.parametrize(("concern", "told"), [(Concern.ORDER, False), (Concern.SECRET, True), (Concern.LIMIT, False)])
def test_in_a_group_only_secrets_are_remarked_on(concern: Concern, *, told: bool) -> None:
    assert bool(remarked(Generation("Hi.", ()), {concern}, a_turn(stored("x", conversation=GROUP))).remark) is told


def test_in_place_of_a_silence_the_remark_is_a_notice() -> None:
    silence = remarked(Generation("", ()), {Concern.SECRET}, a_turn(stored("x", conversation=GROUP)))

    assert silence.is_notice
    assert silence.sent.startswith("(I never keep")
