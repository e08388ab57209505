"""Claim faithfulness: how many of the answer's claims the retrieved passages support (Cohere)."""

from __future__ import annotations

from core.metrics.claims.checking import PROMPTS, SOURCE, claims_supported
from core.metrics.prepared import Part, Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="claim_faithfulness",
    title="Claim faithfulness",
    family=Family.GROUNDEDNESS,
    unit="share of claims",
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    question="How many of the facts that the answer claims do the retrieved passages support?",
    equation="|claims of the answer with the verdict Yes| / |claims with Yes or No|, by a judging model that sees the "
    "retrieved passages.",
    source=f"{SOURCE} RAGAS-Fact divides by all claims, those among them that cannot be checked.",
    edges={
        "empty answer": "No value (null judgement): it claims nothing.",
        "empty contexts": "0 where it is known that nothing was retrieved, since nothing supports any claim; no value "
        "where it is not known what was retrieved.",
        "abstention": "No value (null judgement): a statement that nothing is known is no claim.",
    },
    prompts=PROMPTS,
)


@metric(SPEC)
def claim_faithfulness(prepared: Prepared) -> Outcome:
    """The share of the answer's claims that the passages support, with each claim and what decides on it."""
    return claims_supported(prepared, Part.ANSWER, Part.CONTEXTS)
