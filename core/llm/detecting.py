"""Detecting what a model takes as a job: a slow model needs minutes for it, and a page may be closed meanwhile."""

from __future__ import annotations

from core.domain.errors import Stopped
from core.domain.jobs import Job
from core.domain.sources.projects import Role
from core.jobs import JobContext, job, start
from core.llm.addresses import split_spec
from core.llm.chat import open_chat
from core.llm.profile_settings import probe
from core.net.gate.refusals import recorded
from core.project.service import require
from core.store.database import Store

KIND = "detect_model"
STAGES = ("a plain question", "forms", "parameters", "context", "judging")
"""What is asked about, in order; see `core.llm.profiles.discovery`."""


def start_detecting(store: Store, project_id: str, spec: str, *, actor: str) -> Job:
    """Starts a worker that finds out all that a model takes; its subject is the model.

    Raises:
        InvalidInput: The spec or the endpoint cannot be used.
        Forbidden: The actor may not spend the project's money.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    with recorded(store, project_id, actor):
        open_chat(store, project_id, spec)
    model, base_url = split_spec(spec)
    spec = f"{model}@{base_url}"
    return start(store, project_id=project_id, kind=KIND, params={"spec": spec}, actor=actor, subject=spec)


@job(KIND)
def detect_job(context: JobContext) -> bool:
    """Finds out what the model of the job's parameters takes; whether it is done. What was known stands where not."""

    def asks(stage: str) -> None:
        if context.should_stop():
            raise Stopped("Somebody stopped it.", "What was known before stands.")
        context.progress(f"Asking about {stage}", STAGES.index(stage), len(STAGES))

    try:
        spec = str(context.params["spec"])
        probe(context.store, context.job.project_id, spec, actor=context.actor, progress=asks)
        context.progress(f"Asking about {STAGES[-1]}", len(STAGES), len(STAGES))
    except Stopped:
        return False
    return True
