"""Turns that are cancelled between a tool call and its result."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from bot.domain.tool import JsonValue, ToolSpec
from bot.plugin import Tool, ToolContext, hookimpl
from bot.testing.factories import a_persona, incoming
from tests.cases.model_stage import bot_on
from tests.emulators.openai.answers import Call, Say
from tests.emulators.openai.server import OpenAIEmulator

PERSONA = replace(a_persona(), tools=("look",))


class Looking:
    """A plugin with a tool that never comes back."""

    def __init__(self) -> None:
        self.entered = asyncio.Event()

    @hookimpl
    def register_tools(self) -> list[Tool]:
        return [Tool(ToolSpec("look", "Looks.", {"type": "object", "properties": {}}), self._look)]

    async def _look(self, context: ToolContext, arguments: Mapping[str, JsonValue]) -> str:
        self.entered.set()
        await asyncio.Event().wait()
        return ""


async def test_b51_after_a_restart_in_the_middle_of_a_tool_both_messages_are_answered(database_url: str) -> None:
    looking = Looking()
    async with OpenAIEmulator(Say("Let me look.", calls=(Call("look"),))) as endpoint:
        async with bot_on(endpoint, database=database_url, personas=[PERSONA], plugins={"looking": looking}) as bot:
            await bot.app.inbox.receive(incoming("What do you see?"))
            await looking.entered.wait()

        async with bot_on(endpoint, database=database_url, personas=[PERSONA], plugins={"looking": Looking()}) as bot:
            await bot.quiet()
            await bot.say("And now?")

            assert bot.replies == ["You said: What do you see?", "You said: And now?"]

    assert all("tool_calls" not in message for request in endpoint.requests for message in request.messages)
