"""GroUSE's order of calls, its nulls, and what follows from them: every combination."""

from itertools import product

import pytest

from core.domain.status import Status
from core.judging.grouse import SIX, GrouseMetric, GrouseSample, judge_sample
from tests.support.models.fenced import fenced
from tests.support.models.grouse_judge import FAILS, grading, judged, metric_of
from tests.support.servers.llm_server import LlmServer

M = GrouseMetric
NULL, SCORED = Status.NULL_JUDGEMENT, Status.SCORED
SAMPLE = GrouseSample(
    question="When did the pier open?",
    references=("The pier opened in 1871.", "The mole is longer."),
    expected_answer="In 1871 [1].",
    actual_answer="It opened in 1871 [1].",
)
STATES = ("value", None, FAILS)


def sample(**changes):
    return GrouseSample(
        **{name: changes.get(name, getattr(SAMPLE, name)) for name in GrouseSample.__dataclass_fields__}
    )


def expected(relevancy, completeness, usefulness, faithfulness):
    """Statuses and values by the rules of the reference, written down a second time."""
    state = {"value": SCORED, None: NULL, FAILS: Status.PARSE_FAILED}
    found = {M.ANSWER_RELEVANCY: state[relevancy], M.COMPLETENESS: state[completeness]}
    if relevancy == "value":
        found[M.USEFULNESS] = NULL
    else:
        found[M.USEFULNESS] = Status.NOT_JUDGED if relevancy == FAILS else state[usefulness]
    both_null = relevancy is None and found[M.USEFULNESS] is NULL
    found[M.FAITHFULNESS] = NULL if both_null else state[faithfulness]
    table = {  # completeness, relevancy: acceptance, rejection
        ("value", "value"): (1.0, NULL),
        ("value", None): (0.0, NULL),
        ("value", FAILS): (Status.NOT_JUDGED, NULL),
        (None, "value"): (NULL, 0.0),
        (None, None): (NULL, 1.0),
        (None, FAILS): (NULL, Status.NOT_JUDGED),
        (FAILS, "value"): (Status.NOT_JUDGED, Status.NOT_JUDGED),
        (FAILS, None): (Status.NOT_JUDGED, Status.NOT_JUDGED),
        (FAILS, FAILS): (Status.NOT_JUDGED, Status.NOT_JUDGED),
    }
    found[M.POSITIVE_ACCEPTANCE], found[M.NEGATIVE_REJECTION] = table[completeness, relevancy]
    return found


@pytest.fixture(scope="module")
def replies():
    """What the judge says next; set before each sample."""
    return {}


@pytest.fixture(scope="module")
def server(replies):
    values = {"answer_relevancy": 4, "completeness": 2, "usefulness": 1, "faithfulness": 0}

    def grade(metric, answer):
        said = replies[metric]
        return values[metric] if said == "value" else said

    with LlmServer(grading(grade)) as running:
        yield running


@pytest.mark.parametrize(("relevancy", "completeness"), list(product(STATES, STATES)))
@pytest.mark.parametrize(("usefulness", "faithfulness"), [("value", "value"), (None, None), (FAILS, FAILS)])
def test_every_combination_of_nulls_and_failures(
    ask, server, replies, relevancy, completeness, usefulness, faithfulness
):
    replies |= {
        "answer_relevancy": relevancy,
        "completeness": completeness,
        "usefulness": usefulness,
        "faithfulness": faithfulness,
    }
    before = len(server.bodies)
    scores = judge_sample(SAMPLE, ask(server.spec()))
    wanted = expected(relevancy, completeness, usefulness, faithfulness)
    assert set(scores.scores) == set(SIX)
    for metric, outcome in wanted.items():
        score = scores[metric]
        if isinstance(outcome, float):
            assert (score.status, score.value) == (SCORED, outcome), metric
        else:
            assert score.status is outcome, metric
            assert (score.value is None) == (outcome is not SCORED), metric
        assert score.reason, metric
    asked = [metric_of(body) for body in server.bodies[before:] if len(body["messages"]) == 2]
    order = ["answer_relevancy", "completeness"]
    order += ["usefulness"] if relevancy is None else []
    order += [] if wanted[M.FAITHFULNESS] is NULL and relevancy is None and usefulness is None else ["faithfulness"]
    assert asked == order


@pytest.mark.parametrize(
    ("relevancy", "completeness", "published"),
    [(4, 3, NULL), (None, 3, 0.0), (4, None, NULL), (None, None, 1.0), (FAILS, 3, Status.NOT_JUDGED)],
)
def test_the_published_packages_acceptance_stands_beside_ours(ask, relevancy, completeness, published):
    grades = {"answer_relevancy": relevancy, "completeness": completeness, "usefulness": None, "faithfulness": 1}
    with LlmServer(grading(lambda metric, answer: grades[metric])) as server:
        scores = judge_sample(SAMPLE, ask(server.spec()))
    compatible = scores.compatible[M.POSITIVE_ACCEPTANCE]
    assert published == (compatible.value if isinstance(published, float) else compatible.status)
    assert scores.compatible[M.NEGATIVE_REJECTION] == scores[M.NEGATIVE_REJECTION]


