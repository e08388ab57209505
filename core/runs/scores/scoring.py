"""Scoring a finished run, at once or by a job of the kind ``score``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict

from core.domain.errors import Conflict
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Role
from core.encoders.cache import StoreCache
from core.jobs import Follower, Job, JobContext, job, list_jobs
from core.jobs import start as start_job
from core.project.service import require
from core.runs.models import JUDGE_AT_ONCE, chat_of, limited, prompts_of
from core.runs.scores.choice import ScoringOptions, metric_names, named_metrics, open_models, scoring_options
from core.runs.scores.measuring import LOCK_SECONDS, Progress, score_answers, scoring_lock
from core.store.database import Store
from core.store.results import runs

KIND = "score"
"""Of the jobs that score a run."""


def score_run(
    store: Store,
    run_id: str,
    names: Sequence[str],
    *,
    actor: str,
    options: ScoringOptions | None = None,
    progress: Progress = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Scores the answers of a finished run.

    A metric that is finished with the same version and options is left as it is; with others it is measured anew, and
    each old score stays until its new one is committed. The value of a score that a person changed is never touched;
    what the machine measures now is kept beside it, for the day it is restored.

    Args:
        store: Where the run is.
        run_id: The run.
        names: Of the metrics.
        actor: Who asked for it.
        options: Which models; by default those of the settings.
        progress: Told the cases done.
        should_stop: Asked before each batch.

    Returns:
        Whether all of it is done; False when it was asked to stop.

    Raises:
        NotFound: There is no such run.
        InvalidInput: A metric is unknown or is the verdict, or a model cannot be opened.
        Conflict: The run is not finished, or another process scores it.
    """
    with scoring_lock(store, run_id):
        run = _finished_run(store, run_id)
        metrics = named_metrics(names)
        models = open_models(
            metrics,
            scoring_options(run, options or ScoringOptions()),
            StoreCache(store, run.project_id),
            chat=limited(chat_of(store, run), run.options, JUDGE_AT_ONCE),
            prompts=prompts_of(store, run.project_id),
        )
        return score_answers(store, run, metrics, models, actor=actor, progress=progress, should_stop=should_stop)


def start_scoring(
    store: Store,
    run_id: str,
    names: Sequence[str],
    *,
    actor: str,
    options: ScoringOptions | None = None,
    then: Follower | None = None,
) -> Job:
    """Starts a worker that scores a finished run.

    Args:
        store: Where the run is.
        run_id: The run.
        names: Of the metrics.
        actor: Who asked for it.
        options: Which models; by default those of the settings.
        then: What to do once the scores are there, such as to calibrate them.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: A metric is unknown or is the verdict.
        Conflict: The run is not finished, or is being scored already.
    """
    with store.exclusive(f"start-{run_id}", what=f"The start of run {run_id}", seconds=LOCK_SECONDS):
        with store.read() as connection:
            run = runs.get(connection, run_id)
        require(store, run.project_id, actor, Role.VALIDATOR)
        metrics = named_metrics(names)
        _finished_run(store, run_id)
        if (going := scoring_job(store, run)) is not None:
            raise Conflict(f"Run {run_id} is being scored by job {going.id}.", "Wait for it, or stop it.")
        return start_job(
            store,
            project_id=run.project_id,
            kind=KIND,
            params={
                "run_id": run_id,
                "metrics": [metric.name for metric in metrics],
                **asdict(options or ScoringOptions()),
            },
            actor=actor,
            subject=run_id,
            then=then,
        )


def scoring_job(store: Store, run: Run) -> Job | None:
    """The job that scores a run now, None where there is none."""
    candidates = list_jobs(store, run.project_id)
    return next(
        (item for item in candidates if item.kind == KIND and item.subject == run.id and item.state.active), None
    )


@job(KIND)
def score_job(context: JobContext) -> bool:
    """Scores the run named in the job's parameters; whether all of it is done."""
    return score_run(
        context.store,
        str(context.params["run_id"]),
        metric_names(context.params),
        actor=context.actor,
        options=ScoringOptions.of(context.params),
        progress=context.progress,
        should_stop=context.should_stop,
    )


def _finished_run(store: Store, run_id: str) -> Run:
    with store.read() as connection:
        run = runs.get(connection, run_id)
    if run.state is not RunState.FINISHED:
        raise Conflict(f"Run {run_id} is not finished.", "Wait for it, or resume it first.")
    return run
