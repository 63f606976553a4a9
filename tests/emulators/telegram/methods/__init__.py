"""The methods of the Bot API, by name."""

from collections.abc import Awaitable, Callable

from tests.emulators.telegram.methods import chats, commands, editing, files, forum, sending, updates
from tests.emulators.telegram.world import Call, World

Method = Callable[[World, Call], Awaitable[object]]

METHODS: dict[str, Method] = {
    name.lower(): method for module in (updates, sending, editing, commands, chats, files, forum) for name, method in module.METHODS.items()
}
