"""Claim coverage: how many of the reference answer's claims the answer makes too (Cohere)."""

from __future__ import annotations

from core.metrics.claims.checking import PROMPTS, SOURCE, claims_supported
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="claim_coverage",
    title="Claim coverage",
    family=Family.REFERENCE,
    unit="share of claims",
    needs=(Need.QUESTION, Need.ANSWER, Need.REFERENCE, Need.JUDGE),
    question="How many of the facts that the reference answer claims does the answer state too?",
    equation="|claims of the reference answer with the verdict Yes| / |claims with Yes or No|, by a judging model that "
    "sees the answer.",
    source=f"{SOURCE} Of several reference answers, each of which will do, the first is taken apart.",
    edges={
        "empty answer": "0: it states none of the claims.",
        "abstention": "Computed like any answer; it states none of the claims, so the share is low.",
    },
    prompts=PROMPTS,
)


@metric(SPEC)
def claim_coverage(prepared: Prepared) -> Outcome:
    """The share of the reference's claims that the answer states, with each claim and what decides on it."""
    return claims_supported(prepared, Part.REFERENCE, Part.ANSWER)
