"""What OpenAI-compatible endpoints turn out not to take, learned from their refusals."""

import re
from dataclasses import dataclass, replace

from bot.domain.message import Role
from bot.domain.model import ChatRequest
from bot.llm.known_models import is_blind
from bot.llm.overflow import Overflow

_TOOLS = re.compile(r"\b(?:tools?|functions?)\b|\btool[_-]|\bfunction[_ ]call")
_NOT_TAKEN = re.compile(
    r"not support|unsupported|does(?:n't| not)|not (?:available|enabled|permitted|allowed|implemented|recogni)|no endpoints"
    r"|requires? --|unknown (?:parameter|field|argument)|unrecogni[sz]ed|extra (?:inputs|fields)|unexpected keyword|disabled"
)
_LATE_SYSTEM = re.compile(
    r"system (?:message|role|prompt|instruction)s?\b.*(?:begin|first|start)|(?:only|single|one) system|roles must alternate"
)
_NO_SYSTEM = re.compile(
    r"(?:system|developer) (?:message|role|prompt|instruction)s?\b.*(?:support|not (?:enabled|allowed|permitted))"
    r"|does not support '?(?:system|developer)\b|(?:role|roles?\W+)\W*'?(?:system|developer)\b.*(?:support|invalid|unknown|not allowed)"
    r"|unknown variant `(?:system|developer)`|roles must alternate|only user(?:,| and) (?:assistant|model)"
)
_IMAGES = re.compile(r"\bimages?\b|image_url|\bvision\b|multi-?modal|\bmmproj\b|content type|\.content\b|content must be a string")
_NO_IMAGES = re.compile(
    rf"{_NOT_TAKEN.pattern}|only supported by|must be (?:a )?string|should be a valid string|expected (?:a string|`text`)"
    r"|no vision|text[- ]only|not a (?:vision|multi-?modal)|cannot (?:read|process|accept) .?image|invalid content type"
)
_BAD_IMAGE = re.compile(
    r"(?:invalid|corrupt|malformed|could not|failed to|unable to|cannot|too large|exceed|too many|at most)\b.*\bimages?\b"
    r"|\bimages?\b.*(?:invalid|corrupt|malformed|could not|too (?:large|small|big|many)|exceed|format|at most|empty)"
)
_MOST_REPLY = re.compile(
    r"max_(?:completion_|new_|output_)?tokens\b.*"
    r"(?:at most|less than or equal to|<=|maximum (?:value )?(?:of|is|allowed)|up to|1,)\D{0,20}(\d{2,7})"
)
_LIMITS = ("max_tokens", "max_completion_tokens", "")
"""Names of the length limit, in the order in which they are tried; the last one leaves it out."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What an endpoint takes for one model, as far as it is known."""

    takes_tools: bool = True
    takes_images: bool = True
    takes_usage_wish: bool = True
    takes_temperature: bool = True
    takes_late_system: bool = True
    """System messages after the first one."""
    takes_system: bool = True
    length_limit: str = "max_tokens"
    """What it calls the limit of an answer's tokens; empty where it takes none."""
    most_reply_tokens: int = 0
    """What that limit may be at most; 0 where it is not known."""


def habits_of(model: str) -> Habits:
    """Return what is believed of a model before it was asked: all but what its name gives away."""
    return Habits(takes_images=not is_blind(model))


def learned(habits: Habits, complaint: str, request: ChatRequest) -> Habits | None:
    """Return the habits that explain why a request was refused, None when the complaint is about something else."""
    said = complaint.lower()
    return (
        _learned_of_options(habits, said, request)
        or _learned_of_images(habits, said, request)
        or _learned_of_roles(habits, said, request)
        or _learned_of_tools(habits, said, request)
    )


def learned_of_overflow(habits: Habits, overflow: Overflow, request: ChatRequest) -> Habits | None:
    """Return habits with a shorter answer when it is the answer that leaves the prompt no room."""
    wished = min(request.max_reply_tokens, habits.most_reply_tokens or request.max_reply_tokens)
    if overflow.asked < overflow.limit < 2 * wished:
        return replace(habits, most_reply_tokens=max(overflow.limit // 4, 1))
    return None


def is_about_an_image(complaint: str, status: int, request: ChatRequest) -> bool:
    """Say whether a refusal is about one of the request's images, such as a broken or large one: others may well be taken."""
    return _has_images(request) and (status == 413 or _BAD_IMAGE.search(complaint.lower()) is not None)


def _learned_of_options(habits: Habits, said: str, request: ChatRequest) -> Habits | None:
    if habits.takes_usage_wish and "stream_options" in said:
        return replace(habits, takes_usage_wish=False)
    if habits.takes_temperature and request.temperature is not None and "temperature" in said:
        return replace(habits, takes_temperature=False)
    most = _MOST_REPLY.search(said)
    if most and int(most[1]) < min(request.max_reply_tokens, habits.most_reply_tokens or request.max_reply_tokens):
        return replace(habits, most_reply_tokens=int(most[1]))
    return _learned_of_the_limit(habits, said)


def _learned_of_the_limit(habits: Habits, said: str) -> Habits | None:
    """Return habits with another name for the length limit: the one the endpoint wishes for, else the next one it has not refused."""
    if habits.length_limit == "max_tokens" and "max_completion_tokens" in said:
        return replace(habits, length_limit="max_completion_tokens")
    if habits.length_limit and re.search(rf"\b{habits.length_limit}\b", said) and _NOT_TAKEN.search(said):
        return replace(habits, length_limit=_LIMITS[_LIMITS.index(habits.length_limit) + 1])
    return None


def _learned_of_images(habits: Habits, said: str, request: ChatRequest) -> Habits | None:
    if habits.takes_images and _has_images(request) and _IMAGES.search(said) and _NO_IMAGES.search(said):
        return replace(habits, takes_images=False)
    return None


def _learned_of_roles(habits: Habits, said: str, request: ChatRequest) -> Habits | None:
    if habits.takes_late_system and _LATE_SYSTEM.search(said):
        return replace(habits, takes_late_system=False)
    has_system = any(message.role is Role.SYSTEM for message in request.messages)
    if habits.takes_system and has_system and (_NO_SYSTEM.search(said) or _LATE_SYSTEM.search(said)):
        return replace(habits, takes_system=False)
    return None


def _learned_of_tools(habits: Habits, said: str, request: ChatRequest) -> Habits | None:
    if habits.takes_tools and request.tools and _TOOLS.search(said) and _NOT_TAKEN.search(said):
        return replace(habits, takes_tools=False)
    return None


def _has_images(request: ChatRequest) -> bool:
    return any(message.images for message in request.messages)
