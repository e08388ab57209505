"""What a run will cost."""

from dataclasses import dataclass, field

import pytest

from core.domain.errors import TargetFailed
from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.llm.calls import log
from core.llm.calls.log import CallFilter
from core.llm.spending import prices
from core.llm.spending.estimates import Between
from core.runs.execute import execute_run
from core.runs.planning.plan import ENCODED_QUESTION_SECONDS, KEEPING_SECONDS, PROBES, plan_of, plan_run
from core.runs.service import create_run
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR


@dataclass
class Scripted:
    """A target that remembers what it was asked and fails on some cases."""

    name: str = "scripted"
    concurrency: int = 1
    words_to_encode: int = 0
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


def test_a_target_that_encodes_its_documents_first_is_not_asked():
    target = Scripted(words_to_encode=10_000)
    plan = plan_run(cases(100), target)
    assert target.asked == []
    # 10,000 words at 5,000 a second, and 100 questions.
    assert plan.seconds == pytest.approx(2.0 + 100 * (ENCODED_QUESTION_SECONDS + KEEPING_SECONDS))
    assert (plan.probed, plan.words_to_encode) == (0, 10_000)


def test_a_target_that_is_waited_for_is_not_asked():
    target = Scripted(name="http:bank.yaml", concurrency=2)
    plan = plan_run(cases(10), target)
    assert target.asked == []
    assert (plan.seconds, plan.probed) == (None, 0)
    assert "no earlier run measured it" in plan.untimed
    timed = plan_run(cases(10), target, took=[1.0, 2.0, 9.0])
    # Ten questions of 2 seconds, two at once.
    assert timed.seconds == pytest.approx(10 * (2.0 / 2 + KEEPING_SECONDS))
    assert (timed.measured, timed.untimed, target.asked) == (3, "", [])


def answer(body):
    return {"reason": "It says so.", "verdict": "Correct"} if "response_format" in body else "Harbour Street"


@pytest.mark.slow
def test_the_plan_of_a_run_holds_what_the_run_then_does(store, bank):
    project, test_set = bank
    prices.save(store, project.id, [prices.price_of("m", "2", "10", "EUR")], actor=ACTOR)
    with LlmServer(answer) as server:
        choices = {"target": f"openai:{server.spec()}", "judge": f"llm:{server.spec()}"}
        options = {"k": 2, "judge_repeats": 3}
        plan = plan_of(store, project.id, test_set.id, **choices, options={**options, "budget": 0.1})
        assert (server.bodies, server.probes) == ([], [])
        # 12 questions, three verdicts on each, and 1 or 2 calls to see how the endpoint is held to a form.
        assert [part.calls for part in plan.parts] == [Between(low=12, high=12), Between(low=37, high=38)]
        assert (plan.cases, plan.seconds, plan.priced, plan.currency) == (12, None, 2, "EUR")
        run = create_run(store, test_set.id, actor=ACTOR, **choices, options=options)
        assert execute_run(store, run.id, actor=ACTOR)
        used = log.of_run(store, project.id, run.id)
        assert plan.calls.low <= used.calls <= plan.calls.high
        sent = len(server.bodies) + len(server.probes)
        # The second time everything but the range is known, and still nobody is asked.
        again = plan_of(store, project.id, test_set.id, **choices, options=options)
        assert len(server.bodies) + len(server.probes) == sent
    judge = next(row for row in log.totals(store, project.id, CallFilter(run_id=run.id)) if row.name == "judge")
    known = again.parts[1]
    assert (known.calls, known.measured) == (Between(low=36, high=36), 36)
    assert known.prompt_tokens.low <= judge.prompt_tokens <= known.prompt_tokens.high
    assert known.money is not None
    assert known.money.low <= (judge.cost or 0) <= known.money.high
    assert again.seconds is not None
    assert again.measured == 12


def test_the_plan_of_a_built_in_target_asks_it(store, bank):
    project, test_set = bank
    plan = plan_of(store, project.id, test_set.id, target="bm25", options={"k": 1})
    assert (plan.cases, plan.probed, plan.model_calls, plan.money) == (12, PROBES, 0, None)


def test_a_system_whose_settings_are_not_finished_is_not_opened(store, bank):
    project, test_set = bank
    plan = plan_of(store, project.id, test_set.id, target="http", judge="llm:m@http://llm.example/v1")
    assert (plan.cases, plan.seconds, plan.model_calls) == (12, None, 14)
