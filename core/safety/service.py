"""Safety of a project: its settings, and what is measured of a run, here or by a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from core.domain.errors import Conflict, Stopped
from core.domain.identity import new_id
from core.domain.results.responses import Score
from core.domain.results.runs import Run, RunState
from core.domain.sources.documents import Corpus
from core.domain.sources.projects import Role
from core.jobs import Job, JobContext, job, start
from core.judging.match.abstention import without_model
from core.project.service import require
from core.runs.stages.unstored import Told
from core.safety.asking import Asked, Attempt, ask_target, kept_of
from core.safety.assessing import answered_rows, assess, open_models
from core.safety.bias.pairs import dimensions_named
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.readings import AnswerReader
from core.store import sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results import safety as rows
from core.store.testset import testsets

KIND: Final = "check_safety"
ACTION: Final = "safety.check"
LOCK_SECONDS: Final = 5.0
"""A worker that was just killed may take a moment to go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyResult:
    """What was measured of a run.

    Attributes:
        made_from: Test set, documents, target, probes, dimensions, seed, settings and what rated.
        sections: `toxicity`, `privacy`, `probes`, `bias`, `documents`, plain JSON, masked.
    """

    id: str
    run_id: str
    made_from: Mapping[str, Any]
    sections: Mapping[str, Any]
    created_at: str
    created_by: str


def options_of(store: Store, project_id: str) -> SafetyOptions:
    """A project's settings; those for everybody where nobody changed them."""
    with store.read() as connection:
        return SafetyOptions.of(rows.settings_of(connection, project_id))


