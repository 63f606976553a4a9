"""Which messages go into which chunk."""

from collections.abc import Iterator, Sequence


def sizes(costs: Sequence[int], chunk_tokens: int) -> Iterator[int]:
    """Yield how many messages each chunk takes, given the tokens of each message: in order, all of them, none twice.

    So many chunks as are needed, about equally large: none above its share, unless a single message is.
    """
    total = sum(costs)
    shares = max(-(-total // chunk_tokens), 1)
    count = size = 0
    for cost in costs:
        if count and (size + cost) * shares > total:
            yield count
            count = size = 0
        count += 1
        size += cost
    if count:
        yield count


def is_due(costs: Sequence[int], *, chunk_tokens: int, chunk_messages: int, has_new: bool) -> bool:
    """Say whether pending messages make chunks: by their tokens, or by their number as soon as something new was said."""
    return sum(costs) >= chunk_tokens or (has_new and len(costs) >= chunk_messages)
