"""What an English sentence claims of people and things, by rules over its parse. Careful: it would rather miss a claim than make one up."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from bot.domain.claim import SPEAKER, Claim, is_asked, is_supposed
from bot.nlp.clauses import Stand, stand, subjects
from bot.nlp.parse import Sentence
from bot.nlp.roles import BEINGS, JOBS, PETS, ROLES, VAGUE

Told: TypeAlias = tuple[str | None, str, str | None, bool]
"""Subject, predicate, object, and whether it still holds; None for whom nothing is known of."""

_FEELINGS = {
    "like": "likes",
    "enjoy": "likes",
    "love": "loves",
    "adore": "loves",
    "prefer": "likes",
    "hate": "hates",
    "detest": "hates",
    "despise": "hates",
    "dislike": "dislikes",
}
_GETTING = frozenset(("have", "own", "adopt", "get", "buy", "rescue"))
_CALLED = frozenset(("call", "name"))
_WORK_BEGINS = frozenset(("join",))
_WORK_ENDS = frozenset(("quit",))
_DAY = re.compile(
    r"(?P<day>(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?(?:\s+of)?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?|\d{1,2}[./]\d{1,2}\.?|\d{4}-\d\d-\d\d)",
    re.IGNORECASE,
)


def claims_in(sentence: Sentence) -> Iterator[Claim]:
    """Yield what a sentence claims; a question, a wish, a story or a quotation claims nothing."""
    if is_asked(sentence.text) or is_supposed(sentence.text) or sentence.text.startswith(">"):
        return
    seen = set()
    for subject, predicate, thing, holds in _told(sentence):
        if subject is None or thing is None or subject == thing or subject.lower() in ROLES or not _is_worth(thing):
            continue
        claim = Claim(subject, predicate, thing, sentence.text, holds)
        if claim not in seen:
            seen.add(claim)
            yield claim


def _is_worth(thing: str) -> bool:
    return thing == SPEAKER or (thing.lower() not in VAGUE and len(thing) > 1)


def _told(sentence: Sentence) -> Iterator[Told]:
    for place, word in enumerate(sentence.words):
        if word.tag.startswith(("VB", "MD")):
            for find in _BY_VERB.get(word.lemma.lower(), ()):
                yield from find(sentence, place)
        elif word.is_noun and not sentence.is_quoted(place):
            yield from _beside(sentence, place)


def _holds(sentence: Sentence, verb: int, *, event: bool = False) -> bool | None:
    """Return whether a statement holds, or held; None when it is not said to."""
    match stand(sentence, verb, event=event):
        case Stand.HOLDS:
            return True
        case Stand.HELD:
            return False
        case Stand.DENIED | Stand.UNSAID:
            return None


def _actors(sentence: Sentence, verb: int) -> list[str]:
    names = (sentence.named(place) for place in subjects(sentence, verb))
    return [name for name in names if name is not None]


def _placed(*rules: tuple[tuple[str, ...], str]) -> Callable[[Sentence, int], Iterator[Told]]:
    """Return what finds names after prepositions: lives in, works at."""

    def find(sentence: Sentence, verb: int) -> Iterator[Told]:
        holds = _used_to(sentence, verb)
        if holds is None:
            holds = _holds(sentence, verb)
        actors = _used_actors(sentence, verb) or _actors(sentence, verb)
        for prepositions, predicate in rules:
            whole = [verb, *sentence.children(verb, "dobj")]
            for place in (place for part in whole for place in sentence.after(part, *prepositions)):
                thing = sentence.named(place) or sentence.proper(place)
                if thing and holds is not None:
                    yield from ((actor, predicate, thing, holds) for actor in actors)

    return find


def _used_to(sentence: Sentence, verb: int) -> bool | None:
    """Return False for `used to live`: it held."""
    head = sentence.words[sentence.words[verb].head]
    return False if sentence.words[verb].dep == "xcomp" and head.lemma.lower() == "use" and head.tag == "VBD" else None


def _used_actors(sentence: Sentence, verb: int) -> list[str]:
    return _actors(sentence, sentence.words[verb].head) if _used_to(sentence, verb) is False else []


def _based(sentence: Sentence, verb: int) -> Iterator[Told]:
    """Yield where people live, and where companies have their seat: both are based somewhere."""
    for subject, predicate, place, holds in _placed((("in", "at"), "based_in"))(sentence, verb):
        yield subject, "lives_in" if subject == SPEAKER else predicate, place, holds


def _moved(sentence: Sentence, verb: int) -> Iterator[Told]:
    holds = _holds(sentence, verb, event=True)
    for actor in _actors(sentence, verb) if holds else ():
        for prepositions, still in ((("from",), False), (("to",), True)):
            for place in sentence.after(verb, *prepositions):
                yield actor, "lives_in", sentence.named(place) or sentence.proper(place), still


def _works_as(sentence: Sentence, verb: int) -> Iterator[Told]:
    holds = _holds(sentence, verb)
    if holds is not None:
        for place in sentence.after(verb, "as"):
            yield from ((actor, "works_as", sentence.thing(place), holds) for actor in _actors(sentence, verb))


def _studies(sentence: Sentence, verb: int) -> Iterator[Told]:
    holds = _holds(sentence, verb)
    for place in sentence.children(verb, "dobj") if holds is not None else ():
        thing = sentence.thing(place)
        predicate = "studies_at" if thing and re.search(r"(?i)\b(?:university|college|school|academy|institute)\b", thing) else "studies"
        yield from ((actor, predicate, thing, bool(holds)) for actor in _actors(sentence, verb))


def _job_changed(sentence: Sentence, verb: int) -> Iterator[Told]:
    if _holds(sentence, verb, event=True):
        for place in sentence.children(verb, "dobj"):
            if sentence.words[place].tag.startswith("NNP"):
                begins = sentence.words[verb].lemma.lower() in _WORK_BEGINS
                yield from ((actor, "works_at", sentence.named(place), begins) for actor in _actors(sentence, verb))


def _born(sentence: Sentence, verb: int) -> Iterator[Told]:
    if stand(sentence, verb) in {Stand.HOLDS, Stand.HELD}:
        for actor in _actors(sentence, verb):
            yield from ((actor, "born_in", sentence.named(place) or sentence.proper(place), True) for place in sentence.after(verb, "in"))
            if (day := _DAY.search(sentence.text, sentence.words[verb].start)) and any(True for _ in sentence.after(verb, "on")):
                yield actor, "birthday", day["day"], True


def _feels(sentence: Sentence, verb: int) -> Iterator[Told]:
    feeling = _FEELINGS[sentence.words[verb].lemma.lower()]
    standing, used = stand(sentence, verb), _used_to(sentence, verb) is False
    actors = _used_actors(sentence, verb) or _actors(sentence, verb)
    if standing is Stand.DENIED and feeling == "likes":
        feeling, standing = "dislikes", Stand.HOLDS
    if not used and standing is not Stand.HOLDS:
        # A past liking is mostly of a thing that is over, such as a film; that it ended is said by `any more`.
        if standing is not Stand.HELD or sentence.words[verb].tag == "VBD":
            return
        used = True
    for place in sentence.children(verb, "dobj", "xcomp"):
        for each in sentence.with_others(place):
            yield from ((actor, feeling, _felt(sentence, each), not used) for actor in actors)


def _cannot_stand(sentence: Sentence, verb: int) -> Iterator[Told]:
    is_able = sentence.lemmas(sentence.children(verb, "aux")) <= {"can", "ca", "could"}
    if is_able and sentence.children(verb, "neg") and sentence.words[verb].dep in {"ROOT", "conj"} and not sentence.is_quoted(verb):
        for place in sentence.children(verb, "dobj", "npadvmod"):
            yield from ((actor, "dislikes", sentence.thing(place), True) for actor in _actors(sentence, verb))


def _felt(sentence: Sentence, place: int) -> str | None:
    """Return what is liked: a thing, or something that one does."""
    if sentence.words[place].tag != "VBG":
        return sentence.thing(place)
    objects = sentence.children(place, "dobj")
    thing = sentence.thing(objects[0]) if objects else ""
    return f"{sentence.words[place].text.lower()} {thing}".strip() if thing is not None else None


def _does(predicate: str) -> Callable[[Sentence, int], Iterator[Told]]:
    """Return what finds the habits and skills of people: plays the oboe, can speak French."""

    def find(sentence: Sentence, verb: int) -> Iterator[Told]:
        holds = _used_to(sentence, verb)
        if holds is None:
            is_able = sentence.lemmas(sentence.children(verb, "aux")) == {"can"} and not sentence.children(verb, "neg")
            is_habit = sentence.words[verb].tag in {"VBP", "VBZ"} and stand(sentence, verb) is Stand.HOLDS
            holds = True if is_habit or (is_able and sentence.words[verb].dep == "ROOT") else None
        if holds is None:
            return
        for place in sentence.children(verb, "dobj"):
            for each in sentence.with_others(place):
                actors = _used_actors(sentence, verb) or _actors(sentence, verb)
                yield from ((actor, predicate, sentence.thing(each), holds) for actor in actors)

    return find


def _marries(sentence: Sentence, verb: int) -> Iterator[Told]:
    predicate, ends = _BONDS[sentence.words[verb].lemma.lower()]
    is_state = any(sentence.words[place].lemma.lower() == "be" for place in sentence.children(verb, "auxpass", "aux"))
    standing = stand(sentence, verb, event=not is_state)
    if standing not in {Stand.HOLDS, Stand.HELD}:
        return
    holds = standing is Stand.HOLDS and not ends
    actors = _actors(sentence, verb)
    others = [place for place in sentence.children(verb, "dobj", "npadvmod") if place in sentence.names]
    others += sentence.after(verb, "to")
    yield from ((actor, predicate, sentence.named(place), holds) for actor in actors for place in others)
    if not others and len(actors) == 2:
        yield actors[0], predicate, actors[1], holds


def _is(sentence: Sentence, verb: int) -> Iterator[Told]:
    holds = _holds(sentence, verb)
    if holds is None:
        return
    for subject in subjects(sentence, verb):
        yield from _birthday(sentence, subject, verb)
        yield from _favourite(sentence, subject, verb)
        name = sentence.named(subject)
        for place in sentence.children(verb, "attr"):
            for each in sentence.with_others(place):
                yield from _is_to(sentence, subject, each, holds=holds)
        if name is None:
            continue
        yield from ((name, "comes_from", sentence.named(each) or sentence.proper(each), holds) for each in sentence.after(verb, "from"))
        for quality in sentence.children(verb, "acomp"):
            word = sentence.words[quality].lemma.lower()
            yield from (
                (name, "allergic_to", sentence.thing(each), holds) for each in _listed_after(sentence, quality) if word == "allergic"
            )
            yield from ((name, _BONDS[word][0], sentence.named(each), holds) for each in sentence.after(quality, "to") if word in _BONDS)
            seat = "lives_in" if name == SPEAKER else "based_in"
            yield from ((name, seat, sentence.named(each), holds) for each in sentence.after(quality, "in") if word == "based")


def _listed_after(sentence: Sentence, quality: int) -> list[int]:
    return [each for first in sentence.after(quality, "to") for each in sentence.with_others(first)]


def _is_to(sentence: Sentence, subject: int, attribute: int, *, holds: bool) -> Iterator[Told]:
    """Yield what somebody is to another: Bob is Alice's brother, my boss is Eva, Bo is a nurse."""
    name = sentence.named(subject)
    for one, other in ((subject, attribute), (attribute, subject)):
        role = ROLES.get(sentence.words[other].lemma.lower())
        owners = [sentence.owner(other), *(sentence.named(place) for place in sentence.after(other, "of"))]
        owner = next((each for each in owners if each is not None), None)
        if role and owner is not None:
            yield sentence.named(one), role, owner, holds
    word = sentence.words[attribute].lemma.lower()
    if word in PETS and name is not None:
        owner = sentence.owner(attribute)
        yield from _belongs(owner, word, name, holds=holds) if owner is not None else [(name, "is_a", word, True)]
    if word in JOBS and sentence.owner(attribute) is None and name is not None:
        yield name, "works_as", sentence.thing(attribute), holds


