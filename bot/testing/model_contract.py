"""What every ChatModel must do. Subclass what applies in a test module and give it the fixtures `model` and `cut_off`."""

import asyncio
from collections.abc import AsyncGenerator

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, Image, ModelEvent, TextDelta, ToolCallDelta, Usage
from bot.domain.tool import ToolSpec
from bot.errors import ModelError, ModelUnavailable, ToolsUnsupported
from bot.ports.model import ChatModel
from bot.protocol.native import ToolCallAssembler, parse_arguments

PATIENCE = 20.0
NOTE = ToolSpec(
    "UpdatePersonaMemory",
    "Stores a fact.",
    {
        "type": "object",
        "properties": {"id": {"type": "integer"}, "newContent": {"type": "string"}},
        "required": ["id", "newContent"],
    },
)
PERSONA = "<persona>\nName: Iris\n\nYou are calm.\n\nGreeting: Good day.\n</persona>"


def asking(text: str, *, tools: tuple[ToolSpec, ...] = ()) -> ChatRequest:
    """Return a request with one message of a person."""
    return ChatRequest((ChatMessage(Role.SYSTEM, PERSONA), ChatMessage(Role.USER, text)), tools=tools)


async def events_of(model: ChatModel, request: ChatRequest) -> list[ModelEvent]:
    """Return all events of one answer."""
    events: list[ModelEvent] = []
    await collect(model, request, events)
    return events


async def collect(model: ChatModel, request: ChatRequest, events: list[ModelEvent]) -> None:
    """Add the events of an answer to a list as they come."""
    async with asyncio.timeout(PATIENCE):
        async for event in model.stream(request):
            events.append(event)  # noqa: PERF401 (what came before an error is kept)


async def error_of(model: ChatModel, request: ChatRequest, events: list[ModelEvent]) -> ModelError | None:
    """Return the error that an answer ends with, None when it ends well; what came before it is added to a list."""
    try:
        await collect(model, request, events)
    except ModelError as error:
        return error
    return None


def text_of(events: list[ModelEvent]) -> str:
    """Return the text of an answer."""
    return "".join(event.text for event in events if isinstance(event, TextDelta))


class ModelContract:
    """One test a sentence of the port's docstring. The model answers `Hello` in words."""

    async def test_stream_brings_text_and_ends_with_exactly_one_finished(self, model: ChatModel) -> None:
        events = await events_of(model, asking("Hello"))

        assert text_of(events)
        assert [event for event in events if isinstance(event, Finished)] == [events[-1]]

    async def test_no_piece_is_empty_and_every_character_whole(self, model: ChatModel) -> None:
        events = await events_of(model, asking("Hello"))

        pieces = [event.text for event in events if isinstance(event, TextDelta)]
        assert all(piece and piece.encode() for piece in pieces)

    async def test_no_tool_is_called_that_was_not_offered(self, model: ChatModel) -> None:
        events = await events_of(model, asking("Hello"))

        assert not [event for event in events if isinstance(event, ToolCallDelta)]

    async def test_usage_is_told_at_most_once_and_before_the_end(self, model: ChatModel) -> None:
        events = await events_of(model, asking("Hello"))

        assert sum(isinstance(event, Usage) for event in events) <= 1
        assert not isinstance(events[-1], Usage)

    async def test_answers_run_in_parallel(self, model: ChatModel) -> None:
        answers = await asyncio.gather(*[events_of(model, asking("Hello")) for _ in range(3)])

        assert all(text_of(events) for events in answers)

    async def test_stream_that_is_left_early_does_no_harm(self, model: ChatModel) -> None:
        stream = model.stream(asking("Hello"))
        await anext(stream)
        if isinstance(stream, AsyncGenerator):
            await stream.aclose()

        assert text_of(await events_of(model, asking("Hello")))

    async def test_request_is_left_as_it_was(self, model: ChatModel) -> None:
        request = asking("Hello", tools=(NOTE,) if model.takes_tools else ())

        await events_of(model, request)

        assert request == asking("Hello", tools=request.tools)

    async def test_image_does_no_harm(self, model: ChatModel) -> None:
        shown = ChatMessage(Role.USER, "Hello", images=(Image("image/png", b"cat"),))

        assert text_of(await events_of(model, ChatRequest((shown,))))
        assert model.takes_images in (True, False)

    async def test_it_has_a_name(self, model: ChatModel) -> None:
        assert model.name

    async def test_closing_it_twice_does_no_harm(self, model: ChatModel) -> None:
        await model.close()
        await model.close()


class ToolsContract:
    """For models that take tools; `Please remember that I like tea` is answered by a call."""

    async def test_call_of_an_offered_tool_can_be_put_together_and_read(self, model: ChatModel) -> None:
        assembler = ToolCallAssembler()

        for event in await events_of(model, asking("Please remember that I like tea.", tools=(NOTE,))):
            if isinstance(event, ToolCallDelta):
                assembler.add(event)

        [call] = assembler.calls()
        assert call.name == NOTE.name
        assert "I like tea" in str(parse_arguments(call)["newContent"])


class NoToolsContract:
    """For models that are known to take no tools."""

    async def test_model_without_tools_says_so_before_any_event(self, model: ChatModel) -> None:
        events: list[ModelEvent] = []

        error = await error_of(model, asking("Hello", tools=(NOTE,)), events)

        assert isinstance(error, ToolsUnsupported)
        assert events == []
        assert not model.takes_tools


class CutOffContract:
    """For models that can be cut off; the fixture `cut_off` gives one whose stream stops after some text."""

    async def test_cut_stream_raises_model_unavailable_after_its_pieces(self, cut_off: ChatModel) -> None:
        events: list[ModelEvent] = []

        error = await error_of(cut_off, asking("Hello"), events)

        assert isinstance(error, ModelUnavailable)
        assert text_of(events)
        assert not [event for event in events if isinstance(event, Finished)]
