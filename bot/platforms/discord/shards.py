"""Which shards a process holds, of all that a bot's servers are spread over."""

import re
from dataclasses import dataclass

from bot.errors import ConfigError

_WRITTEN = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?/(\d{1,5})")


@dataclass(frozen=True, slots=True)
class Shards:
    """The shards of one process. Every process of a bot names the same count, and each shard is held by one of them."""

    ids: tuple[int, ...]
    count: int


def parse_shards(text: str) -> Shards:
    """Return what `0-3/16` stands for: the first four of sixteen. Raises ConfigError for anything else."""
    found = _WRITTEN.fullmatch(text.strip())
    if found is None:
        raise ConfigError(f"--shards {text!r} cannot be read. Write the shards of this process and how many there are: 0-3/16.")
    first, last, count = int(found[1]), int(found[2] or found[1]), int(found[3])
    if not first <= last < count:
        raise ConfigError(f"--shards {text!r} names shards that there are not: of {count}, the last one is {count - 1}.")
    return Shards(tuple(range(first, last + 1)), count)
