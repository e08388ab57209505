"""Findings in words: the same figures make the same sentence, with every number it rests on."""

from dataclasses import replace

import pytest

from core.domain.estimates import Estimate
from core.weakness.findings.drafts.facts import CompoundFacts, Labels, PartFacts, ScoreWords, SearchFacts, score_words
from core.weakness.findings.drafts.wording import (
    cluster_text,
    difference,
    holding_text,
    p_text,
    part_text,
    slice_text,
    unscored_text,
    where,
)
from core.weakness.service.spoken import SPOKEN
from core.weakness.table import ScoreColumn

CELL = (("table", "loan_product"), ("answer_type", "number"))
VERDICT = ScoreWords(label="Verdict", kind="verdict")
FACTS = PartFacts(
    n=132,
    scored=132,
    clusters=22,
    mean=78 / 132,
    low=0.41,
    high=0.75,
    rest=1021 / 1260,
    rest_scored=1260,
    effect=1021 / 1260 - 78 / 132,
    p_adjusted=0.031,
    tested=13,
    among="cells of 1 pair of attributes",
)


def test_a_weak_cell():
    assert part_text(VERDICT, CELL, FACTS) == (
        "Questions about loan product whose answer is a number are answered correctly in 0.59 [0.41, 0.75] (78/132, 22 "
        "semantic groups); all other questions in 0.81 (1,021/1,260). The difference of 22 points is shown (adjusted p "
        "0.031 among 13 cells of 1 pair of attributes)."
    )


def test_a_cell_that_is_worse_than_its_attributes_explain():
    said = part_text(VERDICT, CELL, FACTS, compound=CompoundFacts(explained=0.704, p_adjusted=0.0002))
    assert said == part_text(VERDICT, CELL, FACTS) + (
        " The two attributes by themselves explain 0.70: the combination is worse than that (adjusted p < 0.001)."
    )


def test_cases_without_a_score_and_cases_that_stand_alone():
    facts = replace(FACTS, n=140, clusters=132)
    assert "(78/132, 8 more without a score); all" in part_text(VERDICT, CELL, facts)
    assert "0.59 (78/132)" in part_text(VERDICT, CELL, replace(FACTS, low=None, high=None, clusters=None))


def test_a_share_that_reaches_a_threshold():
    column = ScoreColumn(name="groundedness", values=[])
    words = score_words("Groundedness", "metric", column, 0.7)
    assert part_text(words, CELL[:1], FACTS).startswith(
        "Questions about loan product have Groundedness of at least 0.7 in 0.59 [0.41, 0.75] (78/132, 22 semantic "
        "groups); all other questions in 0.81 (1,021/1,260). The difference of 22 points is shown"
    )
    toxic = score_words("Toxicity", "metric", replace(column, higher_is_better=False), 0.25)
    assert "have Toxicity of at most 0.25 in" in part_text(toxic, CELL, FACTS)


def test_a_mean_is_told_in_its_own_unit():
    words = score_words("Groundedness", "metric", ScoreColumn(name="g", values=[]))
    assert part_text(words, CELL[:1], FACTS) == (
        "Questions about loan product average 0.59 [0.41, 0.75] in Groundedness (132 scored, 22 semantic groups); all "
        "other questions 0.81 (1,260 scored). The difference of 0.22 is shown (adjusted p 0.031 among 13 cells of 1 "
        "pair of attributes)."
    )
    seconds = score_words("Latency", "metric", ScoreColumn(name="s", values=[], high=None, higher_is_better=False))
    facts = replace(FACTS, mean=1234.5, low=12.34, high=None, rest=12.34, effect=1222.16)
    assert part_text(seconds, CELL[:1], facts).startswith(
        "Questions about loan product average 1,234 in Latency, where less is better (132 scored, 22 semantic groups); "
        "all other questions 12.3 (1,260 scored). The difference of 1,222 is shown"
    )


def test_a_calibrated_probability_differs_in_points():
    words = score_words("Chance of Correctness", "chance", ScoreColumn(name="chance:cal_1", values=[]))
    said = part_text(words, CELL[:1], FACTS)
    assert "average 0.59 [0.41, 0.75] in Chance of Correctness (132 scored" in said
    assert "The difference of 22 points is shown" in said


def test_a_slice_tells_the_half_that_was_held_out():
    search = SearchFacts(
        n=264,
        scored=264,
        clusters=44,
        tried=4120,
        found_effect=0.31,
        found_n=132,
        effect_low=0.085,
        effect_high=0.36,
        held_out=1392,
    )
    facts = replace(FACTS, clusters=None, tested=25, among="slices")
    assert slice_text(VERDICT, (*CELL, ("form", "long")), facts, search) == (
        "On the 1,392 cases held out from the search, questions about loan product in long form whose answer is a "
        "number are answered correctly in 0.59 [0.41, 0.75] (78/132); all other questions in 0.81 (1,021/1,260). The "
        "difference of 22 points [8, 36] is shown (adjusted p 0.031 among 25 slices, chosen from 4,120); on the half "
        "where it was found it was 31 points (132 cases)."
    )


