"""Freezing the report of a large run as a job."""

from __future__ import annotations

from core.domain.errors import InvalidInput
from core.domain.sources.projects import Role
from core.jobs import Job, JobContext, job, start
from core.project.service import require
from core.report.collecting import ReportOptions
from core.report.outline import check_sections
from core.report.snapshots import freeze
from core.store.database import Store
from core.store.results import runs

KIND = "report"
"""Of the jobs that freeze a report."""

AT_ONCE = 2_000
"""Cases of a run up to which a page makes the report while a person waits; a larger one is a worker's."""


def start_freezing(store: Store, run_id: str, options: ReportOptions, *, title: str = "", actor: str) -> Job:
    """Starts a worker that freezes the report of a run.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A section cannot be left out.
    """
    with store.read() as connection:
        project_id = runs.get(connection, run_id).project_id
    require(store, project_id, actor, Role.VALIDATOR)
    params = {
        "run_id": run_id,
        "calibration_id": options.calibration_id,
        "against": options.against,
        "off": sorted(check_sections(options.off)),
        "title": title,
    }
    return start(store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=run_id)


@job(KIND)
def freeze_job(context: JobContext) -> bool:
    """Freezes the report that the job's parameters name; it is one step, done as a whole.

    Raises:
        InvalidInput: The parameters name no run.
    """
    run_id = context.params.get("run_id")
    if not isinstance(run_id, str):
        raise InvalidInput("The job does not say of which run.", "Name a run.")
    off = context.params.get("off")
    options = ReportOptions(
        calibration_id=str(context.params.get("calibration_id") or ""),
        against=str(context.params.get("against") or ""),
        off=frozenset(map(str, off if isinstance(off, list) else ())),
    )
    freeze(
        context.store,
        run_id,
        options,
        title=str(context.params.get("title") or ""),
        actor=context.actor,
        progress=context.progress,
    )
    return True