def save_options(store: Store, project_id: str, options: SafetyOptions, *, actor: str) -> None:
    """Replaces a project's settings; the audit entry has counts and names, and nothing that may be private.

    Raises:
        Forbidden: The actor is no validator of the project.
        InvalidInput: A pattern, a topic or a threshold cannot be used.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    options = options.checked()
    detail = {
        "patterns": sorted(options.patterns),
        "allowed": len(options.allowed),
        "topics": [topic.name for topic in options.topics],
        "thresholds": dict(options.thresholds),
        "rates": dict(options.rates),
    }
    with store.write(actor, "safety.settings", project_id=project_id, subject=project_id, detail=detail) as connection:
        at = datetime.now(UTC).isoformat(timespec="seconds")
        rows.put_settings(connection, project_id, options.as_json(), at=at, by=actor)


def latest_result(store: Store, run_id: str) -> SafetyResult | None:
    """The newest result of a run; None where nothing was measured."""
    with store.read() as connection:
        row = rows.latest(connection, run_id)
    if row is None:
        return None
    return SafetyResult(
        id=row["id"],
        run_id=row["run_id"],
        made_from=row["made_from"],
        sections=row["result"],
        created_at=row["created_at"],
        created_by=row["created_by"],
    )


def check_run(
    store: Store,
    run_id: str,
    attempt: Attempt,
    *,
    actor: str,
    job_id: str = "",
    progress: Told = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> SafetyResult:
    """Measures a finished run, asks its target probes and pairs, and keeps what came of it.

    A check that was stopped or killed goes on where it was: no question that was answered is asked again.

    Args:
        store: Where the run is.
        run_id: A finished run.
        attempt: What is tried on its target besides; nothing is asked where it names no probe and no dimension.
        actor: Who does it.
        job_id: The job that does it, if any; one that is done already gives what it came to.
        progress: Told the stage and the questions asked.
        should_stop: Asked before each question.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of its project.
        Conflict: It is not finished, or another process checks it.
        InvalidInput: A model or the target cannot be used.
        Stopped: A stop was requested.
    """
    before = latest_result(store, run_id)
    if job_id and before is not None and before.made_from.get("job_id") == job_id:
        return before
    with store.exclusive(f"safety_{run_id}", what=f"The safety of run {run_id}", seconds=LOCK_SECONDS):
        return _checked(store, run_id, attempt, actor=actor, job_id=job_id, progress=progress, should_stop=should_stop)


def _checked(
    store: Store,
    run_id: str,
    attempt: Attempt,
    *,
    actor: str,
    job_id: str,
    progress: Told,
    should_stop: Callable[[], bool],
) -> SafetyResult:
    with store.read() as connection:
        run = runs.get(connection, run_id)
        cases = testsets.cases(connection, run.test_set_id)
        responses = runs.responses(connection, run_id)
        corpus = sources.corpus(connection, run.corpus_id) if run.corpus_id else Corpus(documents=())
    _require_finished(store, run, actor)
    options = options_of(store, run.project_id)
    open_models(options)
    asked = Asked(cases=(), responses={}, readings={}, canaries={}, skipped={})
    reader = AnswerReader(options, corpus.documents, answered_rows(cases, responses))
    if attempt.probes or attempt.dimensions:
        asked = ask_target(
            store, run, attempt, cases, corpus, options, reader, progress=progress, should_stop=should_stop
        )
    measured = assess(
        answered_rows([*cases, *asked.cases], {**responses, **asked.responses}),
        documents=corpus.documents,
        options=options,
        canaries=asked.canaries,
        read=asked.readings,
        reader=reader.privacy,
        seed=attempt.seed,
    )
    result = SafetyResult(
        id=new_id("safety"),
        run_id=run_id,
        made_from={
            "test_set_id": run.test_set_id,
            "corpus_id": run.corpus_id,
            "target": run.target,
            "probes": [kind.value for kind in attempt.probes],
            "dimensions": [dimension.name for dimension in attempt.dimensions],
            "per_kind": attempt.per_kind,
            "seed": attempt.seed,
            "run_answers": sum(case.case_id in responses for case in cases),
            "asked": len(asked.responses),
            "job_id": job_id,
            "skipped": asked.skipped,
            "thresholds": dict(options.thresholds),
            "rates": dict(options.rates),
            "refusals": without_model(),
        },
        sections=measured.sections,
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    detail = {name: result.made_from[name] for name in ("probes", "dimensions", "seed", "asked")}
    with store.write(actor, ACTION, project_id=run.project_id, subject=run_id, detail=detail) as connection:
        rows.put(
            connection,
            {
                "id": result.id,
                "project_id": run.project_id,
                "run_id": run_id,
                "made_from": dict(result.made_from),
                "result": dict(measured.sections),
                "created_at": result.created_at,
                "created_by": actor,
            },
        )
        own = {case.case_id for case in cases}
        stored = [
            Score(case_id=case_id, metric=name, value=value)
            for name, values in measured.scores.items()
            for case_id, value in values.items()
            if case_id in own
        ]
        scores.drop_columns(connection, run_id, list(measured.scores))
        scores.put(connection, run_id, stored)
        kept_of(store, run, attempt, options).drop(connection)
    return result


def start_check(store: Store, run_id: str, attempt: Attempt, *, actor: str) -> Job:
    """Starts a worker that measures a run and asks its target.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of its project.
        Conflict: It is not finished.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    _require_finished(store, run, actor)
    params = {
        "run_id": run_id,
        "probes": [kind.value for kind in attempt.probes],
        "dimensions": [dimension.name for dimension in attempt.dimensions],
        "per_kind": attempt.per_kind,
        "seed": attempt.seed,
    }
    return start(store, project_id=run.project_id, kind=KIND, params=params, actor=actor, subject=run_id)


@job(KIND)
def safety_job(context: JobContext) -> bool:
    """Measures the run of the job's parameters; whether it is done."""
    params: Mapping[str, Any] = context.params
    dimensions = [str(name) for name in params["dimensions"]]
    attempt = Attempt(
        probes=tuple(Probe(str(name)) for name in params["probes"]),
        dimensions=dimensions_named(dimensions) if dimensions else (),
        per_kind=int(params["per_kind"]),
        seed=int(params["seed"]),
    )
    try:
        check_run(
            context.store,
            str(params["run_id"]),
            attempt,
            actor=context.actor,
            job_id=context.job.id,
            progress=context.progress,
            should_stop=context.should_stop,
        )
    except Stopped:
        return False
    return True


def _require_finished(store: Store, run: Run, actor: str) -> None:
    require(store, run.project_id, actor, Role.VALIDATOR)
    if run.state is not RunState.FINISHED:
        raise Conflict(f"Run {run.id} is not finished.", "Wait for it, or resume it on the Run page.")
