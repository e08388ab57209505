"""Commands that run things: the sample project, an evaluation, its resumption, a worker."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases.behind import Behind
from core.cli.models.endpoints import Access, with_endpoint
from core.cli.models.ledgers import PROJECT, LedgerPath, project_of, shared_ledger
from core.cli.models.run_models import UNSAID
from core.cli.output import (
    AsJson,
    FailUnder,
    PromptKind,
    Seed,
    emit,
    ignored_keys,
    one_of,
    progress_line,
    refuse,
    shown,
    tell,
)
from core.cli.runs import judging
from core.cli.runs.judging import EnsembleName, Judges
from core.cli.runs.report import JUnit, write_junit
from core.cli.runs.scores import ENSEMBLES
from core.cli.runs.stopping import stop_on_signal
from core.domain.errors import AlwaysFails, DoubtfulAnswers, InvalidInput
from core.installation import typed
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.results.runs import Run
    from core.runs.summary import RunSummary
    from core.store.database import Store

ENGINES = ("local", "dask")

RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="Ask and judge again only what failed; the rest is kept.")
]
RunArgument = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, or its --out folder.")]


Force = Annotated[bool, typer.Option("--force", help="Go on although the first answers look misread.")]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("demo")(demo)
    app.command("evaluate")(evaluate)
    app.command("resume")(resume)
    app.command("worker", hidden=True)(worker)


def demo(as_json: AsJson = False, fail_under: FailUnder = None) -> None:
    """Builds the sample project, once, and runs it against the built-in keyword target."""
    from core.demo.project import ensure_demo
    from core.runs.summary import summarise
    from core.store.database import Store

    started = time.perf_counter()
    with Store.open(settings().database_url) as store:
        sample = ensure_demo(store, settings().actor, progress=progress_line())
        summary = summarise(store, sample.run.id)
    document = {
        "project": sample.project.id,
        "testset": sample.test_set.id,
        "run": sample.run.id,
        "cases": summary.cases,
        "accuracy": summary.accuracy.as_json(),
        "seconds": round(time.perf_counter() - started, 3),
    }
    lines = [
        f"Project {sample.project.name} ({sample.project.id})",
        f"Run {sample.run.id}: {summary.cases:,} cases, accuracy {shown(summary.accuracy)}",
        f"Next: {typed(f'diagnose --run {sample.run.id}')}",
    ]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


@with_endpoint
def evaluate(
    access: Access,
    testset: Annotated[Path, typer.Option(metavar="F", help="Test cases, JSONL or JSON.")],
    target: Annotated[
        str,
        typer.Option(metavar="SPEC", help="keyword, bm25, dense, hybrid, openai:MODEL@BASE_URL, http:FILE.yaml, ..."),
    ],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Folder for the run; resume continues it.")],
    corpus: Annotated[Path | None, typer.Option(metavar="DIR", help="Documents the target searches.")] = None,
    db: Behind = "",
    judge: Judges = None,
    ensemble: EnsembleName = "mean",
    judge_repeats: Annotated[int, typer.Option(min=1, help="Judgements of each answer by a model; odd.")] = 1,
    match_first: Annotated[bool, typer.Option(help="Ask a judging model only where rules do not decide.")] = False,
    tolerance: Annotated[
        float, typer.Option(min=0, help="How far a figure may be from the reference for match: 0.01 is 1% of it.")
    ] = 0,
    coarse_dates: Annotated[
        str, typer.Option(metavar="NAME", help="What March 2021 is for 2021-03-15 to match: no, partly or yes.")
    ] = "no",
    mode: Annotated[str, typer.Option(metavar="NAME", help="retrieval, closed_book or oracle.")] = "",
    retriever: Annotated[
        str, typer.Option(metavar="NAME", help="Retriever of an openai target; bm25 by default.")
    ] = "",
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Largest number of questions, and of judgements, at the same time.")
    ] = None,
    rate: Annotated[float | None, typer.Option(help="Largest number of questions per second.")] = None,
    prompts: PromptKind = "auto",
    timeout: Annotated[float | None, typer.Option(help="Time limit of one answer in seconds.")] = None,
    budget_calls: Annotated[int | None, typer.Option(min=0, help="Largest number of model calls.")] = None,
    metrics: Annotated[
        str, typer.Option(metavar="A,B", help="What to score besides the verdict; see the metrics command.")
    ] = "",
    encoder: Annotated[str, typer.Option(metavar="SPEC", help="minilm, or a sentence-transformers model.")] = "",
    nli: Annotated[str, typer.Option(metavar="SPEC", help="An NLI cross-encoder, by folder or name.")] = "",
    engine: Annotated[
        str, typer.Option(metavar="NAME", help="local. The engine dask is still to come, with the extra cluster too.")
    ] = "local",
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDR", help="Address for the dask engine: refused until there is one.")
    ] = None,
    k: Annotated[int | None, typer.Option(min=1, help="Documents a built-in target retrieves.")] = None,
    ledger: LedgerPath = None,
    retry_failed: RetryFailed = False,
    force: Force = False,
    junit: JUnit = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Asks a target every question of a test set, judges the answers and scores them."""
    from core.cli import workspace
    from core.judging.match.settings import MatchSettings
    from core.llm.variants import asked_variant
    from core.runs.models import JUDGE_AT_ONCE
    from core.runs.stages.first_answers import ACCEPTED
    from core.store.database import Store

    if one_of("--engine", engine, ENGINES) == "dask" or scheduler is not None:
        raise InvalidInput("The dask engine is not available yet.", "Use --engine local; it runs on this machine.")
    if not testset.is_file():
        raise InvalidInput(f"There is no test set {testset}.", "Create one with instantiate.")
    judges = judging.plan_of(judge)
    if retry_failed:
        from core.cli.runs.retrying import retry, same_plan

        with workspace.opened(str(out)) as (store, run):
            same_plan(store, run, cases_file=testset, target=target, judge=judges.verdict)
            retry(store, run, access, concurrency)
            _execute(store, run, out, access=access, ledger=ledger, junit=junit, as_json=as_json, fail_under=fail_under)
        return
    options = {
        "k": k,
        "metrics": _metrics(metrics or (",".join(judging.grouse_metrics()) if judges.grouse else "")),
        "metric_judges": judges.metrics,
        "ensemble": one_of("--ensemble", ensemble, ENSEMBLES) if judges.metrics else "",
        "encoder": encoder,
        "nli": nli,
        "judge_repeats": judge_repeats if judge_repeats > 1 else None,
        "judge_match_first": match_first,
        **MatchSettings.of({"judge_tolerance": tolerance, "judge_coarse_dates": coarse_dates}).options(),
        "mode": mode,
        "retriever": retriever,
        "concurrency": concurrency,
        JUDGE_AT_ONCE: concurrency,
        "rate": rate,
        "timeout_s": timeout,
        ACCEPTED: "accepted" if force else "",
        "prompts": asked_variant(prompts),
    }
    if access.names:
        with Store.open(settings().database_url) as own:
            options[PROJECT] = project_of(access, own)
    ignored = workspace.prepare(
        out,
        cases_file=testset,
        target=target,
        judge=judges.verdict,
        corpus=corpus,
        seed=seed,
        options={name: value for name, value in options.items() if value}
        | ({} if budget_calls is None else {"budget_calls": budget_calls}),
        access=access,
        database=db,
    )
    with workspace.opened(str(out)) as (store, run):
        for said in judging.warnings(str(run.options.get("metric_judges") or run.judge), run.target):
            tell(f"Warning: {said}")
        _execute(
            store,
            run,
            out,
            access=access,
            ledger=ledger,
            junit=junit,
            as_json=as_json,
            fail_under=fail_under,
            ignored=ignored,
        )


