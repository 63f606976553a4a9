from bot.testing.store_contract import StoreContract


class TestStore(StoreContract):
    """Runs on a SQLite file and on PostgreSQL: `store` is in tests/conftest.py."""
