"""A judge over unit tests: as a run, resumed, killed, repeated, and never paid for twice."""

import json

import pytest

from core.domain.errors import BudgetSpent, Conflict, Forbidden, InvalidInput
from core.domain.jobs import Job
from core.domain.llm import Endpoint, PromptVariant
from core.domain.results.judge_tests import Part, Way
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.jobs import JobContext, JobState
from core.judges.unit_tests.gate import run_figures
from core.judges.unit_tests.running import TestPlan, begin, judge_all, judge_tests_job, start_judge_tests
from core.judges.unit_tests.suite import Suite, own_suite
from core.llm import Limits
from core.llm.prompts import versions
from core.project.service import create_project
from core.store import projects
from core.store.models import endpoints
from core.store.results import judge_tests
from tests.support.models.scripted_judge import FILLER, asked, judging, right
from tests.support.processes.killed_job import killed_and_resumed
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR


@pytest.fixture
def project(store):
    return create_project(store, "Judge tests", ACTOR).id


@pytest.fixture
def server():
    with LlmServer(judging()) as running:
        yield running


def few(count=10):
    """The tests of the first questions."""
    return Suite(name="few", tests=own_suite().tests[:count])


def plan(server, kind="grouse", **changes):
    return TestPlan(**{"judge": f"{kind}:{server.spec()}", "part": Part.ALL, **changes})


def done(store, project, suite, chosen, **options):
    run = begin(store, project, suite, chosen, actor=ACTOR)
    assert judge_all(store, run.id, actor=ACTOR, **options)
    return run.id


def outcomes(store, run_id):
    with store.read() as connection:
        return {(item.test_id, item.draw): item.judged for item in judge_tests.outcomes(connection, run_id)}


@pytest.mark.slow
@pytest.mark.parametrize("way", list(Way))
def test_a_judge_that_knows_the_suite_passes_all_of_it(store, project, server, way):
    run_id = done(store, project, own_suite(), plan(server, way=way))
    found = run_figures(store, run_id)
    assert (found.tests, found.passed, found.unjudged()) == (100, 100, 0)
    with store.read() as connection:
        stored = judge_tests.get(connection, run_id)
    assert stored.finished_at
    assert set(stored.prompts) == {
        f"grouse_{name}" for name in ("answer_relevancy", "completeness", "faithfulness", "usefulness")
    }
    # Relevancy and completeness of each; usefulness of the 40 that decline; faithfulness but of 20 bare refusals.
    assert len(asked(server)) == 100 + 100 + 40 + 80


@pytest.mark.slow
def test_a_judge_that_sees_the_true_answer_is_tested_by_its_verdicts(store, project, server):
    found = run_figures(store, done(store, project, own_suite(), plan(server, "llm")))
    assert (found.tests, found.passed) == (50, 50)
    assert list(found.by_metric) == ["verdict"]
    assert len(asked(server)) == 50


@pytest.mark.slow
def test_a_blind_judge_fails_the_tests_of_its_failure(store, project):
    with LlmServer(judging({"missing or wrong citation"})) as server:
        found = run_figures(store, done(store, project, own_suite(), plan(server)))
    assert found.passed == 90
    assert {item.test.failure_mode for item in found.failing} == {"missing or wrong citation"}
    broken = [check for item in found.failing for check in item.checks if check.holds is False]
    assert {(check.judged.metric, check.judged.value) for check in broken} == {("faithfulness", 1.0)}
    assert all(check.judged.reason == "As the suite says." and check.judged.call_id for check in broken)


@pytest.mark.slow
def test_the_same_tests_again_send_nothing(store, project, server):
    done(store, project, few(), plan(server))
    sent = len(asked(server))
    done(store, project, few(), plan(server))
    assert len(asked(server)) == sent


