"""What a judge test says: the badge, the figures, the pass rates, another test beside it, and the tests it failed."""

from __future__ import annotations

from typing import Final

import streamlit as st

from core.domain.errors import InvalidInput
from core.domain.results.judge_tests import JudgeTestRun
from core.domain.status import Status
from core.jobs import list_jobs
from core.judges.unit_tests.figures import JudgeTestFigures
from core.judges.unit_tests.running import KIND
from core.judges.unit_tests.versions import PairedDifference
from pages.analyse.judges.unit_tests import case, form, reads
from pages.kit import errors, state
from pages.kit.frame import Page
from pages.kit.look import charts, headline, numbers, whiskers
from pages.kit.models import trust
from pages.kit.scores import names
from pages.kit.work import jobs

SPAN: Final = (-0.02, 1.03)
"""A mark at either end stands whole."""


def draw(page: Page) -> None:
    """The judge test in view with all that belongs to it, and the form that starts another."""
    runs = reads.test_runs(page.store, page.project.id)
    if not runs:
        page.context("no judge test yet")
        _empty()
        form.draw(page, opened=True)
        form.bar(page)
        return
    by_id = {run.id: run for run in runs}
    chosen = state.choose(
        "Judge test",
        list(by_id),
        "judge_test",
        default=runs[0].id,
        name=lambda key: reads.label(by_id[key]),
        pinned=True,
    )
    run = by_id[chosen]
    page.context(errors.plain(reads.judge_title(run.judge)), f"suite {errors.plain(run.suite)}", run.part.value)
    working = _job(page, run)
    found = reads.figures(page.store, run.id)
    if found.reached:
        trust.badge(reads.trust(page.store, run.id), key="judge_test", link=False)
        _figures(found, run)
        _rates(found, run)
        case.failing(page, run, found)
        _beside(page, run, [other for other in runs if other.id != run.id and other.suite_hash == run.suite_hash])
    if not working:
        form.draw(page, opened=False)
    form.bar(page)


def _empty() -> None:
    with st.container(border=True, key="empty_state"):
        st.markdown(
            "**No judge has been tested yet.**  \nThis part says which judges may be believed: how many samples each "
            "judges rightly whose right judgement is known, by metric and by failure mode, and where it errs. It takes "
            "a model at an address of yours, or a file of stored judgements. Rules such as Match need no model and no "
            "test."
        )


def _job(page: Page, run: JudgeTestRun) -> bool:
    """Draws the job of a judge test while there is something to see; whether it is at work."""
    of_run = [job for job in list_jobs(page.store, page.project.id) if job.kind == KIND and job.subject == run.id]
    if not of_run or not (of_run[0].state.active or of_run[0].state.resumable or not run.finished_at):
        return False
    current = jobs.panel(page, of_run[0].id, key="judge_tests_job")
    return current is not None and current.state.active


def _figures(found: JudgeTestFigures, run: JudgeTestRun) -> None:
    unjudged = found.unjudged()
    parse = found.unjudged(Status.PARSE_FAILED)
    why = ", ".join(f"{count:,} {names.STATUS.get(status, status)}" for status, count in reads.without(found).items())
    cards = [
        headline.share("jt_passed", "Passed", found.pass_rate, "Tests of which every condition holds."),
        headline.count(
            "jt_judged",
            "Judged",
            found.reached - unjudged,
            found.reached,
            "tests",
            f"Tests with a judgement by every metric. Without one: {why or 'none'}.",
        ),
        headline.count(
            "jt_parse", "Unreadable replies", parse, found.reached, "tests", "Asked again once, and still not readable."
        ),
    ]
    if found.noise is not None:
        cards.append(
            headline.share(
                "jt_noise", "Its own noise", found.noise, f"Tests whose outcome changes within {run.repeats} repeats."
            )
        )
    headline.draw(cards)
    if found.reached < found.tests:
        st.caption(f"{found.reached:,} of {found.tests:,} tests are judged so far.")


def _rates(found: JudgeTestFigures, run: JudgeTestRun) -> None:
    metrics = [
        whiskers.Dot(label=_label(name, share.den, found.of_metric[name]), value=share)
        for name, share in found.by_metric.items()
    ]
    modes = [
        whiskers.Dot(label=_label(name, share.den, found.of_failure_mode[name]), value=share, colour="b")
        for name, share in found.by_failure_mode.items()
    ]
    weakest = min(
        (item for item in found.by_failure_mode.items() if item[1].value is not None),
        key=lambda item: item[1].value or 0.0,
        default=None,
    )
    finding = "Every test is passed"
    if weakest is not None and weakest[1].num < weakest[1].den:
        finding = f"Weakest: {weakest[0]}, {numbers.of(weakest[1])} passed"
    for key, title, rows, axis in (
        ("metrics", "By metric", metrics, "Conditions that hold, of those judged"),
        ("modes", f"By failure mode. {finding}", modes, "Tests passed, of those judged"),
    ):
        charts.show(
            whiskers.dots(rows, title=title, axis=axis, span=SPAN),
            key=f"jt_{key}",
            name=f"judge_test_{run.id}_{key}",
            data=reads.shares_frame(found),
        )
    st.caption(
        "95% intervals over situations, since the tests of one question share its documents. A reply that failed is "
        "neither passed nor broken: it is missing from these rates and counted above."
    )


def _label(name: str, judged: int, total: int) -> str:
    plain = name.replace("_", " ").capitalize()
    return plain if judged == total else f"{plain} ({judged} of {total})"


def _beside(page: Page, run: JudgeTestRun, others: list[JudgeTestRun]) -> None:
    """Another judge test of the same suite beside this one, test by test."""
    if not others:
        return
    by_id = {other.id: other for other in others}
    against = state.choose(
        "Compare with", list(by_id), "against", every="no other judge test", name=lambda key: reads.label(by_id[key])
    )
    if not against:
        return
    try:
        found = reads.comparison(page.store, against, run.id)
    except InvalidInput as error:
        errors.show(error)
        return
    rows = [found.overall, *found.by_metric, *found.by_failure_mode]
    st.markdown(
        f"**On the same {numbers.count(found.tests, 'test')}**: {found.overall.second:,} passed by the one above only, "
        f"{found.overall.first:,} by {errors.plain(reads.label(by_id[against]))} only."
    )
    charts.show(
        whiskers.differences(
            [_difference(item) for item in rows if item.difference.value is not None],
            axis="Share passed by the judge test above, minus that of the other",
        ),
        key="jt_versions",
        name=f"judge_tests_{against}_{run.id}",
        data=reads.differences_frame(found),
    )
    if found.changed:
        better = ", ".join(item.test.id for item, passes in found.changed if passes)
        worse = ", ".join(item.test.id for item, passes in found.changed if not passes)
        st.caption(f"Newly passed: {better or 'none'}. No longer passed: {worse or 'none'}.")


def _difference(item: PairedDifference) -> whiskers.Difference:
    low, high = item.difference.low, item.difference.high
    shown = low is not None and high is not None and (low > 0 or high < 0)
    name = "All tests" if item.name == "tests" else item.name.replace("_", " ").capitalize()
    p = "" if item.p_value is None else f", p = {numbers.p_value(item.p_value)}"
    return whiskers.Difference(
        label=name,
        value=item.difference,
        shown=shown,
        note=f"n = {item.difference.n:,}; +{item.second:,}, -{item.first:,}{p}",
    )
