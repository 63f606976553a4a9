"""Drafts have a name of their own once an earlier one is taken away, and the same one until then."""

from bot.platforms.discord.drafts import MOST_KNOWN, Drafts


def test_a_draft_that_follows_a_withdrawn_one_is_no_double_of_it() -> None:
    drafts = Drafts()
    first = drafts.nonce("7")
    drafts.posted("1", "7")
    again_after_a_crash = Drafts().nonce("7")
    drafts.withdrawn("2")
    same = drafts.nonce("7")
    drafts.withdrawn("1")

    assert first == again_after_a_crash == same
    assert drafts.nonce("7") not in {first, ""}
    assert drafts.nonce("8") == "draft-8"


def test_old_drafts_are_let_go() -> None:
    drafts = Drafts()
    for number in range(MOST_KNOWN + 5):
        drafts.posted(str(number), f"asked {number}")
        drafts.withdrawn(str(number))

    assert drafts.nonce("asked 0") == "draft-asked 0"
    assert drafts.nonce("asked 9") != "draft-asked 9"
