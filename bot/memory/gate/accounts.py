"""Numbers of cards and bank accounts, by their check digits."""

import re

_DIGITS = re.compile(r"(?<![\w.,/+-])\d(?:[ \-.]?\d){12,18}(?![\w/-]|[.,]\d)")
_CARD = re.compile(
    r"4\d{12}(?:\d{3}){0,2}"  # Visa
    r"|(?:5[1-5]\d{2}|222[1-9]|22[3-9]\d|2[3-6]\d{2}|27[01]\d|2720)\d{12}"  # Mastercard
    r"|3[47]\d{13}"  # American Express
    r"|3(?:0[0-5]|[68]\d)\d{11}"  # Diners
    r"|(?:6011|65\d{2}|64[4-9]\d)\d{12}"  # Discover
    r"|35(?:2[89]|[3-8]\d)\d{12}"  # JCB
    r"|62\d{14,17}|(?:50|5[6-8]|6\d)\d{14}"  # UnionPay, Maestro
)
_ACCOUNT = re.compile(r"\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{2,4}){3,8}\b", re.IGNORECASE)
_SOCIAL = re.compile(r"\b(?:ssn|social security)\b\D{0,30}\d{3}[ -]?\d{2}[ -]?\d{4}\b", re.IGNORECASE)


def holds_account(text: str) -> bool:
    """Say whether a text holds the number of a payment card, a bank account or a social security card."""
    if _SOCIAL.search(text) or any(_is_bank_account(match[0]) for match in _ACCOUNT.finditer(text)):
        return True
    return any(_is_card(re.sub(r"\D", "", match[0])) for match in _DIGITS.finditer(text))


def _is_card(digits: str) -> bool:
    return _CARD.fullmatch(digits) is not None and _luhn(digits)


def _luhn(digits: str) -> bool:
    doubled = [int(digit) * (2 if place % 2 else 1) for place, digit in enumerate(reversed(digits))]
    return sum(number - 9 if number > 9 else number for number in doubled) % 10 == 0


def _is_bank_account(text: str) -> bool:
    """Say whether a text is an IBAN: its remainder by 97 is 1."""
    compact = re.sub(r"[ -]", "", text).upper()
    if not 15 <= len(compact) <= 34:
        return False
    return int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4])) % 97 == 1
