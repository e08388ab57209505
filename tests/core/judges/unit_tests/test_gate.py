"""The gate: never tested, tested otherwise, below the bar, above it; and whose scores it is about."""

import pytest

from core.domain.errors import Forbidden, InvalidInput
from core.domain.results.judge_tests import Bar, Judged, JudgeTestOutcome, JudgeTestRun, Part, Way
from core.domain.sources.projects import Role
from core.domain.status import Status
from core.judges.unit_tests.figures import figures
from core.judges.unit_tests.gate import LEAST_TESTS, set_bar, shortfalls, trust_of
from core.judges.unit_tests.judges import KINDS
from core.judges.unit_tests.suite import own_suite
from core.project.service import create_project
from core.store import projects
from core.store.results import judge_tests
from tests.support.models.scripted_judge import ASKED, as_judged, right
from tests.support.small_bank import ACTOR

JUDGE = "grouse:m@http://llm.example/v1"
PROMPTS = {"grouse_completeness": "1 (aaaaaaaa)", "grouse_faithfulness": "1 (bbbbbbbb)"}


@pytest.fixture
def project(store):
    return create_project(store, "Gate", ACTOR).id


def outcome(test, blind=(), status=None):
    source = as_judged(test, blind)
    judged = []
    for metric in (*ASKED, "positive_acceptance", "negative_rejection"):
        value = None if status else right(source, metric)
        said = status or (Status.NULL_JUDGEMENT if value is None else Status.SCORED)
        judged.append(Judged(metric=metric, value=value, status=said))
    return JudgeTestOutcome(test_id=test.id, draw=0, judged=tuple(judged))


def store_test(store, project, *, blind=(), failing=0, finished=True, **changes):
    """A stored judge test of a judge that is blind to some failures, and gives no judgement in the first tests."""
    part = changes.get("part", Part.TEST)
    tests = changes.pop("tests", own_suite().of(part))
    run = JudgeTestRun(
        **{
            "id": f"jt_{len(blind)}_{failing}_{part}_{len(changes)}",
            "project_id": project,
            "judge": JUDGE,
            "suite": "Harbour",
            "suite_hash": "0",
            "part": part,
            "way": Way.PAIRED,
            "repeats": 1,
            "prompts": PROMPTS,
            "tests": tests,
            "finished_at": "2026-01-01T00:00:00+00:00" if finished else "",
            **changes,
        }
    )
    said = [outcome(test, blind, Status.PARSE_FAILED if at < failing else None) for at, test in enumerate(tests)]
    with store.write(ACTOR, "judge_test.begin", project_id=project) as connection:
        judge_tests.add(connection, run)
        judge_tests.put_outcomes(connection, run.id, said)
    return run


def trust(store, project, **options):
    return trust_of(store, project, JUDGE, PROMPTS, **options)


def test_a_judge_that_was_never_tested_is_not_trusted(store, project):
    found = trust(store, project)
    assert (found.trusted, found.test_run) == (False, "")
    assert found.reason == "It was never put to judge tests in this project."


def test_a_judge_that_reaches_the_bar_is_trusted(store, project):
    run = store_test(store, project)
    found = trust(store, project)
    assert (found.trusted, found.test_run) == (True, run.id)
    assert found.reason == ("It reached 0.8 by every metric and failure mode of its judge test (Harbour, test part).")
    assert found.as_json() == {"spec": JUDGE, "trusted": True, "reason": found.reason, "test_run": run.id}


def test_blindness_to_one_failure_is_enough_to_fail(store, project):
    """It breaks 7 of 70 conditions on faithfulness, so by the metric alone (0.9) it would pass."""
    store_test(store, project, blind={"distorted claim"})
    found = trust(store, project)
    assert found.trusted is False
    assert found.reason == ("It failed its judge test (Harbour, test part): distorted claim 0.00 (0/7), below 0.8.")


def test_a_judge_that_gives_no_judgement_is_not_trusted(store, project):
    store_test(store, project, failing=8)
    found = trust(store, project)
    assert found.trusted is False
    assert "it came to a judgement in 62 of 70 tests, below 0.9" in found.reason


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"judge": "grouse:other@http://llm.example/v1"}, "never put to judge tests"),
        ({"judge": "grouse:m@http://elsewhere.example/v1"}, "never put to judge tests"),
        ({"judge": "llm:m@http://llm.example/v1"}, "never put to judge tests"),
        ({"prompts": PROMPTS | {"grouse_completeness": "1.1 (cccccccc)"}}, "with other prompts"),
        ({"prompts": PROMPTS | {"grouse_completeness": "1 (cccccccc)"}}, "with other prompts"),
        ({"prompts": {}}, "with other prompts"),
        ({"finished": False}, "never put to judge tests"),
        ({"part": Part.TRAIN}, "training part only"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, dict) else "",
)
def test_a_test_of_something_else_does_not_count(store, project, changes, says):
    store_test(store, project, **changes)
    found = trust(store, project)
    assert found.trusted is False
    assert says in found.reason


def test_another_way_of_judging_is_another_judge(store, project):
    store_test(store, project)
    assert trust(store, project, way=Way.PAIRED).trusted
    assert "in another way" in trust(store, project, way=Way.SINGLE).reason


def test_the_newest_test_decides(store, project):
    store_test(store, project)
    store_test(store, project, blind={"distorted claim"})
    assert trust(store, project).trusted is False


def test_few_tests_settle_nothing():
    tests = own_suite().tests[: LEAST_TESTS - 1]
    found = figures(tests, [outcome(test) for test in tests], KINDS["grouse"])
    assert shortfalls(found, Bar()) == ["it was put to 29 tests, and fewer than 30 settle nothing"]


def test_the_bar_is_the_projects_own(store, project):
    store_test(store, project, blind={"distorted claim"})
    set_bar(store, project, Bar(least=0.0), actor=ACTOR)
    assert trust(store, project).trusted
    set_bar(store, project, Bar(least=0.5, lower=True), actor=ACTOR)
    found = trust(store, project)
    assert found.trusted is False
    assert "distorted claim 0.00 (0/7), lower end 0.00, below 0.5" in found.reason
    other = create_project(store, "Other", ACTOR).id
    with store.read() as connection:
        assert judge_tests.bar(connection, other) == Bar()
    assert "never put" in trust(store, other).reason


def test_a_viewer_sets_no_bar_and_a_bar_is_a_share(store, project):
    with store.write(ACTOR, "project.role", project_id=project) as connection:
        projects.set_role(connection, project, "vera", Role.VIEWER)
    with pytest.raises(Forbidden):
        set_bar(store, project, Bar(), actor="vera")
    with pytest.raises(InvalidInput, match=r"The bar is 80"):
        set_bar(store, project, Bar(least=80), actor=ACTOR)


@pytest.mark.parametrize(
    ("judge", "trusted"), [("match", None), ("recorded:a.jsonl", None), ("ragas_fact:m@http://a.example/v1", False)]
)
def test_rules_need_no_test_and_other_model_judges_cannot_be_tested(store, project, judge, trusted):
    found = trust_of(store, project, judge)
    assert found.trusted is trusted
    assert found.reason
