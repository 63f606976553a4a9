"""The model behind any OpenAI-compatible endpoint."""

import asyncio
import json
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace

import structlog
from openai import APIConnectionError, APIError, APIStatusError, AsyncOpenAI, AsyncStream, Timeout

from bot.domain.model import ChatRequest, ModelEvent
from bot.domain.tool import JsonValue
from bot.errors import ModelRefused, ModelTrouble, ModelUnavailable, ToolsUnsupported
from bot.llm.habits import Habits, habits_of, is_about_an_image, learned, learned_of_overflow
from bot.llm.openai_answer import AnswerReader
from bot.llm.openai_errors import Whom, complaint_of, explain, failed_inside
from bot.llm.openai_request import body_of, without_images
from bot.llm.overflow import overflow_in

log = structlog.get_logger(__name__)

OPENAI = "https://api.openai.com/v1"
_END = object()
NO_KEY = "none"
"""Sent where there is no key: the client insists on one, endpoints of one's own do not."""
MOST_MODELS = 200
"""Models of one endpoint whose habits are kept in mind; the one that was asked longest ago gives way."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for an endpoint, in seconds, and how often to try again before the first piece of an answer."""

    connect: float = 10.0
    first_piece: float = 120.0
    """All tries together; without a graphics card, reading a long prompt takes minutes."""
    between_pieces: float = 60.0
    whole: float = 1800.0
    """For all of an answer: what came until then is the answer, for one that drips without end holds up its conversation."""
    retries: int = 2


class OpenAIModel:
    """A ChatModel. It learns what its endpoint does not take, once a model, and then leaves it out."""

    def __init__(self, model: str, *, base_url: str = OPENAI, api_key: str = "", patience: Patience | None = None) -> None:
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._patience = patience or Patience()
        self._habits: OrderedDict[str, Habits] = OrderedDict()
        self._client = AsyncOpenAI(
            base_url=base_url,
            api_key=api_key or NO_KEY,
            max_retries=self._patience.retries,
            timeout=Timeout(self._patience.first_piece, connect=self._patience.connect),
        )

    @property
    def name(self) -> str:
        """Return the model as its endpoint calls it."""
        return self._model

    @property
    def takes_tools(self) -> bool:
        """False as soon as the endpoint has refused tools for this model."""
        return self._habits_of(self._model).takes_tools

    @property
    def takes_images(self) -> bool:
        """False as soon as the endpoint has refused images for this model."""
        return self._habits_of(self._model).takes_images

    async def stream(self, request: ChatRequest) -> AsyncIterator[ModelEvent]:
        """Return the answer, piece by piece."""
        whom = Whom(self._base_url, request.model or self._model, self._api_key)
        reader = AnswerReader(whom.model, most_tokens=request.max_reply_tokens)
        async with aclosing(self._pieces(request, whom, reader)) as events:
            try:
                async for event in events:
                    yield event
            except ModelUnavailable:
                if not reader.finished:
                    raise
        for event in reader.finish():
            yield event

    async def close(self) -> None:
        """Free its connections."""
        await self._client.close()

    async def _pieces(self, request: ChatRequest, whom: Whom, reader: AnswerReader) -> AsyncGenerator[ModelEvent]:
        """Return the events of a stream or of a whole body; each wait has its limit."""
        async with _limited(whom, self._patience.first_piece, "gave no answer"):
            answer = await self._open(request, whom)
        async with aclosing(answer):
            if not _is_stream(answer):
                async with _limited(whom, self._patience.first_piece, "did not end its answer"):
                    body = await _whole_body(answer, whom)
                for event in reader.read_whole(body):
                    yield event
                return
            pieces = aiter(answer)
            seconds = self._patience.first_piece
            clock = asyncio.get_running_loop()
            ends_at = clock.time() + self._patience.whole
            while not reader.full:
                async with _limited(whom, seconds, "fell silent"):
                    piece = await anext(pieces, _END)
                if piece is _END:
                    return
                for event in reader.read(piece):
                    seconds = self._patience.between_pieces
                    yield event
                if clock.time() >= ends_at:
                    break
            log.warning("model_answer_cut", model=whom.model, too_long=reader.full)
            reader.cut_short()

    async def _open(self, request: ChatRequest, whom: Whom) -> AsyncStream[object]:
        """Return the endpoint's answer, asked again for each thing it turns out not to take."""
        habits = self._habits_of(whom.model)
        while habits.takes_tools or not request.tools:
            try:
                answer = await self._post(body_of(request, whom.model, habits))
            except APIStatusError as error:
                complaint = complaint_of(error)
                overflow = overflow_in(complaint, error.status_code, error.body)
                if changed := learned_of_overflow(habits, overflow, request) if overflow else learned(habits, complaint, request):
                    log.info("model_habit_learned", model=whom.model, status=error.status_code, habits=str(changed))
                    habits = changed
                elif is_about_an_image(complaint, error.status_code, request):
                    log.warning("model_refused_an_image", model=whom.model, status=error.status_code)
                    request = replace(request, messages=without_images(request.messages))
                else:
                    self._remember(whom.model, habits)
                    raise
            else:
                self._remember(whom.model, habits)
                return answer
        self._remember(whom.model, habits)
        raise ToolsUnsupported(f"The model {whom.model} at {whom.place} takes no tools.")

    async def _post(self, body: dict[str, JsonValue]) -> AsyncStream[object]:
        return await self._client.post("/chat/completions", body=body, cast_to=object, stream=True, stream_cls=AsyncStream[object])

    def _habits_of(self, model: str) -> Habits:
        return self._habits.get(model) or habits_of(model)

    def _remember(self, model: str, habits: Habits) -> None:
        self._habits[model] = habits
        self._habits.move_to_end(model)
        if len(self._habits) > MOST_MODELS:
            self._habits.popitem(last=False)


