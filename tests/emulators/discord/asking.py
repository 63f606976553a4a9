"""What members do with commands, buttons and forms, as their own client would let them."""

from collections.abc import Iterator
from typing import Any

from tests.emulators.changes import PATIENCE_SECONDS, Changes
from tests.emulators.discord.gateway import Gateway
from tests.emulators.discord.interactions import (
    CommandUnavailable,
    Interaction,
    InteractionKind,
    Interactions,
)
from tests.emulators.discord.objects import Channel, ChannelKind, Message, Payload, User
from tests.emulators.discord.payloads import (
    attachment_payload,
    interaction_channel_payload,
    member_payload,
    message_payload,
    role_payload,
    user_payload,
)
from tests.emulators.discord.permissions import Permission, permissions_in
from tests.emulators.discord.state import World

SUBCOMMANDS = (1, 2)
STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER, ATTACHMENT = 3, 4, 5, 6, 7, 8, 9, 10, 11
MESSAGE_MENU = 3
"""The type of a command in the menu of a message."""
IN_GUILD, IN_BOT_DM, IN_PRIVATE = 0, 1, 2
ACCEPTED: dict[int, tuple[type, ...]] = {
    STRING: (str,),
    INTEGER: (int,),
    BOOLEAN: (bool,),
    NUMBER: (int, float),
}
ATTACHMENT_LIMIT = 10 * 1024 * 1024


