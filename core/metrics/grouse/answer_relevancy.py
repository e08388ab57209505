"""GroUSE answer relevancy: whether what the answer says responds to the question."""

from __future__ import annotations

from core.judging.grouse import GrouseMetric
from core.metrics.grouse.asking import EMPTY, RELEVANCY, SOURCE, grouse
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="grouse_answer_relevancy",
    title="GroUSE answer relevancy",
    family=Family.RELEVANCY,
    unit="grade from 1 to 5",
    low=1.0,
    high=5.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Does what the answer says respond to the question, as a judging model sees it?",
    equation="1 to 5 by a judging model; null where the answer states that no passage answers the question, "
    "whatever else it holds. Truth does not count.",
    source=SOURCE,
    edges={**EMPTY, "abstention": "No value (null judgement): the answer says that no passage answers."},
    prompts=RELEVANCY,
)


@metric(SPEC)
def grouse_answer_relevancy(prepared: Prepared) -> Outcome:
    """The grade of the answer, or the judge's null, with its justification."""
    return grouse(prepared, GrouseMetric.ANSWER_RELEVANCY)
