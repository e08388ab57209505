"""What a run will cost."""

from dataclasses import dataclass, field

import pytest

from core.domain.cases import TestCase
from core.domain.errors import TargetFailed
from core.domain.responses import Response
from core.evaluation.plan import KEEPING_SECONDS, PROBES, plan_run


@dataclass
class Scripted:
    """A target that remembers what it was asked and fails on some cases."""

    name: str = "scripted"
    concurrency: int = 1
    fails: frozenset[str] = frozenset()
    asked: list[str] = field(default_factory=list)

    def answer(self, case_id: str, question: str) -> Response:
        self.asked.append(case_id)
        if case_id in self.fails:
            raise TargetFailed("no")
        return Response(case_id=case_id, answer="yes")


def cases(number):
    return [TestCase(case_id=f"c{place}", question=f"Question {place}?") for place in range(number)]


def test_probes_are_spread_evenly():
    target = Scripted()
    plan = plan_run(cases(50), target)
    assert target.asked == ["c0", "c10", "c20", "c30", "c40"]
    assert (plan.cases, plan.probed, plan.model_calls) == (50, PROBES, 0)
    assert plan.seconds == pytest.approx(50 * (plan.seconds_per_case + KEEPING_SECONDS))


def test_a_target_that_answers_several_at_once_needs_less_time():
    plan = plan_run(cases(8), Scripted(concurrency=4))
    assert plan.seconds == pytest.approx(8 * (plan.seconds_per_case / 4 + KEEPING_SECONDS))


def test_failed_probes_do_not_count():
    plan = plan_run(cases(3), Scripted(fails=frozenset({"c0", "c2"})))
    assert plan.probed == 1
    assert plan.seconds is not None


def test_unknown_is_not_zero():
    plan = plan_run(cases(2), Scripted(fails=frozenset({"c0", "c1"})))
    assert (plan.seconds, plan.seconds_per_case, plan.probed) == (None, None, 0)


def test_no_case():
    plan = plan_run([], Scripted())
    assert (plan.cases, plan.probed, plan.seconds) == (0, 0, 0.0)
