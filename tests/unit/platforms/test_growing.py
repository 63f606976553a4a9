"""An answer in a message that is edited as it grows."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from bot.domain.message import Part
from bot.errors import DeliveryDelayed, DeliveryRefused
from bot.platforms.growing import GrowingMessage, Pace

QUICK = Pace(first=0.0, every=0.005, least=3)


@dataclass
class Chat:
    """A chat that keeps what its one message has said; faults are raised by the next calls."""

    said: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    faults: list[Exception] = field(default_factory=list)
    post_takes: float = 0.0
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    def parts(self, text: str) -> Sequence[Part]:
        return [Part(text[start : start + 10]) for start in range(0, len(text), 10)]

    async def post(self, part: Part) -> str:
        await asyncio.sleep(self.post_takes)
        await self.edit("7", part)
        return "7"

    async def edit(self, message_id: str, part: Part) -> None:
        assert message_id == "7"
        if self.faults:
            raise self.faults.pop(0)
        self.said.append(part.text)
        async with self.news:
            self.news.notify_all()

    async def posted(self, message_id: str) -> None:
        self.ids.append(message_id)

    def draft(self, pace: Pace = QUICK, message_id: str = "") -> GrowingMessage:
        return GrowingMessage(self.parts, self.post, self.edit, self.posted, pace, message_id)

    async def until(self, text: str) -> None:
        async with asyncio.timeout(5), self.news:
            await self.news.wait_for(lambda: text in self.said)


async def test_a_first_message_is_posted_and_then_edited() -> None:
    chat = Chat()
    draft = chat.draft()

    async with draft.growing():
        await draft.show("One")
        await chat.until("One")
        await draft.show("One two")
        await chat.until("One two")

    assert (chat.said, chat.ids, draft.message_id) == (["One", "One two"], ["7"], "7")


async def test_an_answer_that_is_done_soon_shows_nothing() -> None:
    chat = Chat()
    draft = chat.draft(Pace(first=60.0, every=60.0))

    async with draft.growing():
        await draft.show("Quick")

    assert (chat.said, draft.message_id) == ([], "")


async def test_too_little_to_show_waits_for_more() -> None:
    chat = Chat()
    draft = chat.draft()

    async with draft.growing():
        await draft.show("Hm")
        await asyncio.sleep(0.02)
        assert chat.said == []
        await draft.show("Hm, yes")
        await chat.until("Hm, yes")


async def test_of_a_long_answer_the_first_part_is_shown_once() -> None:
    chat = Chat()
    draft = chat.draft()

    async with draft.growing():
        await draft.show("0123456789ab")
        await chat.until("0123456789")
        await draft.show("0123456789abc")
        await asyncio.sleep(0.02)

    assert chat.said == ["0123456789"]


async def test_a_post_on_its_way_is_waited_for_so_that_its_message_is_known() -> None:
    chat = Chat(post_takes=0.05)
    draft = chat.draft()

    async with draft.growing():
        await draft.show("Hello")
        await asyncio.sleep(0.02)

    assert (draft.message_id, chat.ids) == ("7", ["7"])


async def test_after_a_request_to_wait_it_goes_on_and_after_a_refusal_it_gives_up() -> None:
    chat = Chat(faults=[DeliveryDelayed("Wait.", retry_after=0.01)])
    draft = chat.draft()

    async with draft.growing():
        await draft.show("Hello")
        await chat.until("Hello")
        chat.faults.append(DeliveryRefused("No."))
        await draft.show("Hello you")
        await asyncio.sleep(0.02)
        await draft.show("Hello you all")
        await asyncio.sleep(0.02)

    assert chat.said == ["Hello"]


async def test_a_message_of_an_earlier_try_is_gone_on_with() -> None:
    chat = Chat()
    draft = chat.draft(Pace(first=60.0, every=0.005, least=60), message_id="7")

    async with draft.growing():
        await draft.show("Again")
        await chat.until("Again")

    assert chat.ids == []
