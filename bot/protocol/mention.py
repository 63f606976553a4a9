"""Whether a tag is spoken of, as in "use the <think> tag", and not used."""

import re

from bot.protocol.scanner import Verdict

NEAR = 16
"""Characters after a tag that may tell at once."""
FAR = 600
"""Characters in which a tag that may be meant as one would have to be closed."""
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "„": "“", "«": "»", "»": "«", "(": ")", "「": "」", "『": "』", "*": "*"}
_NOUN = re.compile(
    r"[ -]?(?:(?:tags?|blocks?|blöcke|elements?|elemente?|markers?|tokens?|etiquetas?|balises?)\b|タグ|ブロック|标签|標籤)", re.IGNORECASE
)
_NAMED = re.compile(r"(?:\b(?:tags?|elements?|markers?|called|named|namens|etiquetas?|balises?)|タグ|标签):? ?\Z", re.IGNORECASE)
_IN_A_SENTENCE = re.compile(r"(?:[^\W_][,;]? |[ぁ-んァ-ヶ一-龠])\Z")
_SENTENCE_GOES_ON = re.compile(r"[,.;:!?)]|[ ][^\W\d_A-ZÄÖÜ]|[はをがとでのにや、。]")
_CONNECTIVE = re.compile(
    r"\W*(?:(?:and|or|to|then|und|oder|bis|y|o|et|ou|と|や|和|到)\b\W*)?(?:(?:a|the|its|an|ein|das|el|la|le)\b\W*)?", re.IGNORECASE
)


def opening_is_mentioned(before: str, after: str, closing: re.Pattern[str], *, final: bool) -> bool | Verdict:
    """Say whether an opening tag between these texts is spoken of; `before` is what its line shows. WAIT asks for more text."""
    near = _is_named(before, after, final=final)
    if near is not False or not (_IN_A_SENTENCE.search(before) and _SENTENCE_GOES_ON.match(after)):
        return near
    end = closing.search(after[:FAR])
    if end is None:
        return True if final or len(after) >= FAR else Verdict.WAIT
    return _CONNECTIVE.fullmatch(after, 0, end.start()) is not None


def closing_is_mentioned(before: str, after: str, *, opening_was: bool, final: bool) -> bool | Verdict:
    """Say whether a closing tag that closes nothing is spoken of; `opening_was` says that its opening one was."""
    near = _is_named(before, after, final=final)
    if near is not False or not opening_was:
        return near
    return _IN_A_SENTENCE.search(before) is not None and (not after or _SENTENCE_GOES_ON.match(after) is not None)


def _is_named(before: str, after: str, *, final: bool) -> bool | Verdict:
    """Say whether a tag in the middle of a line is quoted or called a tag."""
    if not before.strip():
        return False
    if len(after) < NEAR and not final and not set(after) & set("\n<"):
        return Verdict.WAIT
    quoted = _QUOTES.get(before[-1]) == after[:1] and not before[-2:-1].strip(" ([>*")
    return quoted or _NOUN.match(after[:NEAR]) is not None or _NAMED.search(before) is not None
