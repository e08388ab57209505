"""Positive acceptance and negative rejection: answerable by answered, as GroUSE's judge sees both."""

from __future__ import annotations

from core.judging.grouse import GrouseMetric
from core.metrics.grouse.asking import ACCEPTANCE, EMPTY, SOURCE, grouse
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Edge, Family, MetricSpec, Need, Outcome

EDGES: dict[Edge, str] = {
    **EMPTY,
    "empty contexts": "Completeness is null where it is known that nothing was retrieved: the question counts as "
    "not answerable.",
    "abstention": "An answer that says that no passage answers refrains.",
}

ACCEPTED = MetricSpec(
    name="grouse_positive_acceptance",
    title="GroUSE positive acceptance",
    family=Family.BEHAVIOUR,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Does the target respond where the passages answer the question, as a judging model sees both?",
    equation="1 where completeness and answer relevancy are not null, 0 where completeness is not null and answer "
    "relevancy is; null where completeness is null.",
    source=f"{SOURCE} As the tutorial defines it; the published package differs, see the compatible one.",
    edges=EDGES,
    prompts=ACCEPTANCE,
)

COMPATIBLE = MetricSpec(
    name="grouse_positive_acceptance_compatible",
    title="GroUSE positive acceptance, as published",
    family=Family.BEHAVIOUR,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="What does the published package give for positive acceptance, to compare with its figures?",
    equation="1 where completeness and answer relevancy are both null, 0 where only answer relevancy is null; null"
    " elsewhere.",
    source="The published package, for comparison. It leaves out every answer that responds where it should, and"
    " gives 1 for refraining, which is negative rejection; so it is not ours.",
    edges=EDGES,
    prompts=ACCEPTANCE,
)

REJECTED = MetricSpec(
    name="grouse_negative_rejection",
    title="GroUSE negative rejection",
    family=Family.BEHAVIOUR,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Does the target refrain where the passages do not answer the question, as a judging model sees both?",
    equation="1 where completeness and answer relevancy are null, 0 where completeness is null and answer "
    "relevancy is not; null where completeness is not null.",
    source=SOURCE,
    edges=EDGES,
    prompts=ACCEPTANCE,
)


@metric(ACCEPTED)
def grouse_positive_acceptance(prepared: Prepared) -> Outcome:
    """1 where an answerable question is answered, 0 where it is declined."""
    return grouse(prepared, GrouseMetric.POSITIVE_ACCEPTANCE)


@metric(COMPATIBLE)
def grouse_positive_acceptance_compatible(prepared: Prepared) -> Outcome:
    """Positive acceptance as the published package computes it."""
    return grouse(prepared, GrouseMetric.POSITIVE_ACCEPTANCE, compatible=True)


@metric(REJECTED)
def grouse_negative_rejection(prepared: Prepared) -> Outcome:
    """1 where an unanswerable question is declined, 0 where it is answered."""
    return grouse(prepared, GrouseMetric.NEGATIVE_REJECTION)
