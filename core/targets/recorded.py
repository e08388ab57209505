"""A recording as the system under test: its answers are looked up, nothing is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from core.domain.errors import InvalidInput, TargetFailed
from core.domain.results.responses import Response
from core.io.recorded_answers import Recorded, read_recording
from core.io.tables.layout import tell_ignored
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register

ANOTHER: Final = "Give the recording that was made with this test set, or evaluate the test set that it was made with."


class RecordedTarget:
    """Answers from a recording, by case id, else by question.

    Recorded errors and empty answers stay what they are: a response without an answer, with its reason.

    Args:
        path: The recording.
        asked: The questions there will be, by case id; with them a recording of another test set is told from one that
            lacks a few cases.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used.
        InvalidInput: Two rows answer the same case id differently.
    """

    concurrency = 1
    words_to_encode = 0

    def __init__(self, path: Path, asked: Mapping[str, str] | None = None) -> None:
        self.name = f"recorded:{path}"
        self._path = path
        self._by_case: dict[str, Recorded] = {}
        self._by_question: dict[str, Recorded] = {}
        self._unclear: dict[str, tuple[int, int]] = {}
        recording = read_recording(path)
        tell_ignored(path, recording.ignored)
        for row in recording.rows:
            if row.case_id:
                other = self._by_case.setdefault(row.case_id, row)
                if not _same(other, row):
                    raise InvalidInput(
                        f"Rows {other.row} and {row.row} of {path} answer case {row.case_id} differently.",
                        "Keep one of them.",
                    )
            if row.question:
                question = _plain(row.question)
                other = self._by_question.setdefault(question, row)
                if not _same(other, row):
                    self._unclear.setdefault(question, (other.row, row.row))
        self._misfit = self._misfit_of(asked or {})

    def _misfit_of(self, asked: Mapping[str, str]) -> str:
        """What to say where no row answers any of the questions; empty where one does, or where nobody knows them."""
        questions = {_plain(question) for question in asked.values()}
        shared = questions & self._by_question.keys()
        if not asked or asked.keys() & self._by_case.keys() or shared - self._unclear.keys():
            return ""
        ids = f"0 of its {len(self._by_case):,} case ids are in the test set" if self._by_case else "it has no case ids"
        which = "the only question" if len(shared) == 1 else f"the {len(shared):,} questions"
        has = "has" if len(shared) == 1 else "have"
        also = f"and {which} that they share {has} several answers in it" if shared else "nor is any question in both"
        return f"The recording {self._path} answers none of the {len(asked):,} cases: {ids}, {also}."

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True

    def answer(self, case_id: str, question: str) -> Response:
        """The recorded response.

        Raises:
            TargetFailed: The recording has no row for the case, or answers its question in two ways; lasting where that
                is so for every case.
        """
        if self._misfit:
            raise TargetFailed(self._misfit, ANOTHER, lasting=True)  # the same for all, so that the run stops
        recording = self._by_case.get(case_id)
        if recording is None:
            plain = _plain(question)
            if plain in self._unclear:
                first, second = self._unclear[plain]
                raise TargetFailed(
                    f"Rows {first} and {second} of {self._path} answer this question differently.",
                    "Give the rows a case_id.",
                )
            recording = self._by_question.get(plain)
        if recording is None:
            raise TargetFailed(
                f"The recording {self._path} has no row for case '{case_id}'.",
                "Record it, or add its case_id or question.",
            )
        return Response(
            case_id=case_id,
            answer=recording.answer,
            contexts=recording.contexts,
            abstained=recording.abstained,
            latency_s=recording.latency_s,
            tokens=recording.tokens,
            error=recording.error,
        )


def _same(a: Recorded, b: Recorded) -> bool:
    return (a.answer, a.error, a.contexts) == (b.answer, b.error, b.contexts)


def _plain(question: str) -> str:
    return " ".join(question.split())


@register(
    TargetSpec(
        name="recorded",
        title="Recorded answers",
        question="How good are the answers that a system has already given?",
        needs_corpus=False,
        argument="FILE",
    )
)
def open_recorded(request: TargetRequest) -> Target:
    """The target that replays a recording."""
    return RecordedTarget(Path(request.argument).expanduser(), request.asked)
