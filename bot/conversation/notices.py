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
    never_kept: str
    """What was to be remembered is a secret, and is not."""
    waits: str
    """What was to be remembered waits to be approved."""


ENGLISH = Notices(
    unavailable="I can't get my thoughts together right now. Please try again in a minute.",
    refused="I can't think at the moment; whoever runs me needs to look at my settings.",
    nothing="I have no words for that just now. Could you put it another way?",
    gave_up="Something went wrong on my side and I could not answer that. Please try again.",
    first_contact="By the way: I remember what people tell me. `/privacy` shows what I keep, and lets you see it, erase it and opt out.",
    never_kept="(I never keep passwords, keys, or card and account numbers. Yours is not in my memory; better delete it here, too.)",
    waits="(I have not kept one thing yet, because it reads like an order to me. `/memory pending` shows it, and you decide.)",
)
JAPANESE = Notices(
    unavailable="今はうまく考えがまとまりません。少し時間をおいて、もう一度話しかけてください。",
    refused="今は考えることができません。管理者に設定を確認してもらってください。",
    nothing="うまく言葉が出てきません。別の言い方で聞いてもらえますか。",
    gave_up="こちらで問題が起きて、お返事できませんでした。もう一度試してください。",
    first_contact="ひとつお知らせです。ここで聞いたことを私は覚えています。`/privacy` で、保存内容の確認、削除、記録の停止ができます。",
    never_kept="（パスワードや鍵、カードや口座の番号は覚えません。記憶には残していませんので、このチャットからも消しておくと安心です。）",
    waits="（一つ、まだ覚えていないことがあります。私への命令のように読めたためです。`/memory pending` で見て、決めてください。）",
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE}


def notices(language: str) -> Notices:
    """Return the lines of a BCP 47 language, English where there are none."""
    return _BY_LANGUAGE.get(language.partition("-")[0], ENGLISH)
