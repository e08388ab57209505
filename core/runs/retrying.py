"""Taking back what failed of a run, so that it goes on with these cases and keeps all others."""

from __future__ import annotations

from dataclasses import dataclass

from core.domain.results.runs import RunState
from core.domain.sources.projects import Role
from core.project.service import require
from core.runs.scores.measuring import scoring_lock
from core.store.database import Store
from core.store.results import failures, runs


@dataclass(frozen=True, slots=True, kw_only=True)
class Failures:
    """How many cases of a run are done again.

    Attributes:
        unanswered: Those whose target failed; they are asked, judged and measured again.
        unjudged: Those whose judge failed; their answers are judged again.
    """

    unanswered: int
    unjudged: int

    def __bool__(self) -> bool:
        return bool(self.unanswered or self.unjudged)


def forget_failures(store: Store, run_id: str, *, actor: str) -> Failures:
    """Takes back the answers that failed and the verdicts that a failed judge left open, where there are any.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        Conflict: The run is being scored.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        taken = Failures(
            unanswered=len(failures.failed_ids(connection, run_id)),
            unjudged=len(failures.unjudged_ids(connection, run_id)),
        )
    require(store, run.project_id, actor, Role.VALIDATOR)
    if not taken:
        return taken
    detail = {"failed": taken.unanswered + taken.unjudged}
    with (
        scoring_lock(store, run_id),
        store.write(actor, "run.retry", project_id=run.project_id, subject=run_id, detail=detail) as connection,
    ):
        failures.forget_failed(connection, run_id)
        failures.forget_unjudged(connection, run_id)
        if run.state is RunState.FINISHED:
            runs.set_state(connection, run_id, RunState.PLANNED)
    return taken
