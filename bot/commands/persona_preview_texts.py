"""What `/persona preview` says."""

from bot.commands.escape import shown
from bot.domain.persona import Persona
from bot.wording.say import say

_LONGEST_REPLY = 1500


def previewed(persona: Persona, greeting: str, line: str, reply: str) -> str:
    """Show a try."""
    said = (
        f"> {shown(line)}\n\n{reply[:_LONGEST_REPLY]}"
        if line
        else say("`/persona preview {id}` with a line shows its answer.", id=persona.id)
    )
    note = say("Only you see this, and nothing of it is kept.")
    return f"**{shown(persona.name)}**\n\n{greeting[:_LONGEST_REPLY]}\n\n{said}\n\n*{note}*"


def no_answer() -> str:
    """Stand for an answer that did not come."""
    return say("*The model gave no answer. Try again in a moment.*")


def no_tokens() -> str:
    """Refuse a try without tokens."""
    return say("There are no tokens left to try it with just now. `/limits show` tells when there are.")
