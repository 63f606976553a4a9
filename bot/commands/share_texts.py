"""What `/memory share` says, in English."""

from bot.commands.escape import shown

SHARE_LABEL = "Share it here"


def only_in_groups() -> str:
    """Refuse to share in a direct chat."""
    return "Only you and I read here. Type `/memory share` with a number from this chat in the server or group where others may know it."


def no_such_memory(name: str, number: int) -> str:
    """Refuse a number that the asker's direct chats do not have."""
    return f"{shown(name)} holds nothing as #{number} from your direct chats. There, `/memory list` shows yours with their numbers."


def ask_to_share(name: str, author: str, text: str) -> str:
    """Show what everybody will be able to read, before anybody can."""
    return (
        f"Share this from our direct chat? Everybody here will be able to read, as your word:\n\n> {shown(author)}: {shown(text)}\n\n"
        f"{shown(name)} will speak of it here. Nothing else of our direct chat comes along. "
        "`/memory forget` takes it back here; to forget it in our direct chat does so, too. What others have read by then they know."
    )


def shared(number: int, text: str) -> str:
    """Confirm what is known here now."""
    return f"Shared. Known here as `#{number}`: {shown(text)}\n\n`/memory forget {number}` takes it back."


def shared_already(number: int) -> str:
    """Answer a share of what was shared."""
    return f"You have shared that here; it is `#{number}`. `/memory forget {number}` takes it back."


def known_already() -> str:
    """Answer a share of what was told here."""
    return "That is known here already: it was told here. Nothing was shared."
