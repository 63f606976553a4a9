"""getMe, and the two ways to get updates."""

import asyncio
import contextlib
import re

from tests.emulators.telegram.bots import BotAccount
from tests.emulators.telegram.errors import bad_request, conflict
from tests.emulators.telegram.webhook import Webhook
from tests.emulators.telegram.world import Call, World

LONGEST_POLL_SECONDS = 50
MOST_UPDATES = 100
SECRET = re.compile(r"[A-Za-z0-9_-]{1,256}")


async def get_me(_world: World, call: Call) -> object:
    """Return the bot's own account."""
    return call.bot.to_json()


async def get_updates(world: World, call: Call) -> object:
    """Return waiting updates; those before `offset` are gone for ever."""
    feed, params = call.bot.feed, call.params
    if call.bot.webhook is not None:
        raise conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
    if params.text("allowed_updates"):
        feed.allow(str(kind) for kind in params.array("allowed_updates"))
    feed.acknowledge(params.integer("offset"))
    world.changes.notify()
    limit = min(max(params.integer("limit", MOST_UPDATES), 1), MOST_UPDATES)
    timeout = min(max(params.integer("timeout"), 0), LONGEST_POLL_SECONDS)
    return [update.to_json() for update in await feed.poll(limit, timeout)]


async def set_webhook(world: World, call: Call) -> object:
    """Deliver updates to an address from now on; an empty one means polling."""
    url, secret = call.params.text("url"), call.params.text("secret_token")
    if secret and not SECRET.fullmatch(secret):
        raise bad_request("secret token contains unallowed characters")
    if call.params.boolean("drop_pending_updates"):
        call.bot.feed.pending.clear()
    if call.params.text("allowed_updates"):
        call.bot.feed.allow(str(kind) for kind in call.params.array("allowed_updates"))
    await stop_delivery(call.bot)
    if url:
        call.bot.feed.end_poll(conflict("terminated by setWebhook request"))
        call.bot.webhook = Webhook(url, world.changes.notify, secret, call.params.integer("max_connections", 40))
        call.bot.delivery = asyncio.create_task(call.bot.webhook.deliver(call.bot.feed))
    return True


async def delete_webhook(_world: World, call: Call) -> object:
    """Go back to polling."""
    if call.params.boolean("drop_pending_updates"):
        call.bot.feed.pending.clear()
    await stop_delivery(call.bot)
    return True


async def get_webhook_info(world: World, call: Call) -> object:
    """Return where updates go and how the last tries went."""
    webhook = call.bot.webhook or Webhook("", world.changes.notify)
    return webhook.to_json(len(call.bot.feed.pending), sorted(call.bot.feed.allowed))


async def stop_delivery(bot: BotAccount) -> None:
    """Stop posting updates of this bot."""
    bot.webhook = None
    if bot.delivery is not None:
        bot.delivery.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await bot.delivery
        bot.delivery = None


METHODS = {
    "getMe": get_me,
    "getUpdates": get_updates,
    "setWebhook": set_webhook,
    "deleteWebhook": delete_webhook,
    "getWebhookInfo": get_webhook_info,
}
