"""Judgements that somebody stored: a judge that is looked up instead of asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.judge_tests import Judged, UnitTest
from core.domain.status import Status
from core.io.tables.cells import object_of
from core.io.tables.rows import Row, read_rows
from core.judges.unit_tests.conditions import SHARES, VALUES, is_value

WRAPPED: Final = ("evaluation_sample", "actual_evaluation", "evaluation")
NULLS: Final = frozenset({"null", "none", "null_judgement"})
WORDS: Final = {"true": 1.0, "false": 0.0, "correct": 1.0, "incorrect": 0.0}


class RecordedJudgements:
    """What a file says of each test, found by the test's id, else by question and answer.

    A row has a column for each metric: a value, null (a judgement: it cannot be evaluated), or an object as GroUSE
    writes it, whose lack of the score means that the call failed. ``<metric>_status`` says otherwise where it is there;
    a metric without a column was not judged. An empty cell of a table is null only where such a status says so.

    Args:
        path: The file.

    Raises:
        UnreadableFile: It cannot be read.
        InvalidInput: A value is none of its metric, or no row has a metric.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._by_id: dict[str, tuple[Judged, ...]] = {}
        self._by_text: dict[tuple[str, str], tuple[Judged, ...]] = {}
        for number, row in read_rows(path):
            where = f"Row {number} of {path}"
            cells = _laid_open(row, where)
            judged = tuple(item for metric in VALUES if (item := _judged(cells, metric, where)) is not None)
            if key := _text(cells.get("id") or cells.get("test_id")):
                self._by_id[key] = judged
            if question := _text(cells.get("input")):
                self._by_text[question, _text(cells.get("actual_output"))] = judged
        self.metrics = tuple(
            metric
            for metric in VALUES
            if any(item.metric == metric for some in (*self._by_id.values(), *self._by_text.values()) for item in some)
        )
        if not self.metrics:
            raise InvalidInput(f"{path} holds no judgement.", f"Give columns such as {', '.join(list(VALUES)[:3])}.")

    def judge(self, test: UnitTest) -> tuple[Judged, ...]:
        """What the file says of a test; where it has no row each metric is ``not_judged``."""
        row = self._by_id.get(test.id)
        if row is None:
            row = self._by_text.get((_text(test.question), _text(test.actual)))
        if row is None:
            reason = f"{self._path} has no row for test {test.id}."
            row = tuple(
                Judged(metric=metric, value=None, status=Status.NOT_JUDGED, reason=reason) for metric in self.metrics
            )
        return row


def _laid_open(row: Row, where: str) -> dict[str, object]:
    cells: dict[str, object] = {}
    for name, value in row.items():
        if name in WRAPPED:
            cells |= _laid_open(object_of(value, where, name), where)
        else:
            cells[name] = value
    return cells


def _judged(cells: Mapping[str, object], metric: str, where: str) -> Judged | None:
    if metric not in cells and f"{metric}_status" not in cells:
        return None
    value, reason = cells.get(metric), _text(cells.get(f"{metric}_reason"))
    if isinstance(value, Mapping):
        reason = _text(value.get(f"{metric}_justification")) or reason
        if metric not in value:
            return Judged(metric=metric, value=None, status=Status.PARSE_FAILED, reason=reason or "The call failed.")
        value = value[metric]
    if status := _text(cells.get(f"{metric}_status")):
        return _with_status(metric, value, status, reason, where)
    if isinstance(value, str) and not value.strip():
        return Judged(metric=metric, value=None, status=Status.NOT_JUDGED, reason="The cell is empty.")
    number = _number(metric, value, where)
    return Judged(
        metric=metric, value=number, status=Status.NULL_JUDGEMENT if number is None else Status.SCORED, reason=reason
    )


def _with_status(metric: str, value: object, status: str, reason: str, where: str) -> Judged:
    try:
        known = Status(status)
    except ValueError:
        raise InvalidInput(
            f"{where}, column {metric}_status: {status!r} is no status.",
            f"Use one of: {', '.join(item.value for item in Status)}.",
        ) from None
    number = _number(metric, value, where) if known is Status.SCORED else None
    if known is Status.SCORED and number is None:
        raise InvalidInput(f"{where}: {metric} is scored and has no value.", "Give the value, or another status.")
    return Judged(metric=metric, value=number, status=known, reason=reason)


def _number(metric: str, value: object, where: str) -> float | None:
    text = _text(value).casefold()
    if value is None or text in NULLS:
        return None
    try:
        number = WORDS[text] if text in WORDS and VALUES[metric] == (0.0, 1.0) else float(text)
    except ValueError:
        number = float("nan")
    if not is_value(metric, number):
        allowed = "0 to 1" if VALUES[metric] is SHARES else ", ".join(f"{known:g}" for known in VALUES[metric])
        raise InvalidInput(f"{where}, column {metric}: {value!r} is no value.", f"Give null or one of {allowed}.")
    return number


def _text(value: object) -> str:
    return "" if value is None else " ".join(str(value).split())
