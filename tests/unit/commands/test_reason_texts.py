"""Reasons are kept in English and told in the reader's language."""

from bot.commands.reason_texts import told_reason
from bot.memory.recall import STANDING
from bot.wording.say import in_language


def test_a_reason_is_told_part_by_part_and_what_is_unknown_stays() -> None:
    kept = "shares the words tea, cake; means something similar; said by Ana {x}; in May 2026"

    assert told_reason(kept) == kept
    assert told_reason("by some plugin's rule") == "by some plugin's rule"
    with in_language("de"):
        assert told_reason(kept) == "teilt die Wörter tea, cake; bedeutet Ähnliches; gesagt von Ana {x}; in May 2026"
        assert told_reason("shares the word tea") == "teilt das Wort tea"
        assert told_reason(STANDING) == "stand von selbst im Prompt"