class Asking:
    """Starts interactions and hands out what their asker sees."""

    def __init__(self, world: World, gateway: Gateway, interactions: Interactions, changes: Changes) -> None:
        self._world = world
        self._gateway = gateway
        self._interactions = interactions
        self._changes = changes

    def slash(self, user: User, channel: Channel, command: str, /, **options: object) -> Interaction:
        """Let the user run "/command" in the channel, such as "memory list"."""
        definition, path = self._definition(user, channel, command)
        values = list(_option_values(path[-1], options, complete=True))
        data = self._command_data(channel, definition, path, values)
        data["resolved"] = self._resolved(channel, values)
        return self._start(InteractionKind.COMMAND, user, channel, data)

    def menu(self, user: User, message: Message, name: str) -> Interaction:
        """Let the user choose an entry of a message's menu."""
        known = [*self._world.commands.get(message.channel.guild.id if message.channel.guild else None, []), *self._world.commands[None]]
        entry = next((c for c in known if c["name"] == name and c.get("type") == MESSAGE_MENU), None)
        if entry is None:
            raise CommandUnavailable(f"There is no {name!r} in the menu of a message.")
        _require_offered(entry, message.channel, user)
        shown = message_payload(self._world, message, self._gateway.files_url)
        data: Payload = {"id": entry["id"], "name": name, "type": MESSAGE_MENU, "target_id": str(message.id)}
        return self._start(InteractionKind.COMMAND, user, message.channel, data | {"resolved": {"messages": {str(message.id): shown}}})

    async def autocomplete(
        self,
        user: User,
        channel: Channel,
        command: str,
        option: str,
        typed: str,
        *,
        timeout: float = PATIENCE_SECONDS,
        **others: object,
    ) -> list[Payload]:
        """Return the choices shown while the user types into the option."""
        definition, path = self._definition(user, channel, command)
        spec = _spec(path[-1], option)
        if not spec.get("autocomplete"):
            raise CommandUnavailable(f"Option {option!r} of /{command} completes nothing.")
        values = list(_option_values(path[-1], others, complete=False))
        focused = {"name": option, "type": spec["type"], "value": typed, "focused": True}
        data = self._command_data(channel, definition, path, [*values, focused])
        started = self._start(InteractionKind.AUTOCOMPLETE, user, channel, data)
        await self._changes.until(lambda: started.choices is not None, f"choices for {option!r}", timeout=timeout)
        return started.choices or []

    def click(self, user: User, message: Message, button: str, *, values: list[str] | None = None) -> Interaction:
        """Let the user press the button with this label or custom id, or choose in its menu."""
        part = _component(message, button)
        data: Payload = {"custom_id": part["custom_id"], "component_type": part["type"]}
        if values is not None:
            data["values"] = values
        return self._start(InteractionKind.COMPONENT, user, message.channel, data, source=message)

    def submit(self, opened: Interaction, **fields: str) -> Interaction:
        """Let the user send the form that the interaction opened."""
        form = opened.form
        if form is None:
            raise CommandUnavailable("No form was opened.")
        rows = [_filled(row, fields) for row in form["components"]]
        data: Payload = {"custom_id": form["custom_id"], "components": rows}
        return self._start(InteractionKind.MODAL, opened.user, opened.channel, data, source=opened.source)

    def _start(
        self,
        kind: InteractionKind,
        user: User,
        channel: Channel,
        data: Payload,
        *,
        source: Message | None = None,
    ) -> Interaction:
        world = self._world
        started = Interaction(world.new_id(), kind, user, channel, world.clock, self._changes, world.clock())
        started.source = source
        self._interactions.add(started)
        guild_id = channel.guild.id if channel.guild else None
        self._gateway.dispatch("INTERACTION_CREATE", self._event(started, data), guild_id=guild_id)
        return started

    def _event(self, started: Interaction, data: Payload) -> Payload:
        world, channel, user, guild = (
            self._world,
            started.channel,
            started.user,
            started.channel.guild,
        )
        event: Payload = {
            "id": str(started.id),
            "application_id": str(world.application_id),
            "type": int(started.kind),
            "token": started.token,
            "version": 1,
            "data": data,
            "channel_id": str(channel.id),
            "channel": interaction_channel_payload(channel, user),
            "app_permissions": str(int(permissions_in(channel, world.bot))),
            "locale": user.locale,
            "entitlements": [],
            "authorizing_integration_owners": {"0": str(guild.id if guild else 0)},
            "context": _context(channel),
            "attachment_size_limit": ATTACHMENT_LIMIT,
        }
        if started.source is not None:
            event["message"] = message_payload(world, started.source, self._gateway.files_url)
        if guild is None:
            return event | {"user": user_payload(user)}
        may = {"permissions": str(int(permissions_in(channel, user)))}
        return event | {
            "guild_id": str(guild.id),
            "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
            "guild_locale": "en-US",
            "member": member_payload(guild.members[user.id]) | may,
        }

    def _definition(self, user: User, channel: Channel, command: str) -> tuple[Payload, list[Payload]]:
        names = command.removeprefix("/").split()
        guild_id = channel.guild.id if channel.guild else None
        known = [*self._world.commands.get(guild_id, []), *self._world.commands[None]]
        top = next((c for c in known if c["name"] == names[0]), None)
        if top is None:
            raise CommandUnavailable(f"There is no command /{names[0]}.")
        _require_offered(top, channel, user)
        path = [top]
        for name in names[1:]:
            inner = [o for o in path[-1]["options"] if o["type"] in SUBCOMMANDS]
            found = next((o for o in inner if o["name"] == name), None)
            if found is None:
                raise CommandUnavailable(f"There is no command /{command}.")
            path.append(found)
        if any(o["type"] in SUBCOMMANDS for o in path[-1].get("options") or []):
            raise CommandUnavailable(f"/{command} is a group of commands.")
        return top, path

    def _command_data(self, channel: Channel, definition: Payload, path: list[Payload], values: list[Payload]) -> Payload:
        options = values
        for step in reversed(path[1:]):
            options = [{"name": step["name"], "type": step["type"], "options": options}]
        data: Payload = {
            "id": definition["id"],
            "name": definition["name"],
            "type": 1,
            "options": options,
        }
        if channel.guild is not None and "guild_id" in definition:
            data["guild_id"] = str(channel.guild.id)
        return data

    def _resolved(self, channel: Channel, values: list[Payload]) -> Payload:
        resolved: Payload = {"users": {}, "members": {}, "roles": {}, "channels": {}, "attachments": {}}
        guild = channel.guild
        for value in values:
            kind, text = value["type"], str(value["value"])
            if kind in (USER, MENTIONABLE) and int(text) in self._world.users:
                user = self._world.users[int(text)]
                resolved["users"][text] = user_payload(user)
                if guild is not None and user.id in guild.members:
                    member = member_payload(guild.members[user.id], with_user=False)
                    may = {"permissions": str(int(permissions_in(channel, user)))}
                    resolved["members"][text] = member | may
            if kind == ATTACHMENT:
                resolved["attachments"][text] = attachment_payload(self._world.files[int(text)], self._gateway.files_url)
            if kind == CHANNEL:
                chosen = self._world.channels[int(text)]
                resolved["channels"][text] = interaction_channel_payload(chosen, self._world.bot)
            if kind in (ROLE, MENTIONABLE) and guild is not None:
                roles = {str(role.id): role for role in guild.roles}
                if text in roles:
                    resolved["roles"][text] = role_payload(roles[text])
        return resolved


