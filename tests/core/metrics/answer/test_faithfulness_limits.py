"""Which false answers faithfulness tells from true ones, and which it does not, with and without an NLI model."""

import pytest

from core.domain.results.responses import Context
from core.encoders.classifiers.nli import open_nli
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metric, score_samples
from tests.core.metrics.answer.true_and_false import BANK, FIRST_SIGHT, KNOWN, SECOND_SIGHT
from tests.support.models.trained_nli import ASKED, pairs, trained_nli

TRUE, FALSE = 0.9, 0.75
"""A true answer stays above the one, a false one below the other."""

UNSEEN = {
    "On Saturdays the library is open from 8 am to 10 pm.",
    "The works council approves travel expenses above 500 francs.",
    "The swimming pool is open on Mondays.",
}
"""False answers that have 1.00: the hours of other days, a subject that is no name, "open" where both words stand.
A change that sees one of them is an improvement; then it leaves this list and that of docs/limits.md."""


def scored(samples, nli=None):
    models = Models(encoder=open_encoder("minilm"), nli=nli)
    return [score for batch in score_samples(samples, [find_metric("faithfulness")], models) for score in batch]


def sample(answer, *passages):
    contexts = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(passages))
    return Sample(case_id="c", question="Tell me about it.", answer=answer, contexts=contexts)


@pytest.mark.slow
@pytest.mark.parametrize("some", [KNOWN, FIRST_SIGHT, SECOND_SIGHT], ids=["known", "first sight", "second sight"])
def test_true_answers_stay_above_and_false_ones_below(some):
    true = scored([sample(pair.true, *pair.passages) for pair in some])
    false = scored([sample(pair.false, *pair.passages) for pair in some])
    assert [pair.true for pair, score in zip(some, true, strict=True) if score.value <= TRUE] == []
    missed = {pair.false for pair, score in zip(some, false, strict=True) if score.value >= FALSE}
    assert missed == UNSEEN & {pair.false for pair in some}


def test_there_are_enough_of_them():
    assert (len(KNOWN), len(FIRST_SIGHT), len(SECOND_SIGHT)) == (22, 24, 12)
    assert len({pair.passages for pair in (*KNOWN, *FIRST_SIGHT, *SECOND_SIGHT)}) == 13


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ("Jane Doe does not manage the Basel branch.", "says not manage where the passage says manages"),
        ("The monthly fee of the Classic account is 9.90 EUR.", "says 9.90 eur where the passage says 4.50 eur"),
        ("Peter Roth manages the Basel branch.", "says basel where the passage says geneva"),
        ("Jane Doe manages the Basel branch with ursula meier.", "adds: ursula meier"),
        ("Jane Doe manages the Basel branch with Ursula Meier.", "found nowhere: Ursula Meier"),
    ],
)
def test_it_says_what_is_wrong(answer, note):
    (found,) = scored([sample(answer, *BANK)])
    assert note in found.detail["sentences"][0]["note"]


def test_groundedness_sees_neither_number():
    """One of another account, and one that occurs nowhere: to similarity they are the same."""
    asked = [sample(f"The monthly fee of the Classic account is {fee} EUR.", *BANK) for fee in ("9.90", "7.30")]
    models = Models(encoder=open_encoder("minilm"))
    other, nowhere = (score.value for score in next(score_samples(asked, [find_metric("groundedness")], models)))
    assert other == pytest.approx(0.959, abs=0.01)
    assert nowhere == pytest.approx(0.969, abs=0.01)


@pytest.mark.slow
def test_an_nli_model_sees_what_words_cannot(tmp_path):
    """What is planned is not done: every word of the claim is in the passage, so words have no objection.

    The model is trained here, on other things than it is asked about.
    """
    nli = open_nli(str(trained_nli(tmp_path)))
    rows = pairs(ASKED)
    asked = [sample(hypothesis, premise) for premise, hypothesis, _ in rows]
    without, with_model = scored(asked), scored(asked, nli)
    true = [place for place, row in enumerate(rows) if row[2] == 1]
    false = [place for place, row in enumerate(rows) if row[2] != 1]
    assert min(without[place].value for place in (*true, *false)) > TRUE
    assert min(with_model[place].value for place in true) > TRUE
    assert max(with_model[place].value for place in false) < FALSE
