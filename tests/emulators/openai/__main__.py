"""Runs the emulator as a process of its own: `python -m tests.emulators.openai --port 8903`.

The first line it prints is a JSON object with its address; then it serves until it is stopped.
"""

import argparse
import asyncio
import json

from tests.emulators.openai.server import OpenAIEmulator
from tests.emulators.until_stopped import until_stopped


async def serve(port: int, seconds_before_answer: float) -> None:
    """Serve until SIGTERM or SIGINT."""
    async with OpenAIEmulator(port=port) as emulator:
        emulator.seconds_before_answer = seconds_before_answer
        await until_stopped(json.dumps({"base_url": emulator.base_url}))


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="tests.emulators.openai", description="An OpenAI-compatible endpoint for tests.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    parser.add_argument("--seconds-before-answer", type=float, default=0.0, help="how long it thinks")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, arguments.seconds_before_answer))


if __name__ == "__main__":
    main()
