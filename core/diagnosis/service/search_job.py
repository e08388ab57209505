"""The search for the evidence of a run as a job: on its own after the run, or when somebody opens the diagnosis."""

from __future__ import annotations

from core.diagnosis.service.evidence import find_evidence_of_run
from core.domain.errors import Conflict
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.jobs import Job, JobContext, job, list_jobs, start
from core.jobs.follower import follower
from core.project.service import require
from core.runs.service import EVALUATE, EVIDENCE
from core.store.database import Store
from core.store.results import runs

START_S = 5.0
"""How long two people who open a page at once wait for each other."""


# By its name and not as EVIDENCE: a worker that read it nowhere in this module would import those of all kinds for it.
@job("find_evidence")
def evidence_job(context: JobContext) -> bool:
    """Searches the documents for the facts of the run named in the job's parameters; whether all of them are done."""
    return find_evidence_of_run(
        context.store,
        str(context.params["run_id"]),
        progress=context.progress,
        should_stop=context.should_stop,
    )


def start_search(store: Store, run_id: str, *, actor: str) -> Job:
    """Starts a worker that searches for the evidence of a run; one that is at it already is returned instead.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        Conflict: The run is not finished: its wrong answers are not known yet.
    """
    with store.exclusive(f"start-evidence-{run_id}", what=f"The evidence of run {run_id}", seconds=START_S):
        with store.read() as connection:
            run = runs.get(connection, run_id)
        require(store, run.project_id, actor, Role.VALIDATOR)
        if run.state is not RunState.FINISHED:
            raise Conflict(f"Run {run_id} is not finished.", "Wait for it, or resume it first.")
        latest = search_job(store, run)
        if latest is not None and latest.state.active:
            return latest
        return start(
            store,
            project_id=run.project_id,
            kind=EVIDENCE,
            params={"run_id": run.id},
            actor=actor,
            subject=run.id,
        )


def search_job(store: Store, run: Run) -> Job | None:
    """The newest job that searches for the evidence of a run; of the run's own job only while it is at that."""
    for item in list_jobs(store, run.project_id):
        if item.subject != run.id:
            continue
        if item.kind == EVIDENCE:
            return item
        then = follower(item.params) if item.kind == EVALUATE and item.state.active else None
        if then is not None and then.kind == EVIDENCE:
            return item
    return None
