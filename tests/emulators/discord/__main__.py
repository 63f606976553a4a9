"""Run the emulator as a process: `python -m tests.emulators.discord --port 8901`.

The first line it prints is a JSON object with its addresses and the bot's token; then it serves until it is stopped.
"""

import argparse
import asyncio
import json

from tests.emulators.discord.control import CONTROL, Control
from tests.emulators.discord.server import DiscordEmulator
from tests.emulators.until_stopped import until_stopped


async def serve(port: int) -> None:
    """Serve until SIGTERM or SIGINT."""
    emulator = DiscordEmulator(port=port)
    emulator.more_routes.append(Control(emulator).add_to)
    async with emulator:
        addresses = {
            "api_base": emulator.api_base,
            "gateway_url": emulator.gateway_url,
            "control": emulator.api_base.partition("/api")[0] + CONTROL,
            "token": emulator.token,
        }
        await until_stopped(json.dumps(addresses))


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="tests.emulators.discord", description="A Discord for tests.")
    parser.add_argument("--port", type=int, default=0, help="the port to listen on; 0 takes a free one")
    asyncio.run(serve(parser.parse_args().port))


if __name__ == "__main__":
    main()
