"""What the memory tools tell the model, a language each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryTexts:
    """The results of an edit. `updated_as` names the number of a new memory when the model had asked for another."""

    updated: str
    updated_as: str
    deleted: str
    not_deleted: str
    tagged: str
    loaded: str
    unknown: str
    """There is no such memory to tag or to load."""


ENGLISH = MemoryTexts(
    updated="Memory updated.",
    updated_as="Memory updated. There was no such id; it was stored as a new memory with id {number}.",
    deleted="Memory deleted.",
    not_deleted="Deleting the memory failed: there is no such id.",
    tagged="Noted that it was used.",
    loaded="Loaded: {text}",
    unknown="There is no such id.",
)
JAPANESE = MemoryTexts(
    updated="メモリを更新しました。",
    updated_as="メモリを更新しました。その id はなかったので、新しいメモリ id {number} として保存しました。",
    deleted="メモリを削除しました。",
    not_deleted="メモリの削除に失敗しました。",
    tagged="使ったことを記録しました。",
    loaded="読み込みました: {text}",
    unknown="その id はありません。",
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE}


def memory_texts(language: str) -> MemoryTexts:
    """Return the texts of a BCP 47 language, English where there are none."""
    return _BY_LANGUAGE.get(language.partition("-")[0], ENGLISH)
