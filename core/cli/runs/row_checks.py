"""Scored rows of a file as tests that continuous integration shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.results.responses import Score
    from core.report.render.junit import Check


class RowChecks:
    """One test for each row and metric: a row with a value passes, one without is skipped with the reason.

    A score alone is neither good nor bad; thresholds, which are tests of their own, say what is missed.
    """

    def __init__(self) -> None:
        from core.report.masking import Masker
        from core.safety.privacy.detecting import PrivacyRules

        self._masker = Masker(PrivacyRules())
        self._by_metric: dict[str, list[Check]] = {}

    def add(self, row: int, question: str, scores: Sequence[Score]) -> None:
        """Notes the scores of one row, counted from 1."""
        from core.report.render.junit import PASSED, SKIPPED, Check, case_name

        name = case_name(f"row {row}", self._masker.safe(question))
        for score in scores:
            self._by_metric.setdefault(score.metric, []).append(
                Check(
                    name=name,
                    of=score.metric,
                    outcome=PASSED if score.value is not None else SKIPPED,
                    message="" if score.value is not None else score.status.value.replace("_", " "),
                )
            )

    def xml(self, name: str, thresholds: Iterable[Check]) -> bytes:
        """The file."""
        from core.report.render.junit import written

        return written(name, {**self._by_metric, "thresholds": list(thresholds)})
