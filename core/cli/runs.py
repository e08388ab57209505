"""Commands that run things: the sample project, an evaluation, its resumption, a worker."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path
from typing import Annotated

import typer

from core import jobs
from core.cli import workspace
from core.cli.output import AsJson, FailUnder, Seed, emit, one_of, progress_line, shown
from core.domain.errors import InvalidInput
from core.domain.runs import Run
from core.evaluation.demo import ensure_demo
from core.evaluation.execute import execute_run
from core.evaluation.summary import RunSummary, summarise
from core.settings import settings
from core.store.database import Store

METRICS = ("verdict",)


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("demo")(demo)
    app.command("evaluate")(evaluate)
    app.command("resume")(resume)
    app.command("worker", hidden=True)(worker)


def demo(as_json: AsJson = False, fail_under: FailUnder = None) -> None:
    """Builds the sample project, once, and runs it against the built-in keyword target."""
    started = time.perf_counter()
    store = Store.open(settings().database_url)
    made = ensure_demo(store, settings().actor, progress=progress_line())
    summary = summarise(store, made.run.id)
    document = {
        "project": made.project.id,
        "testset": made.test_set.id,
        "run": made.run.id,
        "cases": summary.cases,
        "accuracy": summary.accuracy.as_json(),
        "seconds": round(time.perf_counter() - started, 3),
    }
    lines = [
        f"Project {made.project.name} ({made.project.id})",
        f"Run {made.run.id}: {summary.cases:,} cases, accuracy {shown(summary.accuracy)}",
        f"Next: python -m core diagnose --run {made.run.id}",
    ]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def evaluate(
    testset: Annotated[Path, typer.Option(help="Test cases, JSONL.")],
    target: Annotated[str, typer.Option(metavar="SPEC", help="keyword, bm25, recorded:FILE")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the run; resume goes on with it.")],
    corpus: Annotated[Path | None, typer.Option(metavar="DIR", help="Documents the target searches.")] = None,
    judge: Annotated[str, typer.Option(metavar="SPEC", help="match, recorded:FILE")] = "match",
    metrics: Annotated[str, typer.Option(help="Comma-separated names.")] = "verdict",
    engine: Annotated[str, typer.Option(help="local")] = "local",
    k: Annotated[int | None, typer.Option(min=1, help="Documents a built-in target retrieves.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Asks a target every question of a test set and judges the answers."""
    for name in metrics.split(","):
        one_of("--metrics", name.strip(), METRICS)
    one_of("--engine", engine, ("local",))
    if not testset.is_file():
        raise InvalidInput(f"There is no test set {testset}.", "Make one with instantiate.")
    store, run = workspace.prepare(out, cases_file=testset, target=target, judge=judge, corpus=corpus, k=k, seed=seed)
    _execute(store, run, out, as_json=as_json, fail_under=fail_under)


def resume(
    run: Annotated[str, typer.Argument(help="A run id, or the folder evaluate made.")],
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Goes on with a run: what is committed is never done again."""
    store, found = workspace.open_run(run)
    _execute(store, found, Path(run) if Path(run).is_dir() else None, as_json=as_json, fail_under=fail_under)


def worker(job_id: str) -> None:
    """Executes one job; started by the server, not by hand."""
    store = Store.open(settings().database_url)
    try:
        jobs.execute(store, job_id)
    finally:
        store.dispose()


def _execute(store: Store, run: Run, out: Path | None, *, as_json: bool, fail_under: list[str] | None) -> None:
    stop = threading.Event()
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
    started = time.perf_counter()
    finished = execute_run(store, run.id, actor=settings().actor, progress=progress_line(), should_stop=stop.is_set)
    summary = summarise(store, run.id)
    if out is not None:
        workspace.write_results(store, run, out)
    if not finished:
        typer.echo(f"Stopped with {summary.answered:,} of {summary.cases:,} cases answered.", err=True)
        typer.echo(f"Go on with: python -m core resume {out or run.id}", err=True)
    document = {**_document(run, summary), "finished": finished, "seconds": round(time.perf_counter() - started, 3)}
    emit(document, as_json=as_json, lines=_lines(run, summary), fail_under=fail_under)


def _document(run: Run, summary: RunSummary) -> dict[str, object]:
    return {
        "run": run.id,
        "cases": summary.cases,
        "scored": summary.scored,
        "unscored": summary.unscored,
        "accuracy": summary.accuracy.as_json(),
        "llm_calls": 0,
        "llm_calls_from_cache": 0,
    }


def _lines(run: Run, summary: RunSummary) -> list[str]:
    lines = [
        f"Run {run.id}: {summary.answered:,} of {summary.cases:,} cases answered, {summary.failed:,} failed",
        f"accuracy {shown(summary.accuracy)}",
    ]
    for metric, reasons in summary.unscored.items():
        lines += [f"{metric} unscored: {reason} {count:,}" for reason, count in reasons.items()]
    return lines
