"""The parameters of one call, however they were sent."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from aiohttp import web

from tests.emulators.telegram.errors import bad_request


@dataclass(frozen=True, slots=True)
class Upload:
    """One uploaded file."""

    name: str
    mime_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Params:
    """The values of one call by name, and its uploaded files."""

    values: Mapping[str, object]
    uploads: Mapping[str, Upload] = field(default_factory=dict)

    def text(self, name: str, default: str = "") -> str:
        """Return the value as text."""
        value = self.values.get(name)
        return default if value is None else str(value)

    def integer(self, name: str, default: int = 0) -> int:
        """Return the value as a whole number, or refuse it."""
        value = self.values.get(name)
        if value is None or value == "":
            return default
        try:
            return int(str(value))
        except ValueError:
            raise bad_request(f'field "{name}" must be a valid Number') from None

    def optional_integer(self, name: str) -> int | None:
        """Return the value as a whole number, or None when it is absent."""
        return self.integer(name) if self.values.get(name) not in (None, "") else None

    def boolean(self, name: str) -> bool:
        """Return the value as yes or no; absent means no."""
        return str(self.values.get(name, "false")).lower() in {"true", "1", "yes"}

    def array(self, name: str) -> list[object]:
        """Return a JSON list; absent means an empty one."""
        value = self._parsed(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise bad_request(f"can't parse {name}: expected an Array")
        return value

    def mapping(self, name: str) -> "Params | None":
        """Return a JSON object as parameters of its own, or None when it is absent."""
        value = self._parsed(name)
        if value is None:
            return None
        return as_params(value, name)

    def mappings(self, name: str) -> "list[Params]":
        """Return a JSON list of objects."""
        return [as_params(value, name) for value in self.array(name)]

    def _parsed(self, name: str) -> object:
        value = self.values.get(name)
        if value is None or value == "":
            return None
        if not isinstance(value, str):
            return value
        try:
            return json.loads(value)
        except ValueError:
            raise bad_request(f"can't parse {name}: invalid JSON") from None


def as_params(value: object, name: str) -> Params:
    """Return a JSON object as parameters, or refuse what is none."""
    if not isinstance(value, dict):
        raise bad_request(f"can't parse {name}: expected an Object")
    return Params(value)


async def read_params(request: web.Request) -> Params:
    """Return the parameters of a request from its query and its form, multipart or JSON body."""
    values: dict[str, object] = dict(request.query)
    uploads: dict[str, Upload] = {}
    if request.content_type == "application/json":
        body = await request.json()
        return Params({**values, **body})
    for name, value in (await request.post()).items():
        if isinstance(value, web.FileField):
            uploads[name] = Upload(value.filename, value.content_type, value.file.read())
        else:
            values[name] = value if isinstance(value, str) else bytes(value).decode()
    return Params(values, uploads)
