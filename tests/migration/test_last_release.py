"""The last release goes on working on a database that this one has upgraded: its own code, out of the history, on today's schema."""

import json
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

from bot.storage.migrate import schema_state, upgrade
from bot.storage.schema import SchemaState

ROOT = Path(__file__).parents[2]
LAST_RELEASE = "97ebf73"
"""Replace it with each release, in the commit after it."""
A_DAY_OF_IT = """
import asyncio, json, sys
from bot.storage.migrate import schema_state
from bot.testing.bot import make_bot
from bot.testing.factories import GROUP
from bot.testing.scripted_model import ScriptedModel

async def main(url):
    told = [schema_state(url).value]
    model = ScriptedModel("Noted.<mem_new>Ada likes tea</mem_new>", "Tea.", "Hello all.")
    async with make_bot(model, database=url) as bot:
        await bot.say("I like tea")
        await bot.say("What do I drink?")
        await bot.say("Hello?", conversation=GROUP)
        await bot.settled()
        told += [bot.replies, [memory.text for memory in await bot.memories()], "Ada likes tea" in model.prompts[1].text]
        told.append("Ada likes tea" in (await bot.command("memory list")).text)
        await bot.command("forget me", confirmed=True)
        told.append([memory.text for memory in await bot.memories()])
    print(json.dumps(told))

asyncio.run(main(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def last_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the last release's code."""
    asked = subprocess.run(["git", "archive", LAST_RELEASE, "bot", "plugins"], cwd=ROOT, capture_output=True, check=False)
    if asked.returncode != 0:
        pytest.skip(f"the checkout holds no history back to {LAST_RELEASE}: clone it whole to run this")
    folder = tmp_path_factory.mktemp("last-release")
    with tarfile.open(fileobj=BytesIO(asked.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.mark.parametrize("address", ["sqlite_url", "empty_postgres_url"])
def test_the_last_release_remembers_recalls_and_forgets_on_todays_schema(
    address: str, last_release: Path, request: pytest.FixtureRequest
) -> None:
    url = str(request.getfixturevalue(address))
    upgrade(url)

    day = subprocess.run(
        [sys.executable, "-c", A_DAY_OF_IT, url], cwd=last_release, env={"PYTHONPATH": str(last_release)}, capture_output=True, check=False
    )

    assert day.returncode == 0, day.stderr.decode()
    told = json.loads(day.stdout.splitlines()[-1])
    assert told == ["ahead", ["Noted.", "Tea.", "Hello all."], ["Ada likes tea"], True, True, []]
    assert schema_state(url) is SchemaState.CURRENT
