"""Putting a judge to unit tests from the screen: which suite, judge and prompts; and the bar of the project."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.data_folder import project_folder
from core.domain.results.judge_tests import Bar, Part, UnitTest, Way
from core.domain.sources.projects import Role
from core.judges.unit_tests.gate import set_bar
from core.judges.unit_tests.judges import CALLS, PROMPTS_OF
from core.judges.unit_tests.judges import KINDS as METRICS
from core.judges.unit_tests.running import MOST_REPEATS, TestPlan, start_judge_tests
from core.judges.unit_tests.suite import OWN_NAME, Suite, own_suite, read_suite
from core.llm import Limits
from core.llm.prompts.catalogue import built_in, variant_id
from core.llm.variants import variant_of
from pages.analyse.judges.unit_tests import reads
from pages.kit import errors, state, uploads
from pages.kit.frame import Page
from pages.kit.look import numbers
from pages.kit.models import cost, form

OURS: Final = f"{OWN_NAME}: 100 tests that come with Plumbline"
UPLOADED: Final = "A file in GroUSE's format"
JUDGES: Final = {
    "grouse": "GroUSE: a model gives relevancy, completeness, faithfulness, usefulness",
    "llm": "Reference verdict: a model that sees the true answer",
    "claims": "Claims: a model takes answers apart and checks each claim",
    "ragas_fact": "RAGAS-Fact: the share of all claims that the passages support",
    "self_check_qa": "SelfCheck-QA: a model says whether two answers mean the same",
    "recorded": "Recorded judgements: a file, no model",
}
PARTS: Final = {
    Part.TEST: "Test part (for figures)",
    Part.TRAIN: "Training part (for work on prompts)",
    Part.ALL: "All",
}
IN_USE: Final = ""


def draw(page: Page, *, opened: bool) -> None:
    """The form that starts a judge test."""
    if not page.may(Role.VALIDATOR):
        st.caption("Only a validator of the project may test judges.")
        return
    with st.expander("Test a judge", key="judge_tests_panel", expanded=opened, icon=":material/rule:"):
        suite_at, part_at = st.columns(2, vertical_alignment="top")
        with suite_at:
            suite = _suite(page)
        part = part_at.selectbox(
            "Part",
            list(PARTS),
            key="judge_tests_part",
            format_func=PARTS.__getitem__,
            help="Prompts are worked on with the training part. Only what a judge does in tests that no prompt was "
            "fitted to says whether its scores deserve trust.",
        )
        kind = st.selectbox("Judge", list(JUDGES), key="judge_tests_kind", format_func=JUDGES.__getitem__)
        if kind == "recorded":
            judge, picked = _recorded(page), {}
        else:
            judge = form.choose_model(page, "judge_tests")
            picked = _versions(page, kind, judge) if judge else {}
            judge = f"{kind}:{judge}" if judge else ""
        if suite is not None and judge:
            _start(page, suite, kind, judge, part, picked)


def bar(page: Page) -> None:
    """What a judge must reach in this project."""
    current = reads.bar(page.store, page.project.id)
    with st.expander("What a judge must reach in this project", key="judge_bar", icon=":material/fence:"):
        st.markdown(
            "A judge is trusted where its newest finished judge test with the same model and the same prompts reaches "
            "the bar by every metric and every failure mode, on at least 30 tests that are not all of the training "
            "part. Elsewhere its scores are shown and marked as untrusted."
        )
        if not page.may(Role.VALIDATOR):
            st.caption(f"The bar is {current.least:g}. Only a validator may change it.")
            return
        least_at, end_at, judged_at = st.columns(3, vertical_alignment="bottom")
        least = least_at.number_input("Pass rate of at least", 0.0, 1.0, current.least, 0.05, key="bar_least")
        lower = end_at.selectbox(
            "asked of",
            [False, True],
            index=int(current.lower),
            key="bar_lower",
            format_func=lambda value: "the lower end of its interval" if value else "the rate itself",
            help="With few tests of each failure mode the lower end stays low even where all are passed: "
            "7 of 7 reach 0.65.",
        )
        judged = judged_at.number_input(
            "Share of tests with a judgement", 0.0, 1.0, current.judged, 0.05, key="bar_judged"
        )
        wanted = Bar(least=float(least), lower=bool(lower), judged=float(judged))
        if st.button("Set the bar", key="set_bar", disabled=wanted == current):
            with errors.shown():
                set_bar(page.store, page.project.id, wanted, actor=page.actor)
                state.say("The bar is set.")
                st.rerun()


def _suite(page: Page) -> Suite | None:
    where = st.selectbox("Suite", [OURS, UPLOADED], key="judge_tests_suite")
    if where == OURS:
        return own_suite()
    upload = st.file_uploader(
        "Unit tests",
        key="judge_tests_file",
        help="A row has input, actual_output, expected_output, references and conditions such as "
        "answer_relevancy_condition: ==5.",
    )
    if upload is None:
        return None
    with errors.shown(), uploads.folder() as folder:
        path = folder / upload.name.replace("/", "_")
        path.write_bytes(upload.getvalue())
        suite = read_suite(path)
        st.caption(numbers.count(len(suite.tests), "test"))
        return suite
    return None


def _recorded(page: Page) -> str:
    upload = st.file_uploader(
        "Judgements",
        key="judge_tests_recorded",
        help="A row has the test's id, or its input and actual_output, and a column for each metric; null is a "
        "judgement, a missing column is none.",
    )
    if upload is None:
        return ""
    return f"recorded:{uploads.keep(project_folder(page.project.id, 'judge_files'), upload.name, upload.getvalue())}"


def _versions(page: Page, kind: str, model: str) -> dict[str, str]:
    """Versions of the judge's prompts other than those in use; asked only where the project has made some."""
    variant = variant_of(page.store, page.project.id, model)
    ids = [variant_id(name, variant) for name in PROMPTS_OF[kind]]
    made = {name: reads.edited(page.store, page.project.id, name) for name in ids}
    picked: dict[str, str] = {}
    for name, versions in made.items():
        if not versions:
            continue
        chosen = st.selectbox(
            f"Version of {name}",
            [IN_USE, *reversed(versions), built_in(name).version],
            key=f"judge_tests_version_{name}",
            format_func=lambda version: version or "the one in use",
        )
        if chosen:
            picked[name] = chosen
    return picked


