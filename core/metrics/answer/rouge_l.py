"""ROUGE-L: the longest sequence of words that answer and reference have in common."""

from __future__ import annotations

from core.metrics.comparison.overlap import Overlap, answer_marks, best_reference, rouge_tokens, sequence_overlap
from core.metrics.comparison.similarity import DIGITS
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="rouge_l",
    title="ROUGE-L",
    family=Family.REFERENCE,
    unit="F1 of the common sequence",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="How much of the answer and the nearest reference answer runs in the same order?",
    equation="max over references R of 2PR / (P + R), with P = l / |a|, R = l / |R| and l the length of the longest "
    "common subsequence of their words.",
    source="ROUGE-L (Lin 2004) as the package rouge-score computes it, without stemming; on ASCII text the same to the "
    "last digit. That package keeps the letters a to z only: ours keeps all letters with their accents, takes scripts "
    "without blanks by the character, and a text without letters and digits by its characters.",
    edges={
        "empty answer": "0: it is an answer, and it has nothing in common.",
        "empty contexts": "Plays no part: only answer and reference are compared.",
        "abstention": "Compared like any answer and marked as an abstention.",
        "identical texts": "1 for texts that are the same.",
        "other scripts": "Scored like any text; in scripts without blanks between words every character is a word.",
        "emoji": "Count only where a text has no letters and digits.",
    },
)


@metric(SPEC)
def rouge_l(prepared: Prepared) -> Outcome:
    """The F1 of the longest common subsequence of the answer and the nearest reference (Lin 2004, 3.1, with beta 1).

    Edge cases: an empty answer has nothing in common and has 0.
    """
    answer = rouge_tokens(prepared.sample.answer or "")
    overlaps: dict[str, Overlap] = {}

    def score(reference: str) -> float:
        overlaps[reference] = sequence_overlap(answer, rouge_tokens(reference))
        return overlaps[reference].f1

    place, value = best_reference(prepared, score)
    best = overlaps[prepared.sample.references[place]]
    parts = {"precision": round(best.precision, DIGITS), "recall": round(best.recall, DIGITS)}
    return Measured(value=value, detail={"reference": place, "parts": parts, **answer_marks(prepared)})
