from dataclasses import replace

import pytest

from bot.conversation.gate import Barriers, Decision, Reason, Room, decide
from bot.domain.message import Attachment, IncomingMessage, Person, Quote
from bot.domain.speaking import QuietFor, Speaking, SpeakMode
from bot.testing.clock import START
from bot.testing.factories import ADA, BO, GROUP, incoming, stored

TRIGGERS = Room(("iris", "夢"))


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


def room(mode: SpeakMode, *words: str) -> Room:
    said = stored("hello", author=BO, conversation=GROUP)
    return Room(("mika",), "Iris", Speaking(mode=mode, words=words), recent=[said])


def heard(text: str) -> IncomingMessage:
    return incoming(text, conversation=GROUP, addressed=False)


EVERY = room(SpeakMode.EVERY)


@pytest.mark.parametrize(
    ("mode", "text", "reason"),
    [
        pytest.param(SpeakMode.MENTIONS, "Iris, hello", Reason.NOT_ADDRESSED, id="mentions: name"),
        pytest.param(SpeakMode.MENTIONS, "mika, hello", Reason.TRIGGERED, id="mentions: trigger"),
        pytest.param(SpeakMode.NAMES, "ask Iris", Reason.NAMED, id="names: name"),
        pytest.param(SpeakMode.NAMES, "more tea", Reason.NAMED, id="names: keyword"),
        pytest.param(SpeakMode.NAMES, "more coffee", Reason.NOT_ADDRESSED, id="names: neither"),
        pytest.param(SpeakMode.EVERY, "more coffee", Reason.ANYTHING, id="every"),
        pytest.param(SpeakMode.CHOICE, "ask Iris", Reason.SOMETHING_TO_SAY, id="choice: name"),
        pytest.param(SpeakMode.CHOICE, "lol", Reason.NOTHING_TO_SAY, id="choice: reaction"),
        pytest.param(SpeakMode.CHOICE, "yesterday the water was too hot", Reason.UNSURE, id="choice: unsure"),
    ],
)
def test_each_mode_answers_its_own(mode: SpeakMode, text: str, reason: Reason) -> None:
    silent = (Reason.NOT_ADDRESSED, Reason.NOTHING_TO_SAY)

    assert decide(heard(text), room(mode, "tea")) == Decision(reason not in silent, reason)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(heard("Bo, are you there?"), id="calls another"),
        pytest.param(replace(heard("are you there?"), mentioned=(BO,)), id="mentions another"),
        pytest.param(replace(heard("I am"), quote=Quote("1", BO, "hello")), id="replies to another"),
        pytest.param(heard("!play some music"), id="a command of another bot"),
    ],
)
def test_what_is_for_somebody_else_is_left_to_them(message: IncomingMessage) -> None:
    assert decide(message, EVERY) == Decision(speaks=False, reason=Reason.FOR_SOMEBODY_ELSE)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(heard("Well, are you there?"), id="calls nobody"),
        pytest.param(replace(heard("Iris, tell Bo"), mentioned=(BO,)), id="says its name"),
        pytest.param(replace(heard("also this"), quote=Quote("1", ADA, "hello")), id="goes on with their own words"),
    ],
)
def test_what_may_be_for_all_is_answered(message: IncomingMessage) -> None:
    assert decide(message, EVERY).speaks


@pytest.mark.parametrize(
    ("message", "quiet_for", "speaks"),
    [
        pytest.param(heard("hello all"), QuietFor.UNADDRESSED, False, id="to all"),
        pytest.param(incoming("hello", conversation=GROUP), QuietFor.UNADDRESSED, True, id="to the bot"),
        pytest.param(incoming("hello", conversation=GROUP), QuietFor.ALL, False, id="to the bot, quiet for all"),
        pytest.param(incoming("hello"), QuietFor.ALL, True, id="in private"),
    ],
)
def test_quiet_hours_keep_it_from_what_nobody_addressed_to_it(message: IncomingMessage, quiet_for: QuietFor, speaks: bool) -> None:
    quiet = Room(name="Iris", speaking=Speaking(mode=SpeakMode.EVERY, quiet_for=quiet_for), is_quiet=True)

    decision = decide(message, quiet)

    assert (decision.speaks, decision.reason is Reason.QUIET_HOURS) == (speaks, not speaks)


def test_enough_said_leaves_what_is_addressed() -> None:
    full = replace(EVERY, full_until=START)

    assert decide(heard("hello all"), full) == Decision(speaks=False, reason=Reason.SAID_ENOUGH, until=START)
    assert decide(incoming("hello", conversation=GROUP), full).speaks


def test_a_model_that_was_asked_often_enough_is_not_asked() -> None:
    tired = replace(room(SpeakMode.CHOICE), may_ask=False)

    assert decide(heard("yesterday the water was too hot"), tired) == Decision(speaks=False, reason=Reason.UNSURE)


@pytest.mark.parametrize(
    ("text", "mode", "reason"),
    [
        pytest.param("Rose, hello", SpeakMode.MENTIONS, Reason.NAMED, id="a guest is called"),
        pytest.param("Iris?", SpeakMode.MENTIONS, Reason.NAMED, id="the one whose place it is"),
        pytest.param("I saw a rose", SpeakMode.MENTIONS, Reason.NOT_ADDRESSED, id="the name falls"),
        pytest.param("I saw a rose", SpeakMode.NAMES, Reason.NAMED, id="the name falls where names count"),
    ],
)
def test_personas_that_share_a_place_are_called_by_their_names(text: str, mode: SpeakMode, reason: Reason) -> None:
    room = Room(name="Iris", speaking=Speaking(mode=mode), guests=("Rose",))

    assert decide(incoming(text, conversation=GROUP, addressed=False), room).reason is reason
    assert decide(incoming("Iris?", conversation=GROUP, addressed=False), Room(name="Iris")).reason is Reason.NOT_ADDRESSED
