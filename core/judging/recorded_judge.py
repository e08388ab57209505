"""Verdicts that somebody has given already: they are looked up, nothing is judged anew."""

from __future__ import annotations

from pathlib import Path

from core.domain.cases import TestCase
from core.domain.errors import InvalidInput
from core.domain.responses import Judgement, Response, Verdict
from core.judging.protocol import Judge, JudgeRequest, JudgeSpec
from core.judging.registry import register
from core.judging.verdict_file import RecordedVerdict, read_verdicts


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
        for row in read_verdicts(path):
            if row.case_id:
                self._cases.add(row.case_id)
                self._keep(self._by_case, (row.case_id, _plain(row.answer)), row)
            if row.question:
                self._keep(self._by_text, (_plain(row.question) or "", _plain(row.answer)), row)

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The recorded verdict, or ``not_judged`` with the reason why there is none."""
        answer = _plain(response.answer)
        found = self._by_case.get((case.case_id, answer)) or self._by_case.get((case.case_id, None))
        if found is None:
            found = self._by_text.get((_plain(case.question) or "", answer))
        if found is None:
            if case.case_id in self._cases:
                reason = f"{self._path} judges case {case.case_id} with another answer."
            else:
                reason = f"{self._path} has no verdict for case {case.case_id} with this answer."
            return Judgement(verdict=Verdict.NOT_JUDGED, rule="no recorded verdict", reason=reason)
        detail = {"row": found.row, "recorded": found.raw}
        if found.verdict is Verdict.NOT_JUDGED:
            return Judgement(
                verdict=Verdict.NOT_JUDGED, rule="no recorded verdict",
                reason=f"Row {found.row} of {self._path} holds no verdict.", detail=detail,
            )  # fmt: skip
        said = found.reason or f'Row {found.row} of {self._path} says "{found.raw}".'
        return Judgement(verdict=found.verdict, rule="recorded", reason=said, detail=detail)

    def _keep(
        self,
        kept: dict[tuple[str, str | None], RecordedVerdict],
        place: tuple[str, str | None],
        row: RecordedVerdict,
    ) -> None:
        other = kept.setdefault(place, row)
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
