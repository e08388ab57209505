"""Token F1: how many words answer and reference share, as SQuAD counts them."""

from __future__ import annotations

from core.metrics.comparison.overlap import Overlap, answer_marks, answer_tokens, bag_overlap, best_reference
from core.metrics.comparison.similarity import DIGITS
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="token_f1",
    title="Token F1",
    family=Family.REFERENCE,
    unit="F1 of words",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="How many words do the answer and the nearest reference answer share?",
    equation="max over references R of 2PR / (P + R), with P = s / |a|, R = s / |R| and s = sum_w min(n_a(w), n_R(w)) "
    "over the words of both normal forms (see normalised_match).",
    source="SQuAD (Rajpurkar et al. 2016), F1 of its evaluation script. Ours differs in the normal form only, and in "
    "scripts without blanks between words, where every character is a word.",
    edges={
        "empty answer": "0: it is an answer, and it shares no word.",
        "empty contexts": "Plays no part: only answer and reference are compared.",
        "abstention": "Compared like any answer and marked as an abstention.",
        "identical texts": "1; also for the same words in another order.",
        "other scripts": "In scripts without blanks between words every character is a word.",
        "emoji": "A run of emoji is a word.",
    },
)


@metric(SPEC)
def token_f1(prepared: Prepared) -> Outcome:
    """The F1 of the words that the answer shares with the nearest reference, each as often as both have it.

    Edge cases: an empty answer shares nothing and has 0.
    """
    language = prepared.language
    answer = answer_tokens(prepared.sample.answer or "", language)
    overlaps: dict[str, Overlap] = {}

    def score(reference: str) -> float:
        overlaps[reference] = bag_overlap(answer, answer_tokens(reference, language))
        return overlaps[reference].f1

    place, value = best_reference(prepared, score)
    best = overlaps[prepared.sample.references[place]]
    parts = {"precision": round(best.precision, DIGITS), "recall": round(best.recall, DIGITS)}
    return Measured(value=value, detail={"reference": place, "parts": parts, **answer_marks(prepared)})
