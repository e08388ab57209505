"""Match: the verdict of the match judge as a number."""

from __future__ import annotations

from core.domain.results.responses import Verdict
from core.domain.status import Status
from core.judging.match import VERSION, judge_match
from core.judging.quotations import as_written
from core.metrics.comparison.overlap import answer_marks
from core.metrics.prepared import Prepared
from core.metrics.registry import metric
from core.metrics.spec import Family, Measured, MetricSpec, Need, Outcome, Unscored

SPEC = MetricSpec(
    name="match",
    title="Match",
    family=Family.REFERENCE,
    unit="0 or 1",
    needs=(Need.ANSWER, Need.REFERENCE),
    question="Does the answer state a reference answer, in any usual format?",
    equation="1 where the match judge finds the answer correct, 0 where it finds it incorrect.",
    source="The match judge (docs/match-judge.md): numbers, dates, names and lists compared by rules, with denials, "
    "hedges and several values refused. Marks of citation such as [1] or [doc-3] are no values. Figures without "
    "tolerance, whatever the run's judge accepts.",
    version=VERSION,
    edges={
        "empty answer": "0: it is an answer, and it states nothing.",
        "empty contexts": "No acronym is spelled out; else they play no part.",
        "abstention": "0 unless the reference itself says that there is no answer; marked as an abstention.",
        "identical texts": "1 for texts that are the same.",
        "other scripts": "Compared like any text; the rules for dates, units and denials are English.",
        "emoji": "1 only for the same emoji.",
    },
)


@metric(SPEC)
def match(prepared: Prepared) -> Outcome:
    """The match judge's verdict as 1 or 0, with the rule that decided and the judge's sentence.

    Edge cases: what the judge does not judge has no value, and its reason.
    """
    sample = prepared.sample
    passages = [context.text for context in sample.contexts or () if context.text]
    judgement = judge_match(sample.question, sample.references, sample.answer, passages=passages)
    reason = as_written(judgement.reason, sample.answer or "", sample.question, *sample.references)
    if judgement.verdict is Verdict.NOT_JUDGED:
        return Unscored(status=Status.NOT_JUDGED, reason=reason, detail={"rule": judgement.rule})
    detail: dict[str, object] = {
        **answer_marks(prepared),
        "reference": sample.references.index(str(judgement.detail["reference"])),
        "rule": judgement.rule,
        "reason": reason,
    }
    return Measured(value=float(judgement.verdict is Verdict.CORRECT), detail=detail)
