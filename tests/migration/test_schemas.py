"""The models, the migrations and the start agree on one schema, on both databases."""

from io import StringIO
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import ForeignKeyConstraint

from bot.storage.alembic_runner import settings
from bot.storage.schema import HEAD, REVISIONS, create_tables
from bot.storage.sql.metadata import METADATA
from tests.migration.databases import connected, migrate_to, shape


@pytest.fixture(params=["sqlite_url", "empty_postgres_url"])
def empty_url(request: pytest.FixtureRequest) -> str:
    """Return the address of a database without tables, one of each kind."""
    return str(request.getfixturevalue(request.param))


ON_SERVERS_ALONE = {"messages_first", "uq_messages_conversation_message_id"}
"""A server's messages stand in several tables, each of which knows its own ids; a test of message_parts looks at them."""


def compared(item: object, name: str | None, kind: str, reflected: bool, other: object) -> bool:
    """Say whether something is to be the same in the models and in the database."""
    if isinstance(item, ForeignKeyConstraint):
        return item.elements[0].target_fullname != "messages_first.id"  # each of a parent has one below it for each table
    return name not in ON_SERVERS_ALONE


def is_ours(name: str | None, kind: str, _: object) -> bool:
    """Say whether a table is of our models; those of the queue's engine, and its rates, are not."""
    return kind != "table" or not str(name).startswith(("procrastinate_", "baku_"))


def test_migrations_make_what_the_models_say(empty_url: str) -> None:
    migrate_to(empty_url, "head")

    with connected(empty_url) as connection:
        options = {"include_object": compared} if connection.dialect.name == "postgresql" else {}
        context = MigrationContext.configure(connection, opts={"include_name": is_ours, **options})
        assert compare_metadata(context, METADATA) == []


def test_migrations_and_the_first_start_make_the_same(sqlite_url: str) -> None:
    migrate_to(sqlite_url, "head")
    with connected(sqlite_url) as connection:
        migrated = shape(connection)
        METADATA.drop_all(connection)
        connection.exec_driver_sql("DROP TABLE alembic_version")

    with connected(sqlite_url) as connection:
        create_tables(connection)
        created = shape(connection)

    assert created == migrated
    assert len(created) > 8


def test_the_revisions_known_at_start_are_those_of_the_folder() -> None:
    scripts = ScriptDirectory.from_config(settings())

    assert [script.revision for script in reversed(list(scripts.walk_revisions()))] == list(REVISIONS)
    assert scripts.get_current_head() == HEAD


def test_a_generated_migration_needs_nothing_of_our_code(tmp_path: Path, sqlite_url: str) -> None:
    config = settings()
    config.stdout = StringIO()
    config.set_main_option("version_locations", str(tmp_path))

    with connected(sqlite_url) as connection:
        config.attributes["connection"] = connection
        command.revision(config, "everything", autogenerate=True, version_path=str(tmp_path), rev_id="9999")

    (script,) = tmp_path.glob("9999_*.py")
    written = script.read_text()
    compile(written, script, "exec")
    assert "sqlmodel" not in written
    assert "bot." not in written
    assert written.count("op.create_table(") == len(METADATA.tables)
