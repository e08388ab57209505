"""Diagnosing 11,400 rows beside the quadratic look-up of groups by scanning all rows."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.measure import Line, median_seconds
from core.diagnosis import DiagnosisRow, Tag, diagnose
from core.domain.results.responses import Verdict

GROUPS, WORDINGS = 1_900, 6


def lines() -> Iterator[Line]:
    """1,900 filled queries with six wordings each."""
    draw = random.Random(0)
    rows = [
        DiagnosisRow(
            case_id=f"{group}-{number}",
            group_id=str(group),
            form="short",
            verdict=Verdict.CORRECT if draw.random() < 0.4 else Verdict.INCORRECT,
            true_ids=(f"doc:{group}",),
            retrieved_ids=(f"doc:{group if draw.random() < 0.6 else group + 1}",),
        )
        for group in range(GROUPS)
        for number in range(WORDINGS)
    ]
    ours = diagnose(rows).figures.tags
    if ours[Tag.GAP].groups != _scan(rows):
        raise AssertionError("the two ways to tag groups differ")
    yield Line(
        what=f"diagnose {len(rows):,} rows, every figure with its interval",
        seconds=median_seconds(lambda: diagnose(rows)),
        against="tag the groups only, scanning all rows for each",
        other=median_seconds(lambda: _scan(rows)),
    )


def _scan(rows: list[DiagnosisRow]) -> int:
    """How many groups are knowledge gaps, by scanning all rows for each group."""
    groups = {row.group_id for row in rows}
    return sum(all(row.verdict is not Verdict.CORRECT for row in rows if row.group_id == group) for group in groups)
