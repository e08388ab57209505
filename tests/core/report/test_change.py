"""The section on an earlier run: chosen by itself or by name, equal to the comparison, and said on page one."""

from __future__ import annotations

import pytest

from core.comparison.service import compare_runs
from core.domain.errors import InvalidInput
from core.report.collecting import ReportOptions, collect
from core.report.content import Chart, Paragraph, Tone
from core.runs.execute import execute_run
from core.runs.service import create_run
from tests.support.small_bank import ACTOR

DAY = "2026-11-23"


@pytest.fixture
def later(store, bank_run):
    """A run of another target on the questions of the bank's run."""
    run = create_run(store, bank_run.test_set_id, actor=ACTOR, target="bm25", options={"k": 3})
    assert execute_run(store, run.id, actor=ACTOR)
    return run


def test_the_first_run_says_that_there_is_nothing_to_compare_with(store, bank_run):
    content = collect(store, bank_run.id, ReportOptions(date=DAY))
    (block,) = content.section("change").blocks
    assert block.tone is Tone.MISSING
    assert content.figures["change"] is None


def test_a_later_run_is_compared_with_the_one_before(store, bank_run, later):
    content = collect(store, later.id, ReportOptions(date=DAY))
    found = compare_runs(store, bank_run.id, later.id)
    assert content.figures["change"] == {"against": bank_run.id, **found.as_json()}
    chart = next(block for block in content.section("change").blocks if isinstance(block, Chart))
    assert chart.series[0].y[0] == found.accuracy.difference.value
    assert len(chart.series[0].y) == 1 + len(found.modules)
    said = [block.text for block in content.summary.blocks if isinstance(block, Paragraph)]
    assert any(text.startswith(f"Compared with {bank_run.id}") and "became right" in text for text in said)
    # The run before it was there first, and its report stays as it was.
    assert collect(store, bank_run.id, ReportOptions(date=DAY)).figures["change"] is None


@pytest.mark.slow
def test_the_earlier_run_can_be_named_and_the_section_left_out(store, bank_run, later):
    third = create_run(store, bank_run.test_set_id, actor=ACTOR, target="bm25", options={"k": 2})
    assert execute_run(store, third.id, actor=ACTOR)
    named = collect(store, third.id, ReportOptions(date=DAY, against=bank_run.id))
    assert named.figures["change"]["against"] == bank_run.id
    assert collect(store, third.id, ReportOptions(date=DAY)).figures["change"]["against"] == later.id
    without = collect(store, third.id, ReportOptions(date=DAY, off=frozenset({"change"})))
    assert (without.section("change"), without.figures["change"]) == (None, None)
    with pytest.raises(InvalidInput, match="no run run_0"):
        collect(store, third.id, ReportOptions(against="run_0"))
    with pytest.raises(InvalidInput, match="Both runs are"):
        collect(store, third.id, ReportOptions(against=third.id))
