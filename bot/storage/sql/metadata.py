"""All tables together."""

from bot.storage.sql import (
    answer_tables,
    entity_tables,
    erasing_tables,
    file_tables,
    home_tables,
    limits_tables,
    past_tables,
    pending_tables,
    privacy_tables,
    support_tables,
    tables,
)

METADATA = tables.BaseRow.metadata
"""Knows the tables of every file that is imported here."""
TABLE_FILES = (
    tables,
    past_tables,
    entity_tables,
    erasing_tables,
    privacy_tables,
    pending_tables,
    limits_tables,
    home_tables,
    file_tables,
    support_tables,
    answer_tables,
)
