"""What the endpoint says when nothing is scripted: enough sense for a bot to be tested with."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from tests.emulators.openai.answers import Call, Say, Scripted

Brain = Callable[[Mapping[str, Any]], Scripted]
MEMORY_TOOL = "UpdatePersonaMemory"
_REMEMBER = re.compile(r"\bremember(?: that)?:? (.+)", re.IGNORECASE | re.DOTALL)
_MEMORY = re.compile(r"<memory [^>]*>(.*?)</memory>", re.DOTALL)


def sensible(body: Mapping[str, Any]) -> Scripted:
    """Return an answer to a request's last message.

    `remember …` calls the memory tool where it is offered and writes a tag where it is not; `what do you know?` lists the memories of
    the prompt; a tool's result is acknowledged; anything else is echoed.
    """
    last = body["messages"][-1]
    said = _text(last)
    if last["role"] == "tool":
        return Say("Noted.")
    if wish := _REMEMBER.search(said):
        fact = wish[1].strip()
        if any(tool["function"]["name"] == MEMORY_TOOL for tool in body.get("tools") or []):
            return Say(calls=(Call(MEMORY_TOOL, json.dumps({"id": 0, "newContent": fact}), id=f"call_{len(body['messages'])}"),))
        return Say(f"<mem_new>{fact}</mem_new>Noted.")
    if "what do you know" in said.lower():
        prompt = "\n".join(_text(message) for message in body["messages"])
        return Say("I know: " + "; ".join(_MEMORY.findall(prompt)))
    return Say(f"You said: {said}")


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else " ".join(part["text"] for part in content or [] if part["type"] == "text")
