"""More of what happens in the emulated Discord: previews, pins, polls, stickers, voice, threads with a beginning, changed rights."""

from collections.abc import Mapping, Sequence

from tests.emulators.discord.actions import Actions
from tests.emulators.discord.objects import (
    CROSSPOSTED,
    HAS_THREAD,
    IS_VOICE,
    LAID_OUT,
    Attachment,
    Channel,
    Guild,
    Message,
    MessageKind,
    Payload,
    Role,
    User,
)
from tests.emulators.discord.payloads import channel_payload, emoji_payload, member_payload, role_payload
from tests.emulators.discord.posting import Draft
from tests.emulators.discord.sessions import Intent
from tests.emulators.discord.webhooks import Webhook

POLL_ENDS = "2027-01-01T00:00:00+00:00"


class Deeds(Actions):
    """Lets people, and Discord itself, do what is rarer than writing."""

    def shows_preview(self, message: Message, embed: Payload) -> None:
        """Let Discord add the preview of a link to a message."""
        message.embeds = [*message.embeds, embed]
        self._post.touch(message)

    def pins(self, message: Message) -> None:
        """Let somebody pin a message."""
        message.pinned = True
        self._post.touch(message)

    def crossposts(self, message: Message) -> None:
        """Let somebody publish a message of an announcement channel."""
        message.flags |= CROSSPOSTED
        self._post.touch(message)

    def notice(self, channel: Channel, user: User, kind: int) -> Message:
        """Let Discord itself say something, of any kind there is or will be."""
        return self._post.publish(Draft(channel, user, kind=kind))

    def member_sends_sticker(self, channel: Channel, user: User, name: str) -> Message:
        """Let the user send a sticker and nothing else."""
        return self._post.publish(Draft(channel, user, stickers=[name]))

    def member_speaks(self, channel: Channel, user: User, seconds: float) -> Message:
        """Let the user send a voice message."""
        voice = self.file("voice-message.ogg", b"OggS", "audio/ogg")
        voice.duration = seconds
        return self._post.publish(Draft(channel, user, attachments=[voice], flags=IS_VOICE))

    def member_replies_unresolved(self, channel: Channel, user: User, text: str, reply_to: Message) -> Message:
        """Let the user reply; the event does not bring the answered message along."""
        return self._post.publish(Draft(channel, user, text, reply_to=reply_to, is_reply_resolved=False))

    def member_asks(self, channel: Channel, user: User, question: str, answers: Sequence[str]) -> Message:
        """Let the user start a poll."""
        media = [{"answer_id": number, "poll_media": {"text": text}} for number, text in enumerate(answers, 1)]
        poll: Payload = {
            "question": {"text": question},
            "answers": media,
            "expiry": POLL_ENDS,
            "allow_multiselect": False,
            "layout_type": 1,
            "results": {"is_finalized": False, "answer_counts": []},
        }
        return self._post.publish(Draft(channel, user, poll=poll))

    def ends_poll(self, message: Message, votes: Mapping[str, int]) -> Message:
        """Let a poll end: its message shows the counts, and Discord tells who won."""
        assert message.poll is not None
        names = {answer["answer_id"]: answer["poll_media"]["text"] for answer in message.poll["answers"]}
        counts = [{"id": number, "count": votes.get(name, 0), "me_voted": False} for number, name in names.items()]
        message.poll["results"] = {"is_finalized": True, "answer_counts": counts}
        self._post.touch(message)
        winner = max(counts, key=lambda count: count["count"])
        told = {
            "poll_question_text": message.poll["question"]["text"],
            "victor_answer_id": str(winner["id"]),
            "victor_answer_text": names[winner["id"]],
            "victor_answer_votes": str(winner["count"]),
            "total_votes": str(sum(votes.values())),
        }
        fields = [{"name": name, "value": value, "inline": False} for name, value in told.items()]
        embed: Payload = {"type": "poll_result", "fields": fields}
        draft = Draft(message.channel, message.author, embeds=[embed], kind=MessageKind.POLL_RESULT)
        return self._post.publish(draft)

    def bot_shows(
        self, channel: Channel, bot: User, *, embeds: list[Payload] | None = None, layout: list[Payload] | None = None
    ) -> Message:
        """Let another bot send cards, or a message that is laid out of components."""
        return self._post.publish(Draft(channel, bot, embeds=embeds or [], components=layout or [], flags=LAID_OUT if layout else 0))

    def thread_from(self, message: Message, name: str, owner: User) -> Channel:
        """Let somebody make a thread from a message."""
        thread = self._world.thread(message.channel, name, owner, thread_id=message.id)
        thread.thread_member_ids.add(self._world.bot.id)
        message.thread, message.flags = thread, message.flags | HAS_THREAD
        self._gateway.dispatch_channel("THREAD_CREATE", thread, channel_payload(thread) | {"newly_created": True})
        self._post.touch(message)
        return thread

    def posts(self, forum: Channel, user: User, title: str, text: str, *, tags: Sequence[str] = ()) -> Channel:
        """Let somebody write a post in a forum; its first message has the id of the thread that it is."""
        forum.tags.extend(tag for tag in tags if tag not in forum.tags)
        self._gateway.dispatch_channel("CHANNEL_UPDATE", forum, channel_payload(forum))
        thread = self._world.thread(forum, title, user)
        thread.tags = list(tags)
        self._gateway.dispatch_channel("THREAD_CREATE", thread, channel_payload(thread) | {"newly_created": True})
        self._post.publish(Draft(thread, user, text, message_id=thread.id))
        return thread

    def gives_emoji(self, guild: Guild, name: str, number: int) -> None:
        """Let an admin add an emoji of the server's own."""
        guild.emoji[name] = number
        data: Payload = {"guild_id": str(guild.id), "emojis": [emoji_payload(*each) for each in guild.emoji.items()]}
        self._gateway.dispatch("GUILD_EMOJIS_UPDATE", data, needs=Intent.EXPRESSIONS, guild_id=guild.id)

    def locks(self, thread: Channel) -> None:
        """Let somebody archive and lock a thread."""
        thread.archived = thread.locked = True
        self._gateway.dispatch_channel("THREAD_UPDATE", thread, channel_payload(thread))

    def bot_gets(self, guild: Guild, role: Role) -> None:
        """Let an admin give the bot a role."""
        member = guild.members[self._world.bot.id]
        member.roles.append(role)
        self._gateway.dispatch(
            "GUILD_ROLE_CREATE", {"guild_id": str(guild.id), "role": role_payload(role)}, needs=Intent.GUILDS, guild_id=guild.id
        )
        data = member_payload(member) | {"guild_id": str(guild.id)}
        self._gateway.dispatch("GUILD_MEMBER_UPDATE", data, guild_id=guild.id)

    def someone_makes_webhook(self, channel: Channel, name: str) -> Webhook:
        """Let an admin make a webhook of their own."""
        return self._world.webhook(channel, name, of_bot=False)

    def someone_removes_webhooks(self, channel: Channel) -> None:
        """Let an admin remove all webhooks of a channel; what they wrote stays."""
        self._world.webhooks = {each.id: each for each in self._world.webhooks.values() if each.channel is not channel}

    def persona_wrote(self, webhook: Webhook, text: str) -> Message:
        """Let a webhook have written something earlier."""
        author = User(webhook.id, webhook.name, bot=True)
        return self._post.publish(Draft(webhook.channel, author, text, webhook_id=webhook.id))

    def said_by_personas(self, channel: Channel) -> list[tuple[str, str]]:
        """Return who said what through the bot's webhooks in the channel, oldest first."""
        own = self._world.own_webhooks
        return [(each.author.name, each.content) for each in channel.messages if each.webhook_id in own and not each.deleted]

    async def persona_says(self, channel: Channel, count: int = 1) -> tuple[str, str]:
        """Wait until the bot's webhooks have `count` messages in the channel, and return who said what in the last of them."""
        found = await self._changes.until(lambda: self.said_by_personas(channel)[count - 1 : count], f"message {count} of a persona")
        return found[0]

    def link_expires(self, file: Attachment) -> None:
        """Let the links to a file that were given out so far no longer work."""
        file.signature += 1
