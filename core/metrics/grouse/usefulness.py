"""GroUSE usefulness: whether what an answer adds that declines is worth knowing."""

from __future__ import annotations

from core.judging.grouse import GrouseMetric
from core.metrics.grouse.asking import EMPTY, SOURCE, USEFULNESS, grouse
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="grouse_usefulness",
    title="GroUSE usefulness",
    family=Family.BEHAVIOUR,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Is what the answer adds worth knowing, where it says that no passage answers, as a judging model "
    "sees it?",
    equation="1 where it has to do with the question, else 0; null where the answer responds or adds nothing. "
    "Asked only where answer relevancy is null.",
    source=SOURCE,
    edges={**EMPTY, "abstention": "Judged where the answer adds something, null where it only declines."},
    prompts=USEFULNESS,
)


@metric(SPEC)
def grouse_usefulness(prepared: Prepared) -> Outcome:
    """Whether what is added is useful, or the judge's null, with its justification."""
    return grouse(prepared, GrouseMetric.USEFULNESS)
