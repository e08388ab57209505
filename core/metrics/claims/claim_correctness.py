"""Claim correctness: how many of the answer's claims the reference answer supports (Cohere)."""

from __future__ import annotations

from core.metrics.claims.checking import PROMPTS, SOURCE, claims_supported
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="claim_correctness",
    title="Claim correctness",
    family=Family.REFERENCE,
    unit="share of claims",
    needs=(Need.QUESTION, Need.ANSWER, Need.REFERENCE, Need.JUDGE),
    question="How many of the facts that the answer claims does the reference answer support?",
    equation="|claims of the answer with the verdict Yes| / |claims with Yes or No|, by a judging model that sees the "
    "reference answers, any of which may support a claim.",
    source=f"{SOURCE} A short reference answer supports few claims of a long answer, be they true or not: read it with "
    "claim coverage.",
    edges={
        "empty answer": "No value (null judgement): it claims nothing.",
        "abstention": "No value (null judgement): a statement that nothing is known is no claim.",
    },
    prompts=PROMPTS,
)


@metric(SPEC)
def claim_correctness(prepared: Prepared) -> Outcome:
    """The share of the answer's claims that the reference supports, with each claim and what decides on it."""
    return claims_supported(prepared, Part.ANSWER, Part.REFERENCE)
