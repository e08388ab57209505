"""The answers that a judge and the reference see differently."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.responses import Score, Status
from core.evaluation.judge_reference import JudgedCases
from core.store import run_inputs, scores
from core.store.database import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An answer that a judge and the reference see differently.

    Attributes:
        says_correct: What the judge says.
        is_correct: What the reference says.
        value: The judge's value.
        why: The judge's reason, where it gave one.
    """

    case_id: str
    question: str
    answer: str
    references: tuple[str, ...]
    says_correct: bool
    is_correct: bool
    value: float
    why: str


def disagreeing_cases(
    store: Store, cases: JudgedCases, found: Mapping[str, Score], says: npt.NDArray[np.bool_], *, key: str, most: int
) -> tuple[tuple[Disagreement, ...], int]:
    """The first cases where a judge and the reference differ, in the order of the test set, and how many there are.

    Args:
        store: Where the run is.
        cases: With the reference.
        found: The judge's scores by case id.
        says: Which answers it calls correct, shape (n,).
        key: Under which its scores are stored, so that its reasons can be read.
        most: The most to return.
    """
    scored = np.array(
        [case_id in found and found[case_id].status is Status.SCORED for case_id in cases.case_ids], dtype=bool
    )
    places = np.flatnonzero(cases.decided & scored & (says != cases.truth))
    shown = [cases.case_ids[place] for place in places[:most]]
    by_place = {cases.case_ids[place]: int(place) for place in places[:most]}
    rows = []
    with store.read() as connection:
        for case, response in run_inputs.pairs(connection, cases.run, shown, contexts=False):
            score = scores.get(connection, cases.run.id, case.case_id, key) or found[case.case_id]
            place = by_place[case.case_id]
            value = found[case.case_id].value
            rows.append(
                Disagreement(
                    case_id=case.case_id,
                    question=case.question,
                    answer=response.answer or "",
                    references=case.reference_answers,
                    says_correct=bool(says[place]),
                    is_correct=bool(cases.truth[place]),
                    value=0.0 if value is None else value,
                    why=str(score.detail.get("reason", "")),
                )
            )
    return tuple(rows), int(places.size)
