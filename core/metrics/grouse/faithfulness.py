"""GroUSE faithfulness: whether every sentence cites its passage and agrees with it; and without citations."""

from __future__ import annotations

from core.judging.grouse import GrouseMetric
from core.metrics.grouse.asking import EMPTY, FAITHFULNESS, SOURCE, UNCITED, grouse
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, MetricSpec, Need, Outcome

SPEC = MetricSpec(
    name="grouse_faithfulness",
    title="GroUSE faithfulness",
    family=Family.GROUNDEDNESS,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Does every sentence of the answer cite a passage, the right one, and agree with it, as a judging "
    "model sees it?",
    equation="1 where all of it holds for every sentence, else 0; null where the answer only states that no "
    "passage answers, and where answer relevancy and usefulness are null.",
    source=f"{SOURCE} Not applicable to a target that never cites a passage as [1]: see the uncited variant.",
    edges={
        **EMPTY,
        "empty contexts": "Judged like any: a statement without a passage is not supported.",
        "abstention": "No value (null judgement) where the answer does nothing but decline; what it adds is judged.",
    },
    prompts=FAITHFULNESS,
)

UNCITED_SPEC = MetricSpec(
    name="grouse_faithfulness_uncited",
    title="GroUSE faithfulness, uncited",
    family=Family.GROUNDEDNESS,
    unit="0 or 1",
    low=0.0,
    high=1.0,
    needs=(Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.JUDGE),
    uses=(Need.REFERENCE,),
    question="Do the passages support every sentence of an answer that cites none of them, as a judging model sees it?",
    equation="1 where the passages support every sentence, whichever of them, else 0; null as for the cited one.",
    source=f"{SOURCE} Citations are ours to leave out: a target that cites nothing would have 0 everywhere.",
    edges={
        **EMPTY,
        "empty contexts": "Judged like any: a statement without a passage is not supported.",
        "abstention": "No value (null judgement) where the answer does nothing but decline; what it adds is judged.",
    },
    prompts=UNCITED,
)


@metric(SPEC)
def grouse_faithfulness(prepared: Prepared) -> Outcome:
    """Whether every sentence is cited and faithful, with the judge's analysis of each."""
    return grouse(prepared, GrouseMetric.FAITHFULNESS)


@metric(UNCITED_SPEC)
def grouse_faithfulness_uncited(prepared: Prepared) -> Outcome:
    """Whether the passages support every sentence, with the judge's analysis of each."""
    return grouse(prepared, GrouseMetric.FAITHFULNESS_UNCITED)
