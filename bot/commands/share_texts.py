"""What `/memory share` says."""

from bot.commands.escape import shown
from bot.wording.say import later, say

SHARE_LABEL = later("Share it here")


def only_in_groups() -> str:
    """Refuse to share in a direct chat."""
    return say(
        "Only you and I read here. Type `/memory share` with a number from this chat in the server or group where others may know it."
    )


def no_such_memory(name: str, number: int) -> str:
    """Refuse a number that the asker's direct chats do not have."""
    return say(
        "{name} holds nothing as #{number} from your direct chats. There, `/memory list` shows yours with their numbers.",
        name=shown(name),
        number=number,
    )


def ask_to_share(name: str, author: str, text: str) -> str:
    """Show what everybody will be able to read, before anybody can."""
    return say(
        "Share this from our direct chat? Everybody here will be able to read, as your word:\n\n> {author}: {text}\n\n{name} will "
        "speak of it here. Nothing else of our direct chat comes along. `/memory forget` takes it back here; to forget it in "
        "our direct chat does so, too. What others have read by then they know.",
        author=shown(author),
        text=shown(text),
        name=shown(name),
    )


def shared(number: int, text: str) -> str:
    """Confirm what is known here now."""
    return say("Shared. Known here as `#{number}`: {text}\n\n`/memory forget {number}` takes it back.", number=number, text=shown(text))


def shared_already(number: int) -> str:
    """Answer a share of what was shared."""
    return say("You have shared that here; it is `#{number}`. `/memory forget {number}` takes it back.", number=number)


def known_already() -> str:
    """Answer a share of what was told here."""
    return say("That is known here already: it was told here. Nothing was shared.")
