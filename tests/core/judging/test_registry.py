"""Judges by name."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.results.responses import Response, Verdict
from core.domain.testset.cases import TestCase
from core.judging import JudgeSpec, list_judges, open_judge
from core.judging.registry import register

CASE = TestCase(case_id="c1", question="Who manages it?", reference_answers=("Ann Lee",))


def test_each_judge_says_what_it_answers_and_needs():
    specs = {spec.name: spec for spec in list_judges()}
    assert {"match", "recorded"} <= set(specs)
    assert specs["recorded"].usage == "recorded:FILE"
    assert specs["match"].usage == "match"
    assert all(spec.question.endswith("?") and spec.needs and spec.title for spec in specs.values())


def test_the_match_judge_judges_a_response():
    judge = open_judge(" match ")
    assert (judge.name, judge.concurrency) == ("match", 1)
    assert judge.judge(CASE, Response(case_id="c1", answer="Ann Lee")).verdict is Verdict.CORRECT
    failed = judge.judge(CASE, Response(case_id="c1", answer=None, error="connection refused"))
    assert (failed.verdict, failed.rule) == (Verdict.NOT_JUDGED, "no answer")
    assert "connection refused" in failed.reason
    silent = judge.judge(CASE, Response(case_id="c1", answer=None))
    assert (silent.verdict, silent.rule) == (Verdict.NOT_JUDGED, "no answer")


@pytest.mark.parametrize("spec", ["", "unknown", "match:x", "recorded", "recorded: "])
def test_a_wrong_spec_says_what_to_write(spec):
    with pytest.raises(InvalidInput) as raised:
        open_judge(spec)
    assert raised.value.hint


def test_a_name_is_taken_once():
    with pytest.raises(ValueError, match="two judges"):
        register(JudgeSpec(name="match", title="Again", question="Why?", needs=("answer",)))(lambda request: None)
