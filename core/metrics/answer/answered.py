"""Answered: whether the target answers the question or declines."""

from __future__ import annotations

from core.judging.match.abstention import Outcome as Reads
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome

MAX_SAID = 200
"""Characters of the declining words that are kept as evidence."""

SPEC = MetricSpec(
    name="answered",
    title="Answered",
    family=Family.BEHAVIOUR,
    unit="0 or 1",
    needs=(Need.ANSWER,),
    uses=(Need.QUESTION,),
    question="Does the target answer the question, or does it decline?",
    equation="0 where the answer as a whole declines or only asks back, else 1. The target's own word counts where "
    "it gives one; else a small reader that is shown question and answer says whether the asked is left open, also "
    "where only facts beside the question are told; rules find who asks back, and the words. An answer that tells "
    "something and declines a part counts as answered, and its detail says partly.",
    source="GroUSE (Muller et al. 2024), whether the answer says that no document answers. Reader and rules are "
    "ours: on 1,600 replies of eight authors of whom neither had seen one F1 is .83 to .94 (.47 to .95 before); "
    "facts that are told beside the question are missed most.",
    version=11,
    edges={
        "empty answer": "0: an empty answer does not answer.",
        "empty contexts": "Plays no part: what was retrieved is not looked at.",
        "abstention": "0; the detail has the declining words.",
        "one sentence": "Clauses are looked at one by one, so one sentence can decline and still answer.",
        "other scripts": "Declining is read in English, by rules in six other European languages; elsewhere every "
        "answer answers, unless the target says otherwise.",
        "emoji": "An answer without letters and digits says nothing: 0.",
    },
)


@metric(SPEC)
def answered(prepared: Prepared) -> Outcome:
    """1 where the target answers, 0 where it declines, and who decided: target, rules, or reader against them.

    Edge cases: an empty answer is 0, whatever the target says of itself.
    """
    sample = prepared.sample
    if not (sample.answer or "").strip():
        return Measured(value=0.0, detail={"rule": "empty answer", "abstained": True})
    reading = prepared.reading
    by_rules = reading.outcome.declines
    who = "reader" if reading.learned else "rules"
    detail: dict[str, object] = {"decided_by": who if sample.abstained is None else "target"}
    if reading.words:
        detail["said"] = reading.words[:MAX_SAID]
    if reading.outcome in {Reads.PARTLY, Reads.ASKS_BACK}:
        detail["outcome"] = reading.outcome.value
    if sample.abstained is not None and sample.abstained != by_rules:
        detail["rules_disagree"] = True
    declines = by_rules if sample.abstained is None else sample.abstained
    return Measured(value=float(not declines), detail={**detail, "abstained": True} if declines else detail)
