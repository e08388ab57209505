"""Judges of claims put to the unit tests: what each is asked, what passes, and what trust follows from it."""

import re

import pytest

from core.domain.results.judge_tests import Part
from core.domain.status import Status
from core.judges.unit_tests.claim_tests import METRICS
from core.judges.unit_tests.conditions import parse
from core.judges.unit_tests.figures import figures
from core.judges.unit_tests.gate import metric_trust, run_figures, trust_of
from core.judges.unit_tests.judges import CALLS, open_tested
from core.judges.unit_tests.running import TestPlan, begin, judge_all
from core.judges.unit_tests.suite import FAILURE_MODES, Suite, own_suite
from core.llm import open_chat
from core.project.service import create_project
from tests.support.models.fenced import fenced
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

KINDS = tuple(METRICS)


def _plain(text):
    return " ".join(re.sub(r"\[\d\]", "", text).casefold().rstrip(".").split())


def knowing(body):
    """Takes each sentence for a claim, and finds it supported where all of its words stand in the texts together."""
    texts = fenced(body)
    if "claim" in texts:
        held = [set(re.findall(r"\w+", text.casefold())) for text in texts["passage"]]
        checked = [set(re.findall(r"\w+", _plain(claim))) for claim in texts["claim"]]
        return {
            "verdicts": [
                {
                    "claim": place,
                    "reason": "By its words.",
                    "verdict": "Yes" if any(words <= own for own in held) else "No",
                }
                for place, words in enumerate(checked, start=1)
            ]
        }
    first, *second = texts["answer"]
    if second:
        return {"reason": "By its words.", "same": "Yes" if _plain(first) == _plain(second[0]) else "No"}
    sentences = re.split(r"(?<=\.)(?:\[\d\])*\s+", first)
    return {"claims": [_plain(one) for one in sentences if "No document" not in one]}


@pytest.fixture
def project(store):
    return create_project(store, "Claims", ACTOR).id


@pytest.fixture
def server():
    with LlmServer(knowing) as running:
        yield running


FEW = Suite(name="few", tests=tuple(test for test in own_suite().tests if test.id[:2] in ("01", "02", "11")))


def put_to_tests(store, project, server, kind):
    run = begin(store, project, FEW, TestPlan(judge=f"{kind}:{server.spec()}", part=Part.ALL), actor=ACTOR)
    assert judge_all(store, run.id, actor=ACTOR)
    return run


@pytest.mark.parametrize(("kind", "tests"), [("claims", 100), ("ragas_fact", 100), ("self_check_qa", 40)])
def test_the_suite_has_tests_for_each_kind(kind, tests):
    asked = [test for test in own_suite().tests if any(metric in test.conditions for metric in METRICS[kind])]
    assert len(asked) == tests
    assert sum(test.part is Part.TEST for test in asked) >= 28


def test_conditions_on_claims_follow_from_those_of_grouse():
    for test in own_suite().tests:
        asks = {metric: parse(text) for metric, text in test.conditions.items()}
        supported = asks["claim_faithfulness"]
        assert str(supported) == str(asks["ragas_fact"])
        if test.failure_mode != "missing or wrong citation":  # marks of citations are no claims
            assert [supported.accepts(value) for value in (None, 1.0)] == [
                asks["faithfulness"].accepts(value) for value in (None, 1.0)
            ], test.id
        if "claim_coverage" in asks:
            assert asks["claim_coverage"].accepts(1.0) == (
                asks["completeness"].accepts(5.0) and not test.failure_mode.startswith("distorted")
            )


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_judge_that_always_says_yes_fails_what_is_wrong(store, project, kind):
    def yes(body):
        said = knowing(body)
        for verdict in said.get("verdicts", ()):
            verdict["verdict"] = "Yes"
        return said | ({"same": "Yes"} if "same" in said else {})

    with LlmServer(yes) as server:
        run = put_to_tests(store, project, server, kind)
    found = run_figures(store, run.id)
    assert found.by_failure_mode["distorted claim"].num == 0
    assert found.by_failure_mode["perfect answer"].value == 1.0
    assert trust_of(store, project, run.judge).trusted is False


def test_what_a_judge_of_claims_says_is_kept_with_each_claim(store, server):
    judge = open_tested(f"claims:{server.spec()}", chat=lambda spec: open_chat(store, "", spec))
    (test,) = [item for item in own_suite().tests if item.id == "01-6"]
    said = {item.metric: item for item in judge.judge(test, 0)}
    assert test.failure_mode == FAILURE_MODES[-1]
    assert {name: item.value for name, item in said.items()} == dict.fromkeys(METRICS["claims"], 0.5)
    assert "No: the office is at 41 dunnet quay" in said["claim_faithfulness"].reason
    assert said["claim_faithfulness"].call_id
    assert len(server.bodies) <= CALLS["claims"]
    asked = len(server.bodies)
    judge.judge(test, 0)
    assert len(server.bodies) == asked, "the same test again costs nothing"
    judge.judge(test, 1)
    assert len(server.bodies) == 2 * asked, "a repeat is asked anew"


def test_a_failure_is_no_judgement(store, project):
    with LlmServer(lambda body: "I would rather not say.") as server:
        judge = open_tested(f"ragas_fact:{server.spec()}", chat=lambda spec: open_chat(store, "", spec))
        refusals = [test for test in own_suite().tests if test.conditions["ragas_fact"] == "==None"]
        (said,) = judge.judge(refusals[0], 0)
    assert said.status is Status.PARSE_FAILED
    assert parse("==None").holds(said) is None
    assert figures(refusals[:1], [], ("ragas_fact",)).tests == 1


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "metric"), [("claims", "claim_coverage"), ("ragas_fact", "ragas_fact")])
def test_scores_are_judged_by_the_tests_of_their_kind(store, project, server, kind, metric):
    run = put_to_tests(store, project, server, kind)
    trust = metric_trust(store, project, metric, {"judge": server.spec()})
    assert (trust.judge, trust.test_run) == (run.judge, run.id)
