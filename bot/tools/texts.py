"""What the memory tool tells the model, a language each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MemoryTexts:
    """The results of an edit. `updated_as` names the number of a new memory when the model had asked for another."""

    updated: str
    updated_as: str
    deleted: str
    not_deleted: str


ENGLISH = MemoryTexts(
    updated="Memory updated.",
    updated_as="Memory updated. There was no such id; it was stored as a new memory with id {number}.",
    deleted="Memory deleted.",
    not_deleted="Deleting the memory failed: there is no such id.",
)
JAPANESE = MemoryTexts(
    updated="メモリを更新しました。",
    updated_as="メモリを更新しました。その id はなかったので、新しいメモリ id {number} として保存しました。",
    deleted="メモリを削除しました。",
    not_deleted="メモリの削除に失敗しました。",
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE}


def memory_texts(language: str) -> MemoryTexts:
    """Return the texts of a BCP 47 language, English where there are none."""
    return _BY_LANGUAGE.get(language.partition("-")[0], ENGLISH)
