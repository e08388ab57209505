"""Whether the promise of a calibration holds on labels collected after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

import numpy as np

from core.calibration.report import Decision
from core.calibration.service.cases.decisions import decisions, members
from core.calibration.service.label_levels import collapsed
from core.calibration.service.stored import calibration_of, options_of, report_of
from core.calibration.sets.audit import Audit, audit_coverage
from core.domain.estimates import Proportion
from core.labelling.labelled_scores import criterion_of, labelled_scores
from core.stats import clustered_proportion
from core.store.database import Store
from core.store.people import calibrations

MOST_DAYS = 45
"""The longest time span reported by day; longer ones are reported by month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """People's labels of the cases with one decision.

    Attributes:
        accepted: Accepted by people, of the new labels on such cases.
    """

    decision: Decision
    accepted: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """New labels compared with the promise.

    Attributes:
        audit: Coverage by time, None without a new label drawn at random.
        new: Labelled cases that the calibration did not use and that have a set.
        random: Of them drawn at random; the audit is of these.
        targeted: The others; they were chosen because of their scores and are not representative of all cases.
        unscored: New labels on cases without a score, which have no set.
        simulated: New labels of simulated raters.
        by_decision: New labels by the machine's decision.
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
    """Compares the stored sets with every label on a case that the calibration did not use.

    Raises:
        NotFound: There is no such calibration.
    """
    calibration = calibration_of(store, calibration_id)
    options, report = options_of(calibration), report_of(calibration)
    criterion = criterion_of(store, calibration.run_id, calibration.criterion_id)
    run_scores = labelled_scores(store, calibration.run_id, criterion, options.metrics, rule=options.raters)
    with store.read() as connection:
        columns = calibrations.columns(connection, calibration_id)
    known_ids = {row.case_id for row in report.labels}
    new = np.array(
        [
            is_labelled and case_id not in known_ids
            for case_id, is_labelled in zip(run_scores.case_ids, run_scores.labelled, strict=True)
        ],
        dtype=bool,
    )
    scored = ~np.isnan(columns.probabilities)
    levels, lowest = collapsed(run_scores, options)
    sets = members(columns.sets, len(report.level_values))
    new_places = np.flatnonzero(new & scored)
    random = new_places[run_scores.random[new_places]]
    audit = None
    if random.size:
        times = [run_scores.labels[run_scores.case_ids[place]].at for place in random]
        audit = audit_coverage(
            sets[random, levels[random]],
            periods(times),
            alpha=report.result.alpha,
            clusters=run_scores.clusters[random],
            calibrated_on=report.result.n.conformal,
        )
    decided = decisions(columns, len(report.level_values), lowest)
    return Promise(
        audit=audit,
        new=int(new_places.size),
        random=int(random.size),
        targeted=int(new_places.size - random.size),
        unscored=int((new & ~scored).sum()),
        simulated=sum(run_scores.labels[run_scores.case_ids[place]].simulated for place in new_places),
        by_decision=tuple(
            Accepted(
                decision=decision,
                accepted=clustered_proportion(levels[places] >= lowest, run_scores.clusters[places]),
            )
            for decision in Decision
            for places in [np.array([place for place in new_places if decided[place] is decision], dtype=np.int64)]
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
    dates = [date.fromisoformat(day) for day in days if day]
    long = bool(dates) and (max(dates) - min(dates)).days > MOST_DAYS
    return [day[:7] if long else day for day in days]
