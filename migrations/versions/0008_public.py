"""Whether everybody in a server could read a message when it was said. Of what was said before, nobody knows: it was not."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision: str | None = "0007"


def upgrade() -> None:
    op.add_column("messages", sa.Column("is_public", sa.Boolean(), server_default=sa.false(), nullable=False))
