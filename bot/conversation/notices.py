"""The short lines people get when no answer can be given."""

from dataclasses import dataclass
from math import ceil

from bot.errors import AnswerFiltered, ContextOverflow, ModelError, ModelTrouble, ModelUnavailable

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


ENGLISH = Notices(
    unavailable="I can't get my thoughts together right now. Please try again in a minute.",
    slow="I thought about that for so long that I lost the thread. Please try again, maybe with a shorter question.",
    busy="Too much is going on in my head at once. Please try again in a minute.",
    busy_for="Too much is going on in my head at once. Please try again in about {minutes} minutes.",
    refused="I can't think at the moment; whoever runs me needs to look at my settings.",
    forbidden="I'm not allowed to think here yet; whoever runs me needs to give me leave.",
    credit="I've used up what I may think for now; whoever runs me needs to top me up.",
    missing="I can't find my own mind; whoever runs me needs to tell me again which one is mine.",
    filtered="Something keeps me from answering that. Could you put it another way?",
    too_long="That is more than I can hold in my head at once. Could you make it shorter?",
    nothing="I have no words for that just now. Could you put it another way?",
    gave_up="Something went wrong on my side and I could not answer that. Please try again.",
    first_contact="By the way: I remember what people tell me. `/privacy` shows what I keep, and lets you see it, erase it and opt out.",
    never_kept="(I never keep passwords, keys, or card and account numbers. Yours is not in my memory; better delete it here, too.)",
    waits="(I have not kept one thing yet, because it reads like an order to me. `/memory pending` shows it, and you decide.)",
    words_stay="(I no longer remember that. Your message about it is still kept; `/privacy` shows how to erase it, too.)",
)
JAPANESE = Notices(
    unavailable="今はうまく考えがまとまりません。少し時間をおいて、もう一度話しかけてください。",
    slow="長く考えすぎて、話の筋を見失ってしまいました。短めの質問で、もう一度話しかけてください。",
    busy="今は頭の中がいっぱいです。一分ほどしてから、もう一度話しかけてください。",
    busy_for="今は頭の中がいっぱいです。{minutes}分ほどしてから、もう一度話しかけてください。",
    refused="今は考えることができません。管理者に設定を確認してもらってください。",
    forbidden="ここではまだ考えることを許されていません。管理者に許可してもらってください。",
    credit="今回考えられる分を使い切ってしまいました。管理者に補充してもらってください。",
    missing="自分の頭が見つかりません。どれを使えばよいか、管理者に教えてもらってください。",
    filtered="それには答えられないようです。別の言い方で聞いてもらえますか。",
    too_long="一度に覚えていられる長さを超えています。短くしてもらえますか。",
    nothing="うまく言葉が出てきません。別の言い方で聞いてもらえますか。",
    gave_up="こちらで問題が起きて、お返事できませんでした。もう一度試してください。",
    first_contact="ひとつお知らせです。ここで聞いたことを私は覚えています。`/privacy` で、保存内容の確認、削除、記録の停止ができます。",
    never_kept="（パスワードや鍵、カードや口座の番号は覚えません。記憶には残していませんので、このチャットからも消しておくと安心です。）",
    waits="（一つ、まだ覚えていないことがあります。私への命令のように読めたためです。`/memory pending` で見て、決めてください。）",
    words_stay="（それはもう覚えていません。ただ、あなたのメッセージ自体は残っています。消し方は `/privacy` で分かります。）",
)
GERMAN = Notices(
    unavailable="Ich kann gerade keinen klaren Gedanken fassen. Versuch es bitte in einer Minute noch einmal.",
    slow="Ich habe so lange nachgedacht, dass ich den Faden verloren habe. Versuch es noch einmal, vielleicht mit weniger auf einmal.",
    busy="Mir geht gerade zu viel auf einmal durch den Kopf. Versuch es bitte in einer Minute noch einmal.",
    busy_for="Mir geht gerade zu viel auf einmal durch den Kopf. Versuch es bitte in etwa {minutes} Minuten noch einmal.",
    refused="Ich kann im Moment nicht denken; wer mich betreibt, muss sich meine Einstellungen ansehen.",
    forbidden="Ich darf hier noch nicht denken; wer mich betreibt, muss es mir erst erlauben.",
    credit="Was ich vorerst denken durfte, ist aufgebraucht; wer mich betreibt, muss es auffüllen.",
    missing="Ich finde meinen eigenen Kopf nicht; wer mich betreibt, muss mir noch einmal sagen, welcher meiner ist.",
    filtered="Etwas hält mich davon ab, darauf zu antworten. Kannst du es anders sagen?",
    too_long="Das ist mehr, als ich auf einmal im Kopf behalten kann. Geht es auch kürzer?",
    nothing="Dazu fehlen mir gerade die Worte. Kannst du es anders sagen?",
    gave_up="Bei mir ist etwas schiefgegangen, und ich konnte nicht antworten. Versuch es bitte noch einmal.",
    first_contact="Übrigens: Ich merke mir, was man mir erzählt. Mit `/privacy` kannst du es ansehen, löschen und abschalten.",
    never_kept="(Passwörter, Schlüssel, Karten- und Kontonummern merke ich mir nie, auch deine nicht; lösch sie besser auch hier.)",
    waits="(Eins habe ich noch nicht behalten, weil es sich wie ein Befehl liest. `/memory pending` zeigt es, und du entscheidest.)",
    words_stay="(Das merke ich mir nicht mehr. Deine Nachricht darüber ist noch da; `/privacy` zeigt, wie du auch sie löschst.)",
)
SPANISH = Notices(
    unavailable="Ahora mismo no consigo ordenar mis ideas. Inténtalo otra vez dentro de un minuto, por favor.",
    slow="Lo he pensado tanto que he perdido el hilo. Inténtalo otra vez, quizá con una pregunta más corta.",
    busy="Tengo demasiadas cosas en la cabeza a la vez. Inténtalo otra vez dentro de un minuto, por favor.",
    busy_for="Tengo demasiadas cosas en la cabeza a la vez. Inténtalo otra vez dentro de unos {minutes} minutos, por favor.",
    refused="Ahora mismo no puedo pensar; quien me administra tiene que revisar mis ajustes.",
    forbidden="Aquí todavía no me dejan pensar; quien me administra tiene que darme permiso.",
    credit="He gastado todo lo que podía pensar por ahora; quien me administra tiene que recargarlo.",
    missing="No encuentro mi propia cabeza; quien me administra tiene que decirme otra vez cuál es la mía.",
    filtered="Algo me impide responder a eso. ¿Puedes decirlo de otra manera?",
    too_long="Eso es más de lo que me cabe en la cabeza de una vez. ¿Puedes acortarlo?",
    nothing="Ahora mismo no encuentro palabras. ¿Puedes decirlo de otra manera?",
    gave_up="Algo ha fallado por mi parte y no he podido responder. Inténtalo otra vez, por favor.",
    first_contact="Por cierto: recuerdo lo que me cuentan. `/privacy` muestra lo que guardo, y ahí puedes verlo, borrarlo y desactivarlo.",
    never_kept="(Nunca guardo contraseñas, claves ni números de tarjeta o de cuenta, tampoco los tuyos; mejor bórralo también aquí.)",
    waits="(Hay algo que aún no he guardado, porque me suena a una orden. `/memory pending` lo muestra, y tú decides.)",
    words_stay="(Eso ya no lo recuerdo. Tu mensaje sobre ello sigue guardado; `/privacy` muestra cómo borrarlo también.)",
)
CHINESE = Notices(
    unavailable="我现在理不清思路。请过一分钟再试一次。",
    slow="我想得太久，把思路弄丢了。请再试一次，问题短一点也许更好。",
    busy="我脑子里一下子事情太多了。请过一分钟再试一次。",
    busy_for="我脑子里一下子事情太多了。请过大约{minutes}分钟再试一次。",
    refused="我现在没法思考；请让管理者检查一下我的设置。",
    forbidden="我在这里还不能思考；请让管理者先允许我。",
    credit="我这段时间能想的份额用完了；请让管理者补充一下。",
    missing="我找不到自己的脑子了；请让管理者再告诉我该用哪一个。",
    filtered="有什么拦着我，不让我回答这个。可以换个说法吗？",
    too_long="这比我一次能记住的还多。可以短一点吗？",
    nothing="我一时说不上来。可以换个说法吗？",
    gave_up="我这边出了问题，没能回答。请再试一次。",
    first_contact="顺便说一句：我会记住大家告诉我的事。用 `/privacy` 可以查看、删除我保存的内容，也可以停止记录。",
    never_kept="（我从不保存密码、密钥、卡号和账号。你的没有进入我的记忆；最好在这里也删掉。）",
    waits="（有一件事我还没有记下，因为它读起来像是给我的命令。用 `/memory pending` 查看，由你决定。）",
    words_stay="（这件事我不再记得了。你说它的那条消息还在；用 `/privacy` 可以看到怎样把它也删掉。）",
)
_BY_LANGUAGE = {"en": ENGLISH, "ja": JAPANESE, "de": GERMAN, "es": SPANISH, "zh": CHINESE}


def notices(language: str) -> Notices:
    """Return the lines of a BCP 47 language, English where there are none."""
    return _BY_LANGUAGE.get(language.partition("-")[0], ENGLISH)
