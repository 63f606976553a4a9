"""Vectors from any OpenAI-compatible endpoint."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from openai import APIConnectionError, APIError, APIStatusError, AsyncOpenAI, Timeout

from bot.errors import EmbedderUnavailable
from bot.llm.embedders.openai_answer import vectors_of
from bot.llm.embedders.openai_request import EmbeddingHabits, body_of, cut_to, learned
from bot.llm.embedders.vectors import readable, unit_length
from bot.llm.openai_errors import Whom, complaint_of
from bot.llm.openai_model import NO_KEY, OPENAI
from bot.llm.tokens import BpeTokens
from bot.ports.embedder import Vectors

BATCH = 64
LONGEST = 100_000
"""Characters of a text that are looked at."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class EmbeddingPatience:
    """How long to wait for an endpoint, in seconds with all tries, and how often to try again."""

    connect: float = 5.0
    queries: float = 4.0
    """People wait for a reply meanwhile; without vectors, search finds by words."""
    batch: float = 60.0
    rest: float = 30.0
    """After a question that got no answer in time, so that not every reply waits so long."""
    query_retries: int = 1
    batch_retries: int = 4


class OpenAIEmbedder:
    """An Embedder. It learns what its endpoint does not take, and then leaves it out.

    Without `dimensions` the model decides on its size, and its name stands alone.
    """

    def __init__(
        self, model: str, *, base_url: str = OPENAI, api_key: str = "", dimensions: int = 0, patience: EmbeddingPatience | None = None
    ) -> None:
        self._whom = Whom(base_url, model, api_key)
        self._dimensions = dimensions
        self._size = dimensions
        self._patience = patience or EmbeddingPatience()
        self._habits = EmbeddingHabits()
        self._rests_until = 0.0
        self._tokens = BpeTokens()
        self._client = AsyncOpenAI(
            base_url=base_url, api_key=api_key or NO_KEY, timeout=Timeout(self._patience.batch, connect=self._patience.connect)
        )

    @property
    def name(self) -> str:
        """Return the model as its endpoint calls it, with the dimensions that were asked for; it never changes while this lives."""
        return f"{self._whom.model}@{self._dimensions}" if self._dimensions else self._whom.model

    @property
    def size(self) -> int:
        """Return how many numbers a vector has, 0 before the first one came."""
        return self._size

    def warm_up(self) -> None:
        """Do nothing: there is nothing to load."""

    async def queries(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each question."""
        clock = asyncio.get_running_loop()
        if clock.time() < self._rests_until:
            raise self._failed("gave no answer just now and is left alone for a while")
        began = clock.time()
        try:
            return await self._embed(texts, seconds=self._patience.queries, retries=self._patience.query_retries)
        except EmbedderUnavailable:
            if clock.time() - began >= self._patience.queries:
                self._rests_until = clock.time() + self._patience.rest
            raise

    async def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a vector for each text."""
        return await self._embed(texts, seconds=self._patience.batch, retries=self._patience.batch_retries)

    async def close(self) -> None:
        """Free its connections."""
        await self._client.close()

    async def _embed(self, texts: Sequence[str], *, seconds: float, retries: int) -> Vectors:
        given = [readable(text, LONGEST) for text in texts]
        rows = [row for row, text in enumerate(given) if text]
        batches = [rows[start : start + BATCH] for start in range(0, len(rows), BATCH)]
        found = [await self._batch([given[row] for row in batch], seconds=seconds, retries=retries) for batch in batches]
        vectors = np.zeros((len(given), self._size), dtype=np.float32)
        if found:
            vectors[rows] = np.concatenate(found)
        return vectors

    async def _batch(self, texts: Sequence[str], *, seconds: float, retries: int) -> Vectors:
        """Return the vectors of one request, in the words of our own errors."""
        try:
            async with asyncio.timeout(seconds):
                body = await self._ask(texts, retries=retries)
                vectors = await asyncio.to_thread(_read, body, len(texts), self._size)
        except TimeoutError:
            raise self._failed(f"gave no answer for {seconds:g} s") from None
        except APIStatusError as error:
            raise self._failed(_reason(error.status_code)) from None
        except APIConnectionError as error:
            raise self._failed(f"cannot be reached or hung up ({type(error.__cause__ or error).__name__})") from None
        except (APIError, RecursionError, RuntimeError) as error:
            raise self._failed(f"failed with {type(error).__name__}") from None
        except _Unusable as problem:
            raise self._failed(f"sent {problem}") from None
        except ValueError:
            raise self._failed("sent what is no JSON") from None
        self._size = vectors.shape[1]
        return vectors

    async def _ask(self, texts: Sequence[str], *, retries: int) -> object:
        """Return the endpoint's answer, asked again for each thing it turns out not to take."""
        while True:
            habits = self._habits
            cut = await asyncio.to_thread(self._cut, texts, habits.most_tokens)
            try:
                return await self._client.post(
                    "/embeddings",
                    body=body_of(cut, self._whom.model, self._dimensions, habits),
                    cast_to=object,
                    options={"max_retries": retries},
                )
            except APIStatusError as error:
                changed = learned(habits, error.status_code, complaint_of(error))
                if changed is None:
                    raise
                log.info("embedder_habit_learned", embedder=self.name, status=error.status_code, habits=str(changed))
                self._habits = changed

    def _cut(self, texts: Sequence[str], most_tokens: int) -> list[str]:
        return [cut_to(text, most_tokens, self._tokens) for text in texts]

    def _failed(self, what: str) -> EmbedderUnavailable:
        return EmbedderUnavailable(f"The embedding endpoint at {self._whom.place} {what} (model {self._whom.model}).")


class _Unusable(ValueError):
    """An answer that is JSON and holds no such vectors."""


def _read(body: object, count: int, size: int) -> Vectors:
    try:
        return unit_length(vectors_of(body, count=count, size=size))
    except (OverflowError, TypeError, ValueError) as problem:
        raise _Unusable(str(problem)) from None


def _reason(status: int) -> str:
    """Return what a status means. What the endpoint says of it is left out, for it may repeat a text or a key."""
    match status:
        case 401 | 403:
            return f"refuses the key ({status}); check BAKU_EMBEDDING_API_KEY or OPENAI_API_KEY"
        case 404:
            return "has no such model or no embeddings (404); check BAKU_EMBEDDER and BAKU_EMBEDDING_BASE_URL, which usually ends in /v1"
        case 429:
            return "limits how often it may be asked, or its quota is used up (429)"
        case _:
            return f"failed with status {status}"
