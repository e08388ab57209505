"""Normalised match: the answer is a reference answer but for case, punctuation, articles and blanks."""

from __future__ import annotations

from core.metrics.comparison.overlap import answer_marks, best_reference, normalise
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome
from core.text.citations import without_marks

SPEC = MetricSpec(
    name="normalised_match",
    title="Normalised match",
    family=Family.REFERENCE,
    unit="0 or 1",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="Is the answer a reference answer but for case, punctuation, articles and blanks?",
    equation='max over references R of [n(a) = n(R)], with n: Unicode NFKC, one case, marks of citation ("[1]"), '
    "punctuation and articles left out, single blanks.",
    source="SQuAD (Rajpurkar et al. 2016), exact match of its evaluation script. Ours differs: Unicode normal form and "
    "punctuation of every script; the articles of the language; a mark between digits and a minus sign stay, so 4.5 is "
    "not 45 and -5 is not 5.",
    version=2,
    edges={
        "empty answer": "0: it is an answer, and it is no reference.",
        "empty contexts": "Plays no part: only answer and reference are compared.",
        "abstention": "Compared like any answer and marked as an abstention.",
        "identical texts": "1; a text of punctuation or articles only is compared as it is.",
        "other scripts": "Compared like any text; articles are known in English, German, French, Spanish, Italian, "
        "Portuguese and Dutch.",
        "emoji": "Kept, since they are no punctuation.",
    },
)


@metric(SPEC)
def normalised_match(prepared: Prepared) -> Outcome:
    """1 where the answer and a reference have the same normal form, else 0; the reference is named."""
    language = prepared.language
    answer = normalise(without_marks(prepared.sample.answer or ""), language)
    place, value = best_reference(
        prepared, lambda reference: float(normalise(without_marks(reference), language) == answer)
    )
    return Measured(value=value, detail={"reference": place, **answer_marks(prepared)})
