"""The HTTP side: POST /v1/chat/completions, /v1/embeddings and /v1/audio/transcriptions, and GET /v1/models."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from tests.emulators.openai.answers import MODEL, Ending, Plain, Say, Scripted, Silence, Stream, frames_of
from tests.emulators.openai.brain import Brain, sensible
from tests.emulators.openai.embeddings import EmbeddingRules
from tests.emulators.openai.rules import Rules

PATIENCE = 10.0


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came in."""

    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return its messages."""
        return list(self.body["messages"])

    @property
    def text(self) -> str:
        """Return the text of all messages."""
        return "\n\n".join(text for message in self.messages if (text := _text_of(message.get("content"))))


def _text_of(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "[image]") for part in content or [])


class OpenAIEmulator:
    """Answers what was scripted, then what its brain says. Use it with `async with`."""

    def __init__(self, *answers: Scripted, rules: Rules | None = None, brain: Brain = sensible, port: int = 0) -> None:
        self.rules = rules or Rules()
        self.requests: list[Request] = []
        self.embedding_rules = EmbeddingRules()
        self.embedding_requests: list[Request] = []
        self.transcripts: deque[str] = deque()
        """What recordings say, one after another; without any left they are refused."""
        self.seconds_before_answer = 0.0
        self._answers = deque(answers)
        self._embedding_answers: deque[Scripted] = deque()
        self._brain = brain
        self._port = port
        self._leaving = asyncio.Event()
        self._came_in = asyncio.Condition()
        self._runner: web.AppRunner | None = None

    @property
    def base_url(self) -> str:
        """Return what OPENAI_BASE_URL would be set to."""
        return f"http://127.0.0.1:{self._port}/v1"

    def script(self, *answers: Scripted) -> None:
        """Add answers to give before the brain is asked."""
        self._answers.extend(answers)

    def script_embeddings(self, *answers: Scripted) -> None:
        """Add answers to give to requests for vectors before proper ones."""
        self._embedding_answers.extend(answers)

    async def wait_for_requests(self, count: int) -> None:
        """Return as soon as that many requests came in."""
        async with asyncio.timeout(PATIENCE), self._came_in:
            await self._came_in.wait_for(lambda: len(self.requests) >= count)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_post("/v1/audio/transcriptions", self._write_down)
        app.router.add_post("/v1/embeddings", self._embed)
        app.router.add_get("/v1/models", self._models)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._leaving.set()
        if self._runner is not None:
            await self._runner.cleanup()

    async def _models(self, request: web.Request) -> web.Response:
        names = self.rules.models or (MODEL,)
        return web.json_response({"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    async def _write_down(self, request: web.Request) -> web.Response:
        """Return the words of a recording, which comes as a file of a form."""
        form = await request.post()
        recording = form.get("file")
        if not isinstance(recording, web.FileField) or not recording.file.read() or not form.get("model") or not self.transcripts:
            return web.json_response({"error": {"message": "Invalid file format."}}, status=400)
        return web.json_response({"text": self.transcripts.popleft()})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        async with self._came_in:
            self.requests.append(Request(dict(request.headers), body))
            self._came_in.notify_all()
        refused = self.rules.refuse(request.headers.get("Authorization", ""), body)
        if refused is None:
            await asyncio.sleep(self.seconds_before_answer)
        return await self._give(request, body, refused or self._next_answer(body))

    async def _embed(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.embedding_requests.append(Request(dict(request.headers), body))
        refused = self.rules.refuse_caller(request.headers.get("Authorization", ""), body) or self.embedding_rules.refuse(body)
        scripted = self._embedding_answers.popleft() if self._embedding_answers else None
        return await self._give(request, body, scripted or refused or self.embedding_rules.answer(body))

    def _next_answer(self, body: Mapping[str, Any]) -> Scripted:
        return self._answers.popleft() if self._answers else self._brain(body)

    async def _give(self, request: web.Request, body: Mapping[str, Any], answer: Scripted) -> web.StreamResponse:
        match answer:
            case Say() if body.get("stream"):
                with_usage = bool((body.get("stream_options") or {}).get("include_usage"))
                return await self._stream(request, Stream(frames_of(answer, with_usage=with_usage)))
            case Say():
                return web.json_response(answer.body())
            case Stream():
                return await self._stream(request, answer)
            case Plain():
                text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
                return web.Response(text=text, status=answer.status, content_type=answer.content_type, headers=answer.headers)
            case Silence():
                await self._leaving.wait()
                return web.Response(status=503)

    async def _stream(self, request: web.Request, stream: Stream) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        for frame in stream.frames:
            await response.write((frame if frame.startswith((":", "event:")) else f"data: {frame}").encode() + b"\n\n")
        if stream.ending in (Ending.DONE, Ending.OPEN_AFTER_DONE):
            await response.write(b"data: [DONE]\n\n")
        if stream.ending in (Ending.HUNG, Ending.OPEN_AFTER_DONE):
            await self._leaving.wait()
        if stream.ending is Ending.DROPPED and request.transport is not None:
            request.transport.abort()
            return response
        await response.write_eof()
        return response
