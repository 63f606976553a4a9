"""Runs the emulator as a process of its own: `python -m tests.emulators.telegram --port 8081`."""

import argparse
import asyncio

from tests.emulators.telegram.clock import WallClock
from tests.emulators.telegram.control import Control
from tests.emulators.telegram.emulator import TelegramEmulator
from tests.emulators.until_stopped import until_stopped


async def serve(port: int) -> None:
    """Serve until the process is told to end; the first line printed is the address."""
    telegram = TelegramEmulator(clock=WallClock(), port=port)
    Control(telegram).add_routes()
    async with telegram:
        await until_stopped(f"{telegram.api_base} {telegram.token}")


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.emulators.telegram", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
