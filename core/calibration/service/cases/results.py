"""The calibrated result of each case of a run, and the queue of cases left to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from core.calibration.report import Decision
from core.calibration.service.cases.decisions import decisions, left_to_people, members
from core.calibration.service.stored import calibration_of, report_of
from core.domain.errors import InvalidInput
from core.domain.results.labels import LabelRound, Part, RoundOrigin
from core.labelling.one_label import one_labels
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.store.database import Store
from core.store.people import calibrations
from core.store.people.calibrations import CaseColumns, StoredCalibration
from core.store.results import runs
from core.store.results.cases import run_inputs

QUEUE = "sent to a human"
"""Stratum and kind of design of a round that was opened from the queue."""

PAGE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedCase:
    """One case.

    Attributes:
        chance: The calibrated probability that people accept the answer.
        levels: Numbers of the levels in the prediction set.
        decision: The decision that follows.
        accepted: Whether people accepted it at the time of the calibration, None without a label.
        part: The part in which its label was used, empty without one.
    """

    case_id: str
    question: str
    answer: str | None
    chance: float
    levels: tuple[int, ...]
    decision: Decision
    accepted: bool | None = None
    part: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CasePage:
    """Some of the cases, the least sure first.

    Attributes:
        cases: Of this page.
        total: Cases of the decision asked for.
        counts: Scored cases by decision.
        unscored: Cases without a score: they have no probability and no decision.
    """

    cases: tuple[CalibratedCase, ...]
    total: int
    counts: dict[Decision, int]
    unscored: int


def calibrated_cases(
    store: Store,
    calibration_id: str,
    decision: Decision | str | None = None,
    *,
    limit: int | None = PAGE,
    offset: int = 0,
    texts: bool = True,
) -> CasePage:
    """The scored cases with probability, set and decision; the least certain first.

    Args:
        store: Where the run is.
        calibration_id: The calibration.
        decision: Only cases decided so; all when None.
        limit: The most to return; every one when None.
        offset: How many to leave out at the start.
        texts: Whether to read questions and answers.

    Raises:
        NotFound: There is no such calibration.
    """
    calibration = calibration_of(store, calibration_id)
    report = report_of(calibration)
    with store.read() as connection:
        run = runs.get(connection, calibration.run_id)
        case_ids, _ = run_inputs.groups(connection, run.test_set_id)
        columns = calibrations.columns(connection, calibration_id)
    levels, lowest = len(report.level_names), report.result.accept_from
    decided = decisions(columns, levels, lowest)
    sets = members(columns.sets, levels)
    requested = None if decision is None else Decision(decision)
    places = [place for place, outcome in enumerate(decided) if outcome is not None and requested in (None, outcome)]
    places.sort(key=lambda place: (abs(columns.probabilities[place] - 0.5), place))
    page = places[offset : None if limit is None else offset + limit]
    labels = {row.case_id: row for row in report.labels}
    texts_by_case: dict[str, tuple[str, str | None]] = {}
    if texts:
        with store.read() as connection:
            pairs = run_inputs.pairs(connection, run, [case_ids[place] for place in page], contexts=False)
            texts_by_case = {case.case_id: (case.question, response.answer) for case, response in pairs}
    cases = []
    for place in page:
        case_id, label = case_ids[place], labels.get(case_ids[place])
        question, answer = texts_by_case.get(case_id, ("", None))
        cases.append(
            CalibratedCase(
                case_id=case_id,
                question=question,
                answer=answer,
                chance=float(columns.probabilities[place]),
                levels=tuple(int(level) for level in np.flatnonzero(sets[place])),
                decision=decided[place] or Decision.HUMAN,
                accepted=None if label is None else label.accepted,
                part="" if label is None else label.part,
            )
        )
    counts = Counter(outcome for outcome in decided if outcome is not None)
    return CasePage(
        cases=tuple(cases),
        total=len(places),
        counts={outcome: counts[outcome] for outcome in Decision},
        unscored=sum(outcome is None for outcome in decided),
    )


def calibrated_case(store: Store, calibration: StoredCalibration, case_id: str) -> CalibratedCase | None:
    """One case of a calibration, without its texts; None where it is not scored or not of the run."""
    report = report_of(calibration)
    with store.read() as connection:
        case_ids, _ = run_inputs.groups(connection, runs.get(connection, calibration.run_id).test_set_id)
        columns = calibrations.columns(connection, calibration.id)
    if case_id not in case_ids or np.isnan(columns.probabilities[place := case_ids.index(case_id)]):
        return None
    single = CaseColumns(probabilities=columns.probabilities[[place]], sets=columns.sets[[place]])
    label = next((row for row in report.labels if row.case_id == case_id), None)
    (outcome,) = decisions(single, len(report.level_values), report.result.accept_from)
    return CalibratedCase(
        case_id=case_id,
        question="",
        answer=None,
        chance=float(single.probabilities[0]),
        levels=tuple(int(level) for level in np.flatnonzero(members(single.sets, len(report.level_values))[0])),
        decision=outcome or Decision.HUMAN,
        accepted=None if label is None else label.accepted,
        part="" if label is None else label.part,
    )


def queue(store: Store, calibration_id: str) -> tuple[list[str], list[str]]:
    """The cases that are left to people and can be labelled, and those of them that nobody has labelled yet.

    Raises:
        NotFound: There is no such calibration.
    """
    calibration = calibration_of(store, calibration_id)
    with store.read() as connection:
        case_ids = left_to_people(connection, calibration)
    labelled = {label.case_id for label in one_labels(store, calibration.run_id, calibration.criterion_id)}
    return case_ids, [case_id for case_id in case_ids if case_id not in labelled]


def round_from_queue(
    store: Store,
    calibration_id: str,
    raters: Sequence[str],
    *,
    actor: str,
    most: int | None = None,
    name: str = "",
    overlap: int = 1,
    seed: int = 0,
) -> LabelRound:
    """Opens a label round with the unlabelled cases that a calibration leaves to people.

    The round stores the chance of each case of the run to be drawn by it: the share of the unlabelled queue that is
    drawn, 0 outside the queue. A case of the queue that was labelled before has that chance too, since it is left out
    only because an earlier round drew it: so :func:`core.labelling.one_label.one_labels` weights both kinds equally.

    Args:
        store: Where the run is.
        calibration_id: The calibration.
        raters: Who labels.
        actor: Who opens the round.
        most: The largest number of cases, drawn at random; all when None.
        name: Of the round; the time where empty, since raters must not learn the machine's opinion from the name.
        overlap: How many raters see a case.
        seed: Of the draw and of the raters' orders.

    Raises:
        NotFound: There is no such calibration.
        Forbidden: The actor may not open rounds.
        InvalidInput: Nothing is left to label, or no case is asked for.
    """
    calibration = calibration_of(store, calibration_id)
    queued_cases, unlabelled = queue(store, calibration_id)
    if not unlabelled:
        raise InvalidInput(
            f"All {len(queued_cases):,} cases that are left to people are labelled."
            if queued_cases
            else "The calibration leaves no case to people.",
            "Calibrate again with the present labels.",
        )
    size = len(unlabelled) if most is None else min(most, len(unlabelled))
    if size < 1:
        raise InvalidInput(f"The requested number of cases is {most}.", "Request at least 1.")
    sample = unlabelled if size == len(unlabelled) else _sample(unlabelled, size, seed)
    chance = size / len(unlabelled)
    with store.read() as connection:
        case_ids, _ = run_inputs.groups(connection, runs.get(connection, calibration.run_id).test_set_id)
    queued = set(queued_cases)
    items = [Drawn(case_id=case_id, part=Part.TARGETED, stratum=QUEUE, probability=chance) for case_id in sample]
    return create_round(
        store,
        calibration.run_id,
        name=name.strip() or f"More answers, {datetime.now(UTC):%Y-%m-%d %H:%M:%S}",
        criteria=[calibration.criterion_id],
        raters=list(raters),
        items=items,
        overlap=min(overlap, len(raters)),
        seed=seed,
        design={
            "kind": QUEUE,
            "calibration": calibration.id,
            "queue": len(queued_cases),
            "labelled_before": len(queued_cases) - len(unlabelled),
            "drawn": size,
            "probability": chance,
            "probabilities": [chance if case_id in queued else 0.0 for case_id in case_ids],
        },
        origin=RoundOrigin.PEOPLE,
        actor=actor,
    )


def _sample(case_ids: Sequence[str], size: int, seed: int) -> list[str]:
    places = np.random.default_rng(seed).choice(len(case_ids), size, replace=False)
    return [case_ids[place] for place in sorted(places)]
