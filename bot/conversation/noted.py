"""Which category each channel is in, as it was noted last."""

from collections import OrderedDict

from bot.domain.chat import ConversationKey
from bot.domain.message import IncomingMessage

MOST_CHANNELS = 10_000


class NotedPlaces:
    """Spares the store a question a message. Of too many channels, the one that was silent for longest is forgotten."""

    def __init__(self, *, most: int = MOST_CHANNELS) -> None:
        self._most = most
        self._noted: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def is_news(self, message: IncomingMessage) -> bool:
        """Say whether the category of a message's channel is not noted yet."""
        return self._noted.get(_channel(message.conversation)) != message.category_id

    def keep(self, message: IncomingMessage) -> None:
        """Take for noted which category the channel is in."""
        channel = _channel(message.conversation)
        self._noted[channel] = message.category_id
        self._noted.move_to_end(channel)
        if len(self._noted) > self._most:
            self._noted.popitem(last=False)


def _channel(conversation: ConversationKey) -> tuple[str, str, str]:
    return conversation.platform, conversation.space_id, conversation.channel_id
