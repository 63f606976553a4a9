"""Whether what a verb says is so now, was so before, or is not said at all."""

from enum import Enum

from bot.nlp.parse import Sentence

_SAYING = frozenset(("tell", "say", "mention", "know", "remember", "forget", "mean", "realize"))
_PLAIN = frozenset(("be", "have", "live", "work", "study", "love", "like", "hate", "play", "speak", "own", "come"))
"""What states something itself, and is no word of saying or thinking."""
_REASONS = frozenset(("because", "since", "as", "although", "though", "while", "so", "cause"))
_AGAIN = frozenset(("anymore", "longer"))


class Stand(Enum):
    """How a statement stands."""

    HOLDS = "holds"
    HELD = "held"
    DENIED = "denied"
    """Said not to be so."""
    UNSAID = "unsaid"
    """Wished, supposed, said by others, still to come."""


def subjects(sentence: Sentence, verb: int) -> list[int]:
    """Return the subjects of a verb, those of the verb before it in a list, or what its relative clause describes."""
    helpers = sentence.children(verb, "auxpass")
    own = next((found for place in (verb, *helpers) if (found := sentence.children(place, "nsubj", "nsubjpass"))), None)
    if own:
        word = sentence.words[own[0]]
        if sentence.words[verb].dep == "relcl" and word.text.lower() in {"who", "that", "which"}:
            return [sentence.words[verb].head]
        return [place for subject in own for place in sentence.with_others(subject)]
    head = sentence.words[verb].head
    return subjects(sentence, head) if sentence.words[verb].dep == "conj" and head != verb and not _is_noun(sentence, head) else []


def stand(sentence: Sentence, verb: int, *, event: bool = False) -> Stand:
    """Return how a verb's statement stands; that an event happened makes its outcome hold: she moved, so she lives there."""
    if sentence.is_quoted(verb) or not _is_stated(sentence, verb):
        return Stand.UNSAID
    helpers = [verb, *sentence.children(verb, "aux", "auxpass")]
    if any(sentence.words[place].tag == "MD" for place in helpers):
        return Stand.UNSAID
    around = {sentence.words[place].text.lower() for place in sentence.children(verb)}
    around |= {sentence.words[deep].text.lower() for place in sentence.children(verb, "advmod") for deep in sentence.children(place)}
    if sentence.children(verb, "neg") or "never" in around or "longer" in around:
        return Stand.HELD if around & _AGAIN or {"any", "more"} <= around else Stand.DENIED
    return _by_tense(sentence, verb, event=event)


def _is_stated(sentence: Sentence, verb: int) -> bool:
    """Say whether the clause stands for itself, or depends on what leaves it true."""
    word = sentence.words[verb]
    match word.dep:
        case "ROOT" | "relcl" | "parataxis":
            return True
        case "conj":
            return word.head == verb or _is_noun(sentence, word.head) or _is_stated(sentence, word.head)
        case "ccomp":
            return _says_oneself(sentence, word.head) or _stands_beside(sentence, verb)
        case "advcl":
            marks = sentence.lemmas(sentence.children(verb, "mark"))
            return bool(marks) and marks <= _REASONS and _is_stated(sentence, word.head)
        case _:
            return False


def _says_oneself(sentence: Sentence, verb: int) -> bool:
    """Say whether the speaker says it of themselves: I told you that I live in Paris. A clause set beside another is no more than that."""
    speakers = {sentence.words[place].text.lower() for place in subjects(sentence, verb)}
    return sentence.words[verb].lemma.lower() in _SAYING and speakers <= {"i", "you"} and bool(speakers)


def _stands_beside(sentence: Sentence, verb: int) -> bool:
    """Say whether only a comma parts the clause from one that reports nothing: Sam is my roommate, he's a nurse."""
    head = sentence.words[verb].head
    has_comma = any(sentence.words[place].text in {",", ";"} for place in range(verb, head))
    return has_comma and sentence.words[head].lemma.lower() in _PLAIN and not sentence.children(verb, "mark")


def _by_tense(sentence: Sentence, verb: int, *, event: bool) -> Stand:
    tag = sentence.words[verb].tag
    helpers = sentence.children(verb, "aux", "auxpass")
    lemmas = sentence.lemmas(helpers)
    tags = {sentence.words[place].tag for place in helpers}
    if "to" in lemmas or (event and tag == "VBG"):
        return Stand.UNSAID
    if {"have", "'ve"} & lemmas:
        return Stand.HELD if "VBD" in tags else Stand.HOLDS
    if event:
        return Stand.HOLDS if tag in {"VBD", "VBN"} else Stand.UNSAID
    return Stand.HELD if tag == "VBD" or "VBD" in tags else Stand.HOLDS


def _is_noun(sentence: Sentence, place: int) -> bool:
    return sentence.words[place].is_noun