def test_a_share_without_a_score_is_a_note():
    facts = replace(FACTS, n=130, scored=130, mean=40 / 130, rest=13 / 640, rest_scored=640, p_adjusted=0.0001)
    assert unscored_text(CELL[:1], replace(facts, among="levels of 3 attributes")) == (
        "Questions about loan product have no score in 0.31 (40/130), all others in 0.02 (13/640); adjusted p < 0.001 "
        "among 13 levels of 3 attributes. This is not a weakness by itself: their mean covers only the "
        "questions that have a score, so find out why the others have none."
    )


def test_failures_that_lie_together():
    facts = replace(FACTS, scored=14, clusters=9, mean=2 / 14, low=0.02, high=0.4, p_adjusted=0.012)
    assert cluster_text(VERDICT, facts, failing=12, topics=["Fees", "Cards"], terms=["overdraft", "waiver"]) == (
        "12 of 14 questions (9 semantic groups) that lie together on the topic map in Fees, Cards fail: the share "
        "answered correctly is 0.14 [0.02, 0.40] there and 0.81 for the other 1,260. This is shown (adjusted p 0.012 "
        "for any such place on the map). Their questions share the terms overdraft, waiver."
    )
    bare = cluster_text(ScoreWords(label="Groundedness", kind="mean"), facts, failing=12, topics=[], terms=[])
    assert "on the topic map fail: the average of Groundedness is 0.14" in bare
    assert bare.endswith("on the map).")


def test_a_score_that_tells_levels_apart():
    def estimate(value, low=None, high=None):
        return Estimate(value=value, low=low, high=high, n=200)

    pooled = estimate(0.81, 0.75, 0.86)
    counts = {"right": 120, "wrong": 1080}
    said = holding_text(
        "Groundedness", "corpus", pooled=pooled, within=estimate(0.52, 0.45, 0.59), most=False, **counts
    )
    assert said == (
        "Over all questions Groundedness ranks a correct answer above an incorrect one in 0.81 [0.75, 0.86] of all "
        "pairs (120 correct, 1,080 incorrect); inside the levels of corpus in 0.52 [0.45, 0.59]. It separates "
        "levels of corpus, not correct from incorrect answers."
    )
    bare = holding_text("G", "corpus", pooled=pooled, within=estimate(0.56), most=True, **counts)
    assert "in 0.56. It mostly separates levels of corpus" in bare


def test_levels_are_named_as_people_would():
    assert where((("question_length", "9 to 16 words"), ("topic", "fees"))) == "about fees that have 9 to 16 words"
    assert where((("answer_type", "address"),)) == "whose answer is an address"
    assert where((("answer_type", "yes/no"),)) == "whose answer is yes or no"
    assert where((("retrieval_rank", "not retrieved"),)) == "whose right passage was not retrieved"


@pytest.mark.parametrize(
    ("level", "said"),
    [
        ("0", "that read one table"),
        ("1", "that join two tables"),
        ("2 to 3", "that join three to four tables"),
        ("4 or more", "that join five or more tables"),
    ],
)
def test_questions_that_join_tables_are_told_as_such(level, said):
    assert where((("joins", level),)) == said


def test_numbers_of_values_and_yes_and_no_are_words():
    assert where((("placeholders", "0"),)) == "that give no values"
    assert where((("placeholders", "1"),)) == "that give one value"
    assert where((("answerable", "true"), ("form", "long"))) == "in long form that can be answered"
    assert where((("answer_in_question", "no"),)) == "that do not contain their answer"


def test_a_strangers_column_is_told_with_its_value():
    labels = Labels(of={"len": "length of the question"})
    assert where((("len", "9 to 16 words"), ("topic", "fees")), labels) == (
        "about fees with length of the question: 9 to 16 words"
    )
    assert where((("product_line", "x" * 200),)) == f"with product line: {'x' * 79}…"
    assert where((("a", "1"), ("b", "2"), ("c", "3"))) == "with a: 1 and with b: 2 and with c: 3"


def test_every_attribute_that_is_offered_has_its_words():
    for name, words in SPOKEN.items():
        for level in ("0", "1", "2 to 3", "yes", "no", "long", "not retrieved"):
            assert words.of(level), (name, level)
            assert "{" not in words.of(level)


def test_small_numbers_are_not_told_as_none():
    assert difference(VERDICT, 0.004) == "0.4 points"
    assert difference(VERDICT, 0.01) == "1 point"
    assert difference(VERDICT, 0.0) == "0 points"
    assert (p_text(0.00099), p_text(0.001), p_text(1.0)) == (
        "adjusted p < 0.001",
        "adjusted p 0.001",
        "adjusted p 1.000",
    )
