"""What opens an account without being called a password: a name with what is typed after it, the figures of a bank card."""

import re

_BETWEEN = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|\n")
_ENTERED = re.compile(
    r"\b(?:log(?:s|ged|ging)? ?-?in(?:to)?|log(?:s|ged|ging)? ?-?on|sign(?:s|ed|ing)? in|get(?:s|ting)? into|logins?|creds?"
    r"|credentials?|user(?:name| name)?"
    r"|accounts?|zugang(?:sdaten)?|anmelde\w*|anmeld(?:ung|en)|einloggen|eingeloggt|benutzer(?:name)?|kennung|identifiants?|se connecter"
    r"|connexion|usuario|cuenta|iniciar sesion)\b|ログイン|アカウント|サインイン|登录|登錄|账号|帳號|账户|用户名"
)
_PAIR = re.compile(
    r"(?P<name>[^\s/:,;|、と]{2,60})\s*(?:[/:,;|、，]|\band\b|\bund\b|\bthen\b|\bdann\b|\bet\b|\by\b|と)\s*"
    r"(?:(?:the |my |das |mein )?(?:secret|pass\w*|pw|key|kennung|kennwort|geheim\w*"
    r"|パス(?:ワード)?|鍵|密码|clave|mot de passe)\s*(?:is|ist|は|是|[:=])?\s*"
    r"(?P<called>[\x21-\x7e]{4,})|(?P<typed>[\x21-\x7e]{6,}))"
)
_ADDRESS = re.compile(r"\w+://\S+|\bwww\.\S+|\S+@\S+\.\w+|\b\w+(?:\.\w+)+(?:/\S*)?")
_SHORT_NAME = re.compile(r"\b(?:pass|psw|pwd|wi-?fi\b[^.!?\n:]{0,30})\s*[:=]\s*(?P<typed>[\x21-\x7e]{6,})")
_CARD = re.compile(
    r"\b(?:bank\w*|(?:\w*)karten?|cards?|konto|giro\w*|atm|debit|credit|visa|tarjetas?|cuenta|banco|cartes?|banque|\w+bank)\b|カード|銀行|口座|银行|卡"
)
_OPENS_CARD = re.compile(
    r"\b(?:pin|code|digits|numbers?|geheimzahl|geheimnummer|ziffern|clave|codigo|cifras|chiffres)\b|暗証|(?:4|四)(?:桁|ケタ|位)|密码|密碼"
)
_FIGURES = re.compile(
    r"(?<![\d.,:/-])(?<!\bin )(?<!since )(?<!seit )(?<!\ben )(?<!depuis )\d{4,6}"
    r"(?![\d/:-]|[.,]\d| ?(?:euros?|eur|dollars?|usd|yen|€|\$|円|元))"
)
_PLACE_CODE = re.compile(r"\b(?:post(?:al|leitzahl)?|zip|area|sort|qr|source|dress|promo\w*|discount|rabatt\w*|gutschein\w*|plz)\b")
_OWN_NAME_FOR_IT = re.compile(r"\b(?:geheimzahl|geheimnummer)\b|暗証")


def opens_account(reading: str) -> bool:
    """Say whether a text, as `readings` gives it, tells how to get into somebody's account."""
    return any(map(_opens, _BETWEEN.split(reading)))


def _opens(sentence: str) -> bool:
    if any(_is_secret(match["typed"]) for match in _SHORT_NAME.finditer(sentence)):
        return True
    if _tells_figures(sentence):
        return True
    plain = _ADDRESS.sub(" ", sentence)
    return bool(_ENTERED.search(plain)) and any(map(_is_typed, _PAIR.finditer(plain)))


def _tells_figures(sentence: str) -> bool:
    """Say whether a sentence tells the figures that are typed in for a card."""
    if not _OPENS_CARD.search(sentence) or _PLACE_CODE.search(sentence) or not _FIGURES.search(sentence):
        return False
    return bool(_CARD.search(sentence) or _OWN_NAME_FOR_IT.search(sentence))


def _is_typed(pair: re.Match[str]) -> bool:
    """Say whether what follows a name is typed in after it: what is called a secret may be short, and need only have one odd character."""
    if pair["called"]:
        return re.search(r"[\d!#$%&*^~+=]", pair["called"]) is not None
    return _is_secret(pair["typed"])


def _is_secret(typed: str) -> bool:
    """Say whether what is typed looks made up: letters with figures, or with a mark between them."""
    bare = typed.strip("\"'.,;:!?)(")
    return len(bare) > 5 and any(map(str.isalpha, bare)) and bool(re.search(r"\d|\w[!#$%&*?^~+=]\w", bare))
