"""What marks a question in the languages that we know: its words, which say nothing about the matter asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bot.domain.terms import terms


@dataclass(frozen=True, slots=True)
class Language:
    """How a language asks."""

    function_words: frozenset[str]
    """Words that most of its questions have. Most English ones are no terms anyway."""
    subject: str
    """What people call themselves."""
    owner: str
    """What they call what is theirs."""


ENGLISH = Language(frozenset(["many", "much", "often", "ever", "will"]), "I", "my")
JAPANESE = Language(frozenset(), "私", "私の")
CHINESE = Language(frozenset(), "我", "我的")

_GERMAN = """
    der die das den dem des ein eine einen einem einer eines und oder aber wenn dass ob als wie was wer wen wem wo wann warum wieso
    welche welcher welches welchen wohin woher womit wofür ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihnen
    mein meine meinen meinem meiner dein deine deinen sein seine seinen ihre ihren unser unsere ist sind war waren bin bist hat habe
    haben hatte hatten hast wird wurde werden kann will soll muss nicht kein keine auch noch schon nur sehr so da dort hier
    von vom zu zum zur mit bei nach aus auf an am in im für über unter um vor seit denn mal eigentlich gibt viele viel
"""
_SPANISH = """
    el la los las un una unos unas y o pero si que qué quién quien quiénes cuál cuáles cuándo cuando dónde donde cómo como cuánto
    cuántos cuántas cuánta por para porque yo tú él ella nosotros ustedes ellos ellas me te se nos le les lo mi mis tu tus su sus
    es son era eran fue fueron soy eres está están estaba ha he han había hay no sí también ya muy más de del a al en con sin
    sobre desde hasta este esta estos estas eso esa ese
"""
_FRENCH = """
    le la les un une des du de et ou mais si que qui quoi quel quelle quels quelles quand où comment combien pourquoi je tu il elle
    on nous vous ils elles me te se lui leur mon ma mes ton ta tes son sa ses notre votre est sont était étaient suis es a ai as ont
    avait y ne pas aussi déjà très plus à au aux en dans avec sans sur pour par depuis ce cette ces cet est-ce
"""
_PORTUGUESE = """
    o a os as um uma uns umas e ou mas se que quem qual quais quando onde como quanto quantos quantas porque por para eu tu você ele
    ela nós eles elas me te lhe meu minha meus minhas seu sua seus suas é são era foi foram sou está estava tem tinha há não também
    já muito mais de do da dos das em no na nos nas com sem sobre desde até este esta isso
"""
_ITALIAN = """
    il lo la i gli le un uno una e o ma se che chi cosa quale quali quando dove come quanto quanti quante perché io tu lui lei noi
    voi loro mi ti si ci vi mio mia miei mie tuo tua suo sua è sono era erano ho hai ha hanno aveva non anche già molto più di del
    della dei delle a al alla in nel nella con senza su per da dal dalla questo questa
"""
_SPACED = (
    Language(frozenset(_GERMAN.split()), "ich", "mein"),
    Language(frozenset(_SPANISH.split()), "yo", "mi"),
    Language(frozenset(_FRENCH.split()), "je", "mon"),
    Language(frozenset(_PORTUGUESE.split()), "eu", "meu"),
    Language(frozenset(_ITALIAN.split()), "io", "mio"),
)
_ENGLISH = """
    the a an is are was were did do does has have had what which who when where why how of to in my your his her and i you he she it
    we they us our with for from at on so if not can will would no or but as me mine this that there here about any all
