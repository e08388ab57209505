"""Raters who work through their tasks, in threads of this process or of others."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from core.labelling.rating.tasks import Given, next_task, save_labels
from core.labelling.rounds import get_round
from core.store.database import Store


def opinion(rater: str, case_id: str, occurrence: int = 0) -> float:
    """What a rater says of a case, 0 or 1: made up, and the same each time it is asked."""
    return float(sum(map(ord, f"{rater}{case_id}{occurrence}")) % 2)


def work(store: Store, round_id: str, rater: str) -> int:
    """Labels all that is asked of a rater; returns the number of tasks."""
    done = 0
    while (task := next_task(store, round_id, rater)) is not None:
        said = Given(value=opinion(rater, task.case_id, task.occurrence), comment=f"{rater} on {task.case_id}")
        given = dict.fromkeys(get_round(store, round_id).criteria, said)
        save_labels(
            store, round_id, rater, task.case_id, occurrence=task.occurrence, given=given, seconds=2.0, actor="lab"
        )
        done += 1
    return done


def work_together(url: str, round_id: str, raters: Sequence[str]) -> int:
    """All raters at once, a thread each, on a store of their own; for a process of its own."""
    with Store.open(url) as store, ThreadPoolExecutor(len(raters)) as pool:
        return sum(pool.map(lambda rater: work(store, round_id, rater), raters))


if __name__ == "__main__":
    print(work_together(sys.argv[1], sys.argv[2], sys.argv[3:]))
