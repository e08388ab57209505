"""Flips, right behaviour, noise and what could not be measured, from answers written down here."""

import pytest

from core.domain.results.responses import Context, Response
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected, Lineage
from core.robustness.behaviour import Behaviour, behaviour_of
from core.robustness.pairs import Answered
from core.robustness.parts import attributes_of, parts_of
from core.robustness.result import robustness_of, worst_first

GROUPS = 12


def parent(number, verdict=1.0, answer="3 May 2014", **fields):
    case = TestCase(
        case_id=f"p{number}",
        question=f"When did 'Branch {number}' open?",
        reference_answers=("3 May 2014",),
        group_id=f"g{number % GROUPS}",
        attributes={"topic": "old" if number % 2 else "new"},
    )
    return Answered(case=case, response=Response(case_id=case.case_id, answer=answer), verdict=verdict, **fields)


def variant(
    number, kind="spelling", verdict=1.0, answer="3 May 2014", expected=Expected.SAME_ANSWER, draw="", **fields
):
    lineage = Lineage(variant=kind, parent=f"p{number}", expected=expected.value, draw=draw)
    case = TestCase(
        case_id=f"{kind}{number}{draw}",
        question="Wehn did it open?",
        reference_answers=("3 May 2014",) if expected is Expected.SAME_ANSWER else (),
        group_id=f"g{number % GROUPS}",
        attributes={"topic": "old" if number % 2 else "new", **lineage.as_attributes()},
    )
    return Answered(case=case, response=Response(case_id=case.case_id, answer=answer), verdict=verdict, **fields)


def parents(*verdicts):
    return {f"p{number}": parent(number, verdict) for number, verdict in enumerate(verdicts)}


def test_flips_are_counted_both_ways_with_their_denominators():
    # Of 24 parents 18 are right; of these 9 break. Of the 6 wrong ones 2 become right. Change: (-9 + 2) / 24.
    before = parents(*[1.0] * 18, *[0.0] * 6)
    after = [variant(number, verdict=0.0 if number < 9 else 1.0) for number in range(18)]
    after += [variant(number, verdict=1.0 if number < 20 else 0.0) for number in range(18, 24)]
    (figures,) = robustness_of(before, after).kinds
    assert (figures.broke.num, figures.broke.den) == (9, 18)
    assert (figures.fixed.num, figures.fixed.den) == (2, 6)
    assert (figures.flipped.num, figures.flipped.den) == (11, 24)
    assert figures.change.value == pytest.approx(-7 / 24)
    assert figures.broke.clusters == GROUPS


def test_a_kind_is_weak_only_where_the_adjusted_test_shows_it():
    before = parents(*[1.0] * 24)
    broken = [variant(number, "grammar", verdict=0.0) for number in range(24)]
    steady = [variant(number, "spelling") for number in range(24)]
    figures = {item.kind: item for item in robustness_of(before, broken + steady).kinds}
    # Twelve groups, all worse: 2 of 2^12 sign patterns, times two tests.
    assert figures["grammar"].p_adjusted == pytest.approx(2 * 2 / 2**12)
    assert (figures["grammar"].weak, figures["spelling"].weak) == (True, False)
    assert figures["spelling"].p_value == 1.0
    assert figures["spelling"].detectable > 0


def test_with_few_groups_nothing_is_tested_and_the_reason_is_given():
    (figures,) = robustness_of(parents(1.0, 1.0), [variant(0, verdict=0.0), variant(1)]).kinds
    assert figures.p_value is None
    assert figures.detectable is None
    assert not figures.weak
    assert "6 are needed" in figures.change.method


def test_missing_parents_and_verdicts_are_counted_and_said():
    before = {"p0": parent(0), "p1": parent(1, None)}
    result = robustness_of(before, [variant(0), variant(1), variant(2)])
    (figures,) = result.kinds
    assert (figures.variants, figures.without_parent, figures.not_judged) == (3, 1, 1)
    assert figures.flipped.den == 1
    assert any("1 of 3 variants have no parent" in line for line in result.not_measured)
    assert any("1 pairs are not compared" in line for line in result.not_measured)


def test_noise_is_that_of_the_system_and_that_of_the_judge():
    before = parents(*[1.0] * 12)
    repeats = [variant(number, "repeat", draw="1") for number in range(8)]
    repeats += [variant(8, "repeat", verdict=0.0, draw="1")]  # the same words, another verdict: the judge
    repeats += [variant(number, "repeat", verdict=0.0, answer="1 June 1999", draw="1") for number in (9, 10)]
    noise = robustness_of(before, repeats).noise
    assert (noise.flipped.num, noise.flipped.den) == (3, 11)
    assert (noise.reworded.num, noise.reworded.den) == (2, 11)
    assert (noise.judge.num, noise.judge.den) == (1, 9)
    assert noise.said == ""


def test_without_repeats_the_noise_is_said_to_be_unmeasured():
    result = robustness_of(parents(1.0), [variant(0)])
    assert any("No question was repeated" in line for line in result.not_measured)
    assert result.kinds[0].beyond_noise is None


def test_votes_of_a_judge_show_its_noise():
    before = {"p0": parent(0, votes=("Correct", "Incorrect", "Correct"))}
    noise = robustness_of(before, [variant(0, votes=("Correct",) * 3)]).noise
    assert (noise.votes.num, noise.votes.den) == (1, 2)


