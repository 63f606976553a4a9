"""What plugins register, checked against what models and platforms take. Each check returns the thing or raises ValueError."""

import json
import re
from typing import cast

from bot.domain.command import Command, Option
from bot.domain.extension import PromptSection, Tool
from bot.ports.model import ChatModel
from bot.ports.platform import Platform

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WORD = re.compile(r"[a-z][a-z0-9_]{0,31}")
"""What both Discord and Telegram take as the name of a command or an option."""
_LONGEST_SUMMARY = 100
_MOST_OPTIONS = 25
_LONGEST_SECTION_NAME = 40


def checked_tool(thing: object) -> Tool:
    """Return a tool that a model can be told of."""
    if not isinstance(thing, Tool):
        raise ValueError(f"{_kind(thing)} is no Tool")
    name, parameters = thing.spec.name, thing.spec.parameters
    _demand(_TOOL_NAME.fullmatch(name), f"a tool cannot be called {name!r}; use letters, digits, _ and -")
    _demand(isinstance(thing.spec.description, str), f"the description of {name!r} is no text")
    _demand(parameters.get("type") == "object", f"the parameters of {name!r} are no JSON Schema of type object")
    _demand(callable(thing.run), f"the tool {name!r} has no function")
    try:
        json.dumps(dict(parameters))
    except TypeError as problem:
        raise ValueError(f"the parameters of {name!r} are no JSON: {problem}") from None
    return thing


def checked_command(thing: object) -> Command:
    """Return a command that every platform can offer."""
    if not isinstance(thing, Command):
        raise ValueError(f"{_kind(thing)} is no Command")
    _demand(
        len(thing.path) in (1, 2) and all(map(_WORD.fullmatch, thing.path)),
        f"a command cannot be called {thing.path!r}; use a tuple of one or two words of small letters, digits and _",
    )
    _demand_summary(thing.summary, thing.name)
    _demand(callable(thing.run), f"the command {thing.name!r} has no function")
    names = {option.name for option in thing.options}
    _demand(
        len(thing.options) <= _MOST_OPTIONS and len(names) == len(thing.options),
        f"{thing.name!r} must have at most {_MOST_OPTIONS} options, each with a name of its own",
    )
    optional = [not option.required for option in thing.options]
    _demand(optional == sorted(optional), f"{thing.name!r} must name its required options first")
    for option in thing.options:
        _check_option(option, thing.name)
    return thing


def checked_section(thing: object) -> PromptSection:
    """Return a prompt section with a name that can stand in a prompt."""
    if not isinstance(thing, PromptSection):
        raise ValueError(f"{_kind(thing)} is no PromptSection")
    _demand(
        1 <= len(thing.name) <= _LONGEST_SECTION_NAME and thing.name.isprintable(),
        f"a section cannot be called {thing.name!r}; use 1 to {_LONGEST_SECTION_NAME} characters on one line",
    )
    _demand(callable(thing.render), f"the section {thing.name!r} has no function")
    return thing


def checked_platform(thing: object) -> Platform:
    """Return a platform that has all parts of one."""
    _demand_parts(thing, "Platform", methods=("run", "parts", "send", "composing", "withdraw"))
    return cast("Platform", thing)


def checked_model(thing: object) -> ChatModel:
    """Return a model that has all parts of one."""
    _demand_parts(thing, "ChatModel", methods=("stream", "close"), values=("takes_tools", "takes_images"))
    return cast("ChatModel", thing)


def _check_option(option: Option, command: str) -> None:
    _demand(_WORD.fullmatch(option.name), f"an option of {command!r} cannot be called {option.name!r}; use small letters, digits and _")
    _demand_summary(option.summary, f"{command} {option.name}")


def _demand_summary(summary: str, name: str) -> None:
    _demand(1 <= len(summary) <= _LONGEST_SUMMARY, f"the summary of {name!r} must have 1 to {_LONGEST_SUMMARY} characters")


def _demand_parts(thing: object, kind: str, *, methods: tuple[str, ...], values: tuple[str, ...] = ()) -> None:
    name = getattr(thing, "name", None)
    _demand(isinstance(name, str) and name, f"{_kind(thing)} is no {kind}: it has no name")
    missing = [method for method in methods if not callable(getattr(thing, method, None))]
    missing += [value for value in values if not hasattr(thing, value)]
    _demand(not missing, f"{name!r} is no {kind}: it lacks {', '.join(missing)}")


def _demand(holds: object, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _kind(thing: object) -> str:
    return f"a {type(thing).__name__}"
