import asyncio
from collections.abc import AsyncIterator

import pytest

from bot.conversation.running import Writing, WritingHere
from bot.domain.extension import ToolContext
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, Usage
from bot.platforms.growing import NoDraft
from bot.ports.turns import Stopping
from bot.testing.bot import Bot, make_bot
from bot.testing.factories import ADA, BO, DIRECT, GROUP, a_turn, incoming
from bot.testing.notebook import Notebook
from bot.testing.scripted_model import ScriptedModel
from bot.tools.registry import Toolbox


class SlowModel(ScriptedModel):
    """Says its first reply and then thinks on until it is let go; later replies come at once."""

    def __init__(self, text: str, *later: str) -> None:
        super().__init__(*later)
        self.said, self.goes_on = asyncio.Event(), asyncio.Event()
        self._text = text

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        if self.said.is_set():
            async for event in super().stream(request):
                yield event
            return
        self.prompts.append(request)
        yield TextDelta(self._text)
        self.said.set()
        await self.goes_on.wait()
        yield TextDelta(" The end.")
        yield Finished(FinishReason.STOP)


async def asked(bot: Bot, model: SlowModel, text: str = "Tell me a story") -> None:
    await bot.app.inbox.receive(incoming(text, message_id="q1", sent_at=bot.clock.now()))
    await model.said.wait()


async def test_what_was_shown_stays_as_the_answer_and_what_was_staged_is_dropped() -> None:
    model = SlowModel("Once upon a time<mem_new>Ada likes stories</mem_new>", "Again?")

    async with make_bot(model) as bot:
        await asked(bot, model, "I like stories. Tell me a story")
        stopped = await bot.app.mailbox.writing.stop(DIRECT, person_id=ADA.id)
        await bot.quiet()
        await bot.say("go on")

        assert stopped is Stopping.STOPPED
        assert bot.replies == ["Once upon a time …", "Again?"]
        assert await bot.memories() == []
    assert [message.text for message in model.prompts[1].messages if message.role == "assistant"] == ["Once upon a time …"]


async def test_an_answer_of_which_nothing_was_shown_is_silence_and_takes_its_draft_away() -> None:
    model = ScriptedModel("Later.", "Now.", waits_for=asyncio.Event())

    async with make_bot(model) as bot:
        bot.platform.posts_drafts = True
        await bot.app.inbox.receive(incoming("hello", message_id="q1"))
        await model.asked.wait()
        await bot.app.mailbox.writing.stop(DIRECT)
        await bot.quiet()
        assert bot.replies == []

        assert model.waits_for is not None
        model.waits_for.set()
        await bot.say("and now?")

        assert bot.replies == ["Later."]


async def test_what_a_stopped_answer_has_cost_is_counted() -> None:
    model = SlowModel("Once upon a time")

    async with make_bot(model) as bot:
        await asked(bot, model)
        await bot.app.mailbox.writing.stop(DIRECT)
        await bot.quiet()

        async with bot.store.read() as tx:
            totals = await tx.usage.totals(DIRECT)
    assert totals.prompt_tokens > 20
    assert totals.reply_tokens == 4


async def test_work_that_was_stopped_before_it_began_is_not_done() -> None:
    writing = Writing([ADA.id])
    done: list[int] = []
    writing.stop()

    async def work() -> str:
        await asyncio.sleep(0.01)
        done.append(1)
        return "written"

    assert await writing.unless_stopped(work()) is None
    assert done == []


async def test_stopping_ends_its_own_conversation_and_own_people_only() -> None:
    here = WritingHere()

    with here.begin(GROUP, {ADA.id}) as writing:
        elsewhere = await here.stop(DIRECT)
        of_others = await here.stop(GROUP, person_id=BO.id)
        before = writing.is_stopped
        own = await here.stop(GROUP, person_id=ADA.id)

    assert (elsewhere, of_others, own) == (Stopping.NOTHING, Stopping.NOT_YOURS, Stopping.STOPPED)
    assert [before, writing.is_stopped] == [False, True]
    assert not await here.is_writing(GROUP)


async def test_a_timeout_of_the_work_itself_is_no_stop() -> None:
    async def work() -> None:
        raise TimeoutError("late")

    with pytest.raises(TimeoutError, match="late"):
        await Writing().unless_stopped(work())


async def test_an_answer_begins_anew_only_while_nothing_is_seen_or_done() -> None:
    writing, toolbox = Writing(), Toolbox((), ToolContext(a_turn(), Notebook()))

    async def work() -> None:
        writing.draft, writing.toolbox = NoDraft(), toolbox
        verdicts.append(writing.may_begin_anew)
        writing.draft = NoDraft("1")
        verdicts.append(writing.may_begin_anew)
        writing.draft, toolbox.has_acted = None, True
        verdicts.append(writing.may_begin_anew)

    verdicts = [writing.may_begin_anew]
    await writing.unless_stopped(work())

    assert verdicts == [False, True, False, False]


async def test_what_begins_anew_is_cancelled() -> None:
    writing, never = Writing(), asyncio.Event()

    async def work() -> bool:
        asyncio.get_running_loop().call_soon(writing.begin_anew)
        return await never.wait()

    assert await writing.unless_stopped(work()) is None
    assert writing.begins_anew


def test_what_is_left_off_costs_its_earlier_rounds_and_the_prompt_that_is_open() -> None:
    writing, counted, open_prompt = Writing(), Usage("m", 5, 2), Usage("m", 9, 0)
    nothing_yet = writing.costs()
    writing.cost, writing.spent.is_open = open_prompt, True
    writing.spent.add(counted)
    between_rounds = writing.costs()
    writing.spent.is_open = True

    assert (nothing_yet, between_rounds) == ((), (counted,))
    assert writing.costs(reply_tokens=3) == (counted, Usage("m", 9, 3))
