"""Telling Discord the commands, when it knows others. It takes few changes a day."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import discord
import structlog
from discord import app_commands
from discord.http import Route

Payload = Mapping[str, Any]

Offered = app_commands.Command[Any, ..., Any] | app_commands.Group | app_commands.ContextMenu

CHAT_INPUT = 1

log = structlog.get_logger(__name__)


async def offer_commands(tree: app_commands.CommandTree[discord.Client]) -> Mapping[str, int]:
    """Make Discord know exactly the tree's commands, their translations included, and return the ids of those that are typed."""
    known = await _known(tree)
    wanted = [await _payload(command, tree) for command in tree.get_commands()]
    if not payloads_differ(wanted, known):
        return _ids(known)
    told = await tree.sync()
    log.info("discord_commands_offered", commands=len(wanted))
    return {command.name: command.id for command in told if command.type is discord.AppCommandType.chat_input}


async def known_commands(tree: app_commands.CommandTree[discord.Client]) -> Mapping[str, int]:
    """Return the ids of the commands that are typed, as Discord knows them."""
    return _ids(await _known(tree))


def payloads_differ(here: Sequence[Payload], there: Sequence[Payload]) -> bool:
    """Say whether Discord knows other commands than these. What is left open here, Discord may fill in as it likes."""
    known = {_name_of(command): command for command in there}
    if len(known) != len(here) or {_name_of(command) for command in here} != set(known):
        return True
    return any(not _agrees(command, known[_name_of(command)]) for command in here)


async def _known(tree: app_commands.CommandTree[discord.Client]) -> Sequence[Payload]:
    client = tree.client
    # discord.py's own way to ask leaves the translations out.
    asking = Route("GET", "/applications/{application_id}/commands", application_id=client.application_id or 0)
    known: Sequence[Payload] = await client.http.request(asking, params={"with_localizations": "true"})
    return known


def _ids(known: Sequence[Payload]) -> Mapping[str, int]:
    return {command["name"]: int(command["id"]) for command in known if command.get("type", CHAT_INPUT) == CHAT_INPUT}


async def _payload(command: Offered, tree: app_commands.CommandTree[discord.Client]) -> Payload:
    translator = tree.translator
    return command.to_dict(tree) if translator is None else await command.get_translated_payload(tree, translator)


def _name_of(command: Payload) -> tuple[int, str]:
    return (command.get("type", CHAT_INPUT), command["name"])


def _agrees(here: Payload, there: Payload) -> bool:
    """Say whether two definitions of one command are alike. Discord adds ids, versions and defaults of its own."""
    open_here = [name for name in ("contexts", "integration_types") if here.get(name) is not None]
    where = all(sorted(here[name]) == sorted(there.get(name) or ()) for name in open_here)
    return where and _head(here) == _head(there) and list(_options(here)) == list(_options(there))


def _head(command: Payload) -> tuple[object, ...]:
    permissions = command.get("default_member_permissions")
    return (*_texts(command), None if permissions is None else str(permissions), bool(command.get("nsfw")))


def _texts(item: Payload) -> tuple[object, ...]:
    """Return name and description in all languages. A command in a context menu has no description."""
    translations = (dict(item.get(f"{part}_localizations") or {}) for part in ("name", "description"))
    return (item["name"], item.get("description") or "", *translations)


def _options(item: Payload) -> Iterator[object]:
    for option in item.get("options") or ():
        flags = tuple(bool(option.get(flag)) for flag in ("required", "autocomplete"))
        limits = tuple(option.get(limit) for limit in ("min_value", "max_value", "min_length", "max_length"))
        kinds = sorted(option.get("channel_types") or ())
        yield (option["type"], *_texts(option), flags, limits, kinds, list(_choices(option)), list(_options(option)))


def _choices(option: Payload) -> Iterable[object]:
    return ((choice["name"], choice["value"], dict(choice.get("name_localizations") or {})) for choice in option.get("choices") or ())
