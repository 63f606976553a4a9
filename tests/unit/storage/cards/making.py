"""Cards made by the tests: all versions and kinds, as other programs write them."""

import base64
import json
import struct
import zlib
from collections.abc import Mapping

from bot.domain.tool import JsonValue
from bot.storage.cards.archive import packed
from bot.storage.cards.png import plain_picture, with_texts

V1: dict[str, JsonValue] = {
    "name": "Iris",
    "description": "{{char}} sells flowers.",
    "personality": "calm",
    "scenario": "A shop at dawn.",
    "first_mes": "Hello, {{user}}.",
    "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Hello, you.\nCome in.",
}
BOOK: dict[str, JsonValue] = {
    "name": "The town",
    "description": "Kept, never shown",
    "scan_depth": 3,
    "token_budget": 200,
    "recursive_scanning": True,
    "extensions": {"app": {"a": [1, None]}},
    "entries": [
        {
            "keys": ["mill", "水車"],
            "secondary_keys": ["river"],
            "selective": True,
            "content": "@@depth 4\n@@scan_depth 2\nThe mill burned down.",
            "extensions": {"selectiveLogic": 2, "match_whole_words": True, "position": 4, "probability": 50, "scan_depth": None},
            "enabled": True,
            "insertion_order": 7,
            "use_regex": False,
            "id": 3,
            "comment": "old",
            "position": "before_char",
            "priority": 10,
        },
        {"keys": ["/dragons?/i"], "content": "Big.", "extensions": {}, "enabled": False, "insertion_order": 1, "use_regex": True},
        {
            "keys": [],
            "content": "It rains.",
            "constant": True,
            "extensions": {},
            "enabled": True,
            "insertion_order": 0,
            "use_regex": False,
            "position": "",
        },
    ],
}
MORE: dict[str, JsonValue] = {
    "creator_notes": "For rainy days",
    "system_prompt": "{{original}} Be brief.",
    "post_history_instructions": "Stay kind.",
    "alternate_greetings": ["Morning!", "Evening, {{user}}."],
    "tags": ["calm", "花"],
    "creator": "ada",
    "character_version": "1.2",
    "extensions": {"depth_prompt": {"prompt": "x", "depth": 4}, "numbers": [1, 2.5, -3], "none": None},
}
NEWER: dict[str, JsonValue] = {
    "nickname": "Ri",
    "creator_notes_multilingual": {"en": "For rain", "de": "Für Regen"},
    "source": ["https://example.org/iris"],
    "group_only_greetings": ["Hello, all."],
    "creation_date": 1700000000,
    "modification_date": 1700000001,
    "assets": [{"type": "icon", "uri": "ccdefault:", "name": "main", "ext": "png", "x_size": 3}],
    "future_key": {"kept": True},
}
FILES = {"assets/icon/images/main.png": plain_picture(), "assets/emotion/images/happy.webp": b"RIFF....WEBP", "notes.json": b"{}"}
CARRIED: list[JsonValue] = [
    {"type": "icon", "uri": "embeded://assets/icon/images/main.png", "name": "main", "ext": "png"},
    {"type": "emotion", "uri": "embeded://assets/emotion/images/happy.webp", "name": "happy", "ext": "webp"},
]


def v2(**more: JsonValue) -> dict[str, JsonValue]:
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**V1, **MORE, **more}, **V1, "fav": True, "talkativeness": "0.5"}


def v3(**more: JsonValue) -> dict[str, JsonValue]:
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": {**V1, **MORE, **NEWER, **more}}


def as_json(value: JsonValue) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def as_png(**texts: JsonValue) -> bytes:
    return with_texts(plain_picture(), [(key, base64.b64encode(as_json(value))) for key, value in texts.items()])


def as_charx(value: JsonValue, files: Mapping[str, bytes] = {}) -> bytes:
    return packed({"card.json": as_json(value), **files})


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def with_chunk(kind: bytes, body: bytes) -> bytes:
    """Return a picture with a chunk before its end."""
    return plain_picture()[:-12] + chunk(kind, body) + plain_picture()[-12:]


def encoded(value: JsonValue) -> bytes:
    return base64.b64encode(as_json(value))
