"""A recording as the system under test: its answers are looked up, nothing is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.domain.errors import InvalidInput, TargetFailed
from core.domain.results.responses import Response
from core.io.recorded_answers import Recorded, read_recording
from core.io.tables.layout import tell_ignored
from core.targets.protocol import Target, TargetRequest, TargetSpec
from core.targets.registry import register


class RecordedTarget:
    """Answers from a recording, by case id, else by question.

    Recorded errors and empty answers stay what they are: a response without an answer, with its reason.

    Args:
        path: The recording.

    Raises:
        UnreadableFile: The file or one of its rows cannot be used.
        InvalidInput: Two rows answer the same case id differently.
    """

    concurrency = 1
    words_to_encode = 0

    def __init__(self, path: Path) -> None:
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

    def prepare(self, progress: Callable[[str, int, int], None], should_stop: Callable[[], bool]) -> bool:
        """Nothing to do."""
        return True

    def answer(self, case_id: str, question: str) -> Response:
        """The recorded response.

        Raises:
            TargetFailed: The recording has no row for the case, or answers its question in two ways.
        """
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
                f"The recording {self._path} has no row for case {case_id}.",
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
    return RecordedTarget(Path(request.argument).expanduser())
