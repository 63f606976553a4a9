"""What the memory tools tell the model, a language each."""

from dataclasses import dataclass
from functools import cache

from bot.wording.catalogues import nearest_language
from bot.wording.say import in_language, later, say, translated


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


def memory_texts(language: str) -> MemoryTexts:
    """Return the texts of a BCP 47 language, English where there are none."""
    return _spoken(nearest_language(language))


@cache
def _spoken(language: str) -> MemoryTexts:
    with in_language(language):
        return MemoryTexts(
            updated=say("Memory updated."),
            updated_as=translated(later("Memory updated. There was no such id; it was stored as a new memory with id {number}.")),
            deleted=say("Memory deleted."),
            not_deleted=say("Deleting the memory failed: there is no such id."),
            tagged=say("Noted that it was used."),
            loaded=translated(later("Loaded: {text}")),
            unknown=say("There is no such id."),
        )
