"""How the emulator refuses a call."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """A call that Telegram answers with an error code, a description and, at times, parameters."""

    code: int
    description: str
    parameters: tuple[tuple[str, int], ...] = ()

    def to_json(self) -> dict[str, object]:
        """Return the body of the answer."""
        body: dict[str, object] = {
            "ok": False,
            "error_code": self.code,
            "description": self.description,
        }
        if self.parameters:
            body["parameters"] = dict(self.parameters)
        return body


def bad_request(what: str) -> Refusal:
    """Return a 400 that says `what` in Telegram's way."""
    return Refusal(400, f"Bad Request: {what}")


def forbidden(what: str) -> Refusal:
    """Return a 403 that says `what` in Telegram's way."""
    return Refusal(403, f"Forbidden: {what}")


def conflict(what: str) -> Refusal:
    """Return a 409 that says `what` in Telegram's way."""
    return Refusal(409, f"Conflict: {what}")


def flood(retry_after: int) -> Refusal:
    """Return a 429 that asks to wait `retry_after` seconds."""
    return Refusal(
        429,
        f"Too Many Requests: retry after {retry_after}",
        (("retry_after", retry_after),),
    )
