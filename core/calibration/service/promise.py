"""Whether a calibration keeps its promise on labels that came after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from core.calibration.audit import Audit, audit_coverage
from core.calibration.report import Decision
from core.domain.estimates import Proportion
from core.evaluation.case_decisions import decisions, members
from core.evaluation.label_levels import collapsed
from core.evaluation.labelled_scores import criterion_of, labelled_scores
from core.evaluation.stored_calibrations import calibration_of, options_of, report_of
from core.stats import clustered_proportion
from core.store import calibrations
from core.store.database import Store

MOST_DAYS = 45
"""Days of labels that are read day by day; longer times are read by month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """What people said of the cases that were decided so.

    Attributes:
        accepted: Accepted by people, of the new labels on such cases.
    """

    decision: Decision
    accepted: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """New labels against the promise.

    Attributes:
        audit: Coverage by time, None without a new label drawn at random.
        new: Labelled cases that the calibration did not know and that have a set.
        random: Of them drawn at random; the audit is of these.
        targeted: The others; they were chosen because of their scores and say nothing about all cases.
        unscored: New labels on cases without a score, which have no set.
        simulated: New labels of which a machine played the raters.
        by_decision: What people said of the new labels by what the machine had decided.
        since: When the calibration was made.
    """

    audit: Audit | None
    new: int
    random: int
    targeted: int
    unscored: int
    simulated: int
    by_decision: tuple[Accepted, ...]
    since: str


def promise(store: Store, calibration_id: str) -> Promise:
    """Holds the stored sets against every label on a case that the calibration did not know.

    Raises:
        NotFound: There is no such calibration.
    """
    calibration = calibration_of(store, calibration_id)
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    found = labelled_scores(store, calibration.run_id, criterion, options.metrics)
    with store.read() as connection:
        columns = calibrations.columns(connection, calibration_id)
    known = {row.case_id for row in report.labels}
    new = np.array(
        [has and case_id not in known for case_id, has in zip(found.case_ids, found.labelled, strict=True)], dtype=bool
    )
    scored = ~np.isnan(columns.probabilities)
    levels, lowest = collapsed(found, options)
    held = members(columns.sets, len(report.level_values))
    chosen = np.flatnonzero(new & scored)
    random = chosen[found.random[chosen]]
    audit = None
    if random.size:
        times = [found.labels[found.case_ids[place]].at for place in random]
        audit = audit_coverage(
            held[random, levels[random]],
            periods(times),
            alpha=report.result.alpha,
            clusters=found.clusters[random],
            calibrated_on=report.result.n.conformal,
        )
    decided = decisions(columns, len(report.level_values), lowest)
    return Promise(
        audit=audit,
        new=int(chosen.size),
        random=int(random.size),
        targeted=int(chosen.size - random.size),
        unscored=int((new & ~scored).sum()),
        simulated=sum(found.labels[found.case_ids[place]].simulated for place in chosen),
        by_decision=tuple(
            Accepted(
                decision=one,
                accepted=clustered_proportion(levels[here] >= lowest, found.clusters[here]),
            )
            for one in Decision
            for here in [np.array([place for place in chosen if decided[place] is one], dtype=np.int64)]
        ),
        since=calibration.created_at,
    )


def periods(times: list[str]) -> list[str]:
    """The day of each time, or its month where they span more than `MOST_DAYS` days.

    >>> periods(["2026-11-21T05:00:00+00:00", "2026-11-22T05:00:00+00:00"])
    ['2026-11-21', '2026-11-22']
    >>> periods(["2026-01-21T05:00:00+00:00", "2026-11-22T05:00:00+00:00"])
    ['2026-01', '2026-11']
    """
    days = [time[:10] for time in times]
    known = [date.fromisoformat(day) for day in days if day]
    long = bool(known) and (max(known) - min(known)).days > MOST_DAYS
    return [day[:7] if long else day for day in days]
