"""Files: where a bot may fetch them."""

from tests.emulators.telegram.errors import bad_request
from tests.emulators.telegram.world import Call, World

BIGGEST_DOWNLOAD = 20 * 1024 * 1024


async def get_file(world: World, call: Call) -> object:
    """Return the path under which a file can be fetched."""
    stored = world.files.get(call.params.text("file_id"))
    if stored is None:
        raise bad_request("wrong file_id or the file is temporarily unavailable")
    if len(stored.content) > BIGGEST_DOWNLOAD:
        raise bad_request("file is too big")
    return {
        "file_id": stored.id,
        "file_unique_id": f"u{stored.id}",
        "file_size": len(stored.content),
        "file_path": f"documents/{stored.id}",
    }


METHODS = {"getFile": get_file}
