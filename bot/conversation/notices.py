"""The short lines people get when no answer can be given."""

from dataclasses import dataclass
from functools import cache
from math import ceil

from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelTrouble, ModelUnavailable
from bot.wording.catalogues import nearest_language
from bot.wording.say import in_language, later, say, translated

_SOON = 90.0
"""Seconds up to which a pause is "a minute"."""
_LONGEST_PAUSE = 600
"""Minutes that a line names at most."""


@dataclass(frozen=True, slots=True)
class Notices:
    """One language's lines. They are friendly, tell nothing technical, and say what to do."""

    unavailable: str
    """The model is out or overloaded."""
    slow: str
    """The model took too long."""
    busy: str
    """The model may not be asked that often."""
    busy_for: str
    """The same, and for how many `{minutes}`."""
    refused: str
    """The model cannot be used as it is set up."""
    forbidden: str
    """The model may not be used by whom it is set up for."""
    credit: str
    """What the model costs is not paid for."""
    missing: str
    """There is no such model."""
    filtered: str
    """Others than the persona keep the answer back."""
    too_long: str
    """The message is longer than the model can read."""
    nothing: str
    """The model answered with nothing."""
    gave_up: str
    """Something else failed again and again."""
    in_line: str
    """Others are answered first; this line becomes the answer."""
    first_contact: str
    """What is said once, after the first answer."""
    never_kept: str
    """What was to be remembered is a secret, and is not."""
    waits: str
    """What was to be remembered waits to be approved."""
    words_stay: str
    """A memory was forgotten, and the messages that told it stay."""

    def about(self, problem: ModelError) -> str:
        """Return what to say when a model gave no answer for that reason."""
        match problem:
            case ContextOverflow():
                return self.too_long
            case AnswerFiltered():
                return self.filtered
            case ModelUnavailable(trouble=ModelTrouble.BUSY) if problem.retry_after > _SOON:
                return self.busy_for.format(minutes=min(ceil(problem.retry_after / 60), _LONGEST_PAUSE))
        lines = {
            ModelTrouble.OUT: self.unavailable,
            ModelTrouble.SLOW: self.slow,
            ModelTrouble.BUSY: self.busy,
            ModelTrouble.RIGHTS: self.forbidden,
            ModelTrouble.CREDIT: self.credit,
            ModelTrouble.MISSING: self.missing,
        }
        return lines.get(problem.trouble, self.refused)


def notices(language: str) -> Notices:
    """Return the lines of a BCP 47 language, English where there are none."""
    return _spoken(nearest_language(language))


@cache
def _spoken(language: str) -> Notices:
    with in_language(language):
        return Notices(
            unavailable=say("I can't get my thoughts together right now. Please try again in a minute."),
            slow=say("I thought about that for so long that I lost the thread. Please try again, maybe with a shorter question."),
            busy=say("Too much is going on in my head at once. Please try again in a minute."),
            busy_for=translated(later("Too much is going on in my head at once. Please try again in about {minutes} minutes.")),
            refused=say("I can't think at the moment; whoever runs me needs to look at my settings."),
            forbidden=say("I'm not allowed to think here yet; whoever runs me needs to give me leave."),
            credit=say("I've used up what I may think for now; whoever runs me needs to top me up."),
            missing=say("I can't find my own mind; whoever runs me needs to tell me again which one is mine."),
            filtered=say("Something keeps me from answering that. Could you put it another way?"),
            too_long=say("That is more than I can hold in my head at once. Could you make it shorter?"),
            nothing=say("I have no words for that just now. Could you put it another way?"),
            gave_up=say("Something went wrong on my side and I could not answer that. Please try again."),
            in_line=say("Many people are talking to me just now. Your message is in line, and I answer as soon as I can."),
            first_contact=say(
                "By the way: I remember what people tell me. `/privacy` shows what I keep, and lets you see it, erase it and opt out."
            ),
            never_kept=say(
                "(I never keep passwords, keys, or card and account numbers. Yours is not in my memory; better delete it here, too.)"
            ),
            waits=say("(I have not kept one thing yet, because it reads like an order to me. `/memory pending` shows it, and you decide.)"),
            words_stay=say("(I no longer remember that. Your message about it is still kept; `/privacy` shows how to erase it, too.)"),
        )
