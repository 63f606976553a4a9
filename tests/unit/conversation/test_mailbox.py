import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

from bot.conversation.acknowledge import SEEN
from bot.conversation.mailbox import MOST_FAILURES
from bot.conversation.notices import notices
from bot.domain.model import ChatRequest, ModelEvent
from bot.queueing.inprocess import InProcessQueue
from bot.testing.bot import Bot, a_world, make_bot, running
from bot.testing.clock import FrozenClock
from bot.testing.factories import ADA, BO, DIRECT, GROUP, incoming
from bot.testing.platform import RecordingPlatform
from bot.testing.scripted_model import ScriptedModel

ENGLISH = notices("en")


def lines(request: ChatRequest) -> list[str]:
    """Return what stands in a prompt after the persona's own text and the time."""
    return [message.text for message in request.messages if message.role != "system"]


async def test_burst_of_a_group_is_answered_together() -> None:
    model = ScriptedModel("Both of you, welcome.")

    async with make_bot(model, burst_seconds=1.5) as bot:
        await bot.app.inbox.receive(incoming("hello", message_id="1", conversation=GROUP))
        await bot.app.inbox.receive(incoming("me too", message_id="2", author=BO, conversation=GROUP))
        await bot.quiet()

    assert lines(model.prompts[0]) == ["Ada (id ada): hello", "Bo (id bo): me too"]
    assert bot.replies == ["Both of you, welcome."]
    assert bot.platform.sent[0].target.reply_to == "2"


async def test_what_the_asker_adds_without_a_mention_belongs_to_the_question() -> None:
    model = ScriptedModel("Mochi.")

    async with make_bot(model, burst_seconds=1.5) as bot:
        await bot.app.inbox.receive(incoming("@bot question:", message_id="1", conversation=GROUP))
        await bot.app.inbox.receive(incoming("what is my cat called?", message_id="2", conversation=GROUP, addressed=False))
        await bot.quiet()

    assert lines(model.prompts[0])[-1] == "Ada (id ada): what is my cat called?"


async def test_what_nobody_addressed_to_the_bot_is_history_only() -> None:
    model = ScriptedModel("Hello Ada.")

    async with make_bot(model) as bot:
        await bot.say("lunch?", author=BO, conversation=GROUP, addressed=False)
        await bot.say("hello", author=ADA, conversation=GROUP)

    assert lines(model.prompts[0]) == ["Bo (id bo): lunch?", "Ada (id ada): hello"]
    assert len(bot.replies) == 1


async def said_while_it_thinks(bot: Bot, model: ScriptedModel, text: str, message_id: str) -> None:
    """Say something once the model was asked, and give the bot time to notice."""
    async with asyncio.timeout(5):
        await model.asked.wait()
    model.asked.clear()
    await bot.app.inbox.receive(incoming(text, message_id=message_id, sent_at=bot.clock.now()))


async def test_message_that_comes_while_the_model_thinks_is_taken_into_the_answer() -> None:
    model = ScriptedModel("Both.", waits_for=(thinking := asyncio.Event()))

    async with make_bot(model) as bot:
        await bot.app.inbox.receive(incoming("first", message_id="1"))
        await said_while_it_thinks(bot, model, "second", "2")
        await model.asked.wait()
        thinking.set()
        await bot.quiet()

        async with bot.store.read() as tx:
            spent = await tx.usage.totals(DIRECT)
    assert [lines(prompt) for prompt in model.prompts] == [["first"], ["first", "second"]]
    assert [(sent.text, sent.target.reply_to) for sent in bot.platform.sent] == [("Both.", "2")]
    assert spent.prompt_tokens > 10


async def test_an_answer_is_begun_anew_a_few_times_only() -> None:
    model = ScriptedModel("One to three.", "Four.", waits_for=(thinking := asyncio.Event()))

    async with make_bot(model) as bot:
        await bot.app.inbox.receive(incoming("1", message_id="1"))
        for number in ("2", "3", "4"):
            await said_while_it_thinks(bot, model, number, number)
        await asyncio.sleep(0.02)
        thinking.set()
        await bot.quiet()

    assert [lines(prompt) for prompt in model.prompts][-2:] == [["1", "2", "3"], ["1", "2", "3", "One to three.", "4"]]
    assert bot.replies == ["One to three.", "Four."]


async def test_what_comes_after_long_thinking_gets_the_next_turn() -> None:
    model = ScriptedModel("One.", "Two.", waits_for=(thinking := asyncio.Event()))

    async with make_bot(model) as bot:
        await bot.app.inbox.receive(incoming("first", message_id="1"))
        await model.asked.wait()
        bot.clock.move(seconds=21)
        await said_while_it_thinks(bot, model, "second", "2")
        await asyncio.sleep(0.02)
        thinking.set()
        await bot.quiet()

    assert bot.replies == ["One.", "Two."]


