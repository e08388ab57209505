"""The verdicts of a run that come from the match rules, under whatever judge they are stored.

Where rules decide first, a model is asked only about the remaining cases. On the others its verdict is that of match,
so two judges that both took it from the rules agree by construction, which is no evidence about either.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from core.domain.results.runs import VERDICT_METRIC, Run
from core.judges.reference import LIVE_MATCH, JudgedCases
from core.store.database import Store
from core.store.results import scores
from core.store.results.scores import RunMetric

SAME_RULES = "decided by the same rules"
"""The reason why a case with two verdicts is in no figure."""
MATCH = "match"


def judge_of(run: Run, key: str, run_metric: RunMetric | None) -> str:
    """The identity of a judge: the run's own spec, the spec or model of its job, "match"."""
    if key == VERDICT_METRIC:
        return run.judge
    return str(run_metric.options.get("judge", key)) if run_metric else MATCH if key == LIVE_MATCH else key


def by_rules(store: Store, cases: JudgedCases, key: str, run_metrics: Mapping[str, RunMetric]) -> npt.NDArray[np.bool_]:
    """Which verdicts of a judge the match rules gave, shape (n,).

    Args:
        store: Where the run is.
        cases: Of the run.
        key: The judge's, or ``label:CRITERION``.
        run_metrics: How the judges of the run were asked.
    """
    if judge_of(cases.run, key, run_metrics.get(key)) == MATCH:
        return np.ones(len(cases.case_ids), dtype=bool)
    if not _rules_first(cases.run, run_metrics, key):
        return np.zeros(len(cases.case_ids), dtype=bool)
    with store.read() as connection:
        stored_scores = scores.of_metric(connection, cases.run.id, key)
    decided = {case_id for case_id, score in stored_scores.items() if score.detail.get("decided_by") == MATCH}
    return np.array([case_id in decided for case_id in cases.case_ids], dtype=bool)


def _rules_first(run: Run, run_metrics: Mapping[str, RunMetric], key: str) -> bool:
    if key == VERDICT_METRIC:
        return bool(run.options.get("judge_match_first"))
    return key in run_metrics and bool(run_metrics[key].options.get("match_first"))
