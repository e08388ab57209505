"""Cached reads of the judge tests, and their tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.estimates import Proportion
from core.domain.results.judge_tests import Bar, JudgeTestRun, Part
from core.domain.status import Status
from core.judges.unit_tests.figures import Check, JudgeTestFigures, TestResult
from core.judges.unit_tests.gate import Trust, run_figures, trust_of
from core.judges.unit_tests.versions import PairedDifference, VersionComparison, compare_versions
from core.llm.prompts.catalogue import SHORT
from core.store.database import Store
from core.store.models import prompt_versions
from core.store.results import judge_tests
from pages.kit import cache
from pages.kit.look import numbers
from pages.kit.models import form
from pages.kit.scores import names

KINDS: Final = {
    "grouse": "GroUSE",
    "llm": "Reference verdict",
    "claims": "Claims",
    "ragas_fact": "RAGAS-Fact",
    "self_check_qa": "SelfCheck-QA",
    "recorded": "Recorded",
}
FAILING: Final = {
    "Test": st.column_config.TextColumn(width=70),
    "Outcome": st.column_config.TextColumn(width=115),
    "Failure mode": st.column_config.TextColumn(width=190),
    "Broken": st.column_config.TextColumn(width=330, help="The condition, and what the judge said instead."),
    "Question": st.column_config.TextColumn(width=300),
    "Answer": st.column_config.TextColumn(width=320),
}
CHECKS: Final = {
    "Metric": st.column_config.TextColumn(width=150),
    "Must be": st.column_config.TextColumn(width=75),
    "Is": st.column_config.TextColumn(width=110),
    "Holds": st.column_config.TextColumn(width=85),
    "The judge's reason": st.column_config.TextColumn(width=760),
}


@cache.read("judge_tests")
def test_runs(store: Store, project_id: str) -> list[JudgeTestRun]:
    """The judge tests of a project, newest first, without their tests."""
    with store.read() as connection:
        return judge_tests.all(connection, project_id)


@cache.read("judge_tests")
def figures(store: Store, test_run_id: str) -> JudgeTestFigures:
    """What a judge test says."""
    return run_figures(store, test_run_id)


@cache.read("judge_tests")
def comparison(store: Store, first: str, second: str) -> VersionComparison:
    """Two judge tests on the tests that both have.

    Raises:
        InvalidInput: They share none.
    """
    return compare_versions(run_figures(store, first), run_figures(store, second))


@cache.read("judge_tests")
def bar(store: Store, project_id: str) -> Bar:
    """What a judge must reach."""
    with store.read() as connection:
        return judge_tests.bar(connection, project_id)


@cache.read("judge_tests")
def trust(store: Store, test_run_id: str) -> Trust:
    """Whether the judge of a judge test is trusted, with the prompts and in the way of that test."""
    with store.read() as connection:
        run = judge_tests.get(connection, test_run_id)
    return trust_of(store, run.project_id, run.judge, run.prompts, way=run.way)


@cache.read("prompts")
def edited(store: Store, project_id: str, prompt_id: str) -> list[str]:
    """The versions of a prompt that a project made, oldest first."""
    with store.read() as connection:
        return [version.version for version in prompt_versions.all(connection, project_id, prompt_id)]


def judge_title(judge: str) -> str:
    """A judge for people.

    >>> judge_title("grouse:m@http://llm.example/v1"), judge_title("recorded:/a/b.jsonl")
    ('GroUSE by m at llm.example', 'Recorded: b.jsonl')
    """
    kind, _, argument = judge.partition(":")
    if kind == "recorded":
        return f"Recorded: {argument.rpartition('/')[2]}"
    return f"{KINDS[kind]} by {form.at_host(argument)}"


def label(run: JudgeTestRun) -> str:
    """A judge test in one line."""
    part = "" if run.part is Part.ALL else f", {run.part.value} part"
    way = f", {run.way.value}" if run.judge.startswith("grouse:") else ""
    state = "" if run.finished_at else ", not finished"
    return f"{judge_title(run.judge)}: {run.suite}{part}{way}{versions_of(run)}, {numbers.when(run.created_at)}{state}"


def versions_of(run: JudgeTestRun) -> str:
    """The edited prompts of a judge test, each with its version; empty where all are built in."""
    changed = [
        f"{prompt.removeprefix('grouse_').removesuffix(SHORT).replace('_', ' ')} {version.partition(' ')[0]}"
        for prompt, version in run.prompts.items()
        if "." in version.partition(" ")[0]
    ]
    return f", {' and '.join(changed)}" if changed else ""


def shares_frame(found: JudgeTestFigures) -> pd.DataFrame:
    """Every pass rate, as numbers for a file."""
    rows = [_share("all", "tests", found.pass_rate, found.reached)]
    rows += [_share("metric", name, share, found.of_metric[name]) for name, share in found.by_metric.items()]
    rows += [
        _share("failure mode", name, share, found.of_failure_mode[name])
        for name, share in found.by_failure_mode.items()
    ]
    return pd.DataFrame(rows)


def failing_frame(found: JudgeTestFigures) -> pd.DataFrame:
    """Tests that are not passed, one row each."""
    return pd.DataFrame(
        [
            {
                "id": item.test.id,
                "Test": item.test.id,
                "Outcome": outcome(item),
                "Failure mode": item.test.failure_mode or "perfect answer",
                "Broken": "; ".join(
                    f"{check.judged.metric.replace('_', ' ')} {check.condition}, is {said(check)}"
                    for check in item.checks
                    if not check.holds
                ),
                "Question": item.test.question,
                "Answer": item.test.actual,
            }
            for item in found.failing
        ],
        columns=["id", *FAILING],
    )


def checks_frame(item: TestResult) -> pd.DataFrame:
    """The conditions of one test, the broken ones first."""
    return pd.DataFrame(
        [
            {
                "Metric": check.judged.metric.replace("_", " "),
                "Must be": str(check.condition),
                "Is": said(check),
                "Holds": {True: "✓ yes", False: "✗ no", None: "○ no judgement"}[check.holds],
                "The judge's reason": check.judged.reason or "-",
            }
            for check in sorted(item.checks, key=lambda check: {False: 0, None: 1, True: 2}[check.holds])
        ]
    )


def differences_frame(found: VersionComparison) -> pd.DataFrame:
    """Every paired difference, as numbers for a file."""
    rows = [("all", found.overall)]
    rows += [("metric", item) for item in found.by_metric]
    rows += [("failure mode", item) for item in found.by_failure_mode]
    return pd.DataFrame([{"of": of, **_difference(item)} for of, item in rows])


def said(check: Check) -> str:
    """What a judge said, or why it said nothing."""
    judged = check.judged
    if judged.status is Status.NULL_JUDGEMENT:
        return "null"
    if judged.status is Status.SCORED and judged.value is not None:
        return f"{judged.value:g}"
    return names.STATUS.get(judged.status.value, judged.status.value)


def outcome(item: TestResult) -> str:
    """Whether a test is passed."""
    return {True: "✓ passed", False: "✗ failed", None: "○ no judgement"}[item.passed]


def without(found: JudgeTestFigures) -> Mapping[str, int]:
    """Why tests have no whole judgement, by status, each test once a status."""
    counts = {status.value: found.unjudged(status) for status in Status}
    return {status: count for status, count in counts.items() if count}


def _share(of: str, name: str, share: Proportion, total: int) -> dict[str, object]:
    return {"of": of, "name": name, **share.as_json(), "conditions": total}


def _difference(item: PairedDifference) -> dict[str, object]:
    return {
        "name": item.name,
        **item.difference.as_json(),
        "only the first": item.first,
        "only the second": item.second,
        "p_value": item.p_value,
    }
