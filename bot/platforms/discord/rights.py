"""What the bot must be allowed to do, what it lacks, and the link by which it is invited with all of it."""

from collections.abc import Iterator, Mapping, Sequence

import discord

NEEDED: Mapping[str, str] = {
    "view_channel": "View Channels",
    "send_messages": "Send Messages",
    "send_messages_in_threads": "Send Messages in Threads",
    "read_message_history": "Read Message History",
}
"""Rights by discord.py's names, as Discord's own settings call them."""
HELPFUL: Mapping[str, str] = {
    "embed_links": "Embed Links",
    "attach_files": "Attach Files",
    "add_reactions": "Add Reactions",
    "create_public_threads": "Create Public Threads",
    "create_private_threads": "Create Private Threads",
}
"""Some things do not work without these."""
ON_WISH: Mapping[str, str] = {"manage_webhooks": "Manage Webhooks", "change_nickname": "Change Nickname"}
"""Left out of the invitation: only personas that speak under their own name and picture, or give theirs to the bot, need them."""
SCOPES = ("bot", "applications.commands")

_VOICE = {"connect": "Connect"}
"""Discord hides the text of a voice channel from who may not join it."""

Speakable = discord.TextChannel | discord.VoiceChannel | discord.StageChannel | discord.ForumChannel | discord.Thread


def invite_link(application_id: int) -> str:
    """Return the address at which an admin lets the bot into a server, with exactly the rights that it uses."""
    permissions = discord.Permissions(**dict.fromkeys([*NEEDED, *HELPFUL], True))
    return discord.utils.oauth_url(application_id, permissions=permissions, scopes=SCOPES)


def missing_rights(channel: Speakable, me: discord.Member) -> Sequence[str]:
    """Return what the bot may not do in a channel or thread, what it can do without at the end."""
    may = channel.permissions_for(me)
    if not may.view_channel:
        return (NEEDED["view_channel"],)  # without it, Discord counts nothing else as allowed
    helpful = {**HELPFUL, **ON_WISH}
    if isinstance(channel, discord.Thread | discord.ForumChannel):
        needed = {name: NEEDED[name] for name in NEEDED if name != "send_messages"}
        helpful = {name: helpful[name] for name in helpful if name not in {"create_public_threads", "create_private_threads"}}
    elif isinstance(channel, discord.TextChannel):
        needed = {name: NEEDED[name] for name in NEEDED if name != "send_messages_in_threads"}
        helpful = {"send_messages_in_threads": NEEDED["send_messages_in_threads"], **helpful}
    else:
        needed = {**{name: NEEDED[name] for name in NEEDED if name != "send_messages_in_threads"}, **_VOICE}
        helpful = {name: helpful[name] for name in helpful if "threads" not in name}
    return (*_lacking(may, needed), *(f"{right} (optional)" for right in _lacking(may, helpful)))


def _lacking(may: discord.Permissions, wanted: Mapping[str, str]) -> Iterator[str]:
    return (right for name, right in wanted.items() if not getattr(may, name))
