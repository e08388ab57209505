"""Lexical precision: how much of the answer's vocabulary the retrieved passages have."""

from __future__ import annotations

from core.metrics.comparison.lexical import answer_words
from core.metrics.comparison.similarity import DIGITS, abstention, lowest_place, no_sentences
from core.metrics.evidence import SentenceScore, sentences_json
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

MAX_UNFOUND = 50
"""Distinct words that are kept as evidence."""

SPEC = MetricSpec(
    name="lexical_precision",
    title="Lexical precision",
    family=Family.GROUNDEDNESS,
    unit="share of content words",
    needs=(Need.ANSWER, Need.CONTEXTS),
    question="How many of the answer's content words occur in the retrieved passages?",
    equation="|{w in W : stem(w) in S}| / |W|, with W the content words of the answer, each as often as it stands "
    "there, and S the stems of all words of the retrieved passages. A sentence has the share of its own words; the "
    "score is their mean, weighted by the number of words.",
    source="Ours, after K-Precision (Adlakha et al. 2024, Evaluating correctness and faithfulness of "
    "instruction-following models), the share of an answer's tokens that occur in the passage. Function words are left "
    "out, since every passage has them, and stems compared, since a plural is no invention. On the 300 answers with "
    "passages of the MTRAG human evaluation the Spearman correlation with faithfulness is .70; with or without "
    "function words, stems and repetition it lies between .68 and .72.",
    version=3,
    edges={
        "empty answer": "No value: there is no word to look up.",
        "empty contexts": "0 where it is known that nothing was retrieved, since no word occurs anywhere; no value "
        "where it is not known what was retrieved.",
        "abstention": "Computed like any answer and marked as an abstention.",
        "one sentence": "The share of its own words.",
        "identical texts": "1; also where every word of the answer occurs, in any order and passage.",
        "other scripts": "In scripts without blanks between words, pairs of neighbouring characters are looked up. "
        "Function words are left out in English only.",
        "emoji": "An answer without letters and digits is looked up by its characters; beside words they do not count.",
    },
)


@metric(SPEC)
def lexical_precision(prepared: Prepared) -> Outcome:
    """The share of the answer's content words whose stem occurs in a retrieved passage.

    Edge cases: an answer of function words only is looked up with all its words; a sentence without a content word in
    an answer that has others counts for nothing and says so.
    """
    sentences = answer_words(prepared)
    total = sum(len(sentence.words) for sentence in sentences)
    if not total:
        return no_sentences(prepared, Part.ANSWER)
    unfound = [word for sentence in sentences for word in sentence.unfound]
    rows = [
        SentenceScore(
            of=Part.ANSWER,
            at=sentence.at,
            value=None if sentence.share is None else round(sentence.share, DIGITS),
            weight=round(len(sentence.words) / total, DIGITS),
            note="" if sentence.words else "no content words",
        )
        for sentence in sentences
    ]
    detail: dict[str, object] = {
        "sentences": sentences_json(rows),
        # a sentence without words is never the worst
        "worst": lowest_place([2.0 if sentence.share is None else sentence.share for sentence in sentences]),
        "unfound": list(dict.fromkeys(unfound))[:MAX_UNFOUND],
        "words": total,
    }
    if not prepared.sample.contexts:
        detail["rule"] = "nothing retrieved"
    return Measured(value=(total - len(unfound)) / total, detail={**detail, **abstention(prepared, Part.ANSWER)})