def _birthday(sentence: Sentence, subject: int, verb: int) -> Iterator[Told]:
    if sentence.words[subject].lemma.lower() == "birthday" and (day := _DAY.search(sentence.text, sentence.words[verb].start)):
        yield sentence.owner(subject), "birthday", day["day"], True


def _favourite(sentence: Sentence, subject: int, verb: int) -> Iterator[Told]:
    adjectives = sentence.lemmas(sentence.children(subject, "amod", "compound", "nmod"))
    if adjectives & {"favourite", "favorite"} and len(adjectives) == 1:
        for place in sentence.children(verb, "attr", "acomp"):
            thing = sentence.thing(place) or (sentence.words[place].text.lower() if sentence.words[place].dep == "acomp" else None)
            yield sentence.owner(subject), f"favourite_{sentence.words[subject].lemma.lower()}", thing, True


def _has(sentence: Sentence, verb: int) -> Iterator[Told]:
    """Yield the beings that somebody has, and what they are called."""
    is_event = sentence.words[verb].lemma.lower() not in {"have", "own"}
    holds = _holds(sentence, verb, event=is_event)
    for place in sentence.children(verb, "dobj") if holds is not None else ():
        word = sentence.words[place].lemma.lower()
        called = [verb for verb in sentence.children(place, "acl") if sentence.words[verb].lemma.lower() in _CALLED]
        names = [
            sentence.named(name) or sentence.proper(name) for verb in called for name in sentence.children(verb, "oprd", "dobj", "attr")
        ]
        beside = [each for first in sentence.children(place, "appos") for each in sentence.with_others(first)]
        names += [sentence.named(each) or sentence.proper(each) for each in beside]
        for actor in _actors(sentence, verb):
            for name in names:
                yield from _belongs(actor, word, name, holds=bool(holds))


