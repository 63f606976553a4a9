from dataclasses import replace

import pytest

from bot.domain.access import AccessRule, Named, Verdict, Way, Whom, may_talk_in_private, read_named, rules_in, verdict_on
from bot.domain.chat import ConversationKey
from bot.domain.message import Person

PLACE = ConversationKey("discord", "10", "20", "30")
ADA = Person("1", "Ada", roles=frozenset({"10", "7"}))


def rules(*names: str) -> tuple[AccessRule, ...]:
    return rules_in(dict.fromkeys((f"access.{name}" for name in names), "1"))


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        pytest.param([], Verdict.WELCOME, id="no list"),
        pytest.param(["deny.user:1"], Verdict.DENIED, id="denied"),
        pytest.param(["deny.user:2"], Verdict.WELCOME, id="somebody else denied"),
        pytest.param(["deny.role:7"], Verdict.DENIED, id="denied by role"),
        pytest.param(["deny.channel:20"], Verdict.NOT_HERE, id="channel of the thread denied"),
        pytest.param(["deny.channel:30"], Verdict.NOT_HERE, id="thread denied"),
        pytest.param(["deny.channel:1"], Verdict.WELCOME, id="a channel is no person"),
        pytest.param(["allow.user:1"], Verdict.WELCOME, id="allowed"),
        pytest.param(["allow.role:7"], Verdict.WELCOME, id="allowed by role"),
        pytest.param(["allow.role:8"], Verdict.NOT_LISTED, id="another role allowed"),
        pytest.param(["allow.role:8", "allow.user:1"], Verdict.WELCOME, id="one of them is enough"),
        pytest.param(["allow.channel:20"], Verdict.WELCOME, id="channel allowed"),
        pytest.param(["allow.channel:21"], Verdict.NOT_HERE, id="another channel allowed"),
        pytest.param(["allow.channel:20", "allow.role:8"], Verdict.NOT_LISTED, id="the right place for the wrong person"),
        pytest.param(["allow.user:1", "deny.role:7"], Verdict.DENIED, id="deny wins over the person"),
        pytest.param(["allow.channel:30", "deny.channel:20"], Verdict.NOT_HERE, id="deny wins over the place"),
    ],
)
def test_the_lists_say_who_may_talk_where(listed: list[str], verdict: Verdict) -> None:
    assert verdict_on(ADA, PLACE, rules(*listed)) is verdict


@pytest.mark.parametrize(
    ("listed", "verdict"),
    [
        pytest.param(["deny.role:8"], Verdict.DENIED, id="they could have the denied role"),
        pytest.param(["allow.role:7"], Verdict.NOT_LISTED, id="they need not have the allowed role"),
        pytest.param(["deny.user:2", "allow.user:1"], Verdict.WELCOME, id="people are known without"),
    ],
)
def test_unknown_roles_count_against_somebody(listed: list[str], verdict: Verdict) -> None:
    assert verdict_on(replace(ADA, roles=None), PLACE, rules(*listed)) is verdict


def test_rules_are_read_from_the_settings_that_keep_them() -> None:
    rule = AccessRule(Way.DENY, Named(Whom.ROLE, "7"))

    assert rules_in({rule.setting: "1", "limits.person": "3", "access.deny.planet:7": "1", "access.maybe.user:7": "1"}) == (rule,)


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        pytest.param("<@123>", Named(Whom.USER, "123"), id="mention"),
        pytest.param("<@!123>", Named(Whom.USER, "123"), id="mention by nickname"),
        pytest.param(" <@&123> ", Named(Whom.ROLE, "123"), id="role"),
        pytest.param("<#123>", Named(Whom.CHANNEL, "123"), id="channel"),
        pytest.param("user 123", Named(Whom.USER, "123"), id="person in words"),
        pytest.param("Topic -100", Named(Whom.CHANNEL, "-100"), id="topic in words"),
        pytest.param("role:7", Named(Whom.ROLE, "7"), id="role in words"),
        pytest.param("here", Named(Whom.CHANNEL, "30"), id="this thread"),
        pytest.param("123", None, id="a number could be anybody"),
        pytest.param("@Ada", None, id="a name could be anybody's"),
        pytest.param("", None, id="nothing"),
        pytest.param("user 1\n2", None, id="more than an id"),
    ],
)
def test_people_and_places_are_named_by_mention_or_by_id(typed: str, named: Named | None) -> None:
    assert read_named(typed, PLACE) == named


def test_the_house_may_keep_its_direct_chats_to_a_few() -> None:
    assert may_talk_in_private(ADA, "discord", frozenset())
    assert may_talk_in_private(ADA, "discord", frozenset({"1"}))
    assert may_talk_in_private(ADA, "discord", frozenset({"discord:1"}))
    assert not may_talk_in_private(ADA, "telegram", frozenset({"discord:1"}))
    assert may_talk_in_private(ADA, "console", frozenset({"discord:2"}))


def test_roles_make_no_other_person() -> None:
    assert replace(ADA, roles=None) == ADA
