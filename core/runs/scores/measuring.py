"""Measuring the answers of a run; every committed batch is final and a scoring that was killed only does the rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import UTC, datetime

from core.domain.results.responses import Score
from core.domain.results.runs import Run
from core.domain.status import MODEL_FAILURES
from core.judging.grouse import cites
from core.metrics import Metric, Models, Need, Sample, score_samples
from core.metrics.scoring import BATCH
from core.runs.scores.arriving import ArrivingAnswers, Left
from core.runs.scores.choice import made_with
from core.runs.scores.samples import RunSamples, is_ours
from core.store import document_mappings
from core.store.database import Store
from core.store.results import measurements, scores
from core.store.results.cases import run_inputs
from core.store.results.scores import RunMetric

STAGE = "Scoring"

JUDGED_BATCH = 24
"""Cases whose judged scores are committed together; what a model has said is in the ledger before."""

ATTEMPT = "attempt"
"""The option that counts how often calls of a judge that failed were made anew."""

LOCK_SECONDS = 5.0
"""A worker that was just killed may take a moment to go."""

Progress = Callable[[str, int, int], None]
"""Stage, cases done, cases in all."""


def scoring_lock(store: Store, run_id: str) -> AbstractContextManager[None]:
    """Held while a run is scored; whoever takes its responses away must hold it too."""
    return store.exclusive(f"score-{run_id}", what=f"The scoring of run {run_id}", seconds=LOCK_SECONDS)


def score_answers(
    store: Store,
    run: Run,
    chosen_metrics: Sequence[Metric],
    models: Models,
    *,
    actor: str,
    progress: Progress,
    should_stop: Callable[[], bool],
    arriving: ArrivingAnswers | None = None,
) -> bool:
    """Does what is left of a scoring; the caller holds the lock.

    Cases are measured in the order of the test set and in the same batches whether their answers are all there or are
    still arriving, so that the values are the same.

    Args:
        store: Where the run is.
        run: The run.
        chosen_metrics: What to measure.
        models: What it is measured with.
        actor: Who asked for it.
        progress: Told the cases done.
        should_stop: Asked before each batch.
        arriving: The answers of a run that is still being asked; None where all that will come are there.

    Returns:
        Whether all of it is done; False when it was asked to stop.
    """
    started = _begin(store, run, chosen_metrics, models, actor)
    metrics = [metric for metric in chosen_metrics if not started[metric.name].finished]
    if not metrics:
        return True
    with store.read() as connection:
        if arriving is None:
            case_ids = run_inputs.answered_cases(connection, run)
        else:
            case_ids, _ = run_inputs.groups(connection, run.test_set_id)
    generations = {metric.name: started[metric.name].generation for metric in metrics}
    groups = [group for group in _by_kind(metrics) if group]
    open_parts = [part for group in groups for part in _unscored_cases(store, run, generations, group, case_ids)]
    total = len(case_ids) * len(groups)
    done = total - sum(len(cases) for _, cases in open_parts)
    progress(STAGE, done, total)
    samples = _samples(store, run, arriving)
    for some, cases in open_parts:
        names = [metric.name for metric in some]
        batch_size = BATCH
        if models.panel is not None and _is_judged(some[0]):
            try:
                models = replace(models, panel=replace(models.panel, cites=_cites(store, run, case_ids, arriving)))
            except Left:
                return False
            batch_size = JUDGED_BATCH
        # A batch is read and measured only when the one before is committed.
        batches = score_samples(samples(cases), some, models, batch=batch_size)
        while not should_stop():
            try:
                batch = next(batches, None)
            except Left:
                return False
            if batch is None:
                break
            _commit(store, run, batch, [started[name] for name in names], actor)
            done += len(batch) // len(some)
            progress(STAGE, done, total)
        else:
            return False
    _finish(store, run, metrics, actor)
    keep_columns(store, run, [metric.name for metric in metrics])
    return True


def _is_judged(metric: Metric) -> bool:
    return Need.JUDGE in metric.spec.needs


def _by_kind(metrics: Sequence[Metric]) -> tuple[list[Metric], list[Metric]]:
    """Those that are measured here, and those that judging models score, which come after all answers are there."""
    judged = [metric for metric in metrics if _is_judged(metric)]
    return [metric for metric in metrics if not _is_judged(metric)], judged


def _cites(store: Store, run: Run, case_ids: Sequence[str], arriving: ArrivingAnswers | None) -> bool:
    """Whether the run's target cites passages at all, by all of its answers.

    Raises:
        Left: Not all of them will be there.
    """
    if arriving is not None:
        arriving.wait_for(case_ids)
    return cites(sample.answer for sample in RunSamples(store, run).read(case_ids, contexts=False))


def _samples(store: Store, run: Run, arriving: ArrivingAnswers | None) -> Callable[[Sequence[str]], Iterator[Sample]]:
    """What reads the samples of cases; of a run that is still being asked, as soon as a batch of them is answered."""
    if arriving is None:
        return RunSamples(store, run).read

    def read(cases: Sequence[str]) -> Iterator[Sample]:
        if not is_ours(run.target):
            arriving.wait_for_contexts()  # they decide what an empty list of passages means
        samples = RunSamples(store, run)
        for start in range(0, len(cases), BATCH):
            batch = cases[start : start + BATCH]
            arriving.wait_for(batch)
            yield from samples.read(batch)

    return read


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
        if old is not None and (attempt := old.options.get(ATTEMPT)):
            options[ATTEMPT] = attempt
        if old is not None and (old.version, old.options) == (version, options):
            if not (old.finished and _is_judged(metric) and _has_failures(store, run, metric)):
                begun[metric.name] = old
                continue
            options[ATTEMPT] = int(str(attempt or 0)) + 1
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


def _has_failures(store: Store, run: Run, metric: Metric) -> bool:
    """Whether calls of a judge failed, so that asking again may help; what it has said comes from the ledger."""
    with store.read() as connection:
        counted = scores.counts(connection, run.id, run.test_set_id).get(metric.name)
    return counted is not None and any(counted.unscored.get(status) for status in MODEL_FAILURES)


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
