"""From a prompt to an answer: streaming, tool calls and memory tags, in at most a few rounds."""

import asyncio
from dataclasses import dataclass, field, replace
from typing import assert_never

import structlog

from bot.conversation.continuing import GO_ON, gone_on, marked, to_go_on_from
from bot.conversation.running import Spent
from bot.domain.message import Role
from bot.domain.model import ChatMessage, ChatRequest, Finished, FinishReason, TextDelta, ToolCallDelta, Usage
from bot.domain.tool import ToolCall
from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelTrouble, ModelUnavailable
from bot.ports.model import ChatModel
from bot.ports.platform import ShowDraft
from bot.protocol.native import ToolCallAssembler
from bot.protocol.reasoning import Retraction
from bot.protocol.reply import ReplyPart, ReplyReader
from bot.protocol.scanner import VisibleText
from bot.protocol.written_calls import WrittenCall
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
    lead: str = ""
    """What is visible from before this stream."""
    calls: tuple[ToolCall, ...] = ()
    written: list[WrittenCall] = field(default_factory=list)
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
        spent: Spent | None = None,
    ) -> None:
        self._model = model
        self._toolbox = toolbox
        self._tags = (MEMORY_TAGS, MEMORY_TAGS_WITHOUT_BODY) if reads_tags else (frozenset[str](), frozenset[str]())
        self._drops_stamps = drops_stamps
        self._show = show
        self._patience = patience
        self._usage: list[Usage] = []
        self._spent = spent or Spent()

    async def generate(self, request: ChatRequest) -> Generation:
        """Return the answer. Raises ModelError when there is none; a stream that is cut is tried once more."""
        said = ""
        for number in range(1, MAX_ROUNDS + 1):
            last = number == MAX_ROUNDS
            try:
                done = await self._round_or_again(replace(request, tools=()) if last else request, said)
            except ContextOverflow:
                if not said:
                    raise
                log.warning("results_left_unread", model=self._model.name, rounds=number)
                break
            done = await self._ended(request, done, said, may_go_on=not last)
            said = _joined(said, done.visible)
            request = await self._carried_out(request, done, said)
            if last or not (done.calls or (done.tagged and not said)):
                break
        return Generation(said, tuple(self._usage))

    async def _ended(self, request: ChatRequest, done: _Round, said: str, *, may_go_on: bool) -> _Round:
        """Return a round whose answer is whole, or ends with a mark. Raises AnswerFiltered when a filter left nothing of it."""
        if done.reason is FinishReason.FILTERED and not (done.visible.strip() or done.calls or said):
            raise AnswerFiltered(f"A content filter kept back what the model {self._model.name} answered.")
        if done.reason is FinishReason.LENGTH and may_go_on and done.visible.strip() and not done.calls:
            return await self._gone_on(request, done, said)
        return _marked(done)

    async def _gone_on(self, request: ChatRequest, done: _Round, said: str) -> _Round:
        """Let the model go on, once, where its answer was cut by its length."""
        lead = to_go_on_from(done.visible)
        messages = (*request.messages, ChatMessage(Role.ASSISTANT, lead.rstrip()), ChatMessage(Role.SYSTEM, GO_ON))
        more = _Round(visible=lead, lead=lead, tagged=list(done.tagged))
        try:
            await self._timed_round(replace(request, messages=messages, tools=()), said, more)
        except ModelError as problem:
            log.warning("answer_left_cut", model=self._model.name, problem=type(problem).__name__)
            return _marked(done)
        if more.visible == lead:
            return _marked(done)
        more.visible = gone_on(lead, more.visible.removeprefix(lead))
        return _marked(more)

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
            late = f"The model {self._model.name} did not end its answer within {self._patience:.0f} seconds."
            raise ModelUnavailable(late, ModelTrouble.SLOW) from problem

    async def _round(self, request: ChatRequest, said: str, done: _Round) -> _Round:
        names, without_body = self._tags
        reader = ReplyReader(names, without_body=without_body, drops_stamps=self._drops_stamps)
        assembler = ToolCallAssembler(f"call_{len(request.messages)}")
        self._spent.is_open = True
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
                    self._spent.add(event)
                case Finished(reason):
                    done.reason = reason
                case _:
                    assert_never(event)
        _read(done, reader.close())
        done.calls = assembler.calls()
        if done.written and not done.calls:
            _take_written(done, request)
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
                done.visible = done.lead
                done.tagged.clear()
                done.written.clear()
            case WrittenCall():
                done.written.append(part)
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


def _take_written(done: _Round, request: ChatRequest) -> None:
    """Take the calls in a text for what they are: tool calls where tools were offered, else edits like those by tags."""
    calls = [
        ToolCall(f"call_{len(request.messages)}_{number}", call.name or "unnamed", call.arguments or "{}")
        for number, call in enumerate(done.written, 1)
    ]
    log.info("calls_read_from_text", calls=len(calls), offered=bool(request.tools))
    if request.tools:
        done.calls = tuple(calls)
    else:
        done.tagged += calls


def _marked(done: _Round) -> _Round:
    """Return the round, with a mark where its answer was cut by its length or a filter."""
    if done.reason in (FinishReason.LENGTH, FinishReason.FILTERED) and done.visible.strip():
        done.visible = marked(done.visible)
    return done


def _joined(before: str, more: str) -> str:
    parts = [part.strip() for part in (before, more)]
    return "\n\n".join(part for part in parts if part)
