"""Findings over runs: what is seen again, what was retested, and what may be one weakness under two names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.errors import NotFound
from core.domain.results.findings import (
    SETTLED,
    Finding,
    FindingKind,
    FindingRetest,
    FindingStatus,
    Outcome,
    Severity,
)
from core.store.database import Store
from core.store.people import findings as stored
from core.store.results import runs
from core.weakness.findings.naming import name_of

OVERLAP = 0.6
"""Share of the cases of two findings that both have, from which on they may be one weakness."""

_WORST = {severity: place for place, severity in enumerate(Severity)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """One weakness over all runs.

    Attributes:
        newest: As it was seen last, with the decisions that hold for it.
        seen: It in each run, oldest first.
        retests: Its retests, oldest run first.
    """

    newest: Finding
    seen: tuple[Finding, ...]
    retests: tuple[FindingRetest, ...] = ()

    @property
    def id(self) -> str:
        """The same in all runs."""
        return self.newest.thread

    @property
    def name(self) -> str:
        """For people."""
        return name_of(self.newest)

    @property
    def open(self) -> bool:
        """Whether something is left to do."""
        return self.newest.status not in SETTLED

    @property
    def last(self) -> FindingRetest | None:
        """The newest retest that measured something, else the newest, None without any."""
        measured = [one for one in self.retests if one.outcome is not Outcome.NOT_TESTED]
        return measured[-1] if measured else self.retests[-1] if self.retests else None

    @property
    def back(self) -> bool:
        """Whether it was resolved, and a later retest or search shows it again."""
        if self.newest.status is not FindingStatus.RESOLVED or not self.newest.changed_at:
            return False
        still = {Outcome.STILL_THERE, Outcome.WORSE}
        return any(one.outcome in still and one.created_at > self.newest.changed_at for one in self.retests) or any(
            one.created_at > one.changed_at and not one.gone for one in self.seen
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Two findings that may be one weakness.

    Attributes:
        share: Cases that both have, of the cases that either has.
    """

    first: Thread
    second: Thread
    share: float


def threads(store: Store, project_id: str) -> tuple[Thread, ...]:
    """The findings of a project over all runs: what needs a decision first, then the worst.

    The worst are those of the highest severity, and of one severity those that explain most failing cases.
    """
    with store.read() as connection:
        every = stored.of_project(connection, project_id)
        tested = stored.retests(connection, project_id)
    by_thread: dict[str, list[Finding]] = {}
    for finding in every:
        by_thread.setdefault(finding.thread, []).append(finding)
    of: dict[str, list[FindingRetest]] = {}
    for one in tested:
        of.setdefault(one.thread, []).append(one)
    made = [
        Thread(newest=seen[-1], seen=tuple(seen), retests=tuple(of.get(thread, ())))
        for thread, seen in by_thread.items()
    ]
    return tuple(
        sorted(
            made,
            key=lambda one: (
                not (one.open or one.back),
                one.newest.kind is FindingKind.UNSCORED,
                _WORST[one.newest.severity],
                -one.newest.explains,
                one.name,
            ),
        )
    )


def thread_of(store: Store, project_id: str, thread: str) -> Thread:
    """One finding over all runs.

    Raises:
        NotFound: The project has none of that id.
    """
    found = next((one for one in threads(store, project_id) if one.id == thread), None)
    if found is None:
        raise NotFound(f"There is no finding {thread}.", "Load the page again; it may be merged with another one.")
    return found


def proposals(found: Sequence[Thread], *, share: float = OVERLAP) -> tuple[Proposal, ...]:
    """Pairs of findings whose cases overlap so much that they may be one weakness, most overlap first.

    Compared are their newest cases on one score; case ids are the same in every test set with the same questions. Two
    findings of one search are never proposed: what one of them explains of the other was taken out already.
    """
    pairs = []
    for place, first in enumerate(found):
        for second in found[place + 1 :]:
            one, other = first.newest, second.newest
            if one.score != other.score or FindingKind.UNSCORED in (one.kind, other.kind):
                continue
            if {seen.run_id for seen in first.seen} & {seen.run_id for seen in second.seen}:
                continue
            union = set(one.case_ids) | set(other.case_ids)
            overlap = len(set(one.case_ids) & set(other.case_ids)) / len(union) if union else 0.0
            if overlap >= share:
                pairs.append(Proposal(first=first, second=second, share=overlap))
    return tuple(sorted(pairs, key=lambda pair: -pair.share))


def waits_for_retest(store: Store, run_id: str, found: Sequence[Thread]) -> int:
    """How many findings of earlier runs were not yet measured on a run."""
    with store.read() as connection:
        order = [one.id for one in reversed(runs.all(connection, runs.get(connection, run_id).project_id))]
    place = {one: number for number, one in enumerate(order)}
    return sum(
        one.newest.status is not FindingStatus.DISMISSED
        and one.newest.kind is not FindingKind.UNSCORED
        and any(place[seen.run_id] < place[run_id] and not seen.gone for seen in one.seen)
        and all(tested.run_id != run_id for tested in one.retests)
        for one in found
    )
