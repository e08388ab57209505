"""The module to which the outcome of some cases of a run is attributed, without a diagnosis of the whole run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.diagnosis import Attribution, Diagnosis, diagnose
from core.diagnosis.service.rows import RunRows, diagnosis_rows
from core.store.database import Store
from core.store.results.cases import case_columns, run_inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """The root cause of one case's outcome.

    Attributes:
        module: The module; ``correct`` and ``not_judged`` name none.
        reason: Why, one sentence.
        pending: Whether the documents are still to be searched for the fact, so that the module may change.
    """

    module: Attribution
    reason: str
    pending: bool = False


def blame_of(
    store: Store, run_id: str, case_ids: Collection[str] | None = None, *, seconds: float | None = None
) -> dict[str, Blame]:
    """The root cause of each case, as in a plain diagnosis of the run; verdicts count as recorded.

    A case depends on the other wordings of its fact and on the documents, so only these are read; of all other
    responses at most the ids they retrieved, which show what exists where no corpus is known.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Which cases; all where None.
        seconds: The longest search for evidence, as in :func:`core.diagnosis.service.rows.diagnosis_rows`.

    Returns:
        By case id; the other wordings of their facts are included.

    Raises:
        NotFound: There is no such run.
    """
    run_rows = diagnosis_rows(store, run_id, case_ids, seconds=seconds)
    elsewhere = () if case_ids is None else _retrieved(store, run_rows)
    return blamed(diagnose(run_rows.rows, known_ids=run_rows.known_ids, also_retrieved=elsewhere))


def blamed(diagnosis: Diagnosis) -> dict[str, Blame]:
    """The root causes from an existing diagnosis, by case id."""
    return {
        row.row.case_id: Blame(
            module=row.attribution,
            reason=row.reason,
            pending=row.row.pending and row.judged and not row.correct,
        )
        for group in diagnosis.groups
        for row in group.rows
    }


def counted(blames: Mapping[str, Blame], case_ids: Collection[str]) -> dict[Attribution, int]:
    """The number of wrong answers of each module, the most frequent first; modules without one are left out."""
    counts: dict[Attribution, int] = {}
    for case_id in case_ids:
        blame = blames.get(case_id)
        if blame is not None and blame.module not in (Attribution.CORRECT, Attribution.NOT_JUDGED):
            counts[blame.module] = counts.get(blame.module, 0) + 1
    order = list(Attribution)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0]))))


def _retrieved(store: Store, run_rows: RunRows) -> frozenset[str]:
    """Ids that the run retrieved; where its documents are known those of one response show that it reports them."""
    with store.read() as connection:
        if run_rows.known_ids is not None:
            return frozenset(run_inputs.first_retrieved(connection, run_rows.run))
        included, _ = run_inputs.groups(connection, run_rows.run.test_set_id)
        included_ids = set(included)
        retrieved_ids: set[str] = set()
        for response in case_columns.retrieved(connection, run_rows.run.id):
            if response.case_id in included_ids:
                retrieved_ids.update(response.document_ids)
                # A passage of no known document shows that the target reports what it retrieves.
                retrieved_ids.update([""] if response.passages > len(response.document_ids) else [])
        return frozenset(retrieved_ids)
