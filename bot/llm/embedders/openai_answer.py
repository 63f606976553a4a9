"""Reading what an endpoint sends as vectors."""

import base64
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from bot.ports.embedder import Vectors


def vectors_of(body: object, *, count: int, size: int) -> Vectors:
    """Return the vectors of an answer in the order of the texts. Raises ValueError, which says what is wrong and repeats nothing.

    `size` 0 takes any size, as long as all have the same.
    """
    rows = [_numbers(item.get("embedding")) for item in _items(body, count)]
    sizes = {len(row) for row in rows}
    if len(sizes) != 1 or 0 in sizes:
        raise ValueError("vectors of different sizes, or empty ones")
    (sent,) = sizes
    if size not in {0, sent}:
        raise ValueError(f"vectors of {sent} numbers in place of {size}")
    return np.stack(rows)


def _items(body: object, count: int) -> Sequence[Mapping[str, object]]:
    data = cast("Mapping[str, object]", body).get("data") if isinstance(body, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in cast("list[object]", data)):
        raise ValueError("no list of vectors")
    items = cast("list[Mapping[str, object]]", data)
    if len(items) != count:
        raise ValueError(f"{len(items)} vectors for {count} texts")
    places = [item.get("index") for item in items]
    if sorted(place for place in places if isinstance(place, int)) == list(range(count)):
        return sorted(items, key=lambda item: cast("int", item["index"]))
    return items


def _numbers(embedding: object) -> Vectors:
    if isinstance(embedding, str):
        return np.frombuffer(base64.b64decode(embedding, validate=True), dtype="<f4").astype(np.float32)
    if not isinstance(embedding, list) or not all(isinstance(number, int | float) for number in cast("list[object]", embedding)):
        raise ValueError("a vector that holds no numbers")
    return np.array(embedding, dtype=np.float32)
