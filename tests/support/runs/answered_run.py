"""A finished run with an answer to every case: what labels need and no more."""

from __future__ import annotations

from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.store import projects
from core.store.database import Store
from core.store.results import runs
from tests.support.stores import with_run

ROLES = {"ada": Role.OWNER, "val": Role.VALIDATOR, "lab": Role.LABELLER, "vic": Role.VIEWER}
"""Who may do what in the project of the run."""


def answered_run(store: Store, cases: int = 12) -> Run:
    """A project, a test set of so many cases c0, c1, ... and a run that answered all but the last."""
    run = with_run(store, cases)
    with store.write("ada", "test.prepare") as connection:
        for name, role in ROLES.items():
            projects.set_role(connection, run.project_id, name, role)
        answers = [Response(case_id=f"c{number}", answer=f"Answer {number}.") for number in range(cases - 1)]
        runs.save_responses(connection, run.id, answers)
    return run
