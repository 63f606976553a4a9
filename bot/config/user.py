"""Who sits at this terminal."""

import getpass
import os
import re


def user_name() -> str:
    """Return what the person at this terminal is called on this machine."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in some containers
        return "you"


def user_language() -> str:
    """Return the language of this terminal, such as `ja`; `en` when it names none."""
    locale = next((value for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), "")
    language = re.match("[a-z]{2,3}", locale)
    return language[0] if language and not locale.startswith(("C.", "POSIX")) else "en"
