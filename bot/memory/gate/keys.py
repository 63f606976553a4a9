"""Keys of services: what must never be remembered."""

import re

_KEYS = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY"
    r"|\bPuTTY-User-Key-File"
    r"|\bAGE-SECRET-KEY-1[0-9A-Z]{20,}"
    r"|\beyJ[\w-]{15,}"  # a JSON web token
    r"|\b(?:sk|pk|rk)-[\w-]{16,}"
    r"|\b(?:sk|rk|pk)_(?:live|test)_\w{10,}"
    r"|\bwhsec_\w{20,}"
    r"|\bgh[opsur]_\w{30,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{18,}"
    r"|\bxox[abeoprs]-[\w-]{10,}|\bxapp-[\w-]{10,}"
    r"|\b(?:AKIA|ASIA|AROA)[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}|\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}"
    r"|\bhf_[A-Za-z0-9]{30,}|\bnpm_\w{30,}|\bpypi-[\w-]{20,}|\bdop_v1_\w{30,}|\bshpat_\w{20,}|\br8_\w{30,}|\bgsk_\w{30,}"
    r"|\bSG\.[\w-]{16,}\.[\w-]{16,}"
    r"|\b[\w-]{23,28}\.[\w-]{6}\.[\w-]{27,}"  # a Discord bot's token
    r"|\b\d{8,10}:[\w-]{35}\b"  # a Telegram bot's token
    r"|\b[a-z][\w+.-]{1,20}://[^\s:/@]{1,100}:[^\s/@]{3,100}@"  # an address with a password in it
    r"|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b"  # a Bitcoin key
    r"|\bxprv[1-9A-HJ-NP-Za-km-z]{80,}"
)
_CALLED_KEY = re.compile(
    r"(?:api|access|secret|private|auth|bearer|client|encryption)[ _-]?(?:key|token|secret)\b\W{0,3}(?:(?:is|ist|es|est|was|=|:)\W{0,3})?"
    r"(?P<value>[\w+/=.-]{12,})"
    r"|\bbearer\s+(?P<token>[\w+/=.-]{16,})",
    re.IGNORECASE,
)


def holds_key(text: str) -> bool:
    """Say whether a text holds a key, by the forms of the common services or because it is called one."""
    if _KEYS.search(text):
        return True
    return any(_is_random(match["value"] or match["token"]) for match in _CALLED_KEY.finditer(text))


def _is_random(value: str) -> bool:
    return any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
