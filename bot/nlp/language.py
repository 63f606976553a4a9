"""Which language a text is in, as far as it matters for finding names: by its script and its small words."""

import re
from enum import StrEnum


class Language(StrEnum):
    """Languages that are read differently."""

    ENGLISH = "en"
    GERMAN = "de"
    """Its nouns have capitals, too."""
    FRENCH = "fr"
    SPANISH = "es"
    ITALIAN = "it"
    PORTUGUESE = "pt"
    DUTCH = "nl"
    JAPANESE = "ja"
    CHINESE = "zh"
    OTHER = "xx"
    """Of a script that a model of English cannot read."""


_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_READ = 600
"""Characters that tell enough."""
_ENOUGH = 0.8
"""How many small words of its own a text has at least; one that two languages have counts a half."""
_SMALL_WORDS = {
    Language.ENGLISH: """
        the a an and i is are was you my me we he she it of to in for that this with have has not do does what at be but on so just from
        i'm it's don't lives likes her his
    """,
    Language.GERMAN: """
        der die das und ich ist nicht ein eine einen mit mein meine wir sie er es zu von auf für aber auch habe hat bin sind dass wie noch
        bei nach aus heute gestern im am dem den wohne wohnt lebe lebt arbeite arbeitet heißt heiße mag sehr gern schon doch über gibt
    """,
    Language.FRENCH: """
        le la les un une et je est pas ne mon ma mes nous vous il elle de des du au aux que qui dans pour avec sur ce cette suis ai a j'ai
        c'est j'habite habite travaille très mais aussi à chez d'un j'aime j'adore n'est
    """,
    Language.SPANISH: """
        el la los las un una y yo es no mi mis me nosotros él ella de del que en con para por como pero muy también soy está estoy vivo vive
        trabajo trabaja gusta tengo se al lo su hoy ayer hola
    """,
    Language.ITALIAN: """
        il lo la gli un una e io è non mio mia mi noi di del che con per ma anche sono vivo abito lavoro piace ho ciao molto a
    """,
    Language.PORTUGUESE: """
        o a os as um uma e eu é não meu minha nós de do da que em com para mas também sou moro vivo trabalho gosto tenho
    """,
    Language.DUTCH: """
        de het een en ik is niet mijn we wij hij zij van op voor maar ook met dat heb heeft ben woon woont werk werkt naar bij
    """,
}
_BY_WORD = {
    word: [language for language, words in _SMALL_WORDS.items() if word in words.split()]
    for word in " ".join(_SMALL_WORDS.values()).split()
}


def language_of(text: str) -> Language:
    """Return the language of a text; English for one in Latin letters that says too little."""
    start = text[:_READ]
    if _KANA.search(start):
        return Language.JAPANESE
    letters, latin = len(_LETTER.findall(start)), len(_LATIN.findall(start))
    if letters > 2 * latin:
        return Language.CHINESE if _HAN.search(start) else Language.OTHER
    counts = dict.fromkeys(_SMALL_WORDS, 0.0)
    for word in _WORD.findall(start.lower().replace("’", "'")):
        known = _BY_WORD.get(word, ())
        for language in known:
            counts[language] += 1 / len(known)
    best = max(counts, key=counts.__getitem__)  # of equals the first: English
    return best if counts[best] >= _ENOUGH else Language.ENGLISH
