"""Names that people drop."""

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What a name stands for; the labels of spaCy's English models."""

    PERSON = "PERSON"
    PLACE = "GPE"
    ORGANISATION = "ORG"
    EVENT = "EVENT"
    WORK = "WORK_OF_ART"
    PRODUCT = "PRODUCT"
    OTHER = "MISC"


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A name found in a message, with the sentence it stood in."""

    name: str
    kind: EntityKind
    sentence: str
