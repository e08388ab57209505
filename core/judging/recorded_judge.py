"""Recorded verdicts: they are looked up, and no answer is judged again."""

from __future__ import annotations

from pathlib import Path

from core.domain.errors import InvalidInput
from core.domain.results.responses import Judgement, Response, Verdict
from core.domain.testset.cases import TestCase
from core.io.recorded_verdicts import RecordedVerdict, read_verdicts
from core.io.tables.layout import tell_ignored
from core.judging.protocol import Judge, JudgeRequest, JudgeSpec
from core.judging.registry import register


class RecordedJudge:
    """Looks a verdict up by case id, else by question and answer.

    A verdict under a case id counts only for the answer it was given for, where its row has an answer.

    Args:
        path: The file of verdicts.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used.
        InvalidInput: Two rows judge the same thing differently.
    """

    def __init__(self, path: Path) -> None:
        self.name = f"recorded:{path}"
        self.concurrency = 1
        self._path = path
        self._by_case: dict[tuple[str, str | None], RecordedVerdict] = {}
        self._by_text: dict[tuple[str, str | None], RecordedVerdict] = {}
        self._cases: set[str] = set()
        verdicts = read_verdicts(path)
        tell_ignored(path, verdicts.ignored)
        for row in verdicts.rows:
            if row.case_id:
                self._cases.add(row.case_id)
                self._keep(self._by_case, (row.case_id, _plain(row.answer)), row)
            if row.question:
                self._keep(self._by_text, (_plain(row.question) or "", _plain(row.answer)), row)

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The recorded verdict, or ``not_judged`` with the reason why there is none."""
        answer = _plain(response.answer)
        row = self._by_case.get((case.case_id, answer)) or self._by_case.get((case.case_id, None))
        if row is None:
            row = self._by_text.get((_plain(case.question) or "", answer))
        if row is None:
            if case.case_id in self._cases:
                problem = f"{self._path} judges case {case.case_id} with another answer."
            else:
                problem = f"{self._path} has no verdict for case {case.case_id} with this answer."
            return Judgement(verdict=Verdict.NOT_JUDGED, rule="no recorded verdict", reason=problem)
        detail = {"row": row.row, "recorded": row.raw}
        if row.verdict is Verdict.NOT_JUDGED:
            return Judgement(
                verdict=Verdict.NOT_JUDGED,
                rule="no recorded verdict",
                reason=f"Row {row.row} of {self._path} holds no verdict.",
                detail=detail,
            )
        reason = row.reason or f'Row {row.row} of {self._path} says "{row.raw}".'
        return Judgement(verdict=row.verdict, rule="recorded", reason=reason, detail=detail)

    def _keep(
        self,
        verdicts: dict[tuple[str, str | None], RecordedVerdict],
        place: tuple[str, str | None],
        row: RecordedVerdict,
    ) -> None:
        other = verdicts.setdefault(place, row)
        if other.verdict is not row.verdict:
            raise InvalidInput(
                f"Rows {other.row} and {row.row} of {self._path} judge the same answer differently.",
                "Keep one of them, or give the rows case ids.",
            )


def _plain(text: str | None) -> str | None:
    return None if text is None else " ".join(text.split())


@register(
    JudgeSpec(
        name="recorded",
        title="Recorded verdicts",
        question="What did a person or another judge say about these answers?",
        needs=("file",),
        argument="FILE",
    )
)
def open_recorded(request: JudgeRequest) -> Judge:
    """The judge that looks verdicts up in a file."""
    return RecordedJudge(Path(request.argument).expanduser())
