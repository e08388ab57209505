"""Decided cases, and errors over thresholds, as tables for people and for files."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from core.calibration.service.cases.results import CalibratedCase
from core.calibration.service.report import CalibrationReport
from core.calibration.service.thresholds import ErrorCurve
from pages.kit.calibrations import charts, words
from pages.kit.look import numbers


def cases_frame(cases: Sequence[CalibratedCase], report: CalibrationReport) -> pd.DataFrame:
    """Cases with what is said of them, for people."""
    return pd.DataFrame(
        [
            {
                "case_id": case.case_id,
                "Decision": f"{charts.MARKS[case.decision.value]} {charts.DECISIONS[case.decision.value]}",
                "Chance": case.chance,
                "Set": words.braces(case.levels, report),
                "Question": case.question,
                "Answer": case.answer or numbers.NONE,
                "People": "" if case.accepted is None else "accepted" if case.accepted else "rejected",
            }
            for case in cases
        ],
        columns=["case_id", "Decision", "Chance", "Set", "Question", "Answer", "People"],
    )


def cases_data(cases: Sequence[CalibratedCase], report: CalibrationReport) -> pd.DataFrame:
    """Cases with what is said of them, for a file."""
    return pd.DataFrame(
        [
            {
                "case": case.case_id,
                "probability": case.chance,
                "set": " ".join(str(report.level_values[level]) for level in case.levels),
                "decision": case.decision.value,
                "people": "" if case.accepted is None else "accepted" if case.accepted else "rejected",
                "question": case.question,
                "answer": case.answer or "",
            }
            for case in cases
        ]
    )


def errors_frame(curve: ErrorCurve) -> pd.DataFrame:
    """Errors over thresholds as numbers."""
    return pd.DataFrame(
        [
            {
                "threshold": step.threshold,
                "type_1": step.type_1.value,
                "type_1_low": step.type_1.low,
                "type_1_high": step.type_1.high,
                "rejected_by_people": step.type_1.den,
                "type_2": step.type_2.value,
                "type_2_low": step.type_2.low,
                "type_2_high": step.type_2.high,
                "accepted_by_people": step.type_2.den,
                "accepted": step.accepted.value,
                "of": step.accepted.den,
            }
            for step in curve.steps
        ]
    )
