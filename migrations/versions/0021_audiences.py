"""The scopes of an audience are found whichever persona they are of."""

from alembic import op

revision = "0021"
down_revision: str | None = "0020"

NAME, COLUMNS = "ix_memory_scopes_audience_kind_audience_id", ["audience_kind", "audience_id"]


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(NAME, "memory_scopes", COLUMNS)
        return
    with op.get_context().autocommit_block():
        op.drop_index(NAME, "memory_scopes", if_exists=True, postgresql_concurrently=True)  # one that was cut short
        op.create_index(NAME, "memory_scopes", COLUMNS, postgresql_concurrently=True)