@asynccontextmanager
async def _limited(whom: Whom, seconds: float, silence: str) -> AsyncIterator[None]:
    """Wait no longer than that, and turn what the client raises into our errors.

    Their texts say all there is to know; what caused them is left out, so that no key stands in a traceback.
    """
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        problem = f"The model {whom.model} at {whom.place} {silence} for {seconds:g} s; a smaller one in BAKU_MODEL may be quicker."
        raise ModelUnavailable(problem, ModelTrouble.SLOW) from None
    except APIStatusError as error:
        raise explain(error, whom) from None
    except APIConnectionError as error:
        cause = type(error.__cause__ or error).__name__
        raise ModelUnavailable(
            f"The model endpoint at {whom.place} cannot be reached or hung up ({cause}); check OPENAI_BASE_URL."
        ) from None
    except APIError as error:
        raise failed_inside(error.message, whom) from None
    except (ValueError, RecursionError) as error:
        raise ModelUnavailable(f"The model endpoint at {whom.place} sent what is no JSON ({type(error).__name__}).") from None


def _is_stream(answer: AsyncStream[object]) -> bool:
    return not any(kind in answer.response.headers.get("content-type", "") for kind in ("json", "html"))


async def _whole_body(answer: AsyncStream[object], whom: Whom) -> object:
    """Return the JSON of an answer that is no stream. Raises ModelRefused for a web page, ModelUnavailable for a reported failure."""
    content = await answer.response.aread()
    if "html" in answer.response.headers.get("content-type", ""):
        problem = f"There is a web page at {whom.place}, no chat API; check OPENAI_BASE_URL, which usually ends in /v1."
        raise ModelRefused(problem, ModelTrouble.MISSING)
    body: object = json.loads(content)
    if isinstance(body, dict) and body.get("error"):
        raise failed_inside(str(body["error"].get("message", "") if isinstance(body["error"], dict) else body["error"]), whom)
    return body
