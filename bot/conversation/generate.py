"""From a prompt to an answer: streaming, tool calls and memory tags, in at most a few rounds."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import assert_never

import structlog

from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, TextDelta, ToolCallDelta, Usage
from bot.domain.tool import ToolCall
from bot.errors import ModelUnavailable
from bot.ports.model import ChatModel
from bot.ports.platform import ShowDraft
from bot.protocol.native import ToolCallAssembler
from bot.protocol.reasoning import Retraction
from bot.protocol.reply import ReplyPart, ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.xml_tags import Problem, Tag
from bot.tools.memory_tags import MEMORY_TAGS, MEMORY_TAGS_WITHOUT_BODY, call_of
from bot.tools.registry import Toolbox

MAX_ROUNDS = 4
"""Generations a turn; the last one is offered no tools."""
PATIENCE = 900.0
"""Seconds that one stream may take from its first piece to its last."""
TAGS_DONE = "Your memory tags were carried out: {results} Now answer in words."

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Generation:
    """An answer. Its text is empty when the model said nothing."""

    text: str
    usage: tuple[Usage, ...]
    is_notice: bool = False
    """A line of ours in place of an answer; no part of the history."""
    history_start: int = 0
    """The row with which the history of its prompt began."""
    remark: str = ""
    """A line of ours that is sent below the answer; no part of the history."""

    @property
    def sent(self) -> str:
        """Return what people get."""
        return _joined(self.text, self.remark)


@dataclass(slots=True)
class _Round:
    """What one stream has brought so far."""

    events: int = 0
    visible: str = ""
    calls: tuple[ToolCall, ...] = ()
    tagged: list[ToolCall] = field(default_factory=list)
    reason: FinishReason | None = None


class Generator:
    """Generates one answer. Shows the visible text so far through `show`, which never sees a tag or reasoning."""

    def __init__(
        self,
        model: ChatModel,
        toolbox: Toolbox,
        *,
        reads_tags: bool,
        show: ShowDraft,
        drops_stamps: bool = False,
        patience: float = PATIENCE,
    ) -> None:
        self._model = model
        self._toolbox = toolbox
        self._tags = (MEMORY_TAGS, MEMORY_TAGS_WITHOUT_BODY) if reads_tags else (frozenset[str](), frozenset[str]())
        self._drops_stamps = drops_stamps
        self._show = show
        self._patience = patience
        self._usage: list[Usage] = []

    async def generate(self, request: ChatRequest) -> Generation:
        """Return the answer. Raises ModelError when there is none; a stream that is cut is tried once more."""
        said = ""
        for number in range(1, MAX_ROUNDS + 1):
            last = number == MAX_ROUNDS
            done = await self._round_or_again(replace(request, tools=()) if last else request, said)
            said = _joined(said, done.visible)
            request = await self._carried_out(request, done, said)
            if last or not (done.calls or (done.tagged and not said)):
                break
        return Generation(said, tuple(self._usage))

    async def _round_or_again(self, request: ChatRequest, said: str) -> _Round:
        """Return what one stream brought, or the next one where the first was cut in the middle."""
        done = _Round()
        try:
            return await self._timed_round(request, said, done)
        except ModelUnavailable:
            if not done.events:
                raise
            log.warning("cut_stream_tried_again", model=self._model.name, events=done.events)
            return await self._timed_round(request, said, _Round())

    async def _timed_round(self, request: ChatRequest, said: str, done: _Round) -> _Round:
        try:
            async with asyncio.timeout(self._patience):
                return await self._round(request, said, done)
        except TimeoutError as problem:
            raise ModelUnavailable(f"The model {self._model.name} did not end its answer within {self._patience:.0f} seconds.") from problem

    async def _round(self, request: ChatRequest, said: str, done: _Round) -> _Round:
        names, without_body = self._tags
        reader = ReplyReader(names, without_body=without_body, drops_stamps=self._drops_stamps)
        assembler = ToolCallAssembler(f"call_{len(request.messages)}")
        async for event in self._model.stream(request):
            done.events += 1
            match event:
                case TextDelta(text):
                    if _read(done, reader.feed(text)):
                        await self._show(_joined(said, done.visible))
                case ToolCallDelta():
                    assembler.add(event)
                case Usage():
                    self._usage.append(event)
                case Finished(reason):
                    done.reason = reason
                case _:
                    assert_never(event)
        _read(done, reader.close())
        done.calls = assembler.calls()
        if done.reason is FinishReason.LENGTH and done.visible.strip():
            done.visible = done.visible.rstrip() + " …"
        return done

    async def _carried_out(self, request: ChatRequest, done: _Round, said: str) -> ChatRequest:
        """Run the round's calls and return the request that follows, which tells the model their results."""
        for_tags = [await self._toolbox.run(call) for call in done.tagged]
        messages = list(request.messages)
        if done.calls:
            messages.append(ChatMessage(Role.ASSISTANT, done.visible, tool_calls=done.calls))
            messages += [ChatMessage(Role.TOOL, await self._toolbox.run(call), tool_call_id=call.id) for call in done.calls]
        elif for_tags and not said:
            messages.append(ChatMessage(Role.SYSTEM, TAGS_DONE.format(results=" ".join(for_tags))))
        return replace(request, messages=tuple(messages))


def _read(done: _Round, parts: list[ReplyPart]) -> bool:
    """Add parts of the answer to what is known; say whether what is visible has changed."""
    before = done.visible
    for part in parts:
        match part:
            case VisibleText(text):
                done.visible += text
            case Retraction():
                done.visible = ""
                done.tagged.clear()
            case Tag():
                call = call_of(part)
                if call is None:
                    log.warning("memory_tag_ignored", tag=part.name)
                else:
                    done.tagged.append(call)
            case Problem(name, trouble):
                log.warning("memory_tag_dropped", tag=name, trouble=trouble)
            case _:
                assert_never(part)
    return done.visible != before


def _joined(before: str, more: str) -> str:
    parts = [part.strip() for part in (before, more)]
    return "\n\n".join(part for part in parts if part)
