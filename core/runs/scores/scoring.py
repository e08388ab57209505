"""Scoring the answers of a run; every committed batch is final and a scoring that was killed only does the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import chain

from core.domain.errors import Conflict, InvalidInput
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC, Run, RunState
from core.domain.sources.document_mappings import DocumentMapping
from core.domain.sources.projects import Role
from core.encoders.cache import StoreCache
from core.encoders.embedding import open_encoder
from core.encoders.nli import open_nli
from core.encoders.protocols import VectorCache
from core.jobs import Follower, Job, JobContext, job, list_jobs
from core.jobs import start as start_job
from core.metrics import Metric, Models, Need, find_metrics, score_samples
from core.project.service import require
from core.runs.scores.samples import RunSamples
from core.settings import settings
from core.store import document_mappings
from core.store.database import Store
from core.store.results import measurements, run_inputs, runs, scores
from core.store.results.scores import RunMetric

STAGE = "Scoring"

KIND = "score"
"""Of the jobs that score a run."""

LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""

TEXTS = frozenset({Need.QUESTION, Need.ANSWER, Need.CONTEXTS, Need.REFERENCE})
"""Inputs that are cut into sentences, by the rules of a language."""

Progress = Callable[[str, int, int], None]
"""Stage, cases done, cases in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """The models of a scoring; an empty one is that of the settings.

    Attributes:
        encoder: Of sentences.
        nli: Natural language inference; where the settings name none either, there is none.
        precision: Of the encoder.
        language: Whose rules cut sentences.
    """

    encoder: str = ""
    nli: str = ""
    precision: str = ""
    language: str = ""

    @classmethod
    def of(cls, options: Mapping[str, object]) -> ScoringOptions:
        """The options among those of a run or a job."""
        return cls(**{name: str(options.get(name) or "") for name in cls.__dataclass_fields__})


def named_metrics(names: Sequence[str]) -> tuple[Metric, ...]:
    """The metrics to score by name.

    Raises:
        InvalidInput: A name is unknown, or that of the verdict, which the judge gives.
    """
    if VERDICT_METRIC in (name.strip() for name in names):
        raise InvalidInput("The verdict is given by the run's judge.", "Leave it out; every run has it.")
    return find_metrics(names)


def open_models(metrics: Sequence[Metric], options: ScoringOptions, cache: VectorCache) -> Models:
    """Opens the models that the metrics need or look at where they are there, and no other.

    Args:
        metrics: What will be measured.
        options: Which models.
        cache: Where vectors and logits are kept.

    Raises:
        InvalidInput: A model cannot be opened as asked.
    """
    inputs = set(chain.from_iterable((*metric.spec.needs, *metric.spec.uses) for metric in metrics))
    present = settings()
    encoder = nli = None
    if Need.ENCODER in inputs:
        encoder = open_encoder(options.encoder, precision=options.precision, cache=cache)
    if Need.NLI in inputs and (spec := options.nli.strip() or present.nli):
        nli = open_nli(spec, cache=cache)
    return Models(encoder=encoder, nli=nli, language=options.language or present.language)


def made_with(metric: Metric, models: Models, mapping: DocumentMapping | None = None) -> dict[str, object]:
    """What the values of a metric depend on besides the texts and its version.

    Args:
        metric: The metric.
        models: What it is measured with.
        mapping: How gold ids name documents, where somebody decided.
    """
    inputs = {*metric.spec.needs, *metric.spec.uses}
    settings_used: dict[str, object] = {}
    if Need.ENCODER in inputs:
        settings_used["encoder"] = models.encoder.name if models.encoder else ""
    if Need.NLI in inputs:
        settings_used["nli"] = models.nli.name if models.nli else ""
    if inputs & TEXTS:
        settings_used["language"] = models.language
    if Need.GOLD_DOCUMENTS in inputs and mapping and mapping.matches:
        settings_used["documents"] = mapping.id
    return settings_used


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
        models = open_models(metrics, options or ScoringOptions(), StoreCache(store, run.project_id))
        return score_answers(store, run, metrics, models, actor=actor, progress=progress, should_stop=should_stop)


def scoring_lock(store: Store, run_id: str) -> AbstractContextManager[None]:
    """Held while a run is scored; whoever takes its responses away must hold it too."""
    return store.exclusive(f"score-{run_id}", what=f"The scoring of run {run_id}", seconds=LOCK_SECONDS)


def models_of_run(store: Store, run: Run) -> tuple[tuple[Metric, ...], Models]:
    """The metrics that a run is scored with when its answers are judged, and their models; none where it names none.

    Raises:
        InvalidInput: A metric is unknown, or a model cannot be opened.
    """
    names = metric_names(run.options)
    if not names:
        return (), Models()
    metrics = named_metrics(names)
    return metrics, open_models(metrics, ScoringOptions.of(run.options), StoreCache(store, run.project_id))


def metric_names(options: Mapping[str, object]) -> list[str]:
    """The metrics named in the options of a run or the parameters of a job.

    Raises:
        InvalidInput: They are no list.
    """
    names = options.get("metrics") or []
    if not isinstance(names, list | tuple):
        raise InvalidInput(f"The metrics are {names!r}, and must be a list of names.", "Name each metric separately.")
    return [str(name) for name in names]


