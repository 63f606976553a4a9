"""What the offline model says, in English, German and Japanese."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from bot.llm.offline_prompt import Language
from bot.llm.offline_talk import Talk


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What it says in one language."""

    introduction: str
    hello: str
    noted: str
    known: str
    not_noted: str
    switched_off: str
    told: str
    told_about: str
    claimed: str
    unsure: str
    everything: str
    latest: str
    nothing_yet: str
    unknown: str
    unclear: str
    at_a_loss: str
    at_a_loss_again: str
    talk: Mapping[Talk, str]
    day_form: str
    dated_form: str
    months: tuple[str, ...] = ()

    def day(self, day: date, *, this_year: str) -> str:
        """Return a day as people write it, with its year when that is another one."""
        form = self.day_form if f"{day:%Y}" == this_year else self.dated_form
        month = self.months[day.month - 1] if self.months else str(day.month)
        return form.format(day=day.day, month=month, year=day.year)


_ENGLISH = Words(
    introduction="I am Baku's offline model: I keep what you tell me and find it again, no more. "
    "To talk with a real model, set OPENAI_API_KEY or OPENAI_BASE_URL.",
    hello="Hello! Tell me something about yourself, and I'll keep it.",
    noted='I\'ll remember: "{text}"',
    known='I know that already: "{text}"',
    not_noted="I could not keep that. {result}",
    switched_off="I hear you, but my memory is switched off here.",
    told='You told me on {day}: "{text}"',
    told_about='What I know about {name}, since {day}: "{text}"',
    claimed='{speaker} said about {name} on {day}: "{text}"',
    unsure="I'm not sure that this answers it. {told}",
    everything="This is what I remember:",
    latest="This is what I heard last; /memory list shows all:",
    nothing_yet="Nothing yet. Tell me something about yourself, and I'll keep it.",
    unknown="I don't know that. Nobody has told me, and without a real model I know only what I was told.",
    unclear="I can't tell what you mean. Ask in the words you told me, for example: What is my cat called?",
    at_a_loss="I can keep what you tell me and find it again. Tell me something about yourself, or ask about what you told me.",
    at_a_loss_again="I have no answer to that. I do best with facts about you, and with questions about them.",
    talk={
        Talk.WELLBEING: "Awake and listening, thank you. And you?",
        Talk.THANKS: "You're welcome.",
        Talk.FAREWELL: "Goodbye, until next time.",
        Talk.FORGETTING: "You decide what I keep: /memory list shows it with numbers, /memory forget deletes one.",
        Talk.WRONG: "Then tell me how it is: I go by what I heard last. /memory edit and /memory forget mend the rest.",
        Talk.GLAD: "Good to hear.",
        Talk.MOOD: 'I hear you. Moods pass, so I keep no note of this one; begin with "remember that" if I should.',
        Talk.HELP: "Commands begin with a slash: /help lists them.",
        Talk.ASSENT: "All right.",
        Talk.OPINION: "I can't say: I have no life of my own to tell of. Tell me about yours.",
        Talk.REQUEST: "That is beyond me: I can only keep what you tell me and find it again.",
    },
    day_form="{day} {month}",
    dated_form="{day} {month} {year}",
    months=("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"),
)
_GERMAN = Words(
    introduction="Ich bin Bakus Offline-Modell: Ich behalte, was du mir erzählst, und finde es wieder, mehr nicht. "
    "Für ein richtiges Modell setze OPENAI_API_KEY oder OPENAI_BASE_URL.",
    hello="Hallo! Erzähl mir etwas von dir, und ich behalte es.",
    noted="Ich merke mir: „{text}“",
    known="Das weiß ich schon: „{text}“",
    not_noted="Das konnte ich nicht behalten. {result}",
    switched_off="Ich höre dich, aber mein Gedächtnis ist hier ausgeschaltet.",
    told="Am {day} hast du mir erzählt: „{text}“",
    told_about="Über {name} weiß ich seit dem {day}: „{text}“",
    claimed="{speaker} hat am {day} über {name} gesagt: „{text}“",
    unsure="Ich bin nicht sicher, ob das die Antwort ist. {told}",
    everything="Das habe ich behalten:",
    latest="Das habe ich zuletzt gehört; /memory list zeigt alles:",
    nothing_yet="Noch nichts. Erzähl mir etwas von dir, und ich behalte es.",
    unknown="Das weiß ich nicht. Niemand hat es mir erzählt, und ohne richtiges Modell weiß ich nur, was man mir erzählt hat.",
    unclear="Ich verstehe nicht, was du meinst. Frag mit den Worten, die du mir gesagt hast, zum Beispiel: Wie heißt meine Katze?",
    at_a_loss="Ich kann behalten, was du mir erzählst, und es wiederfinden. Erzähl mir etwas von dir, oder frag danach.",
    at_a_loss_again="Darauf habe ich keine Antwort. Am besten kann ich Tatsachen über dich, und Fragen danach.",
    talk={
        Talk.WELLBEING: "Ich bin wach und höre zu, danke. Und du?",
        Talk.THANKS: "Gern geschehen.",
        Talk.FAREWELL: "Auf Wiedersehen, bis zum nächsten Mal.",
        Talk.FORGETTING: "Du bestimmst, was ich behalte: /memory list zeigt es mit Nummern, /memory forget löscht eine.",
        Talk.WRONG: "Dann sag mir, wie es ist: Es gilt, was ich zuletzt gehört habe. Den Rest ändern /memory edit und /memory forget.",
        Talk.GLAD: "Schön zu hören.",
        Talk.MOOD: "Ich höre dich. Stimmungen vergehen, darum merke ich mir diese nicht; schreib „merk dir, dass“ davor, wenn ich es soll.",
        Talk.HELP: "Befehle beginnen mit einem Schrägstrich: /help zählt sie auf.",
        Talk.ASSENT: "In Ordnung.",
        Talk.OPINION: "Das kann ich nicht sagen: Ich habe kein eigenes Leben. Erzähl mir von deinem.",
        Talk.REQUEST: "Das kann ich nicht: Ich behalte nur, was du mir erzählst, und finde es wieder.",
    },
    day_form="{day}. {month}",
    dated_form="{day}. {month} {year}",
    months=("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"),
)
_JAPANESE = Words(
    introduction="いまはオフラインモデルです。聞いたことを覚えて、あとで探し出すことしかできません。"
    "本物のモデルにつなぐには、OPENAI_API_KEY か OPENAI_BASE_URL を設定してください。",
    hello="こんにちは。あなたのことを話してください。覚えておきます。",
    noted="覚えておきます: 「{text}」",
    known="それはもう知っています: 「{text}」",
    not_noted="覚えられませんでした。{result}",
    switched_off="聞きました。ただ、ここでは記憶が切られているので、覚えておけません。",
    told="{day}に教えてくれました: 「{text}」",
    told_about="{name}さんについて、{day}に聞きました: 「{text}」",
    claimed="{name}さんについて、{day}に{speaker}さんが言っていました: 「{text}」",
    unsure="お答えになっているか分かりません。{told}",
    everything="覚えていることはこちらです。",
    latest="最近聞いたことはこちらです。/memory list で全部見られます。",
    nothing_yet="まだ何もありません。あなたのことを話してください。覚えておきます。",
    unknown="それはまだ聞いていません。本物のモデルなしでは、教えてもらったことしか分からないのです。",
    unclear="何のことか分かりませんでした。前に話してくれた言葉で聞いてみてください。例えば「私の猫の名前は？」のように。",
    at_a_loss="教えてもらったことを覚えて、あとで探し出すことができます。あなたのことを話すか、前に話したことを聞いてみてください。",
    at_a_loss_again="それにはお答えできません。あなたのことを話すか、前に話したことを聞いてもらえると助かります。",
    talk={
        Talk.WELLBEING: "起きて、聞いていますよ。あなたはいかがですか。",
        Talk.THANKS: "どういたしまして。",
        Talk.FAREWELL: "では、またお話ししましょう。",
        Talk.FORGETTING: "何を残すかはあなた次第です。/memory list で番号を見て、/memory forget で消せます。",
        Talk.WRONG: "では、本当のことを教えてください。最後に聞いたことを信じます。前のものは /memory edit か /memory forget で直せます。",
        Talk.GLAD: "それは何よりです。",
        Talk.MOOD: "そうですか。気分は移ろうものなので、書き留めませんでした。覚えてほしいときは「〜と覚えておいて」と言ってください。",
        Talk.HELP: "コマンドは / で始まります。/help で一覧を見られます。",
        Talk.ASSENT: "分かりました。",
        Talk.OPINION: "私には自分の暮らしがないので、お答えできません。あなたのことを聞かせてください。",
        Talk.REQUEST: "それは私にはできません。聞いたことを覚えて、あとで探し出すだけなのです。",
    },
    day_form="{month}月{day}日",
    dated_form="{year}年{month}月{day}日",
)
WORDS: Mapping[Language, Words] = {Language.ENGLISH: _ENGLISH, Language.GERMAN: _GERMAN, Language.JAPANESE: _JAPANESE}
