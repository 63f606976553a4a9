"""Why an OpenAI-compatible endpoint gave no answer, in words for the operator. They never hold the key or the prompt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

from openai import APIStatusError

from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelRefused, ModelTrouble, ModelUnavailable
from bot.llm.overflow import Overflow, overflow_in

_BUSY = (408, 409, 425)
_LONGEST_DETAIL = 200
_ECHO = re.compile(r"""['"]input(?:_value)?['"]?\s*[:=]|\binput_value=""")
"""Where a validation error begins to repeat what was sent."""
_FILTERED = re.compile(
    r"content_filter|content management policy|content_policy|flagged by|moderation|data_inspection_failed|inappropriate content"
)
_NO_CREDIT = re.compile(r"insufficient (?:balance|credits?|quota|funds)|exceeded your current quota|out of credits|billing")
_SECONDS = re.compile(r"\d{1,7}(?:\.\d{1,6})?")
_KEY = re.compile(r"\b(?:sk|pk|key|gsk|xai)[-_][\w*-]{6,}")


@dataclass(frozen=True, slots=True)
class Whom:
    """The endpoint and the model that were asked."""

    base_url: str
    model: str
    api_key: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """Return the endpoint's host and port."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2] or self.base_url


def complaint_of(error: APIStatusError) -> str:
    """Return what the endpoint says is wrong, empty when it says nothing that is safe to repeat."""
    return " ".join(_sayings(error.body))


def explain(error: APIStatusError, whom: Whom) -> ModelError:
    """Return the error to raise for a refusal or a failure."""
    complaint, status = complaint_of(error), error.status_code
    detail = _detail(complaint, whom)
    if status < 500 and _FILTERED.search(complaint.lower()):
        return AnswerFiltered(f"A content filter at {whom.place} refuses the prompt to the model {whom.model}.{detail}")
    if status != 429 and (overflow := overflow_in(complaint, status, error.body)):
        return _too_long(overflow, whom, detail)
    if status == 429 and not _is_out_of_credit(error):
        return _busy(error, whom, detail)
    if status >= 500 or status in _BUSY:
        trouble = ModelTrouble.SLOW if status in (408, 504) else ModelTrouble.OUT
        reason = f"The endpoint at {whom.place} failed with status {status} for the model {whom.model}; its own log says why."
        return ModelUnavailable(f"{reason} BAKU_FALLBACK_MODELS names models to ask instead.{detail}", trouble)
    trouble, reason = _refused(status, complaint, whom)
    return ModelRefused(reason + ("" if trouble is ModelTrouble.KEY else detail), trouble)


def failed_inside(message: str, whom: Whom) -> ModelError:
    """Return the error to raise when the endpoint reports a failure in place of an answer."""
    if overflow := overflow_in(message):
        return _too_long(overflow, whom, _detail(message, whom))
    return ModelUnavailable(f"The endpoint at {whom.place} failed while the model {whom.model} answered.{_detail(message, whom)}")


def _refused(status: int, complaint: str, whom: Whom) -> tuple[ModelTrouble, str]:
    match status:
        case 401:
            return ModelTrouble.KEY, f"The model endpoint at {whom.place} refuses the key; put a valid one into OPENAI_API_KEY."
        case 402:
            return ModelTrouble.CREDIT, (
                f"The account at {whom.place} has no credit left; top it up, or choose another endpoint in OPENAI_BASE_URL."
            )
        case 429:
            return ModelTrouble.CREDIT, (
                f"The quota of the account at {whom.place} is used up; top it up, or choose another endpoint in OPENAI_BASE_URL."
            )
        case 403:
            return ModelTrouble.RIGHTS, (
                f"The key in OPENAI_API_KEY may not use the model {whom.model} at {whom.place}; check its rights, or change BAKU_MODEL."
            )
        case 404:
            return ModelTrouble.MISSING, _not_found(complaint, whom)
        case _:
            return ModelTrouble.REQUEST, f"The endpoint at {whom.place} refuses the request to the model {whom.model} ({status})."


def _too_long(overflow: Overflow, whom: Whom, detail: str) -> ContextOverflow:
    reason = f"The prompt is too long for the model {whom.model} at {whom.place}; set BAKU_CONTEXT_TOKENS to what it takes."
    return ContextOverflow(reason + detail, limit=overflow.limit, asked=overflow.asked)


def _busy(error: APIStatusError, whom: Whom, detail: str) -> ModelUnavailable:
    wait = _seconds_to_wait(error)
    pause = f" and asks to wait for {wait:g} s" if wait else ""
    reason = f"The endpoint at {whom.place} limits how often the model {whom.model} may be asked{pause}."
    return ModelUnavailable(f"{reason} BAKU_FALLBACK_MODELS names models to ask meanwhile.{detail}", ModelTrouble.BUSY, retry_after=wait)


def _seconds_to_wait(error: APIStatusError) -> float:
    """Return what the endpoint asks for, 0 where it does not say; a date counts as not said."""
    for header, divisor in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = error.response.headers.get(header, "")
        if _SECONDS.fullmatch(value):
            return float(value) / divisor
    return 0.0


def _is_out_of_credit(error: APIStatusError) -> bool:
    return "insufficient_quota" in (error.code, error.type) or _NO_CREDIT.search(complaint_of(error).lower()) is not None


def _not_found(complaint: str, whom: Whom) -> str:
    if "model" in complaint.lower():
        return f"There is no model {whom.model} at {whom.place}; name one that it offers in BAKU_MODEL or in the persona."
    address = f"{whom.place}{urlsplit(whom.base_url).path.rstrip('/')}"
    return f"There is no chat API at {address} (model {whom.model}); OPENAI_BASE_URL usually ends in /v1."


def _detail(complaint: str, whom: Whom) -> str:
    """Return the endpoint's own words as a further sentence: short, in one line, without keys."""
    said = " ".join(_ECHO.split(complaint)[0].split())
    if whom.api_key:
        said = said.replace(whom.api_key, "[key]")
    said = _KEY.sub("[key]", said)
    if len(said) > _LONGEST_DETAIL:
        said = said[:_LONGEST_DETAIL] + "…"
    return f" It says: {said}" if said else ""


def _sayings(body: object) -> list[str]:
    """Return the messages in an error's body. Other fields may repeat the prompt, and a page of HTML says nothing."""
    if isinstance(body, list):
        return [saying for item in cast("list[object]", body) for saying in _sayings(item)]
    if not isinstance(body, dict):
        return []
    fields = cast("Mapping[str, object]", body)
    sayings = [str(fields[name]) for name in ("message", "msg", "code", "param") if isinstance(fields.get(name), str)]
    place = fields.get("loc")
    if isinstance(place, list):
        sayings.append(".".join(str(part) for part in place))
    for name in ("error", "detail"):
        value = fields.get(name)
        sayings += [value] if isinstance(value, str) else _sayings(value)
    return sayings