"""
_ENGLISH_WORDS = frozenset(_ENGLISH.split())
_KANA = re.compile("[\u3041-\u30ff]")
_HAN = re.compile("[\u3400-\u9fff]")

_UNSPACED_ASKING = re.compile(
    "何(?:曜日|時|月|日|年|人|回|色|歳|個|度|を|が|の|に|で)?|いつ(?:から|まで)?|どこ(?:で|に|へ|から)?|だれ|誰(?:が|に|と|の)?|どの(?:くらい)?|どんな|どう(?:やって|して)?|なぜ|なん(?:で|の)?"
    "|どちら|どれ|いくら|いくつ|ですか|ますか|ましたか|でしたか|だっけ|でしょうか"
    "|什么时候|什麼時候|什么|什麼|怎么样|怎么|怎麼|哪里|哪裡|哪儿|哪个|哪|谁|誰|为什么|為什麼|几|多少|吗|嗎|呢"
)
_SPACED_ASKING = re.compile(
    r"^\W*(?:(?:in|on|at|for|from|to|with|by|of|about|auf|mit|von|für|in|de|con|a|en|por|para|à|avec|da) )?"
    r"(?:what|which|who|whom|whose|when|where|why|how|was|welche[rsnm]?|wer|wen|wem|wessen|wann|wo|wohin|woher|warum|wieso|wie"
    r"|qué|que|cuál|cuáles|quién|quiénes|cuándo|dónde|adónde|cómo|cuánt[oa]s?|por qué"
    r"|quoi|quel(?:le)?s?|qui|quand|où|comment|combien|pourquoi|quem|qual|quais|quando|onde|como|quant[oa]s?|chi|cosa|dove)\b"
    r"(?:['’]s)?(?: (?:many|much|long|often|old|viele?|lange|oft|alt)\b)?"
    r"(?P<auxiliary> (?:did|does|do|is|are|was|were|has|have|had|would|will|can|could|should|might)\b)?",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\b(?:what|which|anything|everything|was hat|was haben|was war|worüber|qué|quoi|qu['’]est-ce|qu['’]a|que disse|cosa)\b"
    r"|何|なに|どんな|什么|什麼",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(r"(?<=\w) (?:did|does|do)\b", re.IGNORECASE)
_ENDING = re.compile(r"[\s?？！!。.]+$")


def language(text: str) -> Language:
    """Return the language in which a question seems to be put; English when nothing tells."""
    if _KANA.search(text):
        return JAPANESE
    if _HAN.search(text):
        return CHINESE
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    best = max(_SPACED, key=lambda one: len(words & one.function_words))
    return best if len(words & best.function_words) > len(words & _ENGLISH_WORDS) else ENGLISH


def without_question(text: str) -> str:
    """Return what a question would be as a statement: without its mark and the words that ask."""
    ended = without_asking(_ENDING.sub("", text))
    opening = _SPACED_ASKING.match(ended)
    stated = ended[opening.end() :] if opening else ended
    if opening and not opening["auxiliary"]:
        stated = _AUXILIARY.sub("", stated, count=1)
    return " ".join(stated.split())


def asks_openly(text: str) -> bool:
    """Say whether a text asks what there is, rather than to name somebody or something."""
    return _OPEN.search(text) is not None


def without_asking(text: str) -> str:
    """Return a text without the question words of languages that set no blanks."""
    return _UNSPACED_ASKING.sub(" ", text)


TALKING = terms("""
    talk mention discuss discussion chat message post comment topic happen conversation mean meant think thought
    gesagt sagte erzählt erzählte gesprochen geredet geschrieben meinte passiert
    dijo dije dijiste dicho habló hablamos contó contaste mencionó pasó
    dit raconté parlé disait disse falou contou detto parlato
    話した 話し 話 話をした 言った 言っ 言 喋った 说了 说过 说 說 聊了 聊 发生 書いた
""")
"""Words about talking: they ask for what was said and say little about the matter."""

_WHEN = """
    yesterday today tonight tomorrow week weekend month year ago last next monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
    gestern heute morgen woche wochenende monat jahr letzte letzten letztes ayer hoy mañana semana mes año pasado pasada hier demain
    semaine mois dernier dernière 昨日 今日 明日 先週 来週 今週 先月 来月 去年 来年 昨天 今天 明天 上周 下周
"""
_HOW_MANY = """
    two three four five six seven eight nine ten dozen couple several 2 3 4 5 6 7 8 9 10 12 20
    zwei drei vier fünf sechs sieben acht neun zehn paar dos tres cuatro cinco seis siete ocho nueve diez deux trois quatre cinq
    二 三 四 五 六 七 八 九 十
"""
_HOW_LONG = (
    "year month week day hour minute since jahr monat woche tag stunde seit año mes semana día hora desde an mois semaine 年間 か月 週間"
)


def _cues(words: str) -> frozenset[str]:
    return frozenset(term for word in words.split() for term in terms(word) if len(term) > 1 or word == term)


CUES: Mapping[str, frozenset[str]] = {"when": _cues(_WHEN), "how many": _cues(_HOW_MANY), "how long": _cues(_HOW_LONG)}
"""What an answer to such a question often holds."""
