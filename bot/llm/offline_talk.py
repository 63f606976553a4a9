"""Small talk, as the offline model knows it: what needs an answer and is neither a fact nor a question about one."""

import re
from enum import StrEnum, auto


class Talk(StrEnum):
    """What somebody does with words that tell and ask nothing."""

    IDENTITY = auto()
    """Asks who or what is speaking."""
    WELLBEING = auto()
    THANKS = auto()
    FAREWELL = auto()
    FORGETTING = auto()
    """Asks that something be forgotten, which commands do."""
    WRONG = auto()
    """Says that something is not true, and not what is."""
    GLAD = auto()
    MOOD = auto()
    """Says how they feel just now, which is over tomorrow."""
    HELP = auto()
    ASSENT = auto()
    OPINION = auto()
    """Asks about the one who answers."""
    REQUEST = auto()
    """Wants something done."""


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


_VERY = r"(?:(?:so|very|really|just|a bit|a little|too|pretty|quite|sehr|etwas|ein bisschen|echt) )*"
_TO_DO = (
    "tell|give|show|help|let|explain|write|make|say|sing|play|translate|read|draw|search|find|stop|"
    "erzähle?|gib|zeige?|hilf|erkläre?|schreibe?|singe?|spiele?|übersetze?"
)
_PATTERNS = {
    Talk.IDENTITY: _pattern(
        r"\b(?:who|what) are you\b",
        r"\bare you (?:an? )?(?:real|human|person|bot|robot|ai|model|machine)\b",
        r"\bwhat(?:'s| is) your name\b",
        r"\bwhat can you do\b",
        r"\b(?:wer|was) bist du\b|\bbist du (?:ein|echt)|\bwie heißt du\b|\bwas kannst du\b",
        "(?:あなた|君|きみ)(?:は|って)(?:誰|だれ|何者|何ですか)|お名前は|何ができ|(?:AI|ボット|ロボット)(?:です|なの)",
    ),
    Talk.WELLBEING: _pattern(
        r"\bhow(?: are|'re) you(?: doing| today| feeling)?\W*$",
        r"^(?:how(?:'s| is) it going|what'?s up|how do you do|are you (?:there|awake|ok|okay))\b",
        r"\bwie geht(?:'?s| es)(?: dir)?(?: heute)?\W*$",
        r"元気(?:ですか|かい|[?？])|調子は",
    ),
    Talk.THANKS: _pattern(
        r"^(?:many |vielen |herzlichen )?(?:thanks|thank you|thx|cheers|danke|dank|dankeschön)\b.{0,40}$", "ありがと|感謝|サンキュー"
    ),
    Talk.FAREWELL: _pattern(
        r"^(?:good ?bye|bye|good night|see (?:you|ya)|farewell|take care|gotta go|i(?:'ve got| have) to go)\b.{0,20}$",
        r"^(?:tschüss|tschüß|ciao|gute nacht|auf wiedersehen|bis (?:morgen|bald|später|dann)|mach'?s gut)\b.{0,20}$",
        "おやすみ|さようなら|さよなら|またね|じゃあね|バイバイ",
    ),
    Talk.FORGETTING: _pattern(
        r"^(?:please |bitte )?(?:forget|delete|erase|vergiss|lösche?)\b",
        r"\b(?:can|could|will|would) you (?:please )?(?:forget|delete|erase)\b",
        "忘れて|消して|削除して",
    ),
    Talk.WRONG: _pattern(
        r"^(?:that|this|it)(?:'s| is|’s) (?:wrong|false|not (?:right|true|correct))\W*$",
        r"^(?:that|this|it) isn'?t (?:right|true|correct)\W*$",
        r"^wrong\W*$|^das (?:stimmt nicht|ist (?:falsch|nicht richtig))\W*$|^falsch\W*$",
        "(?:違う|違います|ちがいます|ちがう|間違(?:い|って)(?:です|います|る)?)(?:よ|ね)*[。！]*$",
    ),
    Talk.GLAD: _pattern(
        rf"^(?:i(?:'m| am)|i feel) {_VERY}(?:fine|ok|okay|good|great|well|happy|glad)\b.{{0,15}}$",
        rf"^mir geht(?:'?s| es) {_VERY}(?:gut|super|prima)\b.{{0,15}}$|^ich bin {_VERY}(?:froh|glücklich)\W*$",
        "(?:元気|嬉しい|うれしい|楽しい)(?:です)?(?:よ|な|なあ|ね)*[。！]*$",
    ),
    Talk.MOOD: _pattern(
        rf"^(?:i(?:'m| am)|i feel) (?:feeling )?{_VERY}(?:tired|sad|hungry|thirsty|bored|sleepy|cold|sick|ill|exhausted|busy|lonely|angry|"
        r"excited|nervous|anxious|stressed|confused|lost|upset|afraid|scared|sorry|back|here|sure|not sure|kidding|joking|done|"
        r"ready)\b.{0,12}$",
        rf"^(?:ich bin|mir ist) {_VERY}(?:müde|traurig|hungrig|durstig|krank|einsam|langweilig|kalt|gestresst|wieder da|fertig)\W*$",
        rf"^mir geht(?:'?s| es) {_VERY}(?:schlecht|nicht gut|so lala)\b.{{0,15}}$",
        "(?:疲れた|疲れました|つかれた|眠い|眠たい|すいた|空いた|悲しい|寂しい|暇|つらい|しんどい)(?:です)?(?:よ|な|なあ|ね)*[。！]*$",
    ),
    Talk.HELP: _pattern(r"^/?(?:help|help me|commands?|quit|exit|hilfe|befehle|ヘルプ|使い方|助けて)\W*$"),
    Talk.ASSENT: _pattern(
        r"^(?:(?:yes|yeah|yep|no|nope|ok|okay|sure|right|exactly|fine|good|great|cool|nice|wow|lol|ha(?:ha)+|hm+|ah|oh|i see|maybe|"
        r"ja|nein|doch|genau|gut|super|stimmt|achso|ach so|klar|vielleicht)\b\W*)+$",
        r"^i (?:think|hope|guess|believe|doubt|agree|suppose|know|mean|understand)\b.{0,9}$",
        r"^i (?:don'?t|do not) (?:know|care|mind|think so)\W*$|^i (?:like|love|hate) (?:it|that|this)\W*$",
        r"^ich (?:glaube|denke|hoffe)(?: schon| auch| nicht)?\W*$|^(?:ich )?weiß (?:ich |es )?nicht\W*$",
        "^(?:はい|うん|ええ|いいえ|いや|なるほど|へえ|了解|そう(?:です)?(?:か|ね|だね)?|分かりました|わかりました|いいね)[。！、ー]*$",
        r"^\W*$",
    ),
    Talk.OPINION: _pattern(
        r"\b(?:do|did|are|were|have|would) you\b(?! (?:know|remember|recall|please))",
        r"\b(?:magst|hast|bist|willst|möchtest|liebst) du\b",
        "(?:あなた|君|きみ)(?:は|の|も)",
    ),
    Talk.REQUEST: _pattern(
        rf"^(?:please |bitte )?(?:(?:can|could|would|will) you |kannst du |könntest du )?(?:please |bitte )?(?:{_TO_DO})\b",
        r"^kannst du\b.*\?$|\bi (?:want|need|would like|'d like) you\b",
        "(?:して|聞かせて|見せて|手伝って|書いて|歌って)(?:ください|くれ|ほしい|よ|ね|くれる)*[。！?？]*$|ください[。！]*$",
    ),
}
"""The first that fits counts."""


def talk_in(sentence: str) -> Talk | None:
    """Return what kind of small talk a sentence is, None for anything else."""
    return next((talk for talk, pattern in _PATTERNS.items() if pattern.search(sentence.strip())), None)
