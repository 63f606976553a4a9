"""Tables of names and of what holds between them. Each row stands behind the wall of its audience."""

from datetime import datetime

from sqlalchemy import Index, PrimaryKeyConstraint
from sqlmodel import Field

from bot.storage.sql.tables import WHOLE, BaseRow, Moment, Words


class EntityRow(BaseRow, table=True):
    """What is known of a name. `kinds` counts what it was taken for, `aliases` lists its other forms, both as JSON."""

    __tablename__ = "entities"
    __table_args__ = (
        Index("ix_entities_last_row", "audience_kind", "audience_id", "last_row"),
        Index("ix_entities_person_id", "audience_kind", "audience_id", "person_id"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    audience_kind: str
    audience_id: str
    name: str = Field(sa_type=Words)
    kinds: str
    aliases: str = Field(sa_type=Words)
    mentions: int
    last_row: int = Field(sa_type=WHOLE)
    person_id: str


class EntityKeyRow(BaseRow, table=True):
    """A key that an entity is found by. Two members may bear one name."""

    __tablename__ = "entity_keys"
    __table_args__ = (
        PrimaryKeyConstraint("audience_kind", "audience_id", "name_key", "entity_id"),
        Index(None, "entity_id"),
        {"sqlite_with_rowid": False},
    )

    audience_kind: str
    audience_id: str
    name_key: str = Field(sa_type=Words)
    entity_id: int = Field(sa_type=WHOLE, foreign_key="entities.id", ondelete="CASCADE")


class EntityMentionRow(BaseRow, table=True):
    """One of the last mentions of an entity."""

    __tablename__ = "entity_mentions"
    __table_args__ = (PrimaryKeyConstraint("entity_id", "message_row"), Index(None, "message_row"), {"sqlite_with_rowid": False})

    entity_id: int = Field(sa_type=WHOLE, foreign_key="entities.id", ondelete="CASCADE")
    message_row: int = Field(sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE")
    name: str = Field(sa_type=Words)
    kind: str
    sentence: str = Field(sa_type=Words)


class RelationRow(BaseRow, table=True):
    """That something holds, or held, between two names. It goes with the message that it rests on.

    Whoever talks much has thousands: their newest are read along an index, and never all.
    """

    __tablename__ = "relations"
    __table_args__ = (
        Index(
            "uq_relations_source",
            "source_row",
            "predicate",
            "subject_key",
            "object_key",
            "audience_kind",
            "audience_id",
            unique=True,
        ),
        Index("ix_relations_subject", "audience_kind", "audience_id", "subject_key", "holds", "valid_from", "source_row"),
        Index("ix_relations_object", "audience_kind", "audience_id", "object_key", "holds", "valid_from", "source_row"),
        Index("ix_relations_kind", "audience_kind", "audience_id", "subject_key", "predicate", "object_key"),
        Index("ix_relations_person", "audience_kind", "audience_id", "subject_person", "predicate", "object_key"),
        Index("ix_relations_of_subject", "subject_person", "audience_id"),
        Index("ix_relations_of_object", "object_person", "audience_id"),
        Index(None, "ended_by_row"),
    )

    id: int | None = Field(default=None, primary_key=True, sa_type=WHOLE)
    audience_kind: str
    audience_id: str
    subject_key: str = Field(sa_type=Words)
    subject: str = Field(sa_type=Words)
    subject_person: str
    predicate: str
    object_key: str = Field(sa_type=Words)
    object: str = Field(sa_type=Words)
    object_person: str
    evidence: str = Field(sa_type=Words)
    source_row: int = Field(sa_type=WHOLE, foreign_key="messages.id", ondelete="CASCADE")
    valid_from: datetime = Field(sa_type=Moment)
    valid_to: datetime | None = Field(sa_type=Moment)
    holds: bool
    ended_by_row: int | None = Field(sa_type=WHOLE, foreign_key="messages.id", ondelete="SET NULL")
