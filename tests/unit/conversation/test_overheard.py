from dataclasses import replace
from datetime import timedelta

import pytest

from bot.conversation.overheard import Inclination, inclination
from bot.domain.message import Person, Role, StoredMessage
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, incoming, stored

IRIS = Person("iris", "Iris", is_bot=True)


def said(*people: Person) -> list[StoredMessage]:
    return [
        stored("talk", row=row, author=person, role=Role.ASSISTANT if person.is_bot else Role.USER, conversation=GROUP)
        for row, person in enumerate(people, 1)
    ]


@pytest.mark.parametrize(
    ("text", "recent", "expected"),
    [
        pytest.param("what would Iris say", [], Inclination.YES, id="its name"),
        pytest.param("which tea is best?", [], Inclination.YES, id="keyword in a question"),
        pytest.param("and how long does that take?", said(ADA, IRIS), Inclination.YES, id="asks on after its answer"),
        pytest.param("なぜ？", said(ADA, IRIS), Inclination.YES, id="asks on in Japanese"),
        pytest.param("and how long does that take?", said(BO, IRIS), Inclination.UNSURE, id="somebody else asks"),
        pytest.param("and how long does that take?", said(ADA, IRIS, BO), Inclination.UNSURE, id="somebody spoke between"),
        pytest.param("I bought new tea for the whole week", [], Inclination.UNSURE, id="keyword without a question"),
        pytest.param("lol ok", [], Inclination.NO, id="reaction"),
        pytest.param("🤔🤔", [], Inclination.NO, id="emoji"),
        pytest.param("https://example.org/a?b=tea", [], Inclination.NO, id="link"),
        pytest.param("I said that it was there already", said(BO, ADA, BO), Inclination.NO, id="two others in talk"),
        pytest.param("I said that it was there already", said(ADA, ADA, BO), Inclination.UNSURE, id="not in turn"),
        pytest.param("the water has been too hot all week", [], Inclination.UNSURE, id="who knows"),
    ],
)
def test_a_cheap_rule_tells_what_is_clear(text: str, recent: list[StoredMessage], expected: Inclination) -> None:
    message = incoming(text, conversation=GROUP, addressed=False)

    assert inclination(message, recent, names=("Iris",), words=("tea",)) is expected


def test_a_question_long_after_its_answer_stands_alone() -> None:
    message = replace(incoming("and how long does that take?", conversation=GROUP), sent_at=START + timedelta(hours=1))

    assert inclination(message, said(ADA, IRIS), names=("Iris",), words=()) is Inclination.UNSURE
