"""Trouble on demand: errors, lost answers and rate limits for the next requests."""

from dataclasses import dataclass

from tests.emulators.discord.limits import TooMany


@dataclass(slots=True, frozen=True)
class LoseAnswer:
    """Do what was asked, then cut the connection before the answer."""


@dataclass(slots=True, frozen=True)
class ServerError:
    """Answer with a status of the network in front of Discord, as a page of HTML."""

    status: int


Trouble = LoseAnswer | ServerError | TooMany


@dataclass(slots=True)
class _Planned:
    trouble: Trouble
    method: str
    path_part: str
    left: int | None


class Faults:
    """The trouble that is planned, in the order it was planned."""

    def __init__(self) -> None:
        self._planned: list[_Planned] = []

    def plan(
        self,
        trouble: Trouble,
        *,
        method: str = "",
        path: str = "",
        times: int | None = 1,
    ) -> None:
        """Strike the next `times` requests (None: all) of the method whose path contains `path`."""
        self._planned.append(_Planned(trouble, method, path, times))

    def clear(self) -> None:
        """End all trouble."""
        self._planned.clear()

    def strike(self, method: str, path: str) -> Trouble | None:
        """Return what befalls this request, or None."""
        for planned in self._planned:
            if planned.method in ("", method) and planned.path_part in path:
                if planned.left is not None:
                    planned.left -= 1
                    if planned.left <= 0:
                        self._planned.remove(planned)
                return planned.trouble
        return None
