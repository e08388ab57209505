"""GroUSE completeness: whether everything in the passages that answers the question is in the answer."""

from __future__ import annotations

from core.judging.grouse import GrouseMetric
from core.metrics.grouse.asking import EMPTY, SOURCE, grouse
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="grouse_completeness",
    title="GroUSE completeness",
    family=Family.COMPLETENESS,
    unit="grade from 1 to 5",
    low=1.0,
    high=5.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Is everything in the answer that the passages say in reply to the question, as a judging model sees it?",
    equation="1 to 5 by a judging model; null where the passages say nothing that precisely answers the question.",
    source=SOURCE,
    edges={
        **EMPTY,
        "empty contexts": "No value (null judgement), without a call: no passage answers the question.",
        "abstention": "1 where the passages answer the question; null where they do not.",
    },
    prompts=("grouse_completeness",),
)


@metric(SPEC)
def grouse_completeness(prepared: Prepared) -> Outcome:
    """The grade of the answer, or the judge's null, with its justification."""
    return grouse(prepared, GrouseMetric.COMPLETENESS)