async def test_an_answer_that_people_see_is_not_begun_anew() -> None:
    half_way, go_on = asyncio.Event(), asyncio.Event()

    class Slow(ScriptedModel):
        async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
            async for event in super().stream(request):
                yield event
                half_way.set()
                await go_on.wait()

    async with make_bot(Slow("First of all, tea.", "Two.")) as bot:
        bot.platform.posts_drafts = True
        await bot.app.inbox.receive(incoming("first", message_id="1"))
        await half_way.wait()
        await bot.app.inbox.receive(incoming("second", message_id="2"))
        await asyncio.sleep(0.02)
        go_on.set()
        await bot.quiet()

    assert bot.replies == ["First of all, tea.", "Two."]


async def test_admins_may_have_messages_acknowledged_by_a_reaction() -> None:
    async with make_bot(ScriptedModel("One.", "Two.")) as bot:
        await bot.say("hi", conversation=GROUP)
        async with bot.store.write() as tx:
            await tx.settings.set(GROUP.platform, GROUP.space_id, "speak.reacts", "on")
        message_id = await bot.say("hi", conversation=GROUP)

    assert bot.platform.reactions == [(message_id, SEEN)]


async def test_repeated_message_is_answered_once() -> None:
    async with make_bot(ScriptedModel("Hello.")) as bot:
        await bot.receive(incoming("hi", message_id="7"))
        await bot.receive(incoming("hi", message_id="7"))

    assert bot.replies == ["Hello."]


async def test_message_that_a_crash_left_unanswered_is_answered_at_the_next_start(database_url: str) -> None:
    never = asyncio.Event()
    stuck = ScriptedModel("lost", waits_for=never)
    async with make_bot(stuck, database=database_url) as bot:
        await bot.app.inbox.receive(incoming("are you there?"))
        await stuck.asked.wait()

    async with make_bot(ScriptedModel("Yes."), database=database_url) as restarted:
        await restarted.quiet()

        assert restarted.replies == ["Yes."]


async def test_turn_that_fails_again_and_again_is_closed_with_a_notice() -> None:
    broken = ScriptedModel(*(RuntimeError("a defect") for _ in range(MOST_FAILURES)), "Hello again.")

    async with make_bot(broken) as bot:
        await bot.say("hi")
        await bot.say("hi again")

    assert bot.replies == [ENGLISH.gave_up, "Hello again."]
    assert lines(broken.prompts[-1]) == ["hi", "hi again"]


async def test_to_take_in_what_is_said_meanwhile_is_no_further_attempt() -> None:
    goes_on = asyncio.Event()
    model = ScriptedModel("Both.", waits_for=goes_on)

    async with make_bot(model) as bot:
        await bot.app.inbox.receive(incoming("one", message_id="1"))
        await model.asked.wait()
        model.asked.clear()
        await bot.app.inbox.receive(incoming("two", message_id="2"))
        await model.asked.wait()
        async with bot.store.read() as tx:
            attempts = {message.text: message.attempts for message in await tx.messages.waiting(DIRECT)}
        goes_on.set()
        await bot.quiet()

    assert attempts == {"one": 1, "two": 0}
    assert bot.replies == ["Both."]


async def test_conversations_do_not_wait_for_one_another() -> None:
    never = asyncio.Event()
    stuck = ScriptedModel("lost", waits_for=never)

    async with make_bot(stuck) as bot:
        await bot.app.inbox.receive(incoming("here", conversation=DIRECT))
        await stuck.asked.wait()
        stuck.asked.clear()
        await bot.app.inbox.receive(incoming("there", conversation=GROUP))
        async with asyncio.timeout(5):
            await stuck.asked.wait()

    assert len(stuck.prompts) == 2


async def test_who_writes_again_at_once_waits_behind_those_who_have_waited_longer() -> None:
    model, platform, clock = ScriptedModel("one", "two", "three"), RecordingPlatform(), FrozenClock()
    platform.slow_sends = asyncio.Event()
    world = replace(a_world(model, [platform], clock=clock), queue=InProcessQueue(clock, parallel=1))

    async with running(world) as app:
        await app.inbox.receive(incoming("here", message_id="1", conversation=DIRECT))
        await platform.sending.wait()
        await app.inbox.receive(incoming("there", message_id="2", conversation=GROUP))
        await app.inbox.receive(incoming("here again", message_id="3", conversation=DIRECT))
        platform.slow_sends.set()
        await world.queue.idle()

    assert [(sent.target.conversation, sent.text) for sent in platform.sent] == [(DIRECT, "one"), (GROUP, "two"), (DIRECT, "three")]
