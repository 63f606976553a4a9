"""What holds between somebody and others is found wherever it stands: to erase a person reads no relation of others."""

from alembic import op

revision = "0023"
down_revision: str | None = "0022"


def upgrade() -> None:
    for side in ("subject", "object"):
        index(f"ix_relations_of_{side}", [f"{side}_person", "audience_id"])


def index(name: str, columns: list[str]) -> None:
    """Make an index; on a server beside everybody's work."""
    if op.get_bind().dialect.name == "sqlite":
        op.create_index(name, "relations", columns)
        return
    with op.get_context().autocommit_block():
        op.drop_index(name, "relations", if_exists=True, postgresql_concurrently=True)  # one that was cut short
        op.create_index(name, "relations", columns, postgresql_concurrently=True)
