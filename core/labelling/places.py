"""Whether a person has a place in a round, and a case among their tasks."""

from __future__ import annotations

from sqlalchemy import Connection

from core.domain.errors import Conflict, NotFound
from core.domain.labels import LabelRound, LabelTask
from core.store import labels


def rater_of(found: LabelRound, rater: str) -> None:
    """Refuses who is no rater of a round.

    Raises:
        NotFound: The round does not name them.
    """
    if rater not in found.raters:
        raise NotFound(
            f"{rater or 'Nobody'} is no rater of round {found.name}.", "Choose your name among the round's raters."
        )


def open_round(connection: Connection, round_id: str, rater: str) -> LabelRound:
    """A round that takes the labels of a rater.

    Raises:
        NotFound: There is no such round (its run may have been deleted), or no such rater in it.
        Conflict: It is closed.
    """
    found = labels.round_of(connection, round_id)
    rater_of(found, rater)
    if found.closed:
        raise Conflict(f"Round {found.name} is closed and takes no more labels.", "Ask for it to be opened again.")
    return found


def task_of(connection: Connection, round_id: str, rater: str, case_id: str, occurrence: int) -> LabelTask:
    """A task of a rater.

    Raises:
        NotFound: The rater is not asked about that case, or not so often.
    """
    found = labels.task(connection, round_id, rater, case_id, occurrence)
    if found is None:
        again = " a second time" if occurrence else ""
        raise NotFound(f"Case {case_id} is not among the tasks of {rater}{again}.", "Go on with the next case.")
    return found
