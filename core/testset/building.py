"""Building a large test set as a job: in a process of its own, with progress, stop and resume."""

from __future__ import annotations

from core.domain.errors import InvalidInput, Stopped
from core.domain.identity import new_id
from core.jobs import Job, JobContext, job, start
from core.store.database import Store
from core.testset.service import build_test_set

KIND = "build_test_set"


@job(KIND)
def build_job(context: JobContext) -> bool:
    """Builds the test set that the job's parameters describe; whether it is done."""
    params = context.params
    limit = params["limit"]
    try:
        build_test_set(
            context.store,
            context.job.project_id,
            actor=context.actor,
            name=str(params["name"]),
            grounded=params.get("grounded") is not False,
            documents=params.get("documents") is True,
            balanced=bool(params["balanced"]),
            limit=None if limit is None else int(str(limit)),
            seed=int(str(params["seed"])),
            test_set_id=str(params["test_set_id"]),
            follows=str(params.get("follows") or ""),
            progress=context.progress,
            should_stop=context.should_stop,
        )
    except Stopped:
        return False
    return True


def start_build(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    grounded: bool = True,
    documents: bool = False,
    balanced: bool = True,
    limit: int | None = None,
    seed: int = 0,
    follows: str = "",
) -> Job:
    """Starts a worker that builds a test set; the arguments are those of `build_test_set`.

    Returns:
        The job; the id the test set will have is its ``test_set_id`` parameter.

    Raises:
        InvalidInput: The name is blank.
        Forbidden: The actor may not change the project.
    """
    if not name.strip():
        raise InvalidInput("The test set has no name.", "Give it one, such as Branch facts.")
    params = {
        "test_set_id": new_id("ts"),
        "name": name,
        "grounded": grounded,
        "documents": documents,
        "balanced": balanced,
        "limit": limit,
        "seed": seed,
        "follows": follows,
    }
    return start(
        store, project_id=project_id, kind=KIND, params=params, actor=actor, subject=str(params["test_set_id"])
    )
