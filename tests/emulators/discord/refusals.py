"""What Discord says no to, with its status, code and error tree."""

import re
from typing import Any

from tests.emulators.discord.objects import Payload

MAX_CONTENT_UNITS = 2000
MAX_EMBEDS = 10
MAX_EMBED_CHARACTERS = 6000
MAX_FILES = 10
MAX_NONCE = 25
MAX_ROWS = 5
MAX_BUTTONS_PER_ROW = 5
MAX_CUSTOM_ID = 100
MAX_LABEL = 80


class Refusal(Exception):
    """One refused request."""

    def __init__(self, status: int, code: int, message: str, errors: Payload | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.errors = errors

    def payload(self) -> Payload:
        """Return the body of the answer."""
        body: Payload = {"message": self.message, "code": self.code}
        return body | ({"errors": self.errors} if self.errors else {})


def not_found() -> Refusal:
    """Return the answer to a path that does not exist."""
    return Refusal(404, 0, "404: Not Found")


def unauthorized() -> Refusal:
    """Return the answer to a wrong bot token."""
    return Refusal(401, 0, "401: Unauthorized")


def unknown_channel() -> Refusal:
    """Return the answer to a channel that does not exist."""
    return Refusal(404, 10003, "Unknown Channel")


def unknown_guild() -> Refusal:
    """Return the answer to a server that does not exist."""
    return Refusal(404, 10004, "Unknown Guild")


def unknown_member() -> Refusal:
    """Return the answer to somebody who is not in the server."""
    return Refusal(404, 10007, "Unknown Member")


def unknown_message() -> Refusal:
    """Return the answer to a message that does not exist or was deleted."""
    return Refusal(404, 10008, "Unknown Message")


def unknown_user() -> Refusal:
    """Return the answer to a user who does not exist."""
    return Refusal(404, 10013, "Unknown User")


def unknown_webhook() -> Refusal:
    """Return the answer to a follow-up before any answer, or to a foreign token."""
    return Refusal(404, 10015, "Unknown Webhook")


def unknown_interaction() -> Refusal:
    """Return the answer that comes after the three seconds."""
    return Refusal(404, 10062, "Unknown interaction")


def unknown_command() -> Refusal:
    """Return the answer to a command id that does not exist."""
    return Refusal(404, 10063, "Unknown application command")


def already_acknowledged() -> Refusal:
    """Return the answer to a second callback."""
    return Refusal(400, 40060, "Interaction has already been acknowledged.")


def missing_access() -> Refusal:
    """Return the answer to looking where the bot may not look."""
    return Refusal(403, 50001, "Missing Access")


def foreign_message() -> Refusal:
    """Return the answer to editing what somebody else wrote."""
    return Refusal(403, 50005, "Cannot edit a message authored by another user")


def empty_message() -> Refusal:
    """Return the answer to a message without anything in it."""
    return Refusal(400, 50006, "Cannot send an empty message")


def refuses_dms() -> Refusal:
    """Return the answer to a private message nobody wants."""
    return Refusal(403, 50007, "Cannot send messages to this user")


def missing_permissions() -> Refusal:
    """Return the answer to doing what the bot's roles do not allow."""
    return Refusal(403, 50013, "Missing Permissions")


def expired_token() -> Refusal:
    """Return the answer to a follow-up after fifteen minutes."""
    return Refusal(401, 50027, "Invalid Webhook Token")


def archived_thread() -> Refusal:
    """Return the answer to writing in a locked thread."""
    return Refusal(400, 50083, "Thread is archived")


def no_history_for_reply() -> Refusal:
    """Return the answer to a reply where the bot may not read the history."""
    return Refusal(400, 160002, "Cannot reply without permission to read message history")


def invalid_form(path: str, code: str, message: str) -> Refusal:
    """Return "Invalid Form Body" with the error at `path`, such as "embeds.0.title"."""
    tree: Payload = {"_errors": [{"code": code, "message": message}]}
    for step in reversed(path.split(".")):
        tree = {step: tree}
    return Refusal(400, 50035, "Invalid Form Body", tree)


def too_long(path: str, limit: int) -> Refusal:
    """Return the refusal of a text over its limit."""
    return invalid_form(path, "BASE_TYPE_MAX_LENGTH", f"Must be {limit} or fewer in length.")


def check_body(body: Payload, *, files: int = 0) -> None:
    """Raise the refusal that Discord would answer to this message body."""
    content = body.get("content") or ""
    if utf16_units(content) > MAX_CONTENT_UNITS:
        raise too_long("content", MAX_CONTENT_UNITS)
    if len(str(body.get("nonce") or "")) > MAX_NONCE:
        raise too_long("nonce", MAX_NONCE)
    if files > MAX_FILES:
        raise too_long("files", MAX_FILES)
    _check_embeds(body.get("embeds") or [])
    _check_components(body.get("components") or [])
    _check_allowed_mentions(body.get("allowed_mentions"))


def utf16_units(text: str) -> int:
    """Return the length as the platform's clients count it: an emoji is two."""
    return len(text.encode("utf-16-le")) // 2


def _check_embeds(embeds: list[Payload]) -> None:
    if len(embeds) > MAX_EMBEDS:
        raise too_long("embeds", MAX_EMBEDS)
    total = 0
    for index, embed in enumerate(embeds):
        for name, limit in (("title", 256), ("description", 4096)):
            text = str(embed.get(name) or "")
            total += len(text)
            if len(text) > limit:
                raise too_long(f"embeds.{index}.{name}", limit)
    if total > MAX_EMBED_CHARACTERS:
        message = f"Embed size exceeds maximum size of {MAX_EMBED_CHARACTERS}"
        raise invalid_form("embeds", "MAX_EMBED_SIZE_EXCEEDED", message)


def _check_components(rows: list[Payload]) -> None:
    if len(rows) > MAX_ROWS:
        raise too_long("components", MAX_ROWS)
    seen: set[str] = set()
    for index, row in enumerate(rows):
        parts = row.get("components") or []
        if not 1 <= len(parts) <= MAX_BUTTONS_PER_ROW:
            where = f"components.{index}.components"
            raise invalid_form(where, "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 5 in length.")
        for column, part in enumerate(parts):
            _check_part(f"components.{index}.components.{column}", part, seen)


def _check_part(where: str, part: Payload, seen: set[str]) -> None:
    custom_id = part.get("custom_id")
    if custom_id is not None:
        if not 1 <= len(custom_id) <= MAX_CUSTOM_ID:
            raise too_long(f"{where}.custom_id", MAX_CUSTOM_ID)
        if custom_id in seen:
            message = "Component custom id cannot be duplicated"
            raise invalid_form(f"{where}.custom_id", "COMPONENT_CUSTOM_ID_DUPLICATED", message)
        seen.add(custom_id)
    if len(part.get("label") or "") > MAX_LABEL:
        raise too_long(f"{where}.label", MAX_LABEL)


def _check_allowed_mentions(allowed: Any) -> None:
    if not allowed:
        return
    for kind in ("users", "roles"):
        if kind in (allowed.get("parse") or []) and allowed.get(kind):
            message = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            raise invalid_form("allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message)
        if len(allowed.get(kind) or []) > 100:
            raise too_long(f"allowed_mentions.{kind}", 100)


SNOWFLAKE = re.compile(r"[0-9]{15,20}")


def snowflake(path: str, value: object) -> int:
    """Return the id, or raise what Discord answers to something that is none."""
    if not SNOWFLAKE.fullmatch(str(value)):
        message = f'Value "{value}" is not snowflake.'
        raise invalid_form(path, "NUMBER_TYPE_COERCE", message)
    return int(str(value))
