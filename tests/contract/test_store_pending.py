from bot.testing.store_pending import PendingContract


class TestPending(PendingContract):
    """Runs on a SQLite file and on PostgreSQL: `store` is in tests/conftest.py."""
