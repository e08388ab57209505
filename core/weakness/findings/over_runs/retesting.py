"""Findings measured again on another run: fixed, still there, worse, unclear, or not tested.

Where the run has the very cases of the finding, they are compared one by one; otherwise the cases that have the same
conditions are, as another sample. The mean before was low when the finding was found, and partly by chance: on other
cases it rises by itself, so a finding counts as fixed only where, besides the change, no deficit that would count as
weak is left in the new run.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import numpy as np

from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate
from core.domain.identity import short_hash
from core.domain.results.findings import Finding, FindingKind, FindingRetest, FindingStatus, Outcome
from core.domain.results.runs import Run, RunState
from core.project.service import require
from core.stats import clustered_mean
from core.stats.comparisons.differences import difference_of
from core.store.codec import from_row
from core.store.database import Store
from core.store.people import findings as stored
from core.store.results import runs
from core.weakness.binning import Binning
from core.weakness.findings.drafts.severity import spread_of
from core.weakness.findings.search import at_threshold
from core.weakness.findings.service import KEEPER
from core.weakness.service.attributes import RunAttributes, run_attributes
from core.weakness.service.data import table_of
from core.weakness.table import Bools, CaseTable, Floats

SAME_CASES = 0.5
"""Share of a finding's cases that a run must have for them to be compared one by one."""
LEAST_CASES = 5
"""Scored cases without which nothing is said."""
LEAST_GROUPS = 3
"""Groups of these cases without which nothing is said."""
NOT_MEASURED = frozenset({FindingKind.HOLDING, FindingKind.UNSCORED})
"""Findings that are no mean of cases."""


