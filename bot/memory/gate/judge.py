"""The verdict on a text alone: what may be remembered, what is refused, and what waits for somebody who decides."""

import unicodedata
from collections.abc import Collection

from bot.memory.gate.access import opens_account
from bot.memory.gate.accounts import holds_account
from bot.memory.gate.keys import holds_key
from bot.memory.gate.lookalikes import mixes_alphabets
from bot.memory.gate.markup import holds_frame, holds_tags
from bot.memory.gate.opaque import holds_code
from bot.memory.gate.passwords import holds_password
from bot.memory.gate.reading import readings
from bot.memory.gate.unseen import is_tricky, visible
from bot.memory.gate.verdict import Concern, Ruling, Verdict, accept, refuse, wait
from bot.memory.gate.wording import order_in


def judged(text: str, *, bot_names: Collection[str] = (), private: bool = False) -> Verdict:
    """Return what becomes of a text. What nobody sees is taken out of it first; `bot_names` are what the persona is called.

    In private, tags are kept as the text that they are: prompts show them escaped, and nobody else ever reads them.
    """
    shown = visible(text).strip()
    if holds_secret(shown):
        return refuse(shown, Concern.SECRET)
    if is_tricky(text) or mixes_alphabets(shown):
        return refuse(shown, Concern.UNSEEN)
    ways = readings(shown)
    if any(map(holds_frame, ways)) or (not private and any(map(holds_tags, ways))):
        return refuse(shown, Concern.MARKUP)
    concern = order_in(ways, bot_names)
    if concern is Concern.OVERRIDE:
        return refuse(shown, concern)
    if concern is Concern.ORDER:
        return wait(shown, concern)
    return wait(shown, Concern.OPAQUE) if holds_code(shown) else accept(shown)


def is_fit(text: str, bot_names: Collection[str] = ()) -> bool:
    """Say whether a text may stand in a prompt as something remembered. Whatever brings back what people or models wrote asks this."""
    return judged(text, bot_names=bot_names).ruling is Ruling.ACCEPT


def holds_secret(text: str) -> bool:
    """Say whether a text holds a key, the number of a card or an account, a password or the words of a wallet."""
    plain = unicodedata.normalize("NFKC", text)
    return holds_key(plain) or holds_account(plain) or any(holds_password(way) or opens_account(way) for way in readings(text))
