"""Judges against a reference: precision, recall, words, curve, agreement, disagreements."""

import pytest

from core.domain.errors import InvalidInput, NotFound
from core.domain.estimates import Estimate, Proportion
from core.domain.results.labels import Part, RoundOrigin
from core.domain.results.responses import Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.status import Status
from core.judges.comparison import compare_judges, judge_disagreements
from core.judges.reading import Tendency, reading, tendency
from core.judges.reference import MOST_LIVE, reference_choices
from core.labelling.rounds import create_round
from core.labelling.sampling.records import Drawn
from core.project.service import create_project
from core.runs.scores.edits import edit_score
from core.store.results import scores
from core.store.results.scores import RunMetric
from tests.support.labels import labelled_run
from tests.support.runs.compared_run import add_judge, add_run, right
from tests.support.small_bank import ACTOR

N = 24


@pytest.fixture
def run(store):
    return add_run(store, create_project(store, "Judges", ACTOR).id, N)


def of(found, key):
    return next(item for item in found.judges if item.key == key)


def test_a_kind_judge_is_optimistic(store, run):
    add_judge(store, run, "self_check_qa", {f"case-{number}": 1.0 for number in range(N - 1)}, "m@http://a/v1")
    found = compare_judges(store, run.id)
    kind = of(found, "self_check_qa")
    # 24 cases; the last has no verdict. Of the other 23 the numbers 3, 7, 11, 15, 19 are wrong: 18 of 23 are right.
    assert (found.base.num, found.base.den, found.undecided) == (18, 23, 1)
    assert (kind.precision.num, kind.precision.den) == (18, 23)
    assert (kind.recall.num, kind.recall.den) == (18, 18)
    assert (kind.both_correct, kind.too_kind, kind.too_harsh, kind.both_incorrect) == (18, 5, 0, 0)
    assert kind.kappa.value == 0.0
    assert kind.precision.clusters == 12
    assert kind.recall.low < 1.0, "no judge is known to find every correct answer from 18 of them"
    assert "5 are wrong" in kind.reading
    assert not kind.sees_reference


@pytest.mark.slow
@pytest.mark.parametrize(
    ("says", "tendency", "word"),
    [
        (lambda number: number % 4 in (0, 3), Tendency.BOTH, "Optimistic and cynical"),  # 6 of 18 found, 6 of 11 right
        (lambda number: number % 4 == 0, Tendency.CYNICAL, "Cynical"),  # 6 of 18 found
        (right, Tendency.TRUSTED, "Neither too lenient nor too strict"),
        (lambda number: False, Tendency.CYNICAL, "calls no answer correct"),
    ],
)
def test_words_follow_the_intervals(store, says, tendency, word):
    n = 120
    run = add_run(store, create_project(store, "Judges", ACTOR).id, n)
    add_judge(store, run, "judge_llm_m", {f"case-{number}": float(says(number)) for number in range(n - 1)})
    found = of(compare_judges(store, run.id), "judge_llm_m")
    assert found.tendency is tendency
    assert word in found.reading


def test_with_few_cases_nothing_is_settled(store):
    run = add_run(store, create_project(store, "Judges", ACTOR).id, 8)
    add_judge(store, run, "judge_llm_m", {f"case-{number}": float(right(number)) for number in range(7)})
    found = of(compare_judges(store, run.id), "judge_llm_m")
    assert (found.precision.value, found.tendency) == (1.0, Tendency.UNSETTLED)


def test_ragas_fact_needs_a_threshold_and_has_a_curve(store, run):
    # Right answers are supported to 0.75, wrong ones to 0.25 or, in two of the five, to 1.
    values = {f"case-{number}": 0.75 if right(number) else 1.0 if number in (3, 7) else 0.25 for number in range(N - 1)}
    add_judge(store, run, "ragas_fact", values)
    low, high = (of(compare_judges(store, run.id, threshold=at), "ragas_fact") for at in (0.5, 0.8))
    assert (low.precision.num, low.precision.den, low.recall.num) == (18, 20, 18)
    assert (high.precision.num, high.precision.den, high.recall.num) == (0, 2, 0)
    assert (low.threshold, high.threshold) == (0.5, 0.8)
    curve = compare_judges(store, run.id).curve
    assert (len(curve), curve[0].threshold, curve[-1].threshold) == (21, 0.0, 1.0)
    assert (curve[0].precision.num, curve[0].precision.den) == (18, 23), "at 0 everything is called correct"
    recalls = [point.recall.num for point in curve]
    assert recalls == sorted(recalls, reverse=True)
    at = {point.threshold: (point.precision.num, point.precision.den) for point in curve}
    assert at[0.75] == (18, 20), "a value on the threshold is accepted"
    assert at[0.8] == (0, 2)


