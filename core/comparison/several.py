"""Several runs of one test set against one of them: which of many changes helped?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.comparison.pairs import Change, change_of
from core.comparison.settings import differing, refuse
from core.domain.errors import InvalidInput
from core.domain.results.runs import VERDICT_METRIC, Run
from core.stats import holm
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import testsets


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """The accuracy of a run against that of the run all are compared with.

    Attributes:
        run: The run.
        accuracy: The change over the cases judged in both; its p-value is adjusted over all runs (Holm).
        fixed: Cases that became right.
        broken: Cases that became wrong.
    """

    run: Run
    accuracy: Change
    fixed: int
    broken: int


def against(store: Store, run_a: str, others: Sequence[str]) -> tuple[Against, ...]:
    """The change of accuracy from run A to each of several runs, in the order they are given.

    Only verdicts are read; :func:`core.comparison.service.compare_runs` says where one of the changes lies.

    Args:
        store: Where all runs are.
        run_a: The run that all are compared with.
        others: Runs of the same test set, under the same judge.

    Raises:
        NotFound: There is no such run.
        InvalidInput: A run is not finished, stands there twice, or has another test set or judge.

    Edge cases: a run without a case judged in both has no p-value and adjusts nothing.
    """
    if len({run_a, *others}) <= len(others):
        raise InvalidInput("A run is given twice.", "Give each run once.")
    with store.read() as connection:
        first, *rest = [runs.get(connection, run_id) for run_id in (run_a, *others)]
        sets = {run.test_set_id: testsets.get(connection, run.test_set_id) for run in (first, *rest)}
        for run in rest:
            refuse(first, run, differing(first, run, sets), accept=False)
        cases = testsets.cases(connection, first.test_set_id)
        clusters = {case.case_id: case.group_id or case.case_id for case in cases}
        verdicts = {
            run.id: {
                case_id: score.value
                for case_id, score in scores.of_metric(connection, run.id, VERDICT_METRIC, list(clusters)).items()
                if score.value is not None
            }
            for run in (first, *rest)
        }
    rows = [_row(run, verdicts[first.id], verdicts[run.id], clusters, seed=first.seed, of=len(rest)) for run in rest]
    changes = adjusted_over_runs([row.accuracy for row in rows])
    return tuple(replace(row, accuracy=change) for row, change in zip(rows, changes, strict=True))


def adjusted_over_runs(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Changes against one run with their p-values adjusted over all of them (Holm): the best of many may be chance."""
    adjusted = holm([change.p_value for change in changes])
    return tuple(replace(change, p_adjusted=value) for change, value in zip(changes, adjusted, strict=True))


def _row(
    run: Run,
    before: Mapping[str, float],
    after: Mapping[str, float],
    clusters: Mapping[str, str],
    *,
    seed: int,
    of: int,
) -> Against:
    moved = [after[case_id] - value for case_id, value in before.items() if case_id in after]
    return Against(
        run=run,
        accuracy=change_of(VERDICT_METRIC, before, after, clusters, comparisons=of, seed=seed),
        fixed=sum(change > 0 for change in moved),
        broken=sum(change < 0 for change in moved),
    )
