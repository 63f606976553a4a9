"""Which tools a turn offers, and carrying out the calls the model makes."""

import asyncio
from collections.abc import Iterable

import structlog

from bot.domain.extension import Tool, ToolContext
from bot.domain.persona import Persona
from bot.domain.text import one_line
from bot.domain.tool import ToolCall
from bot.errors import Overtaken, StoreError, ToolError
from bot.protocol.native import parse_arguments
from bot.tools.memory_tools import MEMORY_TOOL_NAMES

TOOL_SECONDS = 15.0
RESULT_LIMIT = 4000
"""Characters of a tool's result that go to the model."""
MOST_CALLS = 50
"""Calls that one turn may make: a model that got stuck in a loop would else fill the memory with its echo."""
_LONGEST_NAME = 64
"""Characters of an unknown tool's name that are shown to the model."""

log = structlog.get_logger(__name__)


class Toolbox:
    """The tools of one turn."""

    def __init__(self, tools: Iterable[Tool], context: ToolContext) -> None:
        self._tools = {tool.spec.name: tool for tool in tools}
        self._context = context
        self._calls = 0
        self.has_acted = False
        """A tool was called that may have done something outside, which a turn that is begun anew would do again."""

    async def run(self, call: ToolCall) -> str:
        """Return the result of a call as text for the model. A call that cannot work says why; nothing it does stops the turn.

        Only what was erased meanwhile does: then Overtaken is raised.
        """
        tool = self._tools.get(call.name)
        if tool is None:
            return f"There is no tool {one_line(call.name, _LONGEST_NAME)!r}. Use one of: {', '.join(self._tools) or 'none'}."
        self._calls += 1
        self.has_acted = self.has_acted or call.name not in MEMORY_TOOL_NAMES
        if self._calls > MOST_CALLS:
            log.warning("tool_calls_refused", tool=tool.spec.name, most=MOST_CALLS)
            return f"This was not carried out: {MOST_CALLS} calls are enough for one answer. Answer in words now."
        return (await self._result(tool, call))[:RESULT_LIMIT]

    async def _result(self, tool: Tool, call: ToolCall) -> str:
        try:
            async with asyncio.timeout(TOOL_SECONDS):
                return str(await tool.run(self._context, parse_arguments(call)))
        except (Overtaken, StoreError):
            raise  # the turn is taken anew: from what is left, or once the store serves again
        except ToolError as problem:
            return str(problem)
        except TimeoutError:
            log.warning("tool_too_slow", tool=call.name, seconds=TOOL_SECONDS)
            return f"{call.name} took too long and was stopped."
        except asyncio.CancelledError:
            if _is_cancelled_from_outside():
                raise
            log.exception("tool_failed", tool=call.name)
        except (Exception, SystemExit):
            log.exception("tool_failed", tool=call.name)
        return f"{call.name} failed; go on without it."


def _is_cancelled_from_outside() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def offered(tools: Iterable[Tool], persona: Persona) -> list[Tool]:
    """Return the tools a persona may use: memory's own when it remembers, and those it names."""
    return [tool for tool in tools if _allowed(tool.spec.name, persona)]


def _allowed(name: str, persona: Persona) -> bool:
    return persona.memory.enabled if name in MEMORY_TOOL_NAMES else name in persona.tools
