"""Runs the emulator as a process of its own: `python -m tests.emulators.openai --port 8903`.

The first line it prints is a JSON object with its address; then it serves until it is stopped.
"""

import argparse
import asyncio
import json
import signal
import sys

from tests.emulators.openai.server import OpenAIEmulator


async def serve(port: int, seconds_before_answer: float) -> None:
    """Serve until SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with OpenAIEmulator(port=port) as emulator:
        emulator.seconds_before_answer = seconds_before_answer
        sys.stdout.write(json.dumps({"base_url": emulator.base_url}) + "\n")
        sys.stdout.flush()
        await stopped.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="tests.emulators.openai", description="An OpenAI-compatible endpoint for tests.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    parser.add_argument("--seconds-before-answer", type=float, default=0.0, help="how long it thinks")
    arguments = parser.parse_args()
    asyncio.run(serve(arguments.port, arguments.seconds_before_answer))


if __name__ == "__main__":
    main()
