"""Limits, budgets, lists and loops, as people meet them in a whole bot."""

from dataclasses import replace
from uuid import uuid4

import pytest

from bot.conversation.threshold import SERVICE_ANSWERS
from bot.domain.chat import ConversationKey
from bot.domain.limits import GENEROUS, HouseRules, Limits
from bot.domain.message import MessageState, Person, StoredMessage
from bot.domain.model import Usage
from bot.testing.bot import Bot
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_persona, incoming
from bot.testing.scripted_model import ScriptedModel
from tests.scenario.house_stage import house_bot

KITCHEN = replace(GROUP, channel_id="kitchen")
ELSEWHERE = ConversationKey("discord", "pub", "bar")
ROOK = Person("rook", "Rook", is_bot=True)
CHANNEL = Person("-100", "News", is_service=True)
WAIT = "until then I only read along"
CONSOLE = ConversationKey("console", "main", "main")


def limited(**limits: int) -> HouseRules:
    return HouseRules(Limits(**limits))


def talkative() -> ScriptedModel:
    return ScriptedModel(*["Yes."] * 200)


async def history(bot: Bot, place: ConversationKey) -> list[StoredMessage]:
    async with bot.store.read() as tx:
        return list(await tx.messages.history(place, limit=500))


async def spend(bot: Bot, place: ConversationKey, tokens: int, persona_id: str = "iris") -> None:
    async with bot.store.write() as tx:
        await tx.usage.add(place, persona_id, Usage("m", tokens, 0), bot.clock.now())


async def test_too_many_messages_get_one_notice_and_stay_in_the_history() -> None:
    async with house_bot(talkative(), limited(person=3)) as bot:
        for number in range(6):
            await bot.say(f"message {number}", conversation=GROUP)

        told = [text for text in bot.replies if WAIT in text]
        assert bot.replies == ["Yes."] * 3 + told
        assert told == ["That was a lot in a short time. I can answer you again in 60 seconds; until then I only read along."]
        said = await history(bot, GROUP)
        assert [message.text for message in said if message.author == ADA] == [f"message {number}" for number in range(6)]
        assert [message.state for message in said if message.text in {"message 4", "message 5"}] == [MessageState.HEARD] * 2


async def test_what_was_said_over_the_limit_is_not_answered_later() -> None:
    async with house_bot(model := talkative(), limited(person=2)) as bot:
        for number in range(5):
            await bot.say(f"message {number}")
        bot.clock.move(seconds=61)
        await bot.quiet()
        before = len(bot.replies)
        await bot.say("hello again")

        assert bot.replies[before:] == ["Yes."]
        assert before == 3
        assert "message 4" in model.prompts[-1].text


async def test_the_next_window_has_a_notice_of_its_own() -> None:
    async with house_bot(talkative(), limited(person=1)) as bot:
        for _ in range(2):
            for number in range(3):
                await bot.say(f"message {number}")
            bot.clock.move(seconds=61)

        assert [WAIT in text for text in bot.replies] == [False, True, False, True]


async def test_a_repeat_of_a_message_counts_once() -> None:
    async with house_bot(talkative(), limited(person=2)) as bot:
        for _ in range(4):
            await bot.receive(incoming("hello", message_id="m1"))
        await bot.say("and now?")

        assert bot.replies == ["Yes."] * 2


async def test_one_persons_limit_touches_nobody_else() -> None:
    async with house_bot(talkative(), limited(person=1)) as bot:
        await bot.say("hello", conversation=GROUP)
        await bot.say("hello?", conversation=GROUP)
        await bot.say("hello", conversation=GROUP, author=BO)

        assert [WAIT in text for text in bot.replies] == [False, True, False]


async def test_a_person_has_one_limit_in_all_places() -> None:
    async with house_bot(talkative(), limited(person=1)) as bot:
        await bot.say("hello", conversation=GROUP)
        await bot.say("hello", conversation=ELSEWHERE)
        await bot.say("hello")

        assert bot.replies[0] == "Yes."
        assert [WAIT in text for text in bot.replies[1:]] == [True]


async def test_a_limit_of_one_server_counts_nothing_of_other_places() -> None:
    async with house_bot(talkative()) as bot:
        await bot.command("limits set person 1", conversation=GROUP, admin=True)
        await bot.say("hello", conversation=ELSEWHERE)
        await bot.say("hello", conversation=GROUP)
        await bot.say("hello", conversation=GROUP)
        await bot.say("hello", conversation=ELSEWHERE)

        assert [WAIT in text for text in bot.replies] == [False, False, True, False]


@pytest.mark.parametrize(
    ("limits", "place", "answered"),
    [
        pytest.param({"conversation": 2}, KITCHEN, True, id="another channel has a limit of its own"),
        pytest.param({"server": 2}, KITCHEN, False, id="the server's channels share one"),
        pytest.param({"server": 2}, ELSEWHERE, True, id="another server has a limit of its own"),
    ],
)
async def test_a_place_has_its_limit_and_one_notice_for_all(limits: dict[str, int], place: ConversationKey, answered: bool) -> None:
    people = [Person(f"p{number}", f"P{number}") for number in range(6)]
    async with house_bot(talkative(), limited(**limits)) as bot:
        for person in people:
            await bot.say("hello", conversation=GROUP, author=person)
        crowd = list(bot.replies)
        await bot.say("hello", conversation=place)

        assert [WAIT in text for text in crowd] == [False, False, True]
        assert (bot.replies[-1] == "Yes.") is answered


