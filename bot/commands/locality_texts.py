"""What `/language` and `/timezone` say."""

from bot.commands.seat_texts import origin_of
from bot.commands.texts import echo
from bot.domain.locality import LANGUAGE
from bot.wording.say import say

TONGUES = {"en": "English", "de": "Deutsch", "es": "Español", "ja": "日本語", "zh": "中文"}
"""Languages that there are notices in, as those who speak them call them."""


def page(name: str, holds: str, source: str) -> str:
    """Show what holds, where it comes from, and how to change it."""
    origin = origin_of(source) if source else say("the persona's own")
    if name == LANGUAGE:
        line = say("My own notices are in the language **{value}** here ({origin}).", value=echo(holds), origin=origin)
        more = say("I answer in the language in which people write to me.")
        how = say("`/language` with a language such as `de` sets it, with `reset` takes it back.")
        return f"{line} {more}\n\n{how}"
    line = say("The time zone **{value}** holds here ({origin}).", value=echo(holds), origin=origin)
    how = say("`/timezone` with a time zone such as `Europe/Berlin` sets it, with `reset` takes it back.")
    return f"{line}\n\n{how}"


def no_language(typed: str) -> str:
    """Refuse what is no language."""
    return say("“{typed}” is no language. Write a tag such as `en`, `de`, `ja` or `pt-BR`.", typed=echo(typed))


def unknown_place(typed: str) -> str:
    """Refuse a place that is none."""
    return say("“{typed}” is no place. Write here, channel, category or server.", typed=echo(typed))
