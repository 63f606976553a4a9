"""Why an OpenAI-compatible endpoint gave no answer, in words for the operator. They never hold the key or the prompt."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

from openai import APIStatusError

from bot.errors import ModelError, ModelRefused, ModelUnavailable

_BUSY = (408, 409, 425)
_LONGEST_DETAIL = 200
_ECHO = re.compile(r"""['"]input(?:_value)?['"]?\s*[:=]|\binput_value=""")
"""Where a validation error begins to repeat what was sent."""
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
    kind: type[ModelError] = ModelRefused
    match error.status_code:
        case 401:
            return ModelRefused(f"The model endpoint at {whom.place} refuses the key; put a valid one into OPENAI_API_KEY.")
        case 402:
            reason = f"The account at {whom.place} has no credit left; top it up or choose another endpoint."
        case 403:
            reason = f"The key may not use the model {whom.model} at {whom.place}; check its rights."
        case 404:
            reason = _not_found(complaint_of(error), whom)
        case 429 if "insufficient_quota" in (error.code, error.type):
            reason = f"The quota of the account at {whom.place} is used up; top it up or choose another endpoint."
        case 429:
            kind, reason = ModelUnavailable, f"The endpoint at {whom.place} limits how often the model {whom.model} may be asked."
        case status if status >= 500 or status in _BUSY:
            kind, reason = ModelUnavailable, f"The endpoint at {whom.place} failed with status {status} for the model {whom.model}."
        case status:
            reason = f"The endpoint at {whom.place} refuses the request to the model {whom.model} ({status})."
    return kind(reason + _detail(complaint_of(error), whom))


def failed_inside(message: str, whom: Whom) -> ModelUnavailable:
    """Return the error to raise when the endpoint reports a failure in place of an answer."""
    return ModelUnavailable(f"The endpoint at {whom.place} failed while the model {whom.model} answered.{_detail(message, whom)}")


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