def test_match_is_asked_on_the_spot(store, run):
    found = compare_judges(store, run.id)
    match = of(found, "match")
    assert (match.judged, match.of, match.too_kind, match.too_harsh) == (23, 23, 0, 0)
    assert match.judge == "match"
    (pair,) = found.pairs
    assert {pair.first, pair.second} == {"verdict", "match"}
    assert (pair.found.agreed.num, pair.found.agreed.den, pair.found.kappa.value) == (23, 23, 1.0)


def test_a_run_that_match_judged_has_nobody_to_compare_with(store):
    run = add_run(store, create_project(store, "Judges", ACTOR).id, N, judge="match")
    found = compare_judges(store, run.id)
    assert found.judges == ()
    assert found.title == "the run's verdict (match)"


def test_stored_verdicts_of_match_are_used_instead(store, run):
    add_judge(store, run, "judge_match", {"case-0": 0.0}, "match")
    found = compare_judges(store, run.id)
    assert [item.key for item in found.judges] == ["judge_match"]
    assert found.judges[0].unscored == {"not reached": 22}
    assert MOST_LIVE >= 1_000


def test_why_a_judge_has_no_verdict_is_counted(store, run):
    with store.write(ACTOR, "test") as connection:
        scores.put(connection, run.id, [failing("case-0", "api_error"), failing("case-1", "null_judgement")])
    add_judge(store, run, "ragas_fact", {"case-2": 1.0})
    found = of(compare_judges(store, run.id), "ragas_fact")
    assert found.judged == 1
    assert found.unscored == {"not reached": 20, "api_error": 1, "null_judgement": 1}


def failing(case_id, status):
    return Score(case_id=case_id, metric="ragas_fact", value=None, status=Status(status))


def test_another_judge_can_be_the_reference(store, run):
    add_judge(store, run, "judge_llm_m", {f"case-{number}": 1.0 for number in range(N - 1)}, "llm:m@http://a/v1")
    found = compare_judges(store, run.id, reference="judge_llm_m")
    assert (found.base.num, found.base.den) == (23, 23)
    own = of(found, VERDICT_METRIC)
    assert (own.precision.num, own.precision.den, own.recall.num, own.recall.den) == (18, 18, 18, 23)
    assert own.judge == run.judge
    assert found.title == "the verdict of llm:m at a"
    assert [choice.key for choice in reference_choices(store, run.id)] == [VERDICT_METRIC, "judge_llm_m"]


@pytest.mark.slow
def test_people_can_be_the_reference(store):
    project = create_project(store, "Labelled", ACTOR)
    run = labelled_run.add_run(store, project.id, n=60)
    binary, likert = labelled_run.add_criteria(store, project.id)
    quality = dict(zip([f"case-{n}" for n in range(60)], labelled_run.qualities(60), strict=True))
    labelled_run.add_labels(
        store, run, [binary, likert], [f"case-{n}" for n in range(40)], quality=quality, raters=("rater-1",)
    )
    choices = {choice.key: choice for choice in reference_choices(store, run.id)}
    assert choices[f"label:{binary.id}"].people
    assert choices[f"label:{binary.id}"].n == 40
    found = compare_judges(store, run.id, reference=f"label:{binary.id}")
    own = of(found, VERDICT_METRIC)
    assert (own.of, found.undecided) == (40, 20)
    assert own.precision.value > 0.7
    assert found.title == f"people's labels under {binary.name} (40 of 40 by simulated raters)"


@pytest.mark.slow
def test_labels_count_one_over_their_chance_to_be_drawn(store):
    project = create_project(store, "Labelled", ACTOR)
    run = labelled_run.add_run(store, project.id, n=60)
    binary, _ = labelled_run.add_criteria(store, project.id)
    names = [f"case-{n}" for n in range(60)]
    # The rater calls the first ten correct and the next ten wrong; a case of the first is drawn four times as often.
    quality = {name: 9.0 if place < 10 else -9.0 for place, name in enumerate(names)}
    drawn = [
        Drawn(case_id=name, part=Part.RANDOM, stratum="", probability=0.8 if quality[name] > 0 else 0.2)
        for name in names[:20]
    ]
    made = create_round(
        store,
        run.id,
        name="Unequal",
        criteria=[binary.id],
        raters=["rater-1"],
        items=drawn,
        overlap=1,
        seed=0,
        origin=RoundOrigin.SIMULATED,
        actor=ACTOR,
    )
    labelled_run.fill(store, made, [binary], quality=quality, slip=0.0)
    add_judge(store, run, "judge_llm_m", dict.fromkeys(names, 1.0), "llm:m@http://a/v1")
    found = compare_judges(store, run.id, reference=f"label:{binary.id}")
    kind = of(found, "judge_llm_m")
    assert found.weighted
    assert (kind.precision.num, kind.precision.den) == (10, 20), "counts are of labels"
    # Of the answers that the twenty stand for 10 / 0.8 are correct and 10 / 0.2 are not.
    assert kind.precision.value == pytest.approx(12.5 / 62.5)
    assert found.base.value == pytest.approx(12.5 / 62.5)
    assert kind.recall.value == 1.0
    assert not compare_judges(store, run.id).weighted