def _start(page: Page, suite: Suite, kind: str, judge: str, part: Part, picked: dict[str, str]) -> None:
    way, repeats, limits = Way.PAIRED, 1, Limits()
    if kind != "recorded":
        way_at, repeats_at = st.columns(2, vertical_alignment="bottom")
        if kind == "grouse":
            way = Way(
                way_at.selectbox(
                    "The judge sees",
                    [item.value for item in Way],
                    key="judge_tests_way",
                    format_func=lambda value: (
                        "the expected answer first" if value == Way.PAIRED else "the answer alone"
                    ),
                )
            )
        repeats = int(
            repeats_at.number_input(
                "How often each test is judged",
                1,
                MOST_REPEATS,
                1,
                key="judge_tests_repeats",
                help="Figures are of the first time; more show how often the judge contradicts itself.",
            )
        )
        limits = cost.limit_fields("judge_tests", Limits())
    tests = [test for test in suite.tests if part in (Part.ALL, test.part) and _for(kind, test)]
    most = len(tests) * CALLS[kind] * repeats
    calls = f"; at most {numbers.count(most, 'model call')}, and none for what was asked before" if most else ""
    st.caption(f"{numbers.count(len(tests), 'test')}{calls}.")
    if st.button("Test the judge", key="start_judge_tests", type="primary"):
        with errors.shown():
            plan = TestPlan(judge=judge, part=part, way=way, repeats=repeats, picked=picked, limits=limits)
            job = start_judge_tests(page.store, page.project.id, suite, plan, actor=page.actor)
            state.update(job=job.id, judge_test=job.subject, against="", unit_test="")
            st.rerun()


def _for(kind: str, test: UnitTest) -> bool:
    """Whether a kind of judge can be asked about a test."""
    return kind == "recorded" or any(name in METRICS[kind] for name in test.conditions)
