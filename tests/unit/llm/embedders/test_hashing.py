import asyncio
import subprocess
import sys

import numpy as np

from bot.llm.embedders.hashing import HashingEmbedder
from tests.architecture.sources import ROOT

PRINT = """
import asyncio
from bot.llm.embedders.hashing import HashingEmbedder
print(asyncio.run(HashingEmbedder().passages(["My cat is called Mochi. 猫"])).tobytes().hex())
"""


def test_every_process_gives_the_same_vector() -> None:
    here = asyncio.run(HashingEmbedder().passages(["My cat is called Mochi. 猫"]))

    there = subprocess.run([sys.executable, "-c", PRINT], cwd=ROOT, capture_output=True, text=True, check=True)

    assert there.stdout.strip() == here.tobytes().hex()


async def test_a_misspelt_word_lies_nearer_than_another() -> None:
    embedder = HashingEmbedder()

    (asked,) = await embedder.queries(["marathon"])
    misspelt, other = await embedder.passages(["marathn", "kitchen"]) @ asked

    assert misspelt > 0.1 > abs(other)


async def test_another_size_has_another_name() -> None:
    small, large = HashingEmbedder(64), HashingEmbedder(1024)

    assert small.name != large.name
    assert np.shape(await small.passages(["tea"])) == (1, 64)