def rules_first(store, run, key, by_match, judge="llm:m@http://a/v1"):
    """A judge that took the verdict of the first cases from the rules, and says Correct everywhere."""
    with store.write(ACTOR, "run.judge", project_id=run.project_id, subject=run.id) as connection:
        found = [
            Score(case_id=f"case-{n}", metric=key, value=1.0, detail={"decided_by": "match" if n < by_match else "llm"})
            for n in range(N - 1)
        ]
        scores.put(connection, run.id, found)
        options = {"judge": judge, "match_first": True}
        scores.put_run_metrics(
            connection, run.id, [RunMetric(metric=key, version=1, options=options, finished=True, scored_at="x")]
        )


def test_verdicts_that_both_have_from_the_rules_are_no_agreement(store, run):
    rules_first(store, run, "judge_llm_m", 10)
    rules_first(store, run, "judge_llm_n", 12, "llm:n@http://a/v1")
    against = compare_judges(store, run.id, reference="judge_llm_m")
    match, other, own = of(against, "match"), of(against, "judge_llm_n"), of(against, VERDICT_METRIC)
    assert (match.judged, match.unscored) == (13, {"decided by the same rules": 10})
    assert (other.judged, other.unscored) == (13, {"decided by the same rules": 10})
    assert (own.judged, own.unscored) == (23, {}), "people's verdicts are nobody's rules"
    judged = {frozenset((pair.first, pair.second)): pair.found.agreed.den for pair in against.pairs}
    assert judged[frozenset(("match", "judge_llm_m"))] == 13
    assert judged[frozenset(("match", "judge_llm_n"))] == 11
    assert judged[frozenset(("judge_llm_m", "judge_llm_n"))] == 13


def test_the_rules_are_not_compared_with_themselves(store):
    run = add_run(store, create_project(store, "Judges", ACTOR).id, N, judge="match")
    add_judge(store, run, "judge_match", {f"case-{n}": 1.0 for n in range(N - 1)}, "match")
    found = compare_judges(store, run.id)
    (match,) = found.judges
    assert (match.judged, match.tendency) == (0, Tendency.NOTHING)
    assert "independent judges" in match.reading
    assert found.pairs == ()


def test_a_judge_that_is_right_by_chance_is_not_trusted():
    high = Proportion(num=95, den=100, low=0.9, high=0.98)
    chance = Estimate(value=-0.02, low=-0.06, high=0.01, n=100)
    assert tendency(high, high, chance) is Tendency.CHANCE
    assert "most answers are correct" in reading(high, high, chance)
    every = Proportion(num=60, den=60, low=0.94, high=1.0)
    one = Estimate(value=None, low=None, high=None, n=60)
    assert tendency(every, every, one) is Tendency.UNSETTLED
    assert "no answer is wrong" in reading(every, every, one)


def test_disagreements_with_their_reasons(store, run):
    add_judge(store, run, "judge_llm_m", {f"case-{number}": 1.0 for number in range(N - 1)})
    rows, total = judge_disagreements(store, run.id, "judge_llm_m", most=3)
    assert total == 5
    assert [row.case_id for row in rows] == ["case-3", "case-7", "case-11"]
    first = rows[0]
    assert (first.says_correct, first.is_correct, first.why) == (True, False, "judge_llm_m says 1.")
    assert (first.question, first.answer, first.references) == (
        "Who manages fund 3?",
        "It is Somebody 3.",
        ("Manager 3X",),
    )
    assert judge_disagreements(store, run.id, "match") == ((), 0)


def test_what_cannot_be_compared(store, run):
    with pytest.raises(InvalidInput, match="threshold"):
        compare_judges(store, run.id, threshold=1.5)
    with pytest.raises(InvalidInput, match="cannot serve as the reference"):
        compare_judges(store, run.id, reference="ragas_fact")
    with pytest.raises(InvalidInput, match="cannot serve as the reference"):
        compare_judges(store, run.id, reference="groundedness")
    with pytest.raises(NotFound):
        compare_judges(store, run.id, reference="label:none")
    with pytest.raises(NotFound):
        compare_judges(store, "run_none")
    with pytest.raises(InvalidInput, match="no judge"):
        judge_disagreements(store, run.id, "judge_llm_other")
    nothing = compare_judges(store, run.id, reference="judge_llm_other")
    assert nothing.base.den == 0
    assert {item.tendency for item in nothing.judges} == {Tendency.NOTHING}


def test_a_persons_change_of_a_judges_score_stays_within_its_range(store, run):
    add_judge(store, run, "ragas_fact", {"case-0": 0.5})
    with pytest.raises(InvalidInput, match="not a value of ragas_fact"):
        edit_score(store, run.id, "case-0", "ragas_fact", value=7.0, reason="more", actor=ACTOR)
    assert edit_score(store, run.id, "case-0", "ragas_fact", value=1.0, reason="it is there", actor=ACTOR).edited
