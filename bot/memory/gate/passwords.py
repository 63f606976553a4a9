"""Passwords, and the words that open a wallet."""

import re

_PIN, _NETWORK = "pin", "wi"
_FEWEST_WORDS = 12
_CALLED = re.compile(
    r"\b(?P<name>(?:pass ?word|passwort|kennwort|passcode|passphrase|passwd|pwd?|wi-?fi (?:key|code)"
    r"|contrasena|(?:mi|tu|su) clave|mot de passe|senha|пароль"
    r"|pin(?:[ -]?(?:code|nummer))?))"
    r"(?:\s+(?:for|of|to|on|fur|von|zu|para|de|del|pour|du|de la)\s+(?:\S+\s+){0,4}?\S+?)?"
    r"\s*(?:is|ist|lautet|es|est|was|are|=|:|->)\s*:?\s*(?P<value>\"[^\"\n]{3,}\"|'[^'\n]{3,}'|\S{3,})(?P<rest>[^.\n!?]*)",
)
_PIN_ALONE = re.compile(r"\bpin(?:[ -]?(?:code|nummer))? \d{4,8}(?=\s*(?:[.,;!?\n]|$))")
_CALLED_UNSPACED = re.compile(r"(?:パスワード|暗証番号|合言葉|密码|密碼|口令)(?:は|是|为|為|[:=]|\s)\s*[「\"']?(?P<value>[\x21-\x7e]{4,})")
_NO_VALUES = """
    too very so not really quite always never the a an my his her our their in on safe weak strong old long short bad terrible secret
    expired forgotten hard easy lost gone wrong stored saved kept something unknown same zu sehr nicht das ein eine mein sicher schwach
    muy demasiado no la el una un mi segura trop tres pas le une mon sur written changed being been hidden different compromised stolen
    public
"""
_NO_VALUE = frozenset(_NO_VALUES.split())
_WORDS = re.compile(r"(?:\b(?:\d{1,2}[.):]\s*)?[a-z]{3,8}\b[ \n]+){11,}(?:\d{1,2}[.):]\s*)?[a-z]{3,8}\b")
_LISTED_WORDS = re.compile(r"(?:\b[a-z]{3,8}\b[ ,;\n]+){11,}[a-z]{3,8}\b")
_WALLET = re.compile(
    r"\b(?:seed|recovery|mnemonic|wallet|backup|secret)\b.{0,20}\b(?:phrase|words?|key)\b|\bseed\b.{0,12}\bwallet\b"
    r"|\bwallet\b.{0,20}\bseed\b"
)
_SMALL_WORDS = """
    the and are was were for with from has have had his her she they them this that these those you your our but not all can will would
    there their who which what when where how than then into about because been being does did don out very too also may might must und
    der die das den dem des ein eine ist sind war mit von aus auf fur nicht sich ich wir sie ihr oder aber auch als wie nach bei los las
    una uno unos del con por para que como mas pero muy son est era fue sus mis les une dans pour avec sur qui pas plus ses mes nos vos
    ont sont mais ils elle elles nous vous
"""
_FUNCTION_WORDS = frozenset(_SMALL_WORDS.split())


def holds_password(reading: str) -> bool:
    """Say whether a text, as `read` gives it, tells a password, a PIN or the words of a wallet."""
    if _CALLED_UNSPACED.search(reading) or _PIN_ALONE.search(reading):
        return True
    return any(_is_told(match) for match in _CALLED.finditer(reading)) or _holds_wallet_words(reading)


def _is_told(match: re.Match[str]) -> bool:
    value, rest = match["value"].rstrip(".,;!?)"), match["rest"].strip(" .,;!?)")
    bare = value.strip("\"'")
    if match["name"].startswith(_PIN):
        return bool(re.fullmatch(r"\d{4,12}", bare))
    if match["name"].startswith(_NETWORK):
        return bool(re.search(r"\d", bare))
    if value != bare or re.search(r"[\d_#$%&*@!?+=^~]", value):
        return len(bare) > 2
    return bare not in _NO_VALUE and not rest


def _holds_wallet_words(reading: str) -> bool:
    pattern = _LISTED_WORDS if _WALLET.search(reading) else _WORDS
    return any(_are_drawn(re.findall(r"[a-z]+", match[0])[-_FEWEST_WORDS:]) for match in pattern.finditer(reading))


def _are_drawn(words: list[str]) -> bool:
    """Say whether words look drawn by lot: hardly one comes twice, and none of them only holds a sentence together."""
    return len({*words}) >= len(words) - 2 and not _FUNCTION_WORDS.intersection(words)
