from dataclasses import replace

import pytest

from bot.conversation.gate import Barriers, Decision, Reason, decide
from bot.domain.message import Attachment, Person
from bot.testing.factories import GROUP, incoming

TRIGGERS = ("iris", "夢")


@pytest.mark.parametrize(
    ("text", "speaks"),
    [
        pytest.param("Iris, are you there?", True, id="own name"),
        pytest.param("IRIS!", True, id="other case"),
        pytest.param("an irish pub", False, id="inside another word"),
        pytest.param("昨日の夢の話", True, id="script without blanks"),
        pytest.param("good morning all", False, id="no trigger"),
    ],
)
def test_trigger_counts_only_as_a_word_of_its_own(text: str, speaks: bool) -> None:
    decision = decide(incoming(text, conversation=GROUP, addressed=False), TRIGGERS)

    assert decision == Decision(speaks, Reason.TRIGGERED if speaks else Reason.NOT_ADDRESSED)


def test_other_bots_are_never_answered() -> None:
    message = incoming("iris, hello", author=Person("b", "OtherBot", is_bot=True))

    assert decide(message, TRIGGERS) == Decision(speaks=False, reason=Reason.ANOTHER_BOT)


def test_addressed_message_is_answered() -> None:
    assert decide(incoming("hello"), TRIGGERS) == Decision(speaks=True, reason=Reason.ADDRESSED)


def test_what_is_only_heard_is_never_answered() -> None:
    for message in (incoming("hello"), incoming("iris?", conversation=GROUP, addressed=False)):
        assert decide(replace(message, only_heard=True), TRIGGERS) == Decision(speaks=False, reason=Reason.ONLY_HEARD)


def test_picture_without_words_is_something_said() -> None:
    picture = Attachment("cat.png", "image/png", 1200, "https://example.org/cat.png")

    assert decide(replace(incoming(""), attachments=(picture,)), TRIGGERS).speaks


def test_nothing_at_all_is_not_answered() -> None:
    assert decide(incoming("  "), TRIGGERS) == Decision(speaks=False, reason=Reason.NOTHING_SAID)


@pytest.mark.parametrize(
    ("text", "addressed", "reason"),
    [
        pytest.param("hello", True, Reason.PERSON_LIMIT, id="addressed"),
        pytest.param("iris?", False, Reason.PERSON_LIMIT, id="trigger"),
        pytest.param("hello", False, Reason.NOT_ADDRESSED, id="talk of others"),
    ],
)
def test_a_limit_silences_what_would_be_answered(text: str, addressed: bool, reason: Reason) -> None:
    stop = Decision(speaks=False, reason=Reason.PERSON_LIMIT)

    assert decide(incoming(text, addressed=addressed), TRIGGERS, Barriers(stop=stop)).reason is reason


@pytest.mark.parametrize(("addressed", "speaks"), [(True, True), (False, False)])
def test_another_bot_is_answered_at_most_when_it_addresses_the_persona(addressed: bool, speaks: bool) -> None:
    message = incoming("iris, hello", author=Person("b", "OtherBot", is_bot=True), addressed=addressed)

    assert decide(message, TRIGGERS, Barriers(answers_bots=True)).speaks is speaks
