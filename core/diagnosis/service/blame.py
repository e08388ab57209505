"""Which module the outcome of some cases of a run is put down to, without diagnosing the whole run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from core.diagnosis import Attribution, Diagnosis, diagnose
from core.evaluation.rows import RunRows, diagnosis_rows
from core.store import case_columns, run_inputs
from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Blame:
    """What one case is put down to.

    Attributes:
        module: The module; ``correct`` and ``not_judged`` are outcomes that blame none.
        reason: Why, one sentence.
    """

    module: Attribution
    reason: str


def blame_of(store: Store, run_id: str, case_ids: Collection[str] | None = None) -> dict[str, Blame]:
    """What each case is put down to, as a plain diagnosis of the run says; verdicts are read as recorded.

    A case depends on the other wordings of its fact and on the documents, so only these are read; of all other
    responses at most the ids they retrieved, which show what is there to be found where no corpus tells it.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Which cases; all where None.

    Returns:
        By case id; with those asked for come the other wordings of their facts.

    Raises:
        NotFound: There is no such run.
    """
    found = diagnosis_rows(store, run_id, case_ids)
    elsewhere = () if case_ids is None else _retrieved(store, found)
    return blamed(diagnose(found.rows, known_ids=found.known_ids, also_retrieved=elsewhere))


def blamed(diagnosis: Diagnosis) -> dict[str, Blame]:
    """The same from a diagnosis that was made before, by case id."""
    return {
        row.row.case_id: Blame(module=row.attribution, reason=row.reason)
        for group in diagnosis.groups
        for row in group.rows
    }


def counted(found: Mapping[str, Blame], case_ids: Collection[str]) -> dict[Attribution, int]:
    """How many of some wrong answers each module has, the most frequent first; modules without one are left out."""
    counts: dict[Attribution, int] = {}
    for case_id in case_ids:
        blame = found.get(case_id)
        if blame is not None and blame.module not in (Attribution.CORRECT, Attribution.NOT_JUDGED):
            counts[blame.module] = counts.get(blame.module, 0) + 1
    order = list(Attribution)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], order.index(item[0]))))


def _retrieved(store: Store, found: RunRows) -> frozenset[str]:
    """Ids that the run retrieved; of a run whose documents are known those of one response, to show that it tells."""
    with store.read() as connection:
        if found.known_ids is not None:
            return frozenset(run_inputs.first_retrieved(connection, found.run))
        included, _ = run_inputs.groups(connection, found.run.test_set_id)
        kept = set(included)
        seen: set[str] = set()
        for response in case_columns.retrieved(connection, found.run.id):
            if response.case_id in kept:
                seen.update(response.document_ids)
                # A passage of no known document shows that the target tells what it retrieves.
                seen.update([""] if response.passages > len(response.document_ids) else [])
        return frozenset(seen)
