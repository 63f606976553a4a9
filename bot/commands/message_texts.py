"""What the commands on one message say."""

from collections.abc import Sequence

from bot.commands.escape import shown
from bot.commands.paging import PAGE_LENGTH, fitting
from bot.wording.say import say


def claim(name: str, words: str) -> str:
    """Return somebody's words as somebody else tells them."""
    return f"{name}: “{words}”"


def reply_to_remember() -> str:
    """Say how the command is used."""
    return say("Reply to a message with `/remember`, or choose *Remember this* in its menu. `/memory add` remembers what you type.")


def reply_to_forget() -> str:
    """Say how the command is used."""
    return say("Reply to a message with `/forget this`, or choose *Forget this* in its menu. `/memory list` shows what can be forgotten.")


def nobody_asks() -> str:
    """Refuse to who writes as nobody in particular."""
    return say("You are writing anonymously or as a channel, so I cannot tell whose word it is. Write as yourself.")


def only_peoples_words() -> str:
    """Refuse the words of bots and of nobody in particular."""
    return say("I only keep what people say, in their own name; that message is not one of those.")


def no_words_of_their_own() -> str:
    """Refuse a message without words of its author's."""
    return say("That message has no words of its author's own: it only passes on, quotes or attaches something.")


def unknown_message() -> str:
    """Refuse a message that is not of this conversation, or not any more."""
    return say("I know nothing of that message here, so I keep nothing of it.")


def nothing_rests_on_it() -> str:
    """Answer when there is nothing to forget."""
    return say("Nothing that you could have me forget rests on that message. `/memory list` shows what I remember about you.")


def ask_to_forget(memories: Sequence[str], *, with_message: bool) -> str:
    """Ask before something goes."""
    lines = fitting((f"> {shown(text)}" for text in memories), length=PAGE_LENGTH // 2) if memories else []
    if with_message and lines:
        question = say("Forget your message, what I said or summed up about it, and this that I remember from it?")
    elif with_message:
        question = say("Forget your message, and what I said or summed up about it? I remember nothing else from it.")
    else:
        question = say("Forget this that I remember from that message? The message itself stays, as it is somebody else's.")
    return "\n\n".join(part for part in (question, "\n>\n".join(lines), say("This cannot be undone.")) if part)


def forgotten(told: str) -> str:
    """Confirm what is gone."""
    return f"{say('Forgotten.')}\n\n{told}"


def not_said_by_me() -> str:
    """Refuse to explain somebody else's words."""
    return say("I did not say that. Reply to one of my own messages with `/why`.")


def not_known_any_more() -> str:
    """Say that a message cannot be explained which is not kept, or was never here."""
    return say("I do not know that message, or not any more. Reply to one of my answers here with `/why`.")
