"""Sentence recall: how many of the wanted sentences the retrieved passages hold (HCAT Figures 5-6)."""

from __future__ import annotations

from core.metrics.comparison.similarity import best_matches, lowest_place, marks, sentence_rows
from core.metrics.comparison.wanted_sentences import NOTHING_WANTED, THRESHOLD, share_found, wanted
from core.metrics.comparison.weights import mean
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="sentence_recall",
    title="Sentence recall",
    family=Family.RETRIEVAL,
    unit="share of sentences",
    needs=(Need.CONTEXTS, Need.ENCODER),
    uses=(Need.REFERENCE, Need.QUESTION),
    question="Which share of the sentences of the reference answer is found in the retrieved passages?",
    equation=f"|{{i : max_j Sim(s_i, c_j) >= {THRESHOLD}}}| / p, with the sentences s_1..s_p of the reference answer, "
    "or of the question where there is no reference, and c_1..c_n those of all retrieved passages. Several references: "
    "the one with the greatest share, then with the greatest mean similarity, then the first.",
    source="HCAT Figures 5-6, which name the score and leave definition and threshold open. "
    f"{THRESHOLD} suits the default encoder: of the reference sentences of 150 MTRAG tasks 94 % reach it in their own "
    "task's passages and 11 % in those of other tasks of the same collection; of the questions 74 % and 7 %. It is "
    "kept with each score; another encoder may need another one.",
    version=2,
    edges={
        "empty contexts": "0 where it is known that nothing was retrieved; no value where it is not known what was "
        "retrieved.",
        "one sentence": "With one wanted sentence 1 or 0.",
        "identical texts": "1 where every wanted sentence stands in the passages word for word.",
        "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
        "other scripts": "Scored like any text; for languages the encoder does not know the threshold means little.",
        "emoji": "A sentence of emoji only is a sentence and is compared like any other.",
    },
)


@metric(SPEC)
def sentence_recall(prepared: Prepared) -> Outcome:
    """The share of wanted sentences that some context sentence matches (HCAT Figures 5-6).

    Differs from the paper, which gives no definition: see the spec for ours.
    """
    part = wanted(prepared)
    if part is None:
        return NOTHING_WANTED
    matches = best_matches(prepared, part, Part.CONTEXTS)
    sentences = prepared.sentences(part)
    by_text: dict[int, list[float]] = {}
    for sentence, value in zip(sentences, matches.values, strict=True):
        by_text.setdefault(sentence.at[0], []).append(value)
    shares = {place: (share_found(values), round(mean(values), 9)) for place, values in by_text.items()}
    best = max(shares, key=shares.__getitem__)
    places = [place for place, sentence in enumerate(sentences) if sentence.at[0] == best]
    rows = sentence_rows(prepared, matches)
    detail: dict[str, object] = {
        "threshold": THRESHOLD,
        "wanted": part.value,
        "sentences": [rows[place] for place in places],
        "worst": lowest_place([matches.values[place] for place in places]),
    }
    if part is Part.REFERENCE:
        detail["reference"] = best
    return Measured(value=shares[best][0], detail={**detail, **marks(prepared, Part.CONTEXTS)})
