"""Checks that a person is a rater of a round, and that a case is among their tasks."""

from __future__ import annotations

from sqlalchemy import Connection

from core.domain.errors import Conflict, NotFound
from core.domain.results.labels import LabelRound, LabelTask
from core.store.people import labels


def rater_of(label_round: LabelRound, rater: str) -> None:
    """Refuses a person who is not a rater of a round.

    Raises:
        NotFound: The round does not name them.
    """
    if rater not in label_round.raters:
        raise NotFound(
            f"{rater or 'Nobody'} is not a rater of round {label_round.name}.",
            "Choose your name among the round's raters.",
        )


def open_round(connection: Connection, round_id: str, rater: str) -> LabelRound:
    """A round that takes the labels of a rater.

    Raises:
        NotFound: There is no such round (its run may have been deleted), or no such rater in it.
        Conflict: It is closed.
    """
    label_round = labels.round_of(connection, round_id)
    rater_of(label_round, rater)
    if label_round.closed:
        raise Conflict(
            f"Round {label_round.name} is closed and accepts no more labels.", "Ask a validator to open it again."
        )
    return label_round


def task_of(connection: Connection, round_id: str, rater: str, case_id: str, occurrence: int) -> LabelTask:
    """A task of a rater.

    Raises:
        NotFound: The rater has no such task.
    """
    rater_task = labels.task(connection, round_id, rater, case_id, occurrence)
    if rater_task is None:
        repetition = " a second time" if occurrence else ""
        raise NotFound(f"Case {case_id} is not among the tasks of {rater}{repetition}.", "Go on with the next case.")
    return rater_task