def _belongs(owner: str, word: str, name: str | None, *, holds: bool = True) -> Iterator[Told]:
    """Yield what a named being is to whoever has it: `my sister Eva`, `a cat called Mochi`."""
    if role := ROLES.get(word):
        yield name, role, owner, holds
    elif word in BEINGS:
        yield owner, "owns", name, holds
        yield name, "is_a", word, True


def _beside(sentence: Sentence, place: int) -> Iterator[Told]:
    """Yield whose a named being is, where the name stands beside: `my sister Eva`, `Bob's dog Rex`, `my cat's name is Mochi`."""
    word = sentence.words[place]
    owner = sentence.owner(place)
    if owner is None:
        return
    if word.lemma.lower() == "birthday" and sentence.children(place, "case") and (day := _DAY.search(sentence.text, word.start)):
        yield owner, "birthday", day["day"], True  # my birthday's on
    for other in sentence.children(place, "compound", "nmod", "appos"):
        being, name = (place, other) if sentence.words[other].dep == "appos" else (other, place)
        if sentence.words[name].text[:1].isupper() or name in sentence.names:
            yield from _belongs(owner, sentence.words[being].lemma.lower(), sentence.named(name) or sentence.proper(name))
    head = sentence.words[word.head]
    if word.dep in {"nsubj", "nsubjpass"} and (word.lemma.lower() in ROLES or word.lemma.lower() in PETS):
        yield from _called(sentence, word.head, owner, word.lemma.lower())
    if word.dep == "poss" and head.lemma.lower() == "name" and sentence.words[head.head].lemma.lower() == "be":
        for name in sentence.children(head.head, "attr"):
            yield from _belongs(owner, word.lemma.lower(), sentence.named(name) or sentence.proper(name))


