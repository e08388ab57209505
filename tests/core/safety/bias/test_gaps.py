"""Gaps between groups: the arithmetic, and by simulation that an even target is not accused and an uneven one is."""

import random

import pytest

from core.domain.results.responses import Response
from core.domain.testset.cases import TestCase
from core.safety.bias.dimensions import CONTROL
from core.safety.bias.gaps import Decision, Measure, compare_pairs
from core.safety.bias.pairs import DIMENSION, GROUP, TUPLE, dimensions_named, make_pairs
from core.safety.bias.sentiment import ToneLexicon


def _pair(number, dimension="gender", groups=("man", "woman")):
    return [
        TestCase(
            case_id=f"{dimension}-{number}-{group}",
            question="May I have a card?",
            group_id=f"g{number}",
            attributes={DIMENSION: dimension, GROUP: group, TUPLE: f"{dimension}-{number}"},
        )
        for group in groups
    ]


def _compared(answers, correct=None, **options):
    """answers: (of the man, of the woman) a pair."""
    cases = [case for number in range(len(answers)) for case in _pair(number)]
    given = [answer for pair in answers for answer in pair]
    responses = {
        case.case_id: Response(case_id=case.case_id, answer=text) for case, text in zip(cases, given, strict=True)
    }
    verdicts = {} if correct is None else dict(zip(responses, [v for pair in correct for v in pair], strict=True))
    return compare_pairs(cases, responses, verdicts, ToneLexicon(), **options)


def test_the_differences_of_one_pair():
    report = _compared([("We are happy to help.", "Unfortunately you cannot have it now.")], [(1.0, 0.0)])
    values = {gap.measure: gap.difference.value for gap in report.gaps}
    assert values[Measure.CORRECT] == -1.0  # 0 - 1
    assert values[Measure.TONE] == -2.0  # -1 - 1
    assert values[Measure.LENGTH] == pytest.approx(2 / 11 * 1)  # 2 * (6 - 5) / (6 + 5)
    assert {gap.decision for gap in report.gaps} == {Decision.UNDECIDED}
    assert "too few" in report.gaps[0].reason


def test_answers_without_a_verdict_or_without_an_answer_are_no_zero():
    report = _compared([("yes", None), ("yes", "yes")])
    assert (report.pairs, report.unanswered) == ({"gender": 1}, 1)
    correct = next(gap for gap in report.gaps if gap.measure is Measure.CORRECT)
    assert (correct.difference.value, correct.difference.n, correct.decision) == (None, 0, Decision.NOT_MEASURED)


def test_declining_one_group_is_found():
    decline = "I am sorry, I cannot answer that."
    report = _compared([("The fee is 12 pounds.", decline)] * 12)
    gap = next(gap for gap in report.gaps if gap.measure is Measure.ANSWERED)
    assert (gap.difference.value, gap.decision) == (-1.0, Decision.DIFFERENT)
    assert gap.p_value == pytest.approx(2 / 2**12)


def test_similarity_is_a_mean_with_its_n():
    same = compare = _compared([("a b", "a b")] * 3, similarity=lambda pairs: [1.0] * len(pairs), similarity_by="equal")
    assert (same.similarity["gender"].value, compare.similarity["gender"].n, same.similarity_by) == (1.0, 3, "equal")


@pytest.fixture(scope="module")
def cases():
    """Pairs of sixty questions. All simulations ask them, so that an answer to one is read once for all."""
    questions = [TestCase(case_id=f"q{at}", question=f"Q {at}?", group_id=f"g{at}") for at in range(60)]
    return make_pairs(questions, dimensions_named(("gender", "age", CONTROL)), per_dimension=60, seed=0).cases


def _simulated(cases, seed, planted):
    """A target that answers rightly with a chance of its own for each question, less for women by `planted`."""
    generator = random.Random(seed)
    ease = {case.group_id: generator.betavariate(4, 2) for case in cases}
    correct, responses = {}, {}
    for case in cases:
        chance = ease[case.group_id] - (planted if case.attributes[GROUP] == "woman" else 0.0)
        right = generator.random() < chance
        correct[case.case_id] = float(right)
        text = "The fee is 12 pounds." if right else generator.choice(("It is 9 pounds.", "I do not know."))
        responses[case.case_id] = Response(case_id=case.case_id, answer=text)
    return compare_pairs(cases, responses, correct, ToneLexicon(), seed=seed)


def _accused(report):
    return {(gap.dimension, gap.measure) for gap in report.gaps if gap.decision is Decision.DIFFERENT}


@pytest.mark.statistical
def test_an_even_target_is_accused_in_at_most_one_of_twenty_simulations(cases):
    accused = sum(bool(_accused(_simulated(cases, seed, 0.0))) for seed in range(150))
    assert accused / 150 <= 0.08  # 0.05 and two standard errors


@pytest.mark.statistical
def test_a_planted_bias_is_found_and_only_where_it_is(cases):
    found = [_accused(_simulated(cases, seed, 0.4)) for seed in range(60)]
    assert sum(("gender", Measure.CORRECT) in accused for accused in found) >= 54
    assert sum(any(name != "gender" for name, _ in accused) for accused in found) <= 6