async def test_a_trigger_word_over_the_limit_is_passed_over_in_silence() -> None:
    persona = replace(a_persona(), triggers=("iris",))
    async with house_bot(talkative(), limited(person=1), personas=[persona]) as bot:
        for _ in range(3):
            await bot.say("iris is blooming", conversation=GROUP, addressed=False)

        assert bot.replies == ["Yes."]


async def test_the_notice_speaks_the_personas_language() -> None:
    async with house_bot(talkative(), limited(person=1), personas=[replace(a_persona(), language="ja-JP")]) as bot:
        await bot.say("こんにちは")
        await bot.say("こんにちは")

        assert bot.replies[1] == "短い間にたくさん話しかけてもらいました。60秒後に、またお返事できます。それまでは読むだけにします。"


async def test_the_notice_is_no_part_of_the_history() -> None:
    async with house_bot(model := talkative(), limited(person=1)) as bot:
        await bot.say("one")
        await bot.say("two")
        bot.clock.move(seconds=61)
        await bot.say("three")

        assert WAIT in bot.replies[1]
        assert WAIT not in model.prompts[-1].text


async def test_what_the_persona_only_thinks_about_uses_up_nobodys_answers() -> None:
    async with house_bot(ScriptedModel("no", "Yes."), limited(person=1, conversation=1, server=1)) as bot:
        await bot.command("speak mode choice", conversation=GROUP, admin=True)
        await bot.say("the water has been too hot all week long", conversation=GROUP, addressed=False)
        await bot.say("hello", conversation=GROUP)

        assert bot.replies == ["Yes."]


async def test_at_the_terminal_nothing_is_limited() -> None:
    house = HouseRules(Limits(person=1, tokens_day=1), direct_people=frozenset({"nobody"}))
    async with house_bot(talkative(), house, platform="console") as bot:
        for _ in range(5):
            await bot.say("hello", conversation=CONSOLE)

        assert bot.replies == ["Yes."] * 5


async def test_nobody_who_only_talks_meets_the_usual_limits() -> None:
    async with house_bot(talkative(), HouseRules(GENEROUS)) as bot:
        for _ in range(60):
            await bot.say("hello", conversation=GROUP)
            bot.clock.move(seconds=7)

        assert bot.replies == ["Yes."] * 60


class TestBudgets:
    @pytest.mark.parametrize(
        "house",
        [
            pytest.param(limited(tokens_day=1000), id="a server a day"),
            pytest.param(limited(persona_day=1000), id="a persona there a day"),
            pytest.param(HouseRules(persona_tokens_day=1000), id="a persona everywhere a day"),
        ],
    )
    async def test_a_days_budget_ends_with_the_day(self, house: HouseRules) -> None:
        async with house_bot(talkative(), house) as bot:
            await spend(bot, GROUP, 999)
            await bot.say("hello", conversation=GROUP)
            await spend(bot, GROUP, 1000)
            await bot.say("hello?", conversation=GROUP)
            await bot.say("hello??", conversation=GROUP)
            bot.clock.move(seconds=14 * 3600)
            await bot.say("good morning", conversation=GROUP)

            assert bot.replies == [
                "Yes.",
                "What I may spend on answers is used up. I can answer again on 4 May at 00:00 (UTC); until then I only read along.",
                "Yes.",
            ]

    @pytest.mark.parametrize(
        "house",
        [
            pytest.param(limited(tokens_month=1000), id="a server"),
            pytest.param(limited(persona_month=1000), id="a persona there"),
            pytest.param(HouseRules(persona_tokens_month=1000), id="a persona everywhere"),
        ],
    )
    async def test_a_months_budget_ends_with_the_month(self, house: HouseRules) -> None:
        persona = replace(a_persona(), time_zone="Asia/Tokyo")
        async with house_bot(talkative(), house, personas=[persona]) as bot:
            await spend(bot, GROUP, 1000)
            bot.clock.move(seconds=24 * 3600)
            await bot.say("hello?", conversation=GROUP)
            bot.clock.move(seconds=28 * 24 * 3600)
            await bot.say("hello, June", conversation=GROUP)

            assert "on 1 June at 09:00 (JST)" in bot.replies[0]
            assert bot.replies[1:] == ["Yes."]

    async def test_a_servers_budget_is_its_own_and_a_personas_is_shared(self) -> None:
        house = HouseRules(Limits(tokens_day=1000), persona_tokens_day=1500)
        async with house_bot(talkative(), house) as bot:
            await spend(bot, GROUP, 1000)
            await bot.say("hello", conversation=KITCHEN)
            await bot.say("hello", conversation=ELSEWHERE)
            await spend(bot, ELSEWHERE, 500)
            await bot.say("hello", conversation=ELSEWHERE)

            assert ["used up" in text for text in bot.replies] == [True, False, True]

    async def test_answers_that_the_bot_gave_count(self) -> None:
        async with house_bot(talkative(), limited(tokens_day=1)) as bot:
            await bot.say("hello")
            await bot.say("hello?")

            assert ["used up" in text for text in bot.replies] == [False, True]


