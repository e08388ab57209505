"""The command that puts a judge to unit tests, and the one that sets what a project asks of its judges."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.models.endpoints import Access, model_at, model_of_project, with_endpoint
from core.cli.output import AsJson, FailUnder, PromptKind, check_figures, emit, one_of, progress_line, shown, tell
from core.cli.projects import ProjectNamed, project_named
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.results.judge_tests import JudgeTestOutcome, JudgeTestRun
    from core.judges.unit_tests.figures import JudgeTestFigures, TestResult
    from core.judges.unit_tests.gate import Trust
    from core.judges.unit_tests.running import TestPlan
    from core.judges.unit_tests.suite import Suite

    Done = tuple[JudgeTestFigures, list[JudgeTestOutcome], JudgeTestRun, Trust | None]
    """Figures, what the judge said, the run, and its trust where it was in a project."""

PARTS = ("all", "train", "test")
FIGURES = ("tests", "passed", "pass_rate", "parse_failures", "unjudged", "noise")
MOST_LINES = 20
"""Failing tests that a person is shown; --json and --out have all of them."""


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("judge-test")(judge_test)
    app.command("judge-bar")(judge_bar)


@with_endpoint
def judge_test(
    access: Access,
    judge: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="KIND:MODEL@BASE_URL, of the kinds grouse, llm, claims, ragas_fact and self_check_qa, or "
            "recorded:FILE.",
        ),
    ],
    suite: Annotated[
        Path | None,
        typer.Option(metavar="F", help="Unit tests in GroUSE's format; by default those that come with Plumbline."),
    ] = None,
    part: Annotated[str, typer.Option(help="all, train (for work on prompts) or test (for figures).")] = "all",
    paired: Annotated[
        bool, typer.Option("--paired/--single", help="Show the judge the expected answer as well, or not.")
    ] = True,
    repeats: Annotated[int, typer.Option(help="How often each test is judged; shows the judge's own noise.")] = 1,
    project: Annotated[
        str, typer.Option(metavar="NAME", help="Keep the result in a project, where it decides on the judge's scores.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(metavar="F.jsonl", help="File for what the judge said; recorded:F reads it again.")
    ] = None,
    prompts: PromptKind = "auto",
    budget_calls: Annotated[int | None, typer.Option(min=0, help="The most calls of the model.")] = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Puts a judge to unit tests whose right judgement is known: which of its scores deserve trust?"""
    from core.domain.results.judge_tests import Part, Way
    from core.judges.unit_tests.judges import split_judge
    from core.judges.unit_tests.running import TestPlan
    from core.judges.unit_tests.suite import own_suite, read_suite
    from core.llm import Limits
    from core.llm.variants import asked_variant

    named = [text for text in fail_under or () if "." not in text.partition("=")[0]]
    check_figures(named, FIGURES)
    split_judge(judge)
    plan = TestPlan(
        judge=judge,
        part=Part(one_of("--part", part, PARTS)),
        way=Way.PAIRED if paired else Way.SINGLE,
        repeats=repeats,
        limits=Limits(calls=budget_calls),
        variant=asked_variant(prompts),
    )
    chosen = read_suite(suite) if suite else own_suite()
    if out is not None and not out.absolute().parent.is_dir():
        raise InvalidInput(f"There is no folder {out.parent} for --out.", "Create it, or give another file.")
    found, outcomes, run, trust = (
        _in_project(project, chosen, plan, access) if project else _alone(chosen, plan, access)
    )
    if out is not None:
        _write(out, outcomes)
    document = {
        **_document(found),
        "suite": {"name": run.suite, "hash": run.suite_hash, "part": run.part.value},
        "way": run.way.value,
        "repeats": run.repeats,
        "prompts": dict(run.prompts),
        "test_run": run.id,
        "judge": trust.as_json() if trust else {"spec": run.judge, "trusted": None, "reason": _NO_PROJECT},
        "failing": [_failing(item) for item in found.failing],
    }
    emit(document, as_json=as_json, lines=_lines(found, run, trust), fail_under=fail_under)


_NO_PROJECT = "Give --project to have the result decide on the judge's scores there."


def judge_bar(
    project: ProjectNamed,
    least: Annotated[float | None, typer.Option(help="Pass rate by every metric and failure mode, 0 to 1.")] = None,
    lower: Annotated[
        bool | None, typer.Option("--lower/--rate", help="Ask it of the lower end of the interval, or of the rate.")
    ] = None,
    judged: Annotated[float | None, typer.Option(help="Share of tests that need a whole judgement, 0 to 1.")] = None,
    as_json: AsJson = False,
) -> None:
    """Shows or sets what a judge must reach in a project before its scores count."""
    from dataclasses import asdict, replace

    from core.judges.unit_tests.gate import set_bar
    from core.store.database import Store
    from core.store.results import judge_tests

    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        with store.read() as connection:
            bar = judge_tests.bar(connection, project_id)
        changes: dict[str, float | bool] = {
            name: value for name, value in (("least", least), ("lower", lower), ("judged", judged)) if value is not None
        }
        if changes:
            bar = replace(bar, **changes)  # type: ignore[arg-type]
            set_bar(store, project_id, bar, actor=settings().actor)
    end = "the lower end of the interval" if bar.lower else "the pass rate"
    line = f"A judge counts where {end} is at least {bar.least:g} by every metric and failure mode, and at least "
    emit(asdict(bar), as_json=as_json, lines=[f"{line}{bar.judged:g} of the tests have a judgement."])


