"""Faithfulness: claim by claim, what supports it, what occurs nowhere, and what it says differently."""

from __future__ import annotations

from core.metrics.comparison.faithfulness_evidence import score_claims
from core.metrics.comparison.faithfulness_parts import check
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="faithfulness",
    title="Faithfulness",
    family=Family.GROUNDEDNESS,
    unit="support of the claims",
    needs=(Need.ANSWER, Need.CONTEXTS, Need.ENCODER),
    uses=(Need.QUESTION, Need.NLI),
    question="Does the answer say only what the retrieved passages say, in meaning, in words, numbers and names, "
    "of the same things?",
    equation="0.7 m + 0.3 w, m the mean of the claims, weighted by words, and w the lowest claim. A claim is a "
    "sentence of the answer that says something. Its value is min(u p, c). u, support: (0.4 s + 0.4 t + "
    "0.2 l - 0.3) / 0.55, between 0 and 1; s, semantic: the cosine with the nearest sentence of the "
    "passages or with the sum of the nearest two; t, together: share of the distinct content words "
    "(stems) in the best sentence or the best two; l, lexical: the share anywhere in the passages. With "
    "an NLI model u is the mean of that and the best probability of entailment. p, specifics: 2 / (2 + n)"
    " with n distinct numbers, dates, codes and names that occur neither in the passages nor in the "
    "question; values are compared, not spellings. c, consistency: 0.3 where the claim follows a sentence"
    " word by word but for a number, a name, an opposite, a negation or the order; 0.7 where two or more "
    "words in a row occur neither in the passages nor in the question; else 1. A sentence that ends with "
    "a colon, before a claim, and has at most one word that occurs neither in the passages nor in the "
    "question (numbers and words of lists and requests aside) announces what follows; only its specifics "
    "count, as a factor of the score.",
    source="Ours, from the parts that HCAT 3.2 and K-Precision (Adlakha et al. 2024) name. The weights are fixed"
    " and round. fit_faithfulness learns others from labels of one's own, none of them negative. Scores "
    "with and without an NLI model are two different scores. A departure is looked for in a sentence that"
    " has at least 60% of the words of a clause of the claim; where another sentence has as many and "
    "agrees, there is none. Without an NLI model it cannot see what departs in several words at once, or "
    "by words that both stand in the sentence, and on answers that paraphrase their passages words alone say little: "
    "take claim_reading, an NLI model or a judge there. docs/faithfulness.md has its figures on false answers of "
    "nine kinds and on human ratings.",
    version=10,
    edges={
        "empty answer": "No value: an answer without a sentence claims nothing.",
        "empty contexts": "0 where it is known that nothing was retrieved and the answer claims something; no value "
        "where it is not known what was retrieved.",
        "abstention": "Sentences that claim nothing (declining, thanking, offering help, asking back) are left out, "
        "unless they have a number, date or code, or where they decline or ask also a name, that neither the passages "
        "nor the question have. An answer without any claim is 0.5, whatever was retrieved: nothing in it is supported "
        "and nothing is invented.",
        "one sentence": "The parts of that sentence.",
        "identical texts": "1 without an NLI model, as long as the text claims something.",
        "longer than the model": "A sentence longer than the encoder takes is read in windows; nothing is cut off.",
        "other scripts": "Scored like any text. Names are recognised by their capitals, so scripts without "
        "any have none; sentences that claim nothing are recognised in English, German and French.",
        "emoji": "An answer of emoji only claims nothing.",
    },
)


@metric(SPEC)
def faithfulness(prepared: Prepared) -> Outcome:
    """Mean and lowest of the answer's claims; it never falls when a part of a claim rises."""
    return score_claims(prepared, lambda claims: check(prepared, claims))