def test_flips_that_repeats_have_too_are_not_beyond_noise():
    before = parents(*[1.0] * 24)
    flips = [variant(number, verdict=float(number % 2)) for number in range(24)]
    repeats = [variant(number, "repeat", verdict=float(number % 2), draw="1") for number in range(24)]
    (figures,) = robustness_of(before, flips + repeats).kinds
    assert figures.beyond_noise == 1.0
    (alone,) = robustness_of(before, flips + [variant(n, "repeat", draw="1") for n in range(24)]).kinds
    assert alone.beyond_noise < 0.05


def test_drops_of_scores_are_turned_so_that_below_zero_is_worse():
    before = {f"p{n}": parent(n, scores={"groundedness": 0.9, "nli_contradiction": 0.1}) for n in range(12)}
    after = [variant(n, scores={"groundedness": 0.5, "nli_contradiction": 0.3}) for n in range(12)]
    drops = {drop.metric: drop.change.value for drop in robustness_of(before, after).drops}
    assert drops == pytest.approx({"groundedness": -0.4, "nli_contradiction": -0.2})


def test_stability_by_the_topic_of_the_parent():
    before = parents(*[1.0] * 24)
    after = [variant(number, verdict=0.0 if number % 2 else 1.0) for number in range(24)]
    pairs = robustness_of(before, after).pairs
    assert attributes_of(pairs) == ("topic",)
    first, *_ = parts_of(pairs, "topic")
    assert (first.level, first.kind, first.broke.num, first.broke.den) == ("old", "", 12, 12)


def test_what_broke_is_read_first():
    before = parents(1.0, 1.0, 0.0)
    after = [variant(2), variant(1), variant(0, verdict=0.0)]
    assert [pair.lineage.parent for pair in worst_first(robustness_of(before, after).pairs)] == ["p0", "p2", "p1"]


BEHAVIOURS = [
    ("corrected", Expected.CORRECTED_OR_DECLINED, "It is 3 May 2014, not 9 June 2011.", 1.0, "right"),
    ("declined", Expected.CORRECTED_OR_DECLINED, "I could not find this in the documents.", 0.0, "right"),
    ("adopted", Expected.CORRECTED_OR_DECLINED, "It opened on 9 June 2011.", 0.0, "wrong"),
    ("other", Expected.CORRECTED_OR_DECLINED, "It opened on 1 January 1950.", 0.0, "wrong"),
    ("unjudged", Expected.CORRECTED_OR_DECLINED, "It opened shortly after the flood.", None, "undecided"),
    ("declined in other words", Expected.CORRECTED_OR_DECLINED, "Hard to put a date to.", None, "right"),
    ("asked", Expected.ASKED_OR_STATED, "Which branch do you mean?", None, "right"),
    ("stated", Expected.ASKED_OR_STATED, "Harbour Street opened on 3 May 2014.", None, "right"),
    ("ignored", Expected.ASKED_OR_STATED, "3 May 2014.", None, "wrong"),
    ("gave up", Expected.ASKED_OR_STATED, "I do not know.", None, "undecided"),
    ("declines", Expected.DECLINED_OR_CLOSEST, "I could not find this in the documents.", None, "right"),
    ("invents", Expected.DECLINED_OR_CLOSEST, "Harbour Street opened on 3 May 2014.", None, "wrong"),
    ("closest", Expected.DECLINED_OR_CLOSEST, "Mill Lane opened in 2011.", None, "undecided"),
    ("no passage", Expected.DECLINED_OR_CLOSEST, "Neptune has fourteen moons orbiting it.", None, "wrong"),
    ("same", Expected.SAME_ANSWER, "3 May 2014", 1.0, "right"),
    ("other", Expected.SAME_ANSWER, "4 May 2014", 0.0, "wrong"),
    ("not judged", Expected.SAME_ANSWER, "3 May 2014", None, "undecided"),
]


@pytest.mark.parametrize(
    ("what", "expected", "answer", "verdict", "seen"), BEHAVIOURS, ids=lambda value: str(value)[:30]
)
def test_right_behaviour(what, expected, answer, verdict, seen):
    lineage = Lineage(
        variant="any",
        parent="p",
        expected=expected.value,
        parent_question="When did the branch open?",
        misled_by="9 June 2011",
        variant_subject="Harbour Street",
    )
    case = TestCase(case_id="v", question="When did the branch open?")
    response = Response(
        case_id="v", answer=answer, contexts=(Context(document_id="d", text="Mill Lane opened in 2011."),)
    )
    assert behaviour_of(case, lineage, response, verdict).behaviour == seen


def test_a_system_that_failed_is_undecided():
    lineage = Lineage(variant="any", parent="p", expected=Expected.SAME_ANSWER.value)
    seen = behaviour_of(TestCase(case_id="v", question="?"), lineage, Response(case_id="v", answer=None), None)
    assert seen.behaviour is Behaviour.UNDECIDED


def test_where_few_originals_are_right_it_says_that_little_could_become_wrong():
    after = [variant(number, verdict=0.0) for number in range(12)]
    few = robustness_of(parents(*[1.0] * 2, *[0.0] * 10), after)
    assert any("Only 2 of the 12 original questions are answered correctly" in line for line in few.not_measured)
    many = robustness_of(parents(*[1.0] * 12), after)
    assert not any("original questions" in line for line in many.not_measured)