def test_repeats_are_asked_anew_and_show_the_noise(store, project):
    faithful = iter([1, 0, 1])

    def moody(body):
        reply = judging()(body)
        if '"faithfulness"' in json.dumps(body["response_format"]) and FILLER not in body["messages"][-1]["content"]:
            reply["answer_2"]["faithfulness"] = next(faithful)
        return reply

    with LlmServer(moody) as server:
        run_id = done(store, project, few(1), plan(server, repeats=3))
        assert len(asked(server)) == 3 * 3
    found = run_figures(store, run_id)
    assert (found.noise.num, found.noise.den) == (1, 1)
    assert (found.reached, found.pass_rate.den) == (1, 1), "the figures are of the first time"
    assert sorted(outcomes(store, run_id)) == [("01-1", 0), ("01-1", 1), ("01-1", 2)]


@pytest.mark.slow
def test_a_judge_that_repeats_itself_has_no_noise(store, project, server):
    found = run_figures(store, done(store, project, few(6), plan(server, repeats=2)))
    assert (found.noise.num, found.noise.den) == (0, 6)


@pytest.mark.slow
def test_a_stopped_run_goes_on_with_the_rest(store, project, server):
    run = begin(store, project, few(), plan(server), actor=ACTOR)
    seen = []
    stop = lambda: len(seen) > 4 or seen.append(1)  # noqa: E731
    assert judge_all(store, run.id, actor=ACTOR, should_stop=stop) is False
    some = outcomes(store, run.id)
    assert 0 < len(some) < 10
    assert judge_all(store, run.id, actor=ACTOR)
    assert len(outcomes(store, run.id)) == 10
    keys = [json.dumps(body, sort_keys=True) for body in asked(server)]
    assert len(keys) == len(set(keys))


@pytest.mark.slow
def test_the_job_does_what_it_was_started_for(store, project, server):
    run = begin(store, project, few(), plan(server), actor=ACTOR)
    job = Job(id="job_1", project_id=project, kind="judge_tests", actor=ACTOR, subject=run.id, params={"picked": {}})
    assert judge_tests_job(JobContext(store, job))
    assert run_figures(store, run.id).passed == 10


def test_prompts_that_changed_on_the_way_end_the_run(store, project, server):
    run = begin(store, project, few(), plan(server), actor=ACTOR)
    body = versions.wording(versions.built_in("grouse_completeness").text)
    versions.save(store, project, "grouse_completeness", body + "\n{# clearer #}", actor=ACTOR)
    with pytest.raises(Conflict, match="changed since it began"):
        judge_all(store, run.id, actor=ACTOR)
    assert not server.bodies


def test_a_version_that_is_not_in_use_can_be_picked(store, project, server):
    body = versions.wording(versions.built_in("grouse_completeness").text)
    body = body.replace("{% block system %}", "{% block system %}\nRead slowly.", 1)
    saved = versions.save(store, project, "grouse_completeness", body, actor=ACTOR, use=False)
    picked = {"grouse_completeness": saved.version}
    run_id = done(store, project, few(2), plan(server, picked=picked), picked=picked)
    with store.read() as connection:
        assert judge_tests.get(connection, run_id).prompts["grouse_completeness"].startswith("1.1 (")
    assert sum("Read slowly." in body["messages"][0]["content"] for body in asked(server)) == 2


@pytest.mark.slow
def test_short_prompts_stay_short_to_the_end(store, project, server):
    run_id = done(store, project, few(2), plan(server, "llm", variant=PromptVariant.SHORT))
    with store.read() as connection:
        assert set(judge_tests.get(connection, run_id).prompts) == {"reference_verdict/short"}


@pytest.mark.slow
def test_a_spent_budget_keeps_what_was_judged(store, project, server):
    run = begin(store, project, few(), plan(server), actor=ACTOR)
    with pytest.raises(BudgetSpent):
        judge_all(store, run.id, actor=ACTOR, limits=Limits(calls=9))
    assert len(asked(server)) <= 9
    assert judge_all(store, run.id, actor=ACTOR)
    keys = [json.dumps(body, sort_keys=True) for body in asked(server)]
    assert len(keys) == len(set(keys))


