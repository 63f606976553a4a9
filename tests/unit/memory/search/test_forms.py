from bot.domain.terms import terms
from bot.memory.search.forms import OTHER_FORMS


def test_forms_of_a_word_lead_to_each_other() -> None:
    for form in ("went", "gone", "go"):
        (term,) = terms(form)
        others = {other for word in ("go", "went", "gone") for other in terms(word)} - {term}
        assert OTHER_FORMS[term] == others


def test_no_term_is_another_form_of_itself() -> None:
    assert all(term not in others for term, others in OTHER_FORMS.items())


def test_every_form_leads_back() -> None:
    assert all(term in OTHER_FORMS[other] for term, others in OTHER_FORMS.items() for other in others)
