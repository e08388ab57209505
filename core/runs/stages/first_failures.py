"""The first questions of a run, where each one fails: what is wrong with the settings must not spend a whole run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from core.domain.errors import AlwaysFails, TargetFailed
from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.runs.scores.measuring import scoring_lock
from core.runs.stages.first_answers import ACCEPTED
from core.store.database import Store
from core.store.results import failures
from core.store.results.failures import like

LOOKED_AT: Final = 10
"""Questions that must fail, all of them for one reason that lasts."""

HINT: Final = (
    "Where the system is at fault, mend it and resume: every question is asked, these ones again. Where the settings "
    "are, correct them, try one question with the Test button, and start a new run: this one keeps its own."
)

Answer = Callable[[str, str], Response]
"""Puts a question, by case id and text."""


def only_failures(store: Store, run: Run) -> bool:
    """Whether an unfinished run has failed at its first questions and nowhere had an answer."""
    with store.read() as connection:
        answered, failed = failures.answered_and_failed(connection, run.id)
    return not answered and failed >= LOOKED_AT and not run.options.get(ACCEPTED)


class FirstFailures:
    """Looks at the first questions as they come back, until one is answered or fails for another reason.

    A time-out, a busy service and a server's error may pass and count as another reason. A run goes on all the same
    where a person has accepted its first answers.

    Args:
        store: Where the run is.
        run: The run.
        actor: Who started it.
    """

    def __init__(self, store: Store, run: Run, actor: str) -> None:
        self._reasons: list[str] = []
        self._looking = not run.options.get(ACCEPTED)
        self._lock = threading.Lock()
        self._take_back(store, run, actor)

    def _take_back(self, store: Store, run: Run, actor: str) -> None:
        """Where no question was answered so far, the failed ones are asked again; where one was, there is no doubt."""
        with store.read() as connection:
            answered, failed = failures.answered_and_failed(connection, run.id)
        if answered:
            self._looking = False
        elif failed >= LOOKED_AT:
            detail = {"failed": failed}
            with (
                scoring_lock(store, run.id),
                store.write(actor, "run.retry", project_id=run.project_id, subject=run.id, detail=detail) as connection,
            ):
                failures.forget_failed(connection, run.id)

    @property
    def stop(self) -> bool:
        """Whether the rest should not be asked."""
        return self._looking and len(self._reasons) >= LOOKED_AT

    def watching(self, answer: Answer) -> Answer:
        """What puts a question, with a look at how it ends."""

        def watched(case_id: str, question: str) -> Response:
            try:
                response = answer(case_id, question)
            except TargetFailed as error:
                self._look(error)
                raise
            self._look(None)
            return response

        return watched if self._looking else answer

    def _look(self, failure: TargetFailed | None) -> None:
        with self._lock:
            if not self._looking or self.stop:
                return
            if failure is None or not failure.lasting:
                self._looking = False
            else:
                self._reasons.append(str(failure))
                self._looking = like(self._reasons[0]) == like(self._reasons[-1])

    def settle(self) -> None:
        """Ends a run that stopped for its first failures with their reason.

        Raises:
            AlwaysFails: They all have one.
        """
        if self.stop:
            count = f"The first {LOOKED_AT} questions all failed in the same way, so the others were not asked"
            raise AlwaysFails(f"{count}. {self._reasons[0]}", HINT)
