"""The answers on which a judge and the reference disagree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.domain.results.responses import Score
from core.domain.status import Status
from core.judges.reference import JudgedCases
from core.store.database import Store
from core.store.results import scores
from core.store.results.cases import run_inputs


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An answer on which a judge and the reference disagree.

    Attributes:
        says_correct: Whether the judge calls it correct.
        is_correct: Whether the reference calls it correct.
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
    store: Store,
    cases: JudgedCases,
    results: Mapping[str, Score],
    predicted: npt.NDArray[np.bool_],
    *,
    key: str,
    most: int,
) -> tuple[tuple[Disagreement, ...], int]:
    """The first cases where a judge and the reference differ, in the order of the test set, and how many there are.

    Args:
        store: Where the run is.
        cases: With the reference.
        results: The judge's scores by case id.
        predicted: Which answers it calls correct, shape (n,).
        key: Under which its scores are stored, so that its reasons can be read.
        most: The most to return.
    """
    scored = np.array(
        [case_id in results and results[case_id].status is Status.SCORED for case_id in cases.case_ids], dtype=bool
    )
    places = np.flatnonzero(cases.decided & scored & (predicted != cases.truth))
    listed_ids = [cases.case_ids[place] for place in places[:most]]
    by_place = {cases.case_ids[place]: int(place) for place in places[:most]}
    rows = []
    with store.read() as connection:
        for case, response in run_inputs.pairs(connection, cases.run, listed_ids, contexts=False):
            score = scores.get(connection, cases.run.id, case.case_id, key) or results[case.case_id]
            place = by_place[case.case_id]
            value = results[case.case_id].value
            rows.append(
                Disagreement(
                    case_id=case.case_id,
                    question=case.question,
                    answer=response.answer or "",
                    references=case.reference_answers,
                    says_correct=bool(predicted[place]),
                    is_correct=bool(cases.truth[place]),
                    value=0.0 if value is None else value,
                    why=str(score.detail.get("reason", "")),
                )
            )
    return tuple(rows), int(places.size)