@with_endpoint
def resume(
    run: RunArgument,
    access: Access,
    budget_calls: Annotated[
        int | None, typer.Option(min=0, help="Largest number of model calls of the whole run.")
    ] = None,
    ledger: LedgerPath = None,
    retry_failed: RetryFailed = False,
    force: Force = False,
    junit: JUnit = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Continues a run; committed work is not repeated. A finished run is only summarised, unless failures are retried.

    An endpoint that is given here takes the place of the one the run was started with.
    """
    from core.cli import workspace
    from core.cli.runs.retrying import lend, retry
    from core.runs.service import accept_answers, set_budget

    with workspace.opened(run) as (store, stored):
        if force:
            accept_answers(store, stored.id, actor=settings().actor)
        if budget_calls is not None:
            set_budget(store, stored.id, actor=settings().actor, money=None, calls=budget_calls)
        out = Path(run) if Path(run).is_dir() else None
        if retry_failed:
            retry(store, stored, access, None)
        elif access != UNSAID:
            lend(store, stored, access, None)
        _execute(store, stored, out, access=access, ledger=ledger, junit=junit, as_json=as_json, fail_under=fail_under)


def worker(job_id: Annotated[str, typer.Argument(metavar="JOB")]) -> None:
    """Executes one job; started by the server, not by hand."""
    from core import jobs
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        jobs.execute(store, job_id)


def _metrics(names: str) -> list[str]:
    """Names of metrics as the registry writes them; the verdict is always there and needs no name."""
    from core.domain.results.runs import VERDICT_METRIC
    from core.metrics import find_metrics

    requested = [name.strip() for name in names.split(",") if name.strip() not in ("", VERDICT_METRIC)]
    return [metric.name for metric in find_metrics(requested)] if requested else []


def _execute(
    store: Store,
    run: Run,
    out: Path | None,
    *,
    access: Access,
    ledger: Path | None,
    junit: Path | None,
    as_json: bool,
    fail_under: list[str] | None,
    ignored: Mapping[str, str] | None = None,
) -> None:
    from core.cli.models.judge_trust import judge_document, judge_line
    from core.cli.runs.results_file import write_results
    from core.net.gate.refusals import watched
    from core.runs.execute import execute_run
    from core.runs.stages.progress import StagesBeside
    from core.runs.summary import summarise
    from core.store.models import calls as llm_calls

    started = time.perf_counter()
    with (
        stop_on_signal() as stopped_by,
        watched(store, run.project_id, settings().actor),
        shared_ledger(store, run, ledger, access) as shared,
    ):
        try:
            finished = execute_run(
                store,
                run.id,
                actor=settings().actor,
                progress=StagesBeside(progress_line()),
                should_stop=lambda: stopped_by() is not None,
                shared=shared,
            )
        except DoubtfulAnswers as error:
            go_on = typed(f"resume {out or run.id} --force")
            raise DoubtfulAnswers(f"The run stopped: {error.message}", f"{error.hint} Go on with: {go_on}") from None
        except AlwaysFails as error:
            again = typed(f"resume {out or run.id}")
            hint = f"Correct it, then go on with: {again} (with --force whatever fails)"
            raise AlwaysFails(f"The run stopped: {error.message}", hint) from None
        summary = summarise(store, run.id)
        if out is not None:
            write_results(store, run, out)
    with store.read() as connection:
        calls, cached = llm_calls.used(connection, run.id)
        sent, cost, unpriced = llm_calls.spent(connection, run.id)
        endings = llm_calls.endings(connection, run.id)
    used = {
        "llm_calls": calls,
        "llm_calls_from_cache": cached,
        "llm_endings": endings,
        "llm_cost": {"value": cost if sent > unpriced else None, "priced": sent - unpriced, "of": sent},
    }
    judged = judge_document(store, run)
    document = {
        **_document(run, summary),
        **judged,
        **used,
        "finished": finished,
        "seconds": round(time.perf_counter() - started, 3),
        **({} if ignored is None else ignored_keys(ignored)),
    }
    lines = [*_lines(run, summary), *judge_line(judged), *_calls(calls, cached)]
    if finished and junit is not None:
        write_junit(store, run.id, junit)
    if finished and _unanswered(summary):
        emit(document, as_json=as_json, lines=lines)
        again = typed(f"resume {out or run.id} --retry-failed")
        why = "" if summary.failure is None else f" {summary.failure.sentence}"
        refuse(f"None of the {summary.cases:,} cases has an answer.{why}", f"Then ask again with: {again}")
    if finished:
        emit(document, as_json=as_json, lines=lines, fail_under=fail_under)
        return
    emit(document, as_json=as_json, lines=lines)
    tell(f"Stopped with {summary.answered:,} of {summary.cases:,} cases answered.")
    tell(f"Continue with: {typed(f'resume {out or run.id}')}")
    sys.exit(128 + (stopped_by() or signal.SIGINT))


def _unanswered(summary: RunSummary) -> bool:
    """Whether a run has nothing to show: every case failed, and not even passages could be scored."""
    return summary.failed == summary.cases > 0 and not any(summary.scored.values())


def _document(run: Run, summary: RunSummary) -> dict[str, object]:
    return {
        "run": run.id,
        "cases": summary.cases,
        "scored": summary.scored,
        "unscored": summary.unscored,
        "accuracy": summary.accuracy.as_json(),
    }


def _calls(uses: int, cached: int) -> list[str]:
    return [f"model replies: {uses:,}, of them from the ledger: {cached:,}"] if uses else []


def _lines(run: Run, summary: RunSummary) -> list[str]:
    lines = [
        f"Run {run.id}: {summary.answered - summary.failed:,} of {summary.cases:,} cases answered, "
        f"{summary.failed:,} failed",
        *([] if summary.failure is None else [summary.failure.sentence]),
        f"accuracy {shown(summary.accuracy)}",
    ]
    for metric, reasons in summary.unscored.items():
        lines += [f"{metric} unscored: {reason} {count:,}" for reason, count in reasons.items()]
    return lines