def retest_findings(store: Store, run_id: str, *, actor: str) -> tuple[FindingRetest, ...]:
    """Measures every finding of earlier runs of the project again on a run, and keeps the results.

    Findings that were dismissed are left out; those that were resolved or accepted are not, so that one which comes
    back is seen. The status of a finding is for a person to change.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The run is not finished.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, KEEPER)
    if run.state is not RunState.FINISHED:
        raise InvalidInput(f"Run {run.id} is not finished.", "Let it end, then retest the findings on it.")
    waiting = to_retest(store, run)
    tables = _Tables(store)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    retests = tuple(retest(finding, run, tables, at=at, by=actor) for finding in waiting)
    if retests:
        detail = {outcome.value: n for outcome in Outcome if (n := sum(one.outcome is outcome for one in retests))}
        with store.write(
            actor, "findings.retest", project_id=run.project_id, subject=run_id, detail=detail
        ) as connection:
            stored.put_retests(connection, retests)
    return retests


def to_retest(store: Store, run: Run) -> tuple[Finding, ...]:
    """The findings that a run can be asked about: of each thread the newest of a run before it that still was there."""
    with store.read() as connection:
        every = stored.of_project(connection, run.project_id)
        order = {one.id: place for place, one in enumerate(reversed(runs.all(connection, run.project_id)))}
    newest: dict[str, Finding] = {}
    for finding in every:
        if order[finding.run_id] < order[run.id] and not finding.gone and finding.status is not FindingStatus.DISMISSED:
            newest[finding.thread] = finding
    return tuple(finding for finding in newest.values() if finding.kind is not FindingKind.UNSCORED)


class _Tables:
    """The tables of runs, each read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._attributes: dict[str, RunAttributes] = {}

    def of(self, run_id: str, finding: Finding, *, conditions: bool) -> CaseTable:
        """The cases of a run with the score of a finding, and the attributes of its conditions where asked for.

        Raises:
            InvalidInput: The run has no such score or attribute.
        """
        if run_id not in self._attributes:
            self._attributes[run_id] = run_attributes(self._store, run_id)
        names = tuple(name for name, _ in finding.conditions) if conditions else ()
        given = finding.options.get("bins")
        bins = {
            name: from_row(Binning, {**binning, "edges": list(binning["edges"])})
            for name, binning in (given.items() if isinstance(given, Mapping) else ())
            if name in names
        }
        table = table_of(self._store, self._attributes[run_id], finding.score, attributes=names, bins=bins)
        threshold = finding.options.get("threshold")
        return at_threshold(table, float(threshold) if isinstance(threshold, int | float) else None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """The cases of a finding in one run, among all cases."""

    table: CaseTable
    inside: Bools

    @property
    def values(self) -> Floats:
        return self.table.score.values

    def mean(self, chosen: Bools) -> Estimate:
        there = chosen & self.table.scored
        score = self.table.score
        try:
            return clustered_mean(self.values[there], self.table.clusters[there], low=score.low, high=score.high)
        except InsufficientData:
            return Estimate(value=None, low=None, high=None, n=0, method="no score")


def retest(finding: Finding, run: Run, tables: _Tables, *, at: str, by: str) -> FindingRetest:
    """Measures one finding again; see :func:`decide` for what the figures say."""
    base = FindingRetest(
        id=f"rts_{short_hash([finding.thread, run.id], 16)}",
        project_id=run.project_id,
        thread=finding.thread,
        run_id=run.id,
        against=finding.run_id,
        outcome=Outcome.NOT_TESTED,
        created_at=at,
        created_by=by,
    )
    if finding.kind in NOT_MEASURED:
        return _with(base, reason="It is about a score, not about cases; search the run for findings instead.")
    try:
        before, after, paired = _parts(finding, run, tables)
    except InvalidInput as error:
        return _with(base, reason=f"The run cannot tell: {error.message}")
    there = after.inside & after.table.scored
    groups = int(np.unique(after.table.clusters[there]).size)
    if int(there.sum()) < LEAST_CASES or groups < LEAST_GROUPS:
        few = f"{int(there.sum())} scored cases of {groups} groups, and {LEAST_CASES} of {LEAST_GROUPS} are needed"
        return _with(base, reason=f"The run has too few of its cases: {few}.")
    first, second = before.mean(before.inside), after.mean(after.inside)
    change, n_paired = _change(before, after) if paired else (difference_of(first, second), 0)
    sign = after.table.score.sign
    rest = after.mean(~after.inside)
    deficit = difference_of(second, rest) if sign > 0 else difference_of(rest, second)
    least = finding.options.get("min_effect")
    spread = spread_of(after.table.score)
    weak = (float(least) if isinstance(least, int | float) else 0.1) * (spread or 1.0)
    outcome, reason = decide(change, deficit, sign=sign, weak=weak)
    if not n_paired:
        reason += " The cases are others than before, so that part of a rise may be chance."
    return replace(
        base,
        outcome=outcome,
        before=first,
        after=second,
        change=change,
        deficit=deficit,
        paired=n_paired,
        reason=reason,
    )


def decide(change: Estimate, deficit: Estimate, *, sign: float = 1.0, weak: float = 0.1) -> tuple[Outcome, str]:
    """What a change and the deficit that is left say.

    Args:
        change: After less before, in the unit of the score.
        deficit: How much worse the cases are than all others now; positive is worse.
        sign: 1 where more is better, -1 where less is.
        weak: The deficit from which a part counts as weak.
    """
    low, high = (change.low, change.high) if sign > 0 else (_less(change.high), _less(change.low))
    if low is None or high is None or deficit.value is None:
        return Outcome.UNCLEAR, "There is no interval of the change."
    left = deficit.value >= weak or (deficit.low is not None and deficit.low > 0.0)
    if high < 0.0:
        return Outcome.WORSE, "The change for the worse is shown."
    if low > 0.0 and not left:
        return Outcome.FIXED, "The change for the better is shown, and its cases are no longer weak beside the others."
    if low > 0.0:
        return Outcome.STILL_THERE, "It is better than before, and still weak beside the others."
    if left:
        return Outcome.STILL_THERE, "No change is shown, and its cases are weak beside the others."
    return Outcome.UNCLEAR, "Neither a change nor a weakness beside the others is shown."


def _parts(finding: Finding, run: Run, tables: _Tables) -> tuple[_Part, _Part, bool]:
    """The cases of the finding in the run before and in this one, and whether they are the same cases."""
    before, after = (tables.of(run_id, finding, conditions=False) for run_id in (finding.run_id, run.id))
    own = set(finding.case_ids)
    shared = own & set(after.case_ids)
    if own and len(shared) >= SAME_CASES * len(own):
        return _by_id(before, shared), _by_id(after, shared), True
    if finding.kind not in (FindingKind.LEVEL, FindingKind.CELL, FindingKind.SLICE):
        raise InvalidInput(f"it has {len(shared):,} of the finding's {len(own):,} cases.", "")
    new = tables.of(run.id, finding, conditions=True)
    inside = np.ones(len(new), dtype=np.bool_)
    for name, level in finding.conditions:
        attribute = new.attribute(name)
        if level not in attribute.levels:
            raise InvalidInput(f"none of its cases has {name.replace('_', ' ')} {level}.", "")
        inside &= attribute.codes == attribute.levels.index(level)
    return _by_id(before, own), _Part(table=new, inside=inside), False


def _by_id(table: CaseTable, case_ids: set[str]) -> _Part:
    inside = np.fromiter((case_id in case_ids for case_id in table.case_ids), dtype=np.bool_, count=len(table))
    return _Part(table=table, inside=inside)


def _change(before: _Part, after: _Part) -> tuple[Estimate, int]:
    """The mean difference of the cases that both runs scored, paired."""
    places = {case_id: place for place, case_id in enumerate(before.table.case_ids)}
    chosen = [
        (places[after.table.case_ids[place]], place)
        for place in np.flatnonzero(after.inside & after.table.scored).tolist()
        if after.table.case_ids[place] in places and not np.isnan(before.values[places[after.table.case_ids[place]]])
    ]
    if not chosen:
        return Estimate(value=None, low=None, high=None, n=0, method="no case is scored in both runs"), 0
    old, new = (np.array(side) for side in zip(*chosen, strict=True))
    score = after.table.score
    span = float(score.high - score.low) if score.low is not None and score.high is not None else None
    ends = {} if span is None else {"low": -span, "high": span}
    moved = after.values[new] - before.values[old]
    return clustered_mean(moved, after.table.clusters[new], **ends), len(chosen)


def _less(value: float | None) -> float | None:
    return None if value is None else -value


def _with(base: FindingRetest, *, reason: str) -> FindingRetest:
    return replace(base, reason=reason)