def _called(sentence: Sentence, verb: int, owner: str, being: str) -> Iterator[Told]:
    """Yield `my cat is called Mochi`."""
    if sentence.words[verb].lemma.lower() in _CALLED and _holds(sentence, verb):
        for name in sentence.children(verb, "oprd", "dobj", "attr", "acomp"):
            yield from _belongs(owner, being, sentence.named(name) or sentence.proper(name))


_BONDS = {
    "marry": ("married_to", False),
    "married": ("married_to", False),
    "engaged": ("engaged_to", False),
    "engage": ("engaged_to", False),
    "date": ("partner_of", False),
    "divorce": ("married_to", True),
    "divorced": ("married_to", True),
}
_BY_VERB: Mapping[str, tuple[Callable[[Sentence, int], Iterator[Told]], ...]] = {
    "live": (_placed((("in", "at"), "lives_in"), (("with",), "lives_with")),),
    "reside": (_placed((("in", "at"), "lives_in")),),
    "base": (_based,),
    **dict.fromkeys(("move", "relocate"), (_moved,)),
    "work": (_placed((("at", "for"), "works_at")), _works_as),
    "study": (_placed((("at",), "studies_at")), _studies),
    "attend": (_studies,),
    **dict.fromkeys((*_WORK_BEGINS, *_WORK_ENDS), (_job_changed,)),
    **dict.fromkeys(("bear", "born"), (_born,)),
    **dict.fromkeys(_FEELINGS, (_feels,)),
    "stand": (_cannot_stand,),
    "speak": (_does("speaks"),),
    "play": (_does("plays"),),
    **dict.fromkeys(("marry", "divorce", "date", "engage"), (_marries,)),
    **dict.fromkeys(("be", "'s", "'m", "'re"), (_is,)),
    "come": (_placed((("from",), "comes_from")),),
    **dict.fromkeys(_GETTING, (_has,)),
}
