"""The short lines people get when no answer can be given."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notices:
    """One language's lines. They are friendly, name no cause, and say what to do."""

    unavailable: str
    """The model is out or overloaded."""
    refused: str
    """The model cannot be used as it is set up."""
    nothing: str
    """The model answered with nothing."""
    gave_up: str
    """Something else failed again and again."""
    first_contact: str
    """What is said once, after the first answer."""


ENGLISH = Notices(
    unavailable="I can't get my thoughts together right now. Please try again in a minute.",
    refused="I can't think at the moment; whoever runs me needs to look at my settings.",
    nothing="I have no words for that just now. Could you put it another way?",
    gave_up="Something went wrong on my side and I could not answer that. Please try again.",
    first_contact="By the way: I remember what people tell me. `/privacy` shows what I keep, and lets you see it, erase it and opt out.",
)
JAPANESE = Notices(
    unavailable="今はうまく考えがまとまりません。少し時間をおいて、もう一度話しかけてください。",
    refused="今は考えることができません。管理者に設定を確認してもらってください。",
    nothing="うまく言葉が出てきません。別の言い方で聞いてもらえますか。",
    gave_up="こちらで問題が起きて、お返事できませんでした。もう一度試してください。",
    first_contact="ひとつお知らせです。ここで聞いたことを私は覚えています。`/privacy` で、保存内容の確認、削除、記録の停止ができます。",
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE}


def notices(language: str) -> Notices:
    """Return the lines of a BCP 47 language, English where there are none."""
    return _BY_LANGUAGE.get(language.partition("-")[0], ENGLISH)