class TestLoops:
    async def test_other_bots_are_not_answered_unless_admins_ask_for_it(self) -> None:
        async with house_bot(talkative(), HouseRules(GENEROUS)) as bot:
            await bot.say("hello", author=ROOK, conversation=GROUP)

            assert bot.replies == []

    async def test_two_bots_that_answer_each_other_stop_and_cool_down(self) -> None:
        async with house_bot(talkative(), HouseRules(GENEROUS)) as bot:
            await bot.command("limits set bots 5", conversation=GROUP, admin=True)
            for _ in range(200):
                await bot.say("and you?", author=ROOK, conversation=GROUP)
                bot.clock.move(seconds=10)
            after_33_minutes = len(bot.replies)
            bot.clock.move(seconds=1800)
            await bot.say("and you?", author=ROOK, conversation=GROUP)

            assert after_33_minutes == 5
            assert bot.replies == ["Yes."] * 6

    async def test_a_slow_loop_ends_with_the_same_budget_in_all_channels_together(self) -> None:
        async with house_bot(talkative(), HouseRules(GENEROUS)) as bot:
            await bot.command("limits set bots 3", conversation=GROUP, admin=True)
            for number in range(40):
                await bot.say("and you?", author=ROOK, conversation=(GROUP, KITCHEN)[number % 2])
                bot.clock.move(seconds=60)

            assert len(bot.replies) == 3

    async def test_a_bot_that_only_says_the_trigger_word_is_not_answered(self) -> None:
        async with house_bot(talkative(), HouseRules(GENEROUS), personas=[replace(a_persona(), triggers=("iris",))]) as bot:
            await bot.command("limits set bots 5", conversation=GROUP, admin=True)
            await bot.say("iris!", author=ROOK, conversation=GROUP, addressed=False)

            assert bot.replies == []

    async def test_a_bot_that_writes_as_a_channel_ends_too_and_is_told_once(self) -> None:
        async with house_bot(talkative(), HouseRules()) as bot:
            for _ in range(SERVICE_ANSWERS + 20):
                await bot.say("and you?", author=CHANNEL, conversation=GROUP)
                bot.clock.move(seconds=5)

            assert bot.replies[:-1] == ["Yes."] * SERVICE_ANSWERS
            assert "so I pause" in bot.replies[-1]


class TestLists:
    async def test_somebody_denied_is_told_once_a_day_and_stays_in_the_history(self) -> None:
        async with house_bot(talkative()) as bot:
            await bot.command("access deny user ada", conversation=GROUP, admin=True)
            for _ in range(3):
                await bot.say("hello", conversation=GROUP)
            await bot.say("hello", conversation=GROUP, author=BO)
            bot.clock.move(seconds=25 * 3600)
            await bot.say("hello", conversation=GROUP)
            await bot.say("hello")

            assert ["set up not to talk with you" in text for text in bot.replies] == [True, False, True, False]
            assert len(await history(bot, GROUP)) == 6

    async def test_only_who_is_allowed_is_answered(self) -> None:
        async with house_bot(talkative()) as bot:
            await bot.command("access allow user bo", conversation=GROUP, admin=True)
            await bot.say("hello", conversation=GROUP)
            await bot.say("hello", conversation=GROUP, author=BO)

            assert ["certain people" in text for text in bot.replies] == [True, False]

    async def test_channels_where_the_bot_may_not_talk_get_one_word_to_a_mention_and_none_to_a_trigger(self) -> None:
        async with house_bot(talkative(), personas=[replace(a_persona(), triggers=("iris",))]) as bot:
            await bot.command("access allow here", conversation=GROUP, admin=True)
            await bot.say("iris!", conversation=KITCHEN, addressed=False)
            await bot.say("hello", conversation=KITCHEN)
            await bot.say("hello", conversation=GROUP)

            assert ["in this channel" in text for text in bot.replies] == [True, False]

    async def test_the_house_keeps_its_direct_chats_to_a_few(self) -> None:
        async with house_bot(talkative(), HouseRules(direct_people=frozenset({"discord:bo"}))) as bot:
            await bot.say("hello", conversation=DIRECT)
            await bot.say("hello", conversation=DIRECT, author=BO)
            await bot.say("hello", conversation=GROUP)

            assert ["Whoever runs me" in text for text in bot.replies] == [True, False, False]

    async def test_the_notice_tells_no_id_and_no_name(self) -> None:
        async with house_bot(talkative()) as bot:
            await bot.command("access deny user ada", conversation=GROUP, admin=True)
            await bot.receive(incoming("hi", message_id=uuid4().hex, conversation=GROUP))

            assert "ada" not in bot.replies[0].casefold()
