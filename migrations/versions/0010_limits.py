"""What each space and persona has used a day, added up from what each generation cost."""

from collections import Counter
from datetime import date
from urllib.parse import unquote

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision: str | None = "0009"

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TOKENS = ("prompt_tokens", "reply_tokens", "cached_tokens")
NAMES = sa.table("usage_days", *map(sa.column, ("platform", "space_id", "persona_id", *TOKENS)), sa.column("day", sa.Date()))


def upgrade() -> None:
    op.create_table(
        "usage_days",
        *(sa.Column(name, sa.String(), nullable=False) for name in ("platform", "space_id", "persona_id")),
        sa.Column("day", sa.Date(), nullable=False),
        *(sa.Column(name, WHOLE, nullable=False) for name in TOKENS),
        sa.PrimaryKeyConstraint("platform", "space_id", "persona_id", "day", name="pk_usage_days"),
    )
    summed = ["persona_id", "day", "prompt_tokens", "reply_tokens"]
    op.create_index("ix_usage_days_persona_id_day_prompt_tokens_reply_tokens", "usage_days", summed)
    if not op.get_context().as_sql:
        _add_up()


def _add_up() -> None:
    connection = op.get_bind()
    day = "substr(at, 1, 10)" if connection.dialect.name == "sqlite" else "CAST(CAST(at AT TIME ZONE 'UTC' AS date) AS text)"
    sums = ", ".join(f"CAST(SUM({name}) AS BIGINT)" for name in TOKENS)
    totals: dict[tuple[str, str, str, str], Counter[str]] = {}
    spent = connection.execute(sa.text(f"SELECT conversation, persona_id, {day}, {sums} FROM token_usage GROUP BY 1, 2, 3"))  # noqa: S608 - names of our own only
    for conversation, persona_id, spent_on, *counts in spent:
        platform, space_id = map(unquote, conversation.split(":")[:2])
        totals.setdefault((platform, space_id, persona_id, spent_on), Counter()).update(dict(zip(TOKENS, counts, strict=True)))
    rows = [
        {"platform": platform, "space_id": space_id, "persona_id": persona_id, "day": date.fromisoformat(spent_on), **counts}
        for (platform, space_id, persona_id, spent_on), counts in totals.items()
    ]
    if rows:
        connection.execute(sa.insert(NAMES), rows)