def _in_project(project: str, suite: Suite, plan: TestPlan, access: Access) -> Done:
    """Runs the tests in a project and keeps what the judge said."""
    from dataclasses import replace

    from core.judges.unit_tests.gate import run_figures, trust_of
    from core.judges.unit_tests.running import begin, judge_all
    from core.store.database import Store
    from core.store.results import judge_tests

    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        kind, _, argument = plan.judge.partition(":")
        if kind != "recorded":
            plan = replace(plan, judge=f"{kind}:{model_of_project(access, store, project_id, argument)}")
        run = begin(store, project_id, suite, plan, actor=settings().actor)
        judge_all(store, run.id, actor=settings().actor, limits=plan.limits, progress=progress_line())
        with store.read() as connection:
            outcomes = judge_tests.outcomes(connection, run.id)
        trust = trust_of(store, project_id, run.judge, run.prompts, way=run.way)
        return run_figures(store, run.id), outcomes, run, trust


def _alone(suite: Suite, plan: TestPlan, access: Access) -> Done:
    """Runs the tests outside any project; only the ledger of the default store keeps replies."""
    from functools import partial

    from core.judges.unit_tests.figures import figures
    from core.judges.unit_tests.judges import open_tested
    from core.judges.unit_tests.running import judge_once, unstored
    from core.llm import open_chat
    from core.store.database import Store

    with Store.open(settings().database_url) as store:
        kind, _, argument = plan.judge.partition(":")
        endpoint = None
        if kind != "recorded":
            argument, endpoint = model_at(access, store, argument)
        chat = partial(
            open_chat,
            store,
            endpoint.project_id if endpoint else "",
            budget=plan.limits.budget(store),
            endpoint=endpoint,
            prompts=plan.variant,
        )
        judge = open_tested(f"{kind}:{argument}", chat=chat, way=plan.way)
        run = unstored(judge, suite, plan)
        outcomes = judge_once(judge, run.tests, run.repeats, progress=progress_line())
    return figures(run.tests, outcomes, judge.metrics), outcomes, run, None


def _document(found: JudgeTestFigures) -> dict[str, object]:
    from core.domain.status import Status

    return {
        "tests": found.tests,
        "passed": found.passed,
        "pass_rate": found.pass_rate.as_json(),
        "by_metric": {
            name: {**share.as_json(), "of": found.of_metric[name], "unjudged": dict(found.without.get(name, {}))}
            for name, share in found.by_metric.items()
        },
        "by_failure_mode": {
            name: {**share.as_json(), "of": found.of_failure_mode[name]}
            for name, share in found.by_failure_mode.items()
        },
        "parse_failures": found.unjudged(Status.PARSE_FAILED),
        "unjudged": found.unjudged(),
        "noise": found.noise.as_json() if found.noise else None,
    }


def _failing(item: TestResult) -> dict[str, object]:
    return {
        "id": item.test.id,
        "failure_mode": item.test.failure_mode,
        "situation": item.test.situation,
        "question": item.test.question,
        "actual_output": item.test.actual,
        "passed": item.passed,
        "broken": [
            {
                "metric": check.judged.metric,
                "condition": str(check.condition),
                "value": check.judged.value,
                "status": check.judged.status.value,
                "reason": check.judged.reason,
            }
            for check in item.checks
            if not check.holds
        ],
    }


def _write(path: Path, outcomes: Iterable[JudgeTestOutcome]) -> None:
    """What the judge said the first time, one line a test."""
    rows: list[Mapping[str, object]] = []
    for outcome in outcomes:
        if outcome.draw:
            continue
        row: dict[str, object] = {"id": outcome.test_id}
        for said in outcome.judged:
            row[said.metric] = said.value
            row[f"{said.metric}_status"] = said.status.value
            row[f"{said.metric}_reason"] = said.reason
        rows.append(row)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    tell(f"What the judge said is in {path}.")


def _lines(found: JudgeTestFigures, run: JudgeTestRun, trust: Trust | None) -> list[str]:
    lines = [f"{run.judge} passes {shown(found.pass_rate)} of the tests of {run.suite}, {run.part.value} part."]
    for title, shares, of in (
        ("By metric", found.by_metric, found.of_metric),
        ("By failure mode", found.by_failure_mode, found.of_failure_mode),
    ):
        lines.append(f"{title}:")
        lines += [
            f"  {name.replace('_', ' '):<34}{shown(share)}"
            + (f", {of[name] - share.den} of {of[name]} without a judgement" if of[name] > share.den else "")
            for name, share in shares.items()
        ]
    if found.noise is not None:
        lines.append(f"Outcome changes between {run.repeats} repeats: {shown(found.noise)} of the tests.")
    failing = found.failing
    for item in failing[:MOST_LINES]:
        broken = "; ".join(
            f"{check.judged.metric} must be {check.condition}, is "
            + (f"{check.judged.value:g}" if check.judged.value is not None else check.judged.status.value)
            for check in item.checks
            if not check.holds
        )
        lines.append(f"  {item.test.id} ({item.test.failure_mode or 'perfect answer'}): {broken}")
    if len(failing) > MOST_LINES:
        lines.append(f"  and {len(failing) - MOST_LINES:,} more; --json lists all.")
    if trust is not None:
        lines.append(f"{'Trusted' if trust.trusted else 'Not trusted' if trust.trusted is False else 'No gate'}: ")
        lines[-1] += trust.reason
    return lines