def test_the_score_is_the_actual_answers_and_the_expected_one_stands_beside_it(ask):
    def grade(metric, answer):
        return (5 if answer == SAMPLE.expected_answer else 2) if metric in ("answer_relevancy", "completeness") else 1

    with LlmServer(grading(grade)) as server:
        scores = judge_sample(SAMPLE, ask(server.spec()))
        first = fenced(server.bodies[0])
        again = judge_sample(SAMPLE, ask(server.spec()))
        assert len(server.bodies) == 3, "a second time costs nothing"
    assert (first["first_answer"], first["second_answer"]) == ([SAMPLE.expected_answer], [SAMPLE.actual_answer])
    relevancy = scores[M.ANSWER_RELEVANCY]
    assert (relevancy.value, relevancy.expected) == (2.0, 5.0)
    assert relevancy.reason == "Because of the answer_relevancy."
    assert relevancy.call_id
    assert relevancy.prompt.id == "grouse_answer_relevancy"
    assert again == scores
    assert scores.call_ids == tuple(dict.fromkeys(score.call_id for score in scores.scores.values() if score.call_id))


@pytest.mark.parametrize("alone", ["no expected answer", "unpaired"])
def test_an_answer_is_judged_alone_without_an_expected_one(ask, alone):
    with LlmServer(grading(lambda metric, answer: 1)) as server:
        one = sample(expected_answer=None) if alone == "no expected answer" else SAMPLE
        scores = judge_sample(one, ask(server.spec()), paired=alone != "unpaired")
        assert all("second_answer" not in fenced(body) for body in server.bodies)
    assert scores[M.COMPLETENESS].value == 1.0
    assert scores[M.COMPLETENESS].expected is None


def test_a_target_that_never_cites_has_no_cited_faithfulness_but_the_uncited_one(ask):
    with LlmServer(grading(lambda metric, answer: 1)) as server:
        scores = judge_sample(SAMPLE, ask(server.spec()), cites=False)
        asked = [metric_of(body) for body in server.bodies]
    assert scores[M.FAITHFULNESS].status is Status.NOT_APPLICABLE
    assert scores[M.FAITHFULNESS_UNCITED].value == 1.0
    assert asked == ["answer_relevancy", "completeness", "faithfulness_uncited"]


@pytest.mark.parametrize(
    ("changes", "statuses", "calls"),
    [
        ({"actual_answer": None}, dict.fromkeys((M.ANSWER_RELEVANCY, M.COMPLETENESS), Status.MISSING_INPUT), 0),
        ({"actual_answer": " \n"}, dict.fromkeys((M.FAITHFULNESS, M.USEFULNESS), Status.MISSING_INPUT), 0),
        ({"references": None}, {M.COMPLETENESS: Status.MISSING_INPUT, M.FAITHFULNESS: Status.MISSING_INPUT}, 1),
        ({"references": ()}, {M.COMPLETENESS: NULL, M.POSITIVE_ACCEPTANCE: NULL, M.NEGATIVE_REJECTION: SCORED}, 2),
    ],
)
def test_what_is_missing_is_a_reason_and_costs_no_call(ask, changes, statuses, calls):
    with LlmServer(grading(lambda metric, answer: 1)) as server:
        scores = judge_sample(sample(**changes), ask(server.spec()))
        assert len(server.bodies) == calls
    assert {metric: scores[metric].status for metric in statuses} == statuses


@pytest.mark.parametrize(
    ("metric", "reply", "answer", "flag"),
    [
        (
            "answer_relevancy",
            judged("answer_relevancy", None),
            "It opened in 1871 [1].",
            "by our rules the answer has no",
        ),
        ("answer_relevancy", judged("answer_relevancy", 4), "I do not know.", "by our rules the answer only declines"),
        (
            "answer_relevancy",
            judged("answer_relevancy", None, answer_affirms_no_document_answers=False),
            "I do not know.",
            "does not state that no passage answers",
        ),
        (
            "answer_relevancy",
            judged("answer_relevancy", 4, answer_affirms_no_document_answers=True),
            "It opened in 1871 [1].",
            "gives a grade and says that the answer states",
        ),
        ("faithfulness", judged("faithfulness", None), "It opened in 1871 [1].", "answer relevancy has a grade"),
    ],
)
def test_contradictory_nulls_are_flagged_and_kept(ask, metric, reply, answer, flag):
    def script(body):
        asked = metric_of(body)
        return {"answer_1": reply if asked == metric else judged(asked, 1)}

    with LlmServer(script) as server:
        scores = judge_sample(sample(expected_answer=None, actual_answer=answer), ask(server.spec()))
    score = scores[GrouseMetric(metric)]
    assert score.value == reply[metric]
    assert any(flag in said for said in score.flags), score.flags


def test_a_consistent_judge_has_no_flag(ask):
    def grade(metric, answer):
        return None if metric in ("answer_relevancy", "completeness", "usefulness") else 1

    declined = sample(expected_answer=None, actual_answer="No document seems to precisely answer your question.")
    with LlmServer(grading(grade)) as server:
        scores = judge_sample(declined, ask(server.spec()))
    assert all(not score.flags for score in scores.scores.values()), scores
    assert scores[M.NEGATIVE_REJECTION].value == 1.0
