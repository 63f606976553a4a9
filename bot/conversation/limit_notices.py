"""What people read, once, when a list or a limit keeps a persona silent."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil

from bot.conversation.gate import Decision, Reason
from bot.domain.persona import Persona
from bot.wording.say import in_language, later, say, say_count, translated

_SOON, _TODAY = timedelta(seconds=90), timedelta(minutes=90)
_LINES: Mapping[Reason, str] = {
    Reason.PERSON_LIMIT: later("That was a lot in a short time. I can answer you again {when}; until then I only read along."),
    Reason.CONVERSATION_LIMIT: later("More is going on here than I may answer. I can answer again {when}; until then I only read along."),
    Reason.SERVER_LIMIT: later(
        "I am asked more in this server than I may answer. I can answer again {when}; until then I only read along."
    ),
    Reason.TOKENS_SPENT: later("What I may spend on answers is used up. I can answer again {when}; until then I only read along."),
    Reason.LIKE_A_LOOP: later("We have been going back and forth a lot, so I pause. I can answer you again {when}."),
    Reason.DENIED: later("I am set up not to talk with you here. The admins of this place decide that; ask one of them."),
    Reason.NOT_LISTED: later("I am set up to talk only with certain people here. The admins of this place decide that; ask one of them."),
    Reason.NOT_HERE: later("I am set up not to talk in this channel. The admins of this place decide where I do; ask one of them."),
}
"""`{when}` is when it goes on."""
_MONTHS = (
    later("January"),
    later("February"),
    later("March"),
    later("April"),
    later("May"),
    later("June"),
    later("July"),
    later("August"),
    later("September"),
    later("October"),
    later("November"),
    later("December"),
)


def limit_notice(decision: Decision, persona: Persona, now: datetime, *, in_private: bool) -> str:
    """Return the line for a decision in the persona's language; empty where silence needs no word."""
    with in_language(persona.language):
        if in_private and decision.reason is Reason.NOT_LISTED:
            return say("I am set up to talk in private only with certain people. Whoever runs me decides that.")
        line = translated(_LINES.get(decision.reason, ""))
        return line.format(when=_when(decision.until, persona, now)) if decision.until else line


def _when(until: datetime, persona: Persona, now: datetime) -> str:
    left, at = until - now, until.astimezone(persona.zone)
    if left <= _SOON:
        return say_count(max(2, ceil(left.total_seconds())), "in {number} second", "in {number} seconds")
    if left <= _TODAY:
        return say_count(ceil(left / timedelta(minutes=1)), "in {number} minute", "in {number} minutes")
    values = {"day": at.day, "month": translated(_MONTHS[at.month - 1]), "time": f"{at:%H:%M}", "zone": at.tzname()}
    return say("on {day} {month} at {time} ({zone})", **values)
