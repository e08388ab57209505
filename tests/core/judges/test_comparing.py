"""Further judges of a finished run: as a job, resumed, within a budget, and never asked twice."""

from dataclasses import replace

import pytest

from core.domain.errors import BudgetSpent, Conflict, Forbidden, InvalidInput
from core.domain.jobs import Job
from core.domain.results.runs import RunState
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.jobs import JobContext, JobState, wait
from core.judges import comparing
from core.judges.comparing import judge_again, judging_job, start_judging
from core.judges.comparison import compare_judges
from core.judges.scorers import JudgeOptions, judge_metric
from core.project.service import create_project
from core.store import projects
from core.store.results import runs, scores
from tests.support.runs.compared_run import add_run, model
from tests.support.servers.llm_server import Fault, LlmServer
from tests.support.small_bank import ACTOR

N = 8
ANSWERED = N - 1
"""The last case has no answer."""


@pytest.fixture
def run(store):
    return add_run(store, create_project(store, "Judges", ACTOR).id, N)


@pytest.fixture
def server():
    with LlmServer(model) as running:
        yield running


def read(store, run, metric):
    with store.read() as connection:
        return scores.of_metric(connection, run.id, metric)


def known(store, run, metric):
    with store.read() as connection:
        return scores.run_metric(connection, run.id, metric)


def llm(server, name="m"):
    """Under which name the verdicts of a model at the server are stored."""
    return judge_metric(f"llm:{server.spec(name)}")


def all_judges(server):
    return ["match", f"llm:{server.spec()}", f"ragas_fact:{server.spec()}", f"self_check_qa:{server.spec()}"]


@pytest.mark.slow
def test_every_judge_becomes_a_metric_of_the_run(store, run, server):
    steps = []
    told = lambda stage, done, total: steps.append((stage, done, total))  # noqa: E731
    assert judge_again(store, run.id, all_judges(server), actor=ACTOR, progress=told)
    # Verdicts: one call an answer. RAGAS-Fact: two. SelfCheck: the target is a recording and cannot be asked.
    assert len(server.bodies) == 3 * ANSWERED
    assert steps[0] == ("Judging", 0, 4 * N)
    assert steps[-1] == ("Judging", 4 * N, 4 * N)
    verdicts, facts = read(store, run, llm(server)), read(store, run, "ragas_fact")
    assert {case: score.value for case, score in verdicts.items() if score.value == 0.0} == {"case-3": 0.0}
    assert verdicts["case-7"].status is Status.NOT_JUDGED
    assert (facts["case-3"].value, facts["case-7"].status) == (1.0, Status.MISSING_INPUT)
    assert {score.status for score in read(store, run, "self_check_qa").values()} == {Status.NOT_APPLICABLE}
    made = known(store, run, llm(server))
    assert made.finished
    assert made.options["judge"] == f"llm:{server.spec()}"
    assert made.options["prompt"].startswith("reference_verdict 1 (")
    found = {item.key: item for item in compare_judges(store, run.id).judges}
    assert set(found) == {"judge_match", llm(server), "ragas_fact", "self_check_qa"}
    assert found["ragas_fact"].too_kind == 1, "the passage says what the wrong answer says"
    assert found["self_check_qa"].unscored == {"not_applicable": ANSWERED}


@pytest.mark.slow
def test_a_second_time_asks_nobody(store, run, server):
    judges = [f"llm:{server.spec()}", f"ragas_fact:{server.spec()}"]
    judge_again(store, run.id, judges, actor=ACTOR)
    before, asked = known(store, run, "ragas_fact"), len(server.bodies)
    assert judge_again(store, run.id, judges, actor=ACTOR)
    assert len(server.bodies) == asked
    again = known(store, run, "ragas_fact")
    assert replace(again, scored_at=before.scored_at) == before  # a second may have begun since


def test_what_was_stored_before_a_stop_is_not_asked_again(store, run, server):
    judges = [f"ragas_fact:{server.spec()}"]
    left = iter([False] * 3 + [True] * 100)
    assert not judge_again(store, run.id, judges, actor=ACTOR, should_stop=lambda: next(left))
    done = read(store, run, "ragas_fact")
    assert 0 < len(done) < N
    assert not known(store, run, "ragas_fact").finished
    assert not next(item for item in compare_judges(store, run.id).judges if item.key == "ragas_fact").finished
    assert judge_again(store, run.id, judges, actor=ACTOR)
    assert len(server.bodies) == 2 * ANSWERED
    assert {case: read(store, run, "ragas_fact")[case] for case in done} == done


@pytest.mark.slow
def test_failed_calls_are_asked_again_the_next_time_and_no_others(store, run):
    broken = True

    def script(body):
        return Fault(status=400) if broken and "Somebody 3" in str(body["messages"]) else model(body)

    with LlmServer(script) as server:
        judges = [f"llm:{server.spec()}"]
        assert judge_again(store, run.id, judges, actor=ACTOR)
        assert read(store, run, llm(server))["case-3"].status is Status.API_ERROR
        asked, broken = len(server.bodies), False
        assert judge_again(store, run.id, judges, actor=ACTOR)
        assert len(server.bodies) == asked + 1
        assert known(store, run, llm(server)).options["attempt"] == 1
        assert judge_again(store, run.id, judges, actor=ACTOR)
        assert len(server.bodies) == asked + 1
    assert read(store, run, llm(server))["case-3"].value == 0.0


