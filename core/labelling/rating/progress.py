"""Raters' progress and their feedback after practice; never a label of a case that counts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from core.domain.results.labels import LabelRound, Part, RoundOrigin
from core.labelling.rating.membership import rater_of, task_of
from core.store.database import Store
from core.store.people import labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """The feedback to a rater after a practice case.

    Attributes:
        gold: The gold level by criterion id.
        explanation: Why it is the right one.
        right: Whether the rater chose it, by criterion id.
    """

    gold: Mapping[str, float]
    explanation: str
    right: Mapping[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterProgress:
    """The progress of one rater; practice is counted separately.

    Attributes:
        done: Tasks that are saved.
        of: Tasks there are.
        again_done: Tasks of `done` that show a case a second time.
        again: Tasks of `of` that do: cases that are repeated to see whether raters agree with themselves.
        skipped: Tasks put off and not yet done.
        practice_right: Practice answers that equal the gold label, of `practice_answers`.
        median_seconds: Time on a case where it was measured, None before the first.
    """

    rater: str
    done: int
    of: int
    again_done: int
    again: int
    skipped: int
    practice_done: int
    practice_of: int
    practice_right: int
    practice_answers: int
    median_seconds: float | None

    @property
    def cases_done(self) -> int:
        """Cases with labels, each counted once."""
        return self.done - self.again_done

    @property
    def cases(self) -> int:
        """Cases there are, each counted once."""
        return self.of - self.again


def progress(store: Store, round_id: str) -> tuple[RaterProgress, ...]:
    """The progress of every rater of a round, in the order of the round.

    Raises:
        NotFound: There is no such round.
    """
    with store.read() as connection:
        label_round = labels.round_of(connection, round_id)
        counts = labels.task_counts(connection, round_id)
        repeated = labels.repeat_counts(connection, round_id)
        seconds = labels.seconds_of(connection, round_id)
        practised = labels.practice(connection, round_id)
        gold = {item.case_id: item.gold for item in labels.items(connection, round_id, Part.PRACTICE)}
    answers: defaultdict[str, list[bool]] = defaultdict(list)
    for label in practised:
        right = gold.get(label.case_id, {})
        if label.criterion_id in right:
            answers[label.rater].append(label.value == right[label.criterion_id])
    results = []
    for rater in label_round.raters:
        tally = counts.get(rater, {})
        times = seconds.get(rater, [])
        again_done, again = repeated.get(rater, (0, 0))
        results.append(
            RaterProgress(
                rater=rater,
                done=_sum(tally, practice=False, done=True),
                of=_sum(tally, practice=False),
                again_done=again_done,
                again=again,
                skipped=sum(n for (_, done, put_off), n in tally.items() if put_off and not done),
                practice_done=_sum(tally, practice=True, done=True),
                practice_of=_sum(tally, practice=True),
                practice_right=sum(answers[rater]),
                practice_answers=len(answers[rater]),
                median_seconds=median(times) if times else None,
            )
        )
    return tuple(results)


def unfinished_rounds(store: Store, project_id: str, run_id: str | None = None) -> tuple[LabelRound, ...]:
    """The open rounds in which people still have something to label, newest first; of one run, or of all."""
    with store.read() as connection:
        open_rounds = [
            label_round
            for label_round in labels.rounds(connection, project_id, run_id)
            if not label_round.closed and label_round.origin is RoundOrigin.PEOPLE
        ]
        waiting = labels.unfinished(connection, [label_round.id for label_round in open_rounds])
    return tuple(label_round for label_round in open_rounds if label_round.id in waiting)


def feedback(store: Store, round_id: str, rater: str, case_id: str) -> Feedback | None:
    """The feedback on a practice case once it is done; None before, and for any other case.

    Raises:
        NotFound: There is no such round, rater or task.
    """
    with store.read() as connection:
        rater_of(labels.round_of(connection, round_id), rater)
        practice_task = task_of(connection, round_id, rater, case_id, 0)
        if practice_task.part is not Part.PRACTICE or not practice_task.done_at:
            return None
        item = labels.item(connection, round_id, case_id)
        levels = {label.criterion_id: label.value for label in labels.of_task(connection, round_id, rater, case_id, 0)}
    return Feedback(
        gold=item.gold,
        explanation=item.explanation,
        right={criterion_id: levels.get(criterion_id) == value for criterion_id, value in item.gold.items()},
    )


def _sum(tally: Mapping[tuple[str, bool, bool], int], *, practice: bool, done: bool | None = None) -> int:
    return sum(
        count
        for (part, is_done, _), count in tally.items()
        if (part == Part.PRACTICE.value) is practice and done in (None, is_done)
    )
