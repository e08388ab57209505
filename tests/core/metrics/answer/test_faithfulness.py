"""Faithfulness: its parts by hand, its edge rules, and what may never raise or lower it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.results.responses import Context
from core.domain.status import Status
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metric, score_samples
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import score_of
from tests.support.models.tiny_nli import OverlapNli

OPENED = "The Basel branch opened in 2014."


def sample(answer, *contexts, question="Tell me about the branch.", known=True, **fields):
    passages = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(contexts))
    return Sample(case_id="c", question=question, answer=answer, contexts=passages if known else None, **fields)


def scored(answer, *contexts, encoder=None, nli=None, **fields):
    models = Models(encoder=encoder or open_encoder(), nli=nli)
    ((found,),) = score_samples([sample(answer, *contexts, **fields)], [find_metric("faithfulness")], models)
    return found


def test_the_parts_by_hand():
    """Two claims of 6 and 4 words against one passage.

    Semantic: nearest sentences 1.0 and 0.6, weighted 6 and 4: (6 + 2.4) / 10 = 0.84.
    Words together and anywhere: basel, branch, opened, 2014 all in the passage, employs, 300, people not at all (it,
    the, in are function words): 1 and 0, weighted: 0.6.
    Specifics: 300 is found nowhere: 2 / (2 + 1) = 2/3.
    Consistency: "employs 300 people" are three words in a row of its own, so at most 0.7: 0.6 * 1 + 0.4 * 0.7 = 0.88.
    Claims: the first 1; the second (0.4 * 0.6 - 0.3) / 0.55 < 0, so 0.
    Score: 0.7 * (0.6 * 1 + 0.4 * 0) + 0.3 * 0 = 0.42.
    """
    vectors = {
        OPENED: (1, 0),
        "It employs 300 people.": (3, 4),
        "Tell me about the branch.": (1, 1),
    }
    found = score_of("faithfulness", sample(f"{OPENED} It employs 300 people.", OPENED), vectors)
    assert found.detail["parts"] == {
        "semantic": pytest.approx(0.84, abs=1e-6),
        "together": pytest.approx(0.6, abs=1e-6),
        "lexical": pytest.approx(0.6, abs=1e-6),
        "specifics": pytest.approx(2 / 3, abs=1e-6),
        "consistency": pytest.approx(0.88, abs=1e-6),
    }
    assert found.value == pytest.approx(0.42, abs=1e-6)
    assert found.detail["missing"] == [{"kind": "number", "text": "300"}]
    assert found.detail["unfound"] == ["employs", "300", "people"]
    first, second = read_sentences(found.detail)
    assert (first.value, second.value) == pytest.approx((1.0, 0.0), abs=1e-6)
    assert (first.weight, second.weight) == (0.6, 0.4)
    assert second.note == "found nowhere: 300"
    assert found.detail["worst"] == 1
    assert words_at(sample("", OPENED), Part.CONTEXTS, second.best) == OPENED


def test_an_nli_model_adds_a_part():
    without, with_model = scored(OPENED, OPENED), scored(OPENED, OPENED, nli=OverlapNli())
    assert set(with_model.detail["parts"]) == {*without.detail["parts"], "entailment"}
    parts = with_model.detail["parts"]
    # every word is found: logits 0, 1, 0.5 and e / (1 + e + e^0.5) = 2.71828 / 5.36700 = 0.506480
    assert parts["entailment"] == pytest.approx(0.506480, abs=1e-6)
    # the mean of the support by words, 1, and the entailment: (1 + 0.506480) / 2 = 0.753240
    assert with_model.value == pytest.approx(0.753240, abs=1e-6)


PAIR = ("The Basel branch opened in 2014.", "Its lobby was painted by Jane Doe.")


def test_a_claim_may_join_two_sentences():
    """Both are shown; each alone has half of the words."""
    found = scored("The Basel branch opened in 2014, and Jane Doe painted its lobby.", " ".join(PAIR))
    (row,) = read_sentences(found.detail)
    contexts = sample("", " ".join(PAIR))
    assert {words_at(contexts, Part.CONTEXTS, at) for at in (row.best, row.also)} == set(PAIR)
    assert found.detail["parts"]["together"] == 1.0
    assert found.value > 0.9


def test_what_is_said_differently_is_shown_beside_the_sentence_it_departs_from():
    found = scored("The Basel branch opened in 2016.", "The Geneva branch closed in 2016.", OPENED)
    (row,) = read_sentences(found.detail)
    assert row.note == "says 2016 where the passage says 2014"
    assert words_at(sample("", "The Geneva branch closed in 2016.", OPENED), Part.CONTEXTS, row.best) == OPENED
    assert found.detail["contradicted"] == [{"kind": "number", "text": "2016 for 2014"}]
    # a claim that departs has at most 0.3
    assert (row.value, found.value) == pytest.approx((0.3, 0.3), abs=1e-6)


def test_copied_text_is_perfect():
    assert scored(OPENED, f"Some words before. {OPENED} Some after.").value == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("contexts", [(), (OPENED,)])
@pytest.mark.parametrize("answer", ["I do not have that information.", "You're welcome!", "\U0001f389"])
def test_an_answer_without_a_claim_is_in_the_middle(answer, contexts):
    found = scored(answer, *contexts)
    assert (found.value, found.detail["rule"]) == (0.5, "no claim")
    assert {row.note for row in read_sentences(found.detail)} == {"makes no claim"}


def test_what_the_target_calls_an_abstention_claims_nothing():
    found = scored(OPENED, OPENED, abstained=True)
    assert (found.value, found.detail["abstained"]) == (0.5, True)


def test_a_claim_without_any_context_is_not_supported():
    found = scored(f"You're welcome! {OPENED}")
    assert (found.value, found.detail["rule"], found.detail["worst"]) == (0.0, "nothing retrieved", 1)


def test_not_known_and_empty_have_no_value():
    assert scored(OPENED, known=False).status is Status.MISSING_INPUT
    assert scored(" ", OPENED).status is Status.NOT_APPLICABLE
    assert scored(None, OPENED).status is Status.MISSING_INPUT


def test_sentences_that_claim_nothing_do_not_count():
    alone = scored(OPENED, OPENED)
    polite = scored(f"Sure! {OPENED} Let me know if you have any other questions.", OPENED)
    assert polite.value == pytest.approx(alone.value, abs=1e-6)
    assert [row.note for row in read_sentences(polite.detail)] == ["makes no claim", "", "makes no claim"]


def test_a_line_that_announces_is_looked_up_for_specifics_only():
    found = scored("In 2019 these branches opened:\n\n- The Basel branch.", "The Basel branch.")
    assert read_sentences(found.detail)[0].note == "announces what follows"
    assert found.detail["missing"] == [{"kind": "number", "text": "2019"}]
    assert found.detail["parts"]["semantic"] == pytest.approx(1.0, abs=1e-6)


FEE = "The monthly fee is 4.50 EUR."
YACHT = "Every customer receives a free yacht and lifelong caviar from the royal family"


@pytest.mark.parametrize("lead", [YACHT, "Here is the free yacht and the lifelong caviar of every customer"])
def test_a_colon_does_not_make_an_invention_an_announcement(lead):
    """Neither at the end, where nothing follows, nor before something that does."""
    last, before = scored(f"{FEE} {lead}:", FEE), scored(f"{lead}:\n\n- {FEE}", FEE)
    assert last.value == pytest.approx(scored(f"{FEE} {lead.replace('Here is', 'Yes, and')}.", FEE).value, abs=0.1)
    assert last.value < 0.75
    assert before.value < 0.75
    assert {"yacht", "caviar"} <= set(last.detail["unfound"]) & set(before.detail["unfound"])


def test_what_announces_must_be_followed_by_a_claim():
    alone, polite = scored("It costs this:", FEE), scored("It costs this: \n\nYou're welcome!", FEE)
    assert [row.note for row in read_sentences(alone.detail)] == [""]
    assert [row.note for row in read_sentences(polite.detail)] == ["", "makes no claim"]


@pytest.mark.parametrize(
    "said",
    [
        "In general, follow these steps:",
        "According to the provided documents, some of the most common reasons include:",
        "However, here is a general overview of the main options:",
        "Yes, there are several types available, such as:",
    ],
)
def test_a_list_may_be_announced_in_words_of_lists(said):
    found = scored(f"{said}\n\n- {FEE}", FEE)
    assert read_sentences(found.detail)[0].note in {"announces what follows", "makes no claim"}
    assert found.value == pytest.approx(1.0, abs=1e-6)


def test_what_announces_may_repeat_the_question_and_the_passages():
    """One word of its own ("opened") is a manner of speaking, and words of requests are none ("details")."""
    said = f"To find a cheap account, the details of the monthly fee that opened:\n\n- {FEE}"
    found = scored(said, FEE, question="How do I find a cheap account?")
    assert read_sentences(found.detail)[0].note == "announces what follows"
    assert found.value == pytest.approx(1.0, abs=1e-6)


def test_the_question_may_be_repeated():
    said = "The fee of 77 is due in Lugano."
    assert "missing" not in scored(said, OPENED, question="Is a fee of 77 due in Lugano?").detail
    assert scored(said, OPENED).detail["missing_count"] == 2


PASSAGES = (
    "The Basel branch opened in 2014 and has 35 employees.",
    "Jane Doe manages the Geneva branch.",
    "Accounts cost 12.50 francs a month.",
    "The vault is closed on Sundays.",
)
ANSWERS = (
    "The Basel branch has 35 employees. It opened in 2014.",
    "Jane Doe runs the branch in Geneva, and an account costs 12.50 francs.",
    "The moon is made of 99 cheeses, says Peter Pan.",
    "Here is what I found:\n- The vault is closed on Sundays.\n- It opens at 9.",
    "I could not find this.",
)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.sampled_from(ANSWERS), st.lists(st.sampled_from(PASSAGES), max_size=3), st.sampled_from(PASSAGES))
def test_another_context_never_lowers_it(answer, contexts, more):
    assert scored(answer, *contexts, more).value >= scored(answer, *contexts).value - 1e-6


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(
        [("The Basel branch has {} employees.", "35"), ("It opened in {}.", "2014"), ("It costs {} francs.", "12.50")]
    ),
    st.integers(100, 9_999).filter(lambda number: number != 2014),
    st.sampled_from(ANSWERS[:4]),
)
def test_a_number_found_nowhere_never_raises_it(sentence, other, rest):
    text, supported = sentence
    right, wrong = (scored(f"{text.format(number)} {rest}", *PASSAGES) for number in (supported, other))
    assert wrong.value < right.value


@pytest.mark.parametrize("answer", ANSWERS[:3])
def test_the_order_of_contexts_does_not_matter(answer):
    assert scored(answer, *PASSAGES).value == pytest.approx(scored(answer, *PASSAGES[::-1]).value, abs=1e-6)


FIRE = "the fire of 1999 that killed nine"


@pytest.mark.parametrize(
    "said",
    [
        f"I do not know whether customers pay, the branch having been closed since {FIRE}.",
        f"{FEE} Was the branch not closed after {FIRE}?",
        f"{FEE} I cannot say why it was closed after {FIRE}.",
        "I am not sure why it is run by Peter Pan.",
        "I could not find out who signed form FL-601.",
        "I do not know why it closed on 3 May 1999.",
        "I do not know. Please call 0800987.",
    ],
)
def test_declining_or_asking_does_not_hide_what_is_invented(said):
    found = scored(said, FEE, question="What is the monthly fee of the branch?")
    assert "rule" not in found.detail
    assert found.detail["missing_count"] == 1
    last = read_sentences(found.detail)[-1]
    assert last.note.startswith("found nowhere: ")
    assert last.value < 0.5
    assert found.value < 0.8


@pytest.mark.parametrize(
    "said",
    [
        "I do not know who Jane Doe is.",
        "Do you mean the Basel branch that opened in 2014?",
        "As an AI assistant, I cannot answer this.",
        "As of my last update in September 2021, I do not know this.",
        "Thank you for calling Plum Bank! I do not know.",
        "I do not know. Please contact Customer Service.",
        "Leider kann ich das nicht aus den Unterlagen beantworten. Meinen Sie die Filiale?",
    ],
)
def test_declining_and_asking_with_what_is_known_claims_nothing(said):
    found = scored(said, OPENED, question="Is Jane Doe there?")
    assert (found.value, found.detail["rule"]) == (0.5, "no claim")


def test_a_target_that_calls_its_answer_an_abstention_may_not_invent_either():
    found = scored(f"{FEE} It was raised by 77.", FEE, abstained=True)
    assert [row.note for row in read_sentences(found.detail)] == ["makes no claim", "found nowhere: 77"]
    assert found.detail["abstained"] is True
    assert found.value < 0.75


REFUND = "Season ticket holders get a refund of 15 per cent for each month, which is paid automatically in May."


@pytest.mark.parametrize("verdict", ["Yes!", "Not necessarily.", "That's right.", "No, not always."])
def test_a_bare_verdict_leaves_what_it_claims_to_the_next_sentence(verdict):
    rest = "Season ticket holders get a refund of 15 per cent for each month."
    assert scored(f"{verdict} {rest}", REFUND).value == scored(rest, REFUND).value


def test_a_no_before_a_claim_denies_nothing_in_it():
    said = "Unfortunately, no. Season ticket holders get a refund of 15 per cent for each month."
    assert "contradicted" not in scored(said, REFUND).detail


def test_a_bare_verdict_alone_is_a_claim():
    assert scored("Yes.", REFUND).status is Status.SCORED
    assert scored("Yes.", REFUND).detail.get("rule") is None


def test_parts_of_contractions_are_no_words_of_their_own():
    said = "Holders'll get a refund of 15 per cent for each month; it doesn't come late, and they've it in May."
    assert not {"ll", "doesn", "ve"} & set(scored(said, REFUND).detail.get("unfound", ()))


@pytest.mark.parametrize("lead", ["Avoid adding:", "There are two ways."])
def test_a_heading_or_a_count_of_what_follows_is_not_matched(lead):
    passage = "Cooked food attracts rats. Cat litter may carry disease."
    lines = f"{lead}\n* Cooked food\n* Cat litter"
    assert read_sentences(scored(lines, passage).detail)[0].value is None


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        (
            "You can, as long as your ballot hasn't been received.",
            "If your ballot has been received, you may not vote.",
        ),
        ("Estimates run from 17 to 50 million deaths.", "Estimates of deaths range from 17 million to 50 million."),
        (
            "The guarantee is two years from purchase for the machine and ten years for the motor.",
            "We guarantee the machine for two years from the date of purchase and the motor for ten.",
        ),
        (
            "You may bring in four litres of still wine if you are 17.",
            "At 17 you may bring in two litres of fortified wine, four litres of still wine and 16 litres of beer.",
        ),
        ("Losses count, but not across accounts.", "So tracking across accounts is on you."),
    ],
)
def test_the_same_said_another_way_is_no_contradiction(claim, passage):
    assert "contradicted" not in scored(claim, passage).detail


@pytest.mark.parametrize(
    ("answer", "passage"),
    [("12; 35; 18; 21; 25; 77", "77; 18; 12; 25; 35; 21"), ("€12, €35, €18, €21, €25", "€25, €18, €12, €21, €35")],
)
def test_figures_alone_in_another_order_have_a_score(answer, passage):
    assert scored(answer, passage).status is Status.SCORED
