"""Routes for the definitions of slash commands."""

import json

from aiohttp import web

from tests.emulators.discord.command_rules import check_commands
from tests.emulators.discord.objects import Payload
from tests.emulators.discord.refusals import missing_access, snowflake, unknown_command
from tests.emulators.discord.rest import API, Rest, answer, nothing

APPLICATION = f"{API}/applications/{{application_id}}"
SCOPES = (f"{APPLICATION}/commands", f"{APPLICATION}/guilds/{{guild_id}}/commands")

DEFAULTS: Payload = {
    "type": 1,
    "description": "",
    "options": [],
    "default_member_permissions": None,
    "dm_permission": True,
    "nsfw": False,
    "name_localizations": None,
    "description_localizations": None,
    "integration_types": [0],
    "contexts": None,
}


class CommandRoutes:
    """Commands of the application, for everywhere or for one server."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest
        self._world = rest.world

    def add_to(self, app: web.Application) -> None:
        """Register the routes."""
        for scope in SCOPES:
            app.router.add_get(scope, self.read)
            app.router.add_put(scope, self.overwrite)
            app.router.add_post(scope, self.upsert)
            app.router.add_patch(f"{scope}/{{command_id}}", self.edit)
            app.router.add_delete(f"{scope}/{{command_id}}", self.delete)

    async def read(self, request: web.Request) -> web.Response:
        """Return the commands."""
        whole = request.query.get("with_localizations") == "true"
        return answer([command if whole else _without_translations(command) for command in self._commands(request)])

    async def overwrite(self, request: web.Request) -> web.Response:
        """Replace all commands; those of the same name keep their id."""
        wanted: list[Payload] = json.loads(await request.text())
        check_commands(wanted)
        commands = self._commands(request)
        commands[:] = [self._stored(request, command, commands) for command in wanted]
        self._rest.changes.notify()
        return answer(commands)

    async def upsert(self, request: web.Request) -> web.Response:
        """Add one command, or replace the one of the same name."""
        wanted: Payload = json.loads(await request.text())
        commands = self._commands(request)
        others = [c for c in commands if _name_of(c) != _name_of(wanted)]
        check_commands([*others, wanted])
        stored = self._stored(request, wanted, commands)
        commands[:] = [*others, stored]
        return answer(stored, 200 if len(others) < len(commands) - 1 else 201)

    async def edit(self, request: web.Request) -> web.Response:
        """Change one command."""
        command = self._command(request)
        changed = command | json.loads(await request.text())
        others = [c for c in self._commands(request) if c is not command]
        check_commands([*others, changed])
        command.update(changed, version=str(self._world.new_id()))
        return answer(command)

    async def delete(self, request: web.Request) -> web.Response:
        """Remove one command."""
        self._commands(request).remove(self._command(request))
        return nothing()

    def _commands(self, request: web.Request) -> list[Payload]:
        application_id = snowflake("application_id", request.match_info["application_id"])
        if application_id != self._world.application_id:
            raise missing_access()
        guild_id = request.match_info.get("guild_id")
        key = None if guild_id is None else self._rest.guild(request).id
        return self._world.commands.setdefault(key, [])

    def _command(self, request: web.Request) -> Payload:
        for command in self._commands(request):
            if command["id"] == request.match_info["command_id"]:
                found: Payload = command
                return found
        raise unknown_command()

    def _stored(self, request: web.Request, wanted: Payload, old: list[Payload]) -> Payload:
        same = [c for c in old if _name_of(c) == _name_of(wanted)]
        stored: Payload = DEFAULTS | wanted
        stored["id"] = same[0]["id"] if same else str(self._world.new_id())
        stored["application_id"] = str(self._world.application_id)
        stored["version"] = str(self._world.new_id())
        guild_id = request.match_info.get("guild_id")
        return stored | ({"guild_id": guild_id} if guild_id else {})


def _name_of(command: Payload) -> tuple[int, object]:
    return (command.get("type", 1), command.get("name"))


def _without_translations(item: Payload) -> Payload:
    """Return what is shown to those who do not ask for translations."""
    shown = {name: value for name, value in item.items() if not name.endswith("_localizations")}
    return shown | ({"options": [_without_translations(option) for option in item["options"]]} if item.get("options") else {})
