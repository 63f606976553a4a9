"""Playing a model that edits memory, and reading memory over the web API."""

import json
from collections.abc import Sequence

import httpx

from bot.domain.chat import ConversationKey
from bot.domain.message import Person, Role
from bot.domain.model import ChatRequest, Finished, FinishReason, ModelEvent, TextDelta, ToolCallDelta
from bot.testing.bot import Bot
from bot.testing.factories import ADA, DIRECT
from bot.web.api import make_web_app

TOKEN = "a-long-test-token-of-our-own"


def update(number: int, text: str) -> list[ModelEvent]:
    """Return a model's answer that is one call of the memory tool."""
    return updates((number, text))


def updates(*edits: tuple[int, str]) -> list[ModelEvent]:
    """Return a model's answer that is several calls at once."""
    calls = [
        ToolCallDelta(index, f"c{index}", "UpdatePersonaMemory", json.dumps({"id": number, "newContent": text}))
        for index, (number, text) in enumerate(edits)
    ]
    return [*calls, Finished(FinishReason.TOOL_CALLS)]


def call(name: str, arguments: dict[str, object]) -> list[ModelEvent]:
    """Return a model's answer that is one call of any tool."""
    return [ToolCallDelta(0, "c0", name, json.dumps(arguments)), Finished(FinishReason.TOOL_CALLS)]


def streamed(pieces: Sequence[str]) -> list[ModelEvent]:
    """Return a model's answer that comes in these pieces."""
    return [*(TextDelta(piece) for piece in pieces), Finished(FinishReason.STOP)]


def results(request: ChatRequest) -> list[str]:
    """Return what the tools told the model in a prompt."""
    return [message.text for message in request.messages if message.role is Role.TOOL]


async def get_memory(bot: Bot, *, persona: str = "", conversation: ConversationKey = DIRECT, person: Person = ADA) -> httpx.Response:
    """Return the web API's answer about a persona's memory."""
    app = make_web_app(bot.store, bot.personas, TOKEN)
    query = {"persona": persona, "conversation": str(conversation), "person": person.id}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost") as client:
        return await client.get("/api/persona/active/memory", params=query, headers={"Authorization": f"Bearer {TOKEN}"})


async def entries(bot: Bot, *, persona: str = "", conversation: ConversationKey = DIRECT, person: Person = ADA) -> Sequence[dict[str, str]]:
    """Return the entries that the web API shows."""
    answer = await get_memory(bot, persona=persona, conversation=conversation, person=person)
    shown: list[dict[str, str]] = answer.json()["memory_entries"]
    return shown
