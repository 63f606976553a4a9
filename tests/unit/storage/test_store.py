import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import ConfigError, StoreError
from bot.storage.migrate import schema_state, upgrade
from bot.storage.schema import SchemaState
from bot.storage.store import SqlStore

ROOT = Path(__file__).parents[3]
OPEN_TWICE = """
import asyncio, sys
from bot.storage.store import SqlStore

async def main():
    for _ in range(2):
        store = SqlStore(sys.argv[1])
        await store.open()
        async with store.write():
            pass
        await store.close()

asyncio.run(main())
print(sorted({"alembic", "openai", "telegram", "discord"} & set(sys.modules)))
"""


def test_start_needs_no_alembic(sqlite_url: str) -> None:
    done = subprocess.run([sys.executable, "-c", OPEN_TWICE, sqlite_url], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("url", ["", "data/baku.db", "mysql://u:secret@h/x", "postgresql:/secret", "oracle://x"])
def test_an_address_that_is_none_is_refused_with_an_example(url: str) -> None:
    with pytest.raises(ConfigError, match=r"sqlite:///data/baku\.db") as raised:
        SqlStore(url)

    assert "secret" not in str(raised.value)


async def test_a_store_that_is_not_open_says_so(sqlite_url: str) -> None:
    store = SqlStore(sqlite_url)

    with pytest.raises(StoreError, match="not open"):
        async with store.read():
            pass
    await store.open()
    await store.close()
    with pytest.raises(StoreError, match="not open"):
        async with store.write():
            pass


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_store_without_a_file_needs_no_upgrade(url: str) -> None:
    assert schema_state(url) is SchemaState.EMPTY
    assert upgrade(url) is None