@pytest.mark.slow
def test_other_options_judge_anew(store, run, server):
    judges = [f"llm:{server.spec()}"]
    judge_again(store, run.id, judges, actor=ACTOR)
    judge_again(store, run.id, judges, actor=ACTOR, options=JudgeOptions(repeats=3))
    assert len(server.bodies) == 4 * ANSWERED
    assert read(store, run, llm(server))["case-0"].detail["repeats"] == 3
    judge_again(store, run.id, judges, actor=ACTOR, options=JudgeOptions(match_first=True))
    # Rules decide the right answers; of the wrong ones the model's verdict is in the ledger.
    assert len(server.bodies) == 4 * ANSWERED
    assert {read(store, run, llm(server))[f"case-{n}"].detail["decided_by"] for n in (0, 3)} == {"match", "llm"}
    pairs = {frozenset((pair.first, pair.second)): pair.found for pair in compare_judges(store, run.id).pairs}
    # Rules and model are compared where the model was asked: on the one wrong answer, not on what rules decided.
    assert pairs[frozenset(("match", llm(server)))].agreed.den == 1
    assert pairs[frozenset(("verdict", llm(server)))].agreed.den == ANSWERED


def test_a_budget_stops_and_what_was_judged_stays(store, run, server):
    judges = [f"llm:{server.spec()}"]
    with pytest.raises(BudgetSpent):
        judge_again(store, run.id, judges, actor=ACTOR, options=JudgeOptions(calls=3))
    # Three calls, of which one asked the endpoint how it takes a form.
    asked = len(server.bodies)
    assert asked + len(server.probes) == 3
    assert sum(score.value is not None for score in read(store, run, llm(server)).values()) == asked
    assert judge_again(store, run.id, judges, actor=ACTOR)
    assert len(server.bodies) == ANSWERED


@pytest.mark.slow
def test_as_a_job(store, run):
    job = start_judging(store, run.id, ["match"], actor=ACTOR, options=JudgeOptions(repeats=3, calls=100))
    assert (job.kind, job.subject, job.params["judges"]) == (comparing.KIND, run.id, ["match"])
    assert wait(store, job.id, seconds=60).state is JobState.FINISHED
    assert len(read(store, run, "judge_match")) == N
    assert judging_job(store, run) is None
    assert judging_job(store, run, active=False).id == job.id


@pytest.mark.slow
def test_the_job_does_what_its_parameters_say(store, run, server):
    params = {"run_id": run.id, "judges": [f"llm:{server.spec()}"], "repeats": 3, "match_first": True, "calls": 100}
    job = Job(id="job_1", project_id=run.project_id, kind=comparing.KIND, params=params, actor=ACTOR)
    assert comparing.compare_judges_job(JobContext(store, job))
    assert len(server.bodies) == 3, "one wrong answer, three verdicts"


def test_who_may_and_when(store, run):
    with store.write(ACTOR, "test") as connection:
        projects.set_role(connection, run.project_id, "vic", Role.VIEWER)
    with pytest.raises(Forbidden):
        start_judging(store, run.id, ["match"], actor="vic")
    with store.write(ACTOR, "test") as connection:
        runs.set_state(connection, run.id, RunState.RUNNING)
    with pytest.raises(Conflict, match="not finished"):
        judge_again(store, run.id, ["match"], actor=ACTOR)
    with pytest.raises(Conflict, match="not finished"):
        start_judging(store, run.id, ["match"], actor=ACTOR)


@pytest.mark.parametrize(
    "judges",
    [
        [],
        [" "],
        ["grouse"],
        ["ragas_fact"],
        ["llm:m"],
        ["self_check_qa:m@http://127.0.0.1:1/v1", "self_check_qa:m@http://127.0.0.1:2/v1"],
    ],
)
def test_judges_that_cannot_be_asked(store, run, judges):
    with pytest.raises(InvalidInput) as raised:
        start_judging(store, run.id, judges, actor=ACTOR)
    assert raised.value.hint
    assert known(store, run, "self_check_qa") is None


@pytest.mark.slow
def test_one_model_at_two_addresses_is_two_judges(store, run, server):
    with LlmServer(lambda body: {"reason": "No.", "verdict": "Incorrect"}) as other:
        judges = [f"llm:{server.spec()}", f"llm:{other.spec()}"]
        assert judge_again(store, run.id, judges, actor=ACTOR)
        values = [
            {case: score.value for case, score in read(store, run, llm(at)).items() if score.value is not None}
            for at in (server, other)
        ]
    assert len(values[0]) == len(values[1]) == ANSWERED
    assert set(values[1].values()) == {0.0}
    assert 1.0 in values[0].values()
    found = {item.key: item.judge for item in compare_judges(store, run.id).judges}
    assert [found[llm(at)] for at in (server, other)] == judges


def test_names_of_stored_judges():
    assert judge_metric("llm:Org/Model-3.5 (big)@http://a/v1").startswith("judge_llm_org_model_3_5_big_at_")
    assert judge_metric("llm:日本@http://a/v1").startswith("judge_llm_model_at_")
    assert len(judge_metric(f"llm:{'x' * 200}@http://a/v1")) <= 64
    specs = ["m@http://a/v1", "m@http://b/v1", "M@http://a/v1", "日本@http://a/v1", f"{'x' * 50}@http://a/v1"]
    assert len({judge_metric(f"llm:{spec}") for spec in [*specs, f"{'x' * 51}@http://a/v1"]}) == 6
    assert judge_metric("recorded:a.jsonl") == "judge_recorded"
