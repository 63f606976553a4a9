"""Words that are forms of one word and share no stem: what `went` is found by when people ask about going."""

from collections.abc import Mapping

from bot.domain.terms import terms

_FAMILIES = """
    become became | begin began begun | bite bit bitten | blow blew blown | break broke broken | bring brought | build built
    buy bought | catch caught | choose chose chosen choice | come came | dig dug | draw drew drawn | dream dreamt
    drink drank drunk | drive drove driven | eat ate eaten | fall fell fallen | feed fed | feel felt | fight fought | find found
    fly flew flown flight | forget forgot forgotten | forgive forgave forgiven | freeze froze frozen | give gave given gift
    go went gone | grow grew grown growth | hang hung | hear heard | hide hid hidden | hold held | keep kept | lead led
    learn learnt | leave left | lend lent | lose lost loss | make made | mean meant | meet met | pay paid | ride rode ridden
    ring rang rung | rise rose risen | run ran | see saw seen | sell sold sale | send sent | shake shook shaken | shoot shot
    shine shone | shrink shrank | sing sang sung song | sink sank sunk | sit sat | sleep slept | speak spoke spoken | spend spent
    stand stood | steal stole stolen | stick stuck | strike struck | swear swore sworn | sweep swept | swim swam swum
    take took taken | teach taught | tear tore torn | think thought | throw threw thrown | understand understood
    wake woke woken | wear wore worn | win won | write wrote written
    child children kid | man men | woman women | foot feet | tooth teeth | mouse mice | wife wives | life lives live
    person people | mom mother mum | dad father | good better best | bad worse worst
"""
"""English. Other languages bend their words by endings, which the meaning of a text bridges."""


def _others() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for family in _FAMILIES.replace("\n", "|").split("|"):
        members = terms(family)
        for term in members:
            found[term] = found.get(term, frozenset()) | (members - {term})
    return found


OTHER_FORMS: Mapping[str, frozenset[str]] = _others()
"""For a term, the terms of the same word in another form."""
