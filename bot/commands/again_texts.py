"""What `/regenerate`, `/continue` and `/undo` say."""

from dataclasses import replace

from bot.domain.erasing import Kept
from bot.memory.erasing.engine import ErasureReport
from bot.memory.undoing import TakenBack
from bot.wording.say import later, say, say_count

UNDO_LABEL = later("Take it back")


def busy() -> str:
    """Refuse while an answer is on its way."""
    return say("I am just writing here. Wait for that, or `/stop` it first.")


def nothing_said() -> str:
    """Refuse where there is no exchange."""
    return say("There is no answer of mine here yet. Just write.")


def not_yours() -> str:
    """Refuse to somebody who was not answered."""
    return say("My last answer here was for somebody else; only they or an admin can do that. Ask me something yourself.")


def not_the_last() -> str:
    """Refuse after later messages."""
    return say("Somebody has written since my last answer, so it stays as it is. Just ask me again.")


def nobody_asked() -> str:
    """Refuse for a line of the persona's own."""
    return say("Nobody had asked for my last line here, so there is nothing to answer anew.")


def nothing_to_go_on() -> str:
    """Refuse to go on from nothing."""
    return say("I gave no answer there that could go on; `/regenerate` lets me try again.")


def anew(taken_back: TakenBack) -> str:
    """Confirm a new answer."""
    return " ".join([say("I am answering that anew."), *changes(taken_back)])


def going_on() -> str:
    """Confirm that the persona goes on."""
    return say("I am going on.")


def changes(done: TakenBack) -> list[str]:
    """Tell what came of memory."""
    told = [
        (
            done.done,
            say_count(
                done.done, "{number} change of what I remember is taken back.", "{number} changes of what I remember are taken back."
            ),
        ),
        (
            done.skipped,
            say_count(
                done.skipped,
                "{number} memory was changed again since and stays as it is.",
                "{number} memories were changed again since and stay as they are.",
            ),
        ),
        (
            done.lost,
            say_count(
                done.lost,
                "{number} memory was forgotten for good and does not come back.",
                "{number} memories were forgotten for good and do not come back.",
            ),
        ),
    ]
    return [text for number, text in told if number]


def ask_to_undo(*, messages: int, answers: int, edits: int) -> str:
    """Ask before an exchange goes."""
    what = [
        say_count(messages, "{number} message of yours", "{number} messages of yours"),
        say_count(answers, "{number} answer of mine", "{number} answers of mine"),
        *([say_count(edits, "{number} change of what I remember", "{number} changes of what I remember")] if edits else []),
    ]
    return say(
        "Take the last exchange back? Out of my history and search go:\n\n{what}\n\nThis cannot be undone. What you wrote stays in the "
        "chat itself until you delete it there; my answer I delete there as far as I may.",
        what="\n".join(f"- {each}" for each in what),
    )


def undone(taken_back: TakenBack, report: ErasureReport, *, deleted: int) -> str:
    """Say what went."""
    gone, rested = report.counts.get(Kept.MESSAGES, 0), report.counts.get(Kept.MEMORIES, 0)
    taken_back = replace(taken_back, skipped=max(taken_back.skipped - rested, 0))
    messages = say_count(
        gone,
        "Taken back: {number} message is gone from my history and search.",
        "Taken back: {number} messages are gone from my history and search.",
    )
    memories = say_count(
        rested,
        "{number} memory that rested on nothing else is gone, too.",
        "{number} memories that rested on nothing else are gone, too.",
    )
    answers = say_count(
        deleted,
        "I deleted {number} message of mine in the chat, as far as I may.",
        "I deleted {number} messages of mine in the chat, as far as I may.",
    )
    stays = say("What you wrote stays in the chat itself; delete it there if you like.")
    return " ".join([messages, *changes(taken_back), *([memories] if rested else []), *([answers] if deleted else []), stays])


def nothing_of_yours() -> str:
    """Refuse where nobody had asked."""
    return say("Nobody had asked for my last line here, so there is no exchange to take back.")


def another_since() -> str:
    """Refuse a button below an older question."""
    return say("That is not the last exchange any more, so nothing was taken back. `/undo` asks again.")
