"""Run the emulator as a process: `python -m tests.emulators.discord --port 8901`.

The first line it prints is a JSON object with its addresses and the bot's token; then it serves until it is stopped.
"""

import argparse
import asyncio
import json
import signal
import sys

from tests.emulators.discord.control import CONTROL, Control
from tests.emulators.discord.server import DiscordEmulator


async def serve(port: int) -> None:
    """Serve until SIGTERM or SIGINT."""
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    emulator = DiscordEmulator(port=port)
    emulator.more_routes.append(Control(emulator).add_to)
    async with emulator:
        addresses = {
            "api_base": emulator.api_base,
            "gateway_url": emulator.gateway_url,
            "control": emulator.api_base.partition("/api")[0] + CONTROL,
            "token": emulator.token,
        }
        sys.stdout.write(json.dumps(addresses) + "\n")
        sys.stdout.flush()
        await stopped.wait()


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="tests.emulators.discord", description="A Discord for tests.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
