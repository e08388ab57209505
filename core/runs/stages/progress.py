"""The progress of stages that go on side by side, told as that of one with the others beside it."""

from __future__ import annotations

import threading

from core.domain.jobs import Report
from core.runs.scores.measuring import STAGE as SCORING
from core.runs.stages.ask_and_judge import ASKING, JUDGING

IN_ORDER = (ASKING, JUDGING, SCORING)
"""As the work passes through them; what is done before, such as encoding documents, comes first."""


class StagesBeside:
    """Passes on progress so that a person can read it: the foremost stage that is not done, the later ones beside it.

    Args:
        report: Who is told; the others stand where the name of a present item would.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._stages: dict[str, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Receives the progress of one stage, from any thread."""
        with self._lock:
            self._stages[stage] = done, total
            unfinished = sorted((name for name, (at, of) in self._stages.items() if at < of), key=_place)
            front, *later = unfinished or [stage]
            figures = [(name, *self._stages[name]) for name in later]
            beside = [f"{name[:1].lower()}{name[1:]} {at:,} of {of:,}" for name, at, of in figures]
            text = ", ".join(beside)
            self._report(front, *self._stages[front], f"{text[:1].upper()}{text[1:]}")


def _place(stage: str) -> int:
    return IN_ORDER.index(stage) if stage in IN_ORDER else -1