def score_answers(
    store: Store,
    run: Run,
    chosen_metrics: Sequence[Metric],
    models: Models,
    *,
    actor: str,
    progress: Progress,
    should_stop: Callable[[], bool],
) -> bool:
    """Does what is left of a scoring; the caller holds the lock. See :func:`score_run`."""
    started = _begin(store, run, chosen_metrics, models, actor)
    metrics = [metric for metric in chosen_metrics if not started[metric.name].finished]
    if not metrics:
        return True
    samples = RunSamples(store, run)
    with store.read() as connection:
        case_ids = run_inputs.answered_cases(connection, run)
    generations = {metric.name: started[metric.name].generation for metric in metrics}
    open_parts = _unscored_cases(store, run, generations, metrics, case_ids)
    done = len(case_ids) - sum(len(cases) for _, cases in open_parts)
    progress(STAGE, done, len(case_ids))
    for some, cases in open_parts:
        names = [metric.name for metric in some]
        # A batch is read and measured only when the one before is committed.
        batches = score_samples(samples.read(cases), some, models)
        while not should_stop():
            batch = next(batches, None)
            if batch is None:
                break
            _commit(store, run, batch, [started[name] for name in names], actor)
            done += len(batch) // len(some)
            progress(STAGE, done, len(case_ids))
        else:
            return False
    _finish(store, run, metrics, actor)
    keep_columns(store, run, [metric.name for metric in metrics])
    return True


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


def _begin(
    store: Store, run: Run, chosen_metrics: Sequence[Metric], models: Models, actor: str
) -> dict[str, RunMetric]:
    """Remembers how each metric is being measured; returns it by name, finished where nothing is left to do.

    What was measured otherwise becomes outdated and stays until its successor is committed. From here on a score of
    the metric's generation was made this way, which is how a killed scoring knows where it was.
    """
    with store.read() as connection:
        stored = scores.of_run(connection, run.id)
        mapping = document_mappings.latest(connection, run.project_id, run.corpus_id) if run.corpus_id else None
    begun: dict[str, RunMetric] = {}
    for metric in chosen_metrics:
        version, options = metric.spec.version, made_with(metric, models, mapping)
        old = stored.get(metric.name)
        if old is not None and (old.version, old.options) == (version, options):
            begun[metric.name] = old
            continue
        generation = (old.generation if old else 0) + 1
        begun[metric.name] = RunMetric(
            metric=metric.name, version=version, options=options, scored_by=actor, generation=generation
        )
    anew = [item for name, item in begun.items() if item is not stored.get(name)]
    if anew:
        detail = {item.metric: {"version": item.version, **item.options} for item in anew}
        with store.write(
            actor, "run.score_begin", project_id=run.project_id, subject=run.id, detail=detail
        ) as connection:
            scores.drop_columns(connection, run.id, {item.metric for item in anew})
            scores.put_run_metrics(connection, run.id, anew)
    return begun


def _commit(store: Store, run: Run, batch: Sequence[Score], run_metrics: Sequence[RunMetric], actor: str) -> None:
    """Commits one batch; the audit trail names the scores whose value is a person's and stayed."""
    detail: dict[str, object] = {"metrics": [run_metric.metric for run_metric in run_metrics], "scores": len(batch)}
    options = {
        run_metric.metric: ", ".join(f"{name} {value}" for name, value in run_metric.options.items())
        for run_metric in run_metrics
    }
    with store.write(actor, "run.score", project_id=run.project_id, subject=run.id, detail=detail) as connection:
        committed = measurements.commit(
            connection,
            run.id,
            batch,
            {run_metric.metric: run_metric.generation for run_metric in run_metrics},
            reasons={
                name: f"Measured anew{f' ({text})' if text else ''}; the changed value stays."
                for name, text in options.items()
            },
            actor=actor,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        if committed:
            detail["kept"] = [f"{metric} of {case_id}" for case_id, metric in committed]


def _unscored_cases(
    store: Store, run: Run, generations: Mapping[str, int], metrics: Sequence[Metric], case_ids: Sequence[str]
) -> list[tuple[list[Metric], list[str]]]:
    """The cases that lack a score of these generations, by the metrics they lack it of."""
    by_metrics: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    names = [metric.name for metric in metrics]
    for start in range(0, len(case_ids), run_inputs.PART):
        some = case_ids[start : start + run_inputs.PART]
        with store.read() as connection:
            there = measurements.reached(connection, run.id, some, generations)
        for case_id in some:
            by_metrics[tuple(name for name in names if (case_id, name) not in there)].append(case_id)
    by_metrics.pop((), None)
    by_name = {metric.name: metric for metric in metrics}
    return [([by_name[name] for name in lacking], cases) for lacking, cases in by_metrics.items()]


def keep_columns(store: Store, run: Run, names: Sequence[str]) -> None:
    """Keeps the values of finished metrics by column, for reading all of them at once; one short write for each."""
    with store.read() as connection:
        case_ids, _ = run_inputs.groups(connection, run.test_set_id)
    for name in names:
        with store.pulse() as connection:
            scores.keep_column(connection, run.id, name, case_ids)


def _finish(store: Store, run: Run, metrics: Sequence[Metric], actor: str) -> None:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    names = [metric.name for metric in metrics]
    with store.write(
        actor, "run.score_finish", project_id=run.project_id, subject=run.id, detail={"metrics": names}
    ) as connection:
        stored = scores.of_run(connection, run.id)
        finished = [replace(stored[name], finished=True, scored_at=at, scored_by=actor) for name in names]
        scores.put_run_metrics(connection, run.id, finished)
