"""Which verdicts of a run are those of the match rules, whoever they are stored under.

Where rules decide first, a model is asked about the rest only. On the others its verdict is the one that match gives,
so two judges that both took it from the rules agree by construction, which says nothing of either.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from core.domain.runs import VERDICT_METRIC, Run
from core.evaluation.judge_reference import LIVE_MATCH, JudgedCases
from core.store import scores
from core.store.database import Store
from core.store.scores import RunMetric

SAME_RULES = "decided by the same rules"
"""Why a case with two verdicts is in no figure."""
MATCH = "match"


def judge_of(run: Run, key: str, known: RunMetric | None) -> str:
    """Who a judge is: the run's own spec, the spec or model it was asked with, "match"."""
    if key == VERDICT_METRIC:
        return run.judge
    return str(known.options.get("judge", key)) if known else MATCH if key == LIVE_MATCH else key


def by_rules(store: Store, cases: JudgedCases, key: str, known: Mapping[str, RunMetric]) -> npt.NDArray[np.bool_]:
    """Which verdicts of a judge the match rules gave, shape (n,).

    Args:
        store: Where the run is.
        cases: Of the run.
        key: The judge's, or ``label:CRITERION``.
        known: How the judges of the run were asked.
    """
    if judge_of(cases.run, key, known.get(key)) == MATCH:
        return np.ones(len(cases.case_ids), dtype=bool)
    if not _rules_first(cases.run, known, key):
        return np.zeros(len(cases.case_ids), dtype=bool)
    with store.read() as connection:
        made = scores.of_metric(connection, cases.run.id, key)
    decided = {case_id for case_id, score in made.items() if score.detail.get("decided_by") == MATCH}
    return np.array([case_id in decided for case_id in cases.case_ids], dtype=bool)


def _rules_first(run: Run, known: Mapping[str, RunMetric], key: str) -> bool:
    if key == VERDICT_METRIC:
        return bool(run.options.get("judge_match_first"))
    return key in known and bool(known[key].options.get("match_first"))
