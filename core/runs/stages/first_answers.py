"""The first answers of a run, looked at before the rest is asked: a misread system must not spend a whole run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Final

from core.domain.errors import DoubtfulAnswers
from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.document_ids import KnownDocuments
from core.domain.testset.cases import TestCase
from core.judging.match.abstention import Outcome, read_answer
from core.store import document_mappings
from core.store.database import Store
from core.store.results import runs
from core.targets import list_targets
from core.targets.trial.doubts import doubts_of

LOOKED_AT: Final = 5
"""Answers that must look misread, all of them."""

LEAST_CASES: Final = 20
"""Of a smaller run little is spent."""

ACCEPTED: Final = "first_answers"
"""Option of a run whose first answers a person found to be as they should be."""

HINT: Final = "Test the target and see where its reply keeps passages and ids; if all is as it should be, go on."


class FirstAnswers:
    """Looks at the first answers of a run as they arrive.

    Only a system from outside is doubted, in a run of at least 20 cases of which some name the documents that should
    be found, and only as long as no person has accepted its answers.

    Args:
        store: Where the run is.
        run: The run.
        cases: All its cases.
    """

    def __init__(self, store: Store, run: Run, cases: Sequence[TestCase]) -> None:
        outside = {spec.name for spec in list_targets() if spec.outside and not spec.modes[1:]}
        self._doubting = (
            run.target.partition(":")[0] in outside
            and len(cases) >= LEAST_CASES
            and not run.options.get(ACCEPTED)
            and any(case.gold_document_ids for case in cases)
        )
        self._questions = {case.case_id: case.question for case in cases} if self._doubting else {}
        self._documents: KnownDocuments | None = None
        self._seen: list[Response] = []
        self._doubts: list[str] = []
        self._lock = threading.Lock()
        if not self._doubting:
            return
        with store.read() as connection:
            self._documents = document_mappings.of_run(connection, run)
            answered = runs.answered_ids(connection, run.id)
            first = [case.case_id for case in cases if case.case_id in answered][: 4 * LOOKED_AT]
            self.look(list(runs.responses(connection, run.id, first).values()) if first else [])

    @property
    def doubtful(self) -> bool:
        """Whether the rest should not be asked yet."""
        return bool(self._doubts)

    @property
    def sentence(self) -> str:
        """What looks misread; empty where nothing does."""
        return " ".join(self._doubts)

    def watching(self, ask: Callable[[TestCase], Response]) -> Callable[[TestCase], Response]:
        """What asks, with a look at each answer as it comes; answers are committed later, many at a time."""

        def watched(case: TestCase) -> Response:
            response = ask(case)
            with self._lock:
                self.look([response])
            return response

        return watched if self._doubting else ask

    def look(self, responses: Sequence[Response]) -> None:
        """Takes answers that arrived; once five are there it knows, and one that looks right ends all doubts."""
        if not self._doubting:
            return
        telling = [item for item in responses if self._tells(item)]
        self._seen += telling
        if any(not doubts_of([item], self._documents, texts=False) for item in telling):
            self._doubting, self._doubts = False, []
        elif len(self._seen) >= LOOKED_AT:
            self._doubts = doubts_of(self._seen, self._documents, texts=False)

    def _tells(self, response: Response) -> bool:
        """Whether a response can show anything: one that declines may well do so because it found nothing."""
        if response.contexts:
            return not response.abstained
        if response.answer is None or response.abstained:
            return False
        question = self._questions.get(response.case_id, "")
        return read_answer(question, response.answer).outcome in (Outcome.ANSWERED, Outcome.PARTLY)

    def settle(self) -> None:
        """Ends a run that stopped for its first answers with the reason.

        Raises:
            DoubtfulAnswers: They look misread.
        """
        if self.doubtful:
            raise DoubtfulAnswers(self.sentence, HINT)


def doubt_of(store: Store, run: Run, cases: Sequence[TestCase]) -> str:
    """What looks misread in the first answers of a run that stopped for it; empty where nothing does."""
    return FirstAnswers(store, run, cases).sentence
