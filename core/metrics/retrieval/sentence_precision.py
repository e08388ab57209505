"""Sentence precision: how many of the retrieved sentences serve a wanted one (HCAT Figures 5-6)."""

from __future__ import annotations

from core.metrics.comparison.similarity import best_matches, lowest_place, no_sentences, sentence_rows
from core.metrics.comparison.wanted_sentences import NOTHING_WANTED, THRESHOLD, share_found, wanted
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="sentence_precision",
    title="Sentence precision",
    family=Family.RETRIEVAL,
    unit="share of sentences",
    needs=(Need.CONTEXTS, Need.ENCODER),
    uses=(Need.REFERENCE, Need.QUESTION),
    question="Which share of the retrieved sentences serves the reference answer?",
    equation=f"|{{j : max_i Sim(c_j, s_i) >= {THRESHOLD}}}| / n, with the sentences c_1..c_n of all retrieved passages "
    "and s_1..s_p those of all reference answers, or of the question where there is no reference.",
    source="HCAT Figures 5-6, which name the score and leave definition and threshold open. The threshold is that of "
    "sentence_recall and is kept with each score. A sentence that serves any of several references counts.",
    version=2,
    edges={
        "empty contexts": "No value where it is known that nothing was retrieved: a share of nothing is no value.",
        "one sentence": "With one retrieved sentence 1 or 0.",
        "identical texts": "1 where every retrieved sentence stands in a reference word for word.",
        "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
        "other scripts": "Scored like any text; for languages the encoder does not know the threshold means little.",
        "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
    },
)


@metric(SPEC)
def sentence_precision(prepared: Prepared) -> Outcome:
    """The share of context sentences that match some wanted sentence (HCAT Figures 5-6).

    Differs from the paper, which gives no definition: see the spec for ours.
    """
    part = wanted(prepared)
    if part is None:
        return NOTHING_WANTED
    if not prepared.sentences(Part.CONTEXTS):
        return no_sentences(prepared, Part.CONTEXTS)
    matches = best_matches(prepared, Part.CONTEXTS, part)
    return Measured(
        value=share_found(matches.values),
        detail={
            "threshold": THRESHOLD,
            "wanted": part.value,
            "sentences": sentence_rows(prepared, matches),
            "worst": lowest_place(matches.values),
        },
    )