ODD = [
    ("", None),
    ("I would say five.", None),
    ('{"answer_1": {"answer_relevancy": 5}}', None),
    ('{"answer_2": {"answer_relevancy": 5}', None),
    ('{"answer_1": {"answer_relevancy": 5}, "answer_2": {"answer_relevancy": true}}', None),
    ('{"answer_1": {"answer_relevancy": 5}, "answer_2": {"answer_relevancy": 9}}', None),
    ('{"answer_1": {"answer_relevancy": 5}, "answer_2": {}}', None),
    ('{"answer_1": {"answer_relevancy": 5}, "answer_2": {"answer_relevancy": "None of them"}}', None),
    ('{"passed": true, "verdict": "PASS"}', None),
    ("null", None),
    (
        '```json\n{"answer_1": {"answer_relevancy": 5}, "answer_2": {"answer_relevancy": null}}\n```',
        Status.NULL_JUDGEMENT,
    ),
]


@pytest.mark.parametrize(("text", "status"), ODD, ids=range(len(ODD)))
def test_an_odd_reply_never_passes_a_test_that_expects_null(store, project, text, status):
    """Of a bare refusal the right judgement is null; only a null that the judge gives may pass."""
    suite = Suite(name="one", tests=tuple(test for test in own_suite().tests if test.id == "11-1"))

    def odd(body):
        if '"answer_relevancy"' in json.dumps(body["response_format"]):
            return text
        return judging()(body)

    with LlmServer(odd) as server:
        found = run_figures(store, done(store, project, suite, plan(server)))
    (check,) = (item for item in found.results[0].checks if item.judged.metric == "answer_relevancy")
    if status is None:
        assert check.holds is None
        assert check.judged.status is Status.PARSE_FAILED
        assert (found.passed, found.unjudged(Status.PARSE_FAILED)) == (0, 1)
        assert found.by_metric["answer_relevancy"].den == 0
    else:
        assert (check.holds, check.judged.status, found.passed) == (True, status, 1)


def test_a_judge_that_cannot_be_reached_fails_no_test_and_passes_none(store, project):
    with LlmServer(lambda body: Fault(status=400)) as server:
        found = run_figures(store, done(store, project, few(4), plan(server, "llm")))
    assert (found.passed, found.by_metric["verdict"].den, found.of_metric["verdict"]) == (0, 0, 4 - 1)
    assert found.without == {"verdict": {"api_error": 3}}


def test_a_viewer_may_not_start_and_a_judge_that_cannot_be_tested_is_refused(store, project, server):
    with store.write(ACTOR, "project.role", project_id=project) as connection:
        projects.set_role(connection, project, "vera", Role.VIEWER)
    with pytest.raises(Forbidden):
        begin(store, project, few(), plan(server), actor="vera")
    for spec, says in (("match", "no judge 'match' to test"), ("grouse:", "incomplete"), ("grouse:m", "where it is")):
        with pytest.raises(InvalidInput, match=says):
            begin(store, project, few(), TestPlan(judge=spec, part=Part.ALL), actor=ACTOR)
    with pytest.raises(InvalidInput, match="0 is not a number of repeats"):
        begin(store, project, few(), plan(server, repeats=0), actor=ACTOR)
    refusals = Suite(name="none", tests=tuple(test for test in own_suite().tests if "verdict" not in test.conditions))
    with pytest.raises(InvalidInput, match="No test of none has a condition"):
        begin(store, project, refusals, plan(server, "llm"), actor=ACTOR)
    assert not server.bodies
    assert right(own_suite().tests[0], "completeness") == 5


@pytest.mark.slow
def test_a_killed_run_asks_at_most_what_was_in_flight_again(store, project):
    suite = Suite(name="verdicts", tests=tuple(test for test in own_suite().tests if "verdict" in test.conditions)[:30])
    with LlmServer(judging(), hold_after=10) as server:
        where = Endpoint(
            id="end_1",
            project_id=project,
            name="Held",
            base_url=server.base_url,
            concurrency=2,
            timeout_s=600,
            deadline_s=600,
        )
        with store.write(ACTOR, "test.endpoint", project_id=project) as connection:
            endpoints.put(connection, where)
        job = start_judge_tests(store, project, suite, plan(server, "llm"), actor=ACTOR)
        ended = killed_and_resumed(store, job, server, at_once=2)
        assert ended.state is JobState.FINISHED, ended.error
    assert run_figures(store, job.subject).passed == 30
