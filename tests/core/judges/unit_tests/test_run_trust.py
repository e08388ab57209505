"""Whose scores a gate is about: the verdicts of a run, and its further metrics, by the prompts they were made with."""

from dataclasses import replace

import pytest

from core.domain.results.judge_tests import Part
from core.domain.results.responses import Score
from core.judges.prompts import prompt_names
from core.judges.unit_tests.gate import metric_trust, run_trust, run_trusts, trust_marks
from core.judges.unit_tests.running import TestPlan, begin, judge_all
from core.judges.unit_tests.suite import own_suite
from core.llm import load_prompt
from core.project.service import create_project
from core.store.results import scores
from tests.support.models.scripted_judge import judging
from tests.support.runs.compared_run import add_judge, add_run
from tests.support.servers.llm_server import LlmServer
from tests.support.small_bank import ACTOR

VERDICT_PROMPT = load_prompt("reference_verdict").ref


@pytest.fixture
def project(store):
    return create_project(store, "Trust", ACTOR).id


@pytest.fixture
def tested(store, project):
    """The spec of a model that passed its tests as judge that sees the true answer, and as GroUSE's judge."""
    with LlmServer(judging()) as server:
        for kind in ("llm", "grouse"):
            plan = TestPlan(judge=f"{kind}:{server.spec()}", part=Part.TEST)
            judge_all(store, begin(store, project, own_suite(), plan, actor=ACTOR).id, actor=ACTOR)
        return server.spec()


def with_prompt(store, run, *refs):
    """Verdicts as if a model had given them with these prompts, in turn."""
    details = [{"prompt": {"id": ref.id, "version": ref.version, "hash": ref.hash}} for ref in refs]
    made = [
        Score(case_id=f"case-{number}", metric="verdict", value=1.0, detail=details[number % len(details)])
        for number in range(4)
    ]
    with store.write(ACTOR, "run.score", project_id=run.project_id, subject=run.id) as connection:
        scores.put(connection, run.id, made)


def test_verdicts_count_with_the_prompt_that_was_tested(store, project, tested):
    run = add_run(store, project, judge=f"llm:{tested}")
    with_prompt(store, run, VERDICT_PROMPT)
    assert run_trust(store, run).trusted is True
    edited = replace(VERDICT_PROMPT, version="1.1", hash="f" * 64)
    with_prompt(store, run, edited)
    assert "with other prompts" in run_trust(store, run).reason
    with_prompt(store, run, VERDICT_PROMPT, edited)
    assert run_trust(store, run).trusted is False, "a part of the verdicts was made with another prompt"


@pytest.mark.slow
def test_every_judge_of_a_run_has_its_own_trust(store, project, tested):
    run = add_run(store, project)
    add_judge(store, run, "judge_llm_tested", {"case-0": 1.0}, f"llm:{tested}")
    add_judge(store, run, "ragas_fact", {"case-0": 1.0}, tested)
    found = run_trusts(store, run)
    assert {name: trust.trusted for name, trust in found.items()} == {
        "verdict": None,
        "judge_llm_tested": True,
        "ragas_fact": False,
    }
    assert found["ragas_fact"].judge == f"ragas_fact:{tested}"
    assert found["ragas_fact"].reason == "It was never put to judge tests in this project."
    marks = trust_marks(found)
    assert marks["judge_trusted"] == "no"
    assert marks["judge_trust_reason"].startswith("ragas_fact: ")


@pytest.mark.slow
def test_grades_of_several_models_count_where_all_are_trusted(store, project, tested):
    named = prompt_names([load_prompt("grouse_completeness").ref])
    prompts = ", ".join(f"{name} {version}" for name, version in named.items())
    one = metric_trust(store, project, "grouse_completeness", {"judge": tested, "prompts": prompts})
    assert (one.trusted, one.judge) == (True, f"grouse:{tested}")
    other = "other@http://127.0.0.1:9/v1"
    both = metric_trust(store, project, "grouse_completeness", {"judge": f"{tested}, {other}", "prompts": prompts})
    assert (both.trusted, both.judge) == (False, f"grouse:{other}")
    edited = metric_trust(
        store, project, "grouse_completeness", {"judge": tested, "prompts": "grouse_completeness 9 (00000000)"}
    )
    assert "with other prompts" in edited.reason
    claims = metric_trust(store, project, "claim_coverage", {"judge": tested})
    assert (claims.judge, claims.trusted) == (f"claims:{tested}", False)
    assert claims.reason == "It was never put to judge tests in this project."


def test_a_metric_without_a_judge_has_no_trust(store, project):
    assert metric_trust(store, project, "token_f1", {"language": "en"}) is None
    assert metric_trust(store, project, "grouse_completeness", {"judge": ""}) is None
    assert trust_marks({}) == {}