def _require_offered(command: Payload, channel: Channel, user: User) -> None:
    contexts = command.get("contexts")
    here = _context(channel)
    in_guild = channel.guild is not None
    if contexts is not None and here not in contexts:
        raise CommandUnavailable(f"/{command['name']} is not offered in this kind of channel.")
    if contexts is None and not in_guild and command.get("dm_permission") is False:
        raise CommandUnavailable(f"/{command['name']} is not offered in private chats.")
    if not in_guild:
        return
    needed = Permission(int(command.get("default_member_permissions") or 0))
    needed |= Permission.USE_APPLICATION_COMMANDS
    if needed & ~permissions_in(channel, user):
        raise CommandUnavailable(f"{user.name} may not use /{command['name']} here.")


def _context(channel: Channel) -> int:
    if channel.guild is not None:
        return IN_GUILD
    return IN_BOT_DM if channel.kind is ChannelKind.DM else IN_PRIVATE


def _spec(command: Payload, name: str) -> Payload:
    for option in command.get("options") or []:
        if option["name"] == name:
            found: Payload = option
            return found
    raise CommandUnavailable(f"/{command['name']} has no option {name!r}.")


def _option_values(command: Payload, given: dict[str, object], *, complete: bool) -> Iterator[Payload]:
    for spec in command.get("options") or []:
        if complete and spec.get("required") and spec["name"] not in given:
            raise CommandUnavailable(f"Option {spec['name']!r} is required.")
    for name, value in given.items():
        spec = _spec(command, name)
        yield {"name": name, "type": spec["type"], "value": _checked(spec, value)}


def _checked(spec: Payload, value: Any) -> object:
    name = spec["name"]
    if spec["type"] in (USER, CHANNEL, ROLE, MENTIONABLE, ATTACHMENT):
        return str(value.id)
    if not isinstance(value, ACCEPTED[spec["type"]]):
        raise CommandUnavailable(f"Option {name!r} does not take {value!r}.")
    if isinstance(value, str):
        low, high = spec.get("min_length") or 0, spec.get("max_length") or 6000
        if not low <= len(value) <= high:
            raise CommandUnavailable(f"Option {name!r} takes {low} to {high} characters.")
    elif not isinstance(value, bool):
        low, high = spec.get("min_value"), spec.get("max_value")
        if (low is not None and value < low) or (high is not None and value > high):
            raise CommandUnavailable(f"Option {name!r} takes {low} to {high}.")
    choices = [choice["value"] for choice in spec.get("choices") or []]
    if choices and value not in choices:
        raise CommandUnavailable(f"Option {name!r} offers {choices}.")
    result: object = value
    return result


def _component(message: Message, button: str) -> Payload:
    for row in message.components:
        for part in row.get("components") or []:
            if button in (part.get("custom_id"), part.get("label")):
                if part.get("disabled"):
                    raise CommandUnavailable(f"The button {button!r} is disabled.")
                found: Payload = part
                return found
    raise CommandUnavailable(f"The message has no button {button!r}.")


def _filled(row: Payload, fields: dict[str, str]) -> Payload:
    inputs = row.get("components") or [row["component"]]
    filled = [{"type": i["type"], "custom_id": i["custom_id"], "value": fields.get(i["custom_id"], "")} for i in inputs]
    if "component" in row:
        return {"type": row["type"], "component": filled[0]}
    return {"type": row["type"], "components": filled}
