"""Troubles that a test orders: floods, outages, lost answers."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.emulators.telegram.errors import Refusal
from tests.emulators.telegram.params import Params


@dataclass(frozen=True, slots=True)
class OutagePage:
    """An HTML page from a proxy in front of the Bot API, which never saw the call."""

    status: int = 502


@dataclass(frozen=True, slots=True)
class DroppedConnection:
    """The connection breaks; `performed` says whether the call was carried out before."""

    performed: bool = False


Trouble = Refusal | OutagePage | DroppedConnection


def any_call(_params: Params) -> bool:
    """Return True: the trouble meets whatever call comes."""
    return True


@dataclass(slots=True)
class Fault:
    """A trouble that meets the next `times` calls of one method for which `when` holds."""

    method: str
    trouble: Trouble
    times: int = 1
    when: Callable[[Params], bool] = any_call

    def meets(self, method: str, params: Params) -> bool:
        """Return whether this call is hit; each hit uses the fault up by one."""
        if self.times <= 0 or method.lower() != self.method.lower() or not self.when(params):
            return False
        self.times -= 1
        return True
