"""The match judge, case by case and by what must hold for any text."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.domain.results.responses import Verdict
from core.judging.match import judge_match

CASES = json.loads((Path(__file__).parent / "tables" / "cases.json").read_text(encoding="utf-8"))
PLAIN = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=60)
SENTENCES = (
    "Ann Lee",
    "It is managed by Ann Lee.",
    "It is not Ann Lee.",
    "1.25 million",
    "It opened on 1 April 2023.",
    "either 2019 or 2020",
    "I do not know.",
    "Is it Ann Lee?",
    "loans and cards",
)


def test_there_are_enough_cases_and_each_is_told_apart():
    figures = json.loads((Path(__file__).parent / "tables" / "figure_cases.json").read_text(encoding="utf-8"))
    texts = json.loads((Path(__file__).parent / "tables" / "text_cases.json").read_text(encoding="utf-8"))
    assert len(CASES) >= 365
    assert len(CASES) + len(figures) + len(texts) >= 600
    assert len({json.dumps([case["question"], case["references"], case["answer"]]) for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=[f"{place:03d} {case['why']}" for place, case in enumerate(CASES)])
def test_case(case):
    judgement = judge_match(case["question"], case["references"], case["answer"])
    assert (judgement.verdict.value, judgement.rule) == (case["verdict"], case["rule"]), judgement.reason
    assert judgement.reason


@pytest.mark.slow
@given(st.text(max_size=120), st.lists(st.text(max_size=60), max_size=3), st.none() | st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_text_makes_it_fail(question, references, answer):
    judgement = judge_match(question, references, answer)
    assert judgement.verdict in Verdict
    assert judgement.rule
    assert judgement.reason


@pytest.mark.slow
@given(st.text(min_size=1, max_size=80).filter(lambda text: text.strip()), st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_the_reference_itself_is_correct(reference, question):
    assert judge_match(question, [reference], reference).verdict is Verdict.CORRECT


@pytest.mark.slow
@given(PLAIN, st.sampled_from(SENTENCES) | PLAIN, st.sampled_from([" ", "\n", "\t \n", "\u00a0"]))
@settings(max_examples=200, deadline=None)
def test_case_and_surrounding_blanks_do_not_count(reference, answer, blank):
    plain = judge_match("Which one is it?", [reference], answer).verdict
    assert judge_match("Which one is it?", [reference], blank + answer + blank).verdict is plain
    assert judge_match("Which one is it?", [reference], answer.upper()).verdict is plain


@pytest.mark.slow
@given(st.permutations(["Ann Lee", "1250000", "2023-04-01", "loans, cards"]), st.sampled_from(SENTENCES))
@settings(max_examples=100, deadline=None)
def test_the_order_of_acceptable_answers_does_not_count(references, answer):
    ordered = judge_match("What is it?", sorted(references), answer).verdict
    assert judge_match("What is it?", references, answer).verdict is ordered


HOSTILE = {
    "blanks": " " * 1_000_000,
    "digits": "1" * 1_000_000,
    "numbers": "1 " * 500_000,
    "groups": "1,111" * 200_000,
    "dashes": "-" * 1_000_000,
    "brackets": "(" * 1_000_000,
    "number words": "one " * 250_000,
    "months": "april " * 170_000,
    "halves of dates": "2023-" * 200_000,
    "the value": "ann lee " * 125_000,
    "denials": "not " * 250_000 + "Ann Lee",
    "choices": "ann lee or " * 90_000,
    "letters": "a" * 1_000_000,
    "lines": "\n-" * 500_000,
    "quotes": "'" * 1_000_000,
    "accents": "e\u0301" * 500_000,
    "refusals": "i could not " * 80_000,
    "metres": "5 m " * 250_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("reference", ["Ann Lee", "3", "2023-04-01", "yes", "loans, cards"])
def test_a_hostile_answer_is_read_to_its_end(name, reference):
    # How long it takes is measured in bench/bench_long_inputs.py; what is not linear takes minutes here.
    judgement = judge_match("Who manages it?", [reference], HOSTILE[name])
    assert judgement.detail.get("characters", 1_000_000) == len(HOSTILE[name])


def test_a_huge_reference_matches_itself():
    reference = "loan, card " * 90_000
    assert judge_match("Which?", [reference], reference).verdict is Verdict.CORRECT
    assert judge_match("Which?", [reference], "loan").rule == "no match"


def test_a_long_answer_says_how_much_of_it_was_read():
    judgement = judge_match("Who?", ["Ann Lee"], "It is Ann Lee. " + "x " * 50_000)
    assert judgement.verdict is Verdict.CORRECT
    assert judgement.detail["characters_read"] == 60_000
    assert judgement.detail["characters"] == 100_015


def test_a_partial_list_names_what_is_missing():
    judgement = judge_match("Which?", ["loans, cards, insurance"], "It sells cards.")
    assert judgement.detail["found"] == ["cards"]
    assert judgement.detail["missing"] == ["loans", "insurance"]
    assert judgement.reason == "1 of 3 parts are stated; missing: loans, insurance."


def test_a_long_list_is_shown_by_its_beginning():
    parts = [f"product line {number}" for number in range(8)]
    judgement = judge_match("Which?", ["; ".join(parts)], "; ".join(reversed(parts)) + ".")
    assert judgement.rule == "list"
    assert judgement.reason.endswith("and 3 more.")


def test_the_closest_miss_is_told():
    judgement = judge_match("When?", ["2023-04-01", "2024-01-01"], "In April 2023.")
    assert judgement.rule == "less precise"
    assert "2023-04-01" in judgement.reason


def test_the_last_mention_decides():
    stated_last = "It is not Ann Lee as some say. Having looked again, the manager is Ann Lee."
    denied_last = "The manager is Ann Lee. Having looked again, it is not Ann Lee."
    assert judge_match("Who?", ["Ann Lee"], stated_last).verdict is Verdict.CORRECT
    assert judge_match("Who?", ["Ann Lee"], denied_last).rule == "negated"


def test_a_reference_of_one_letter_that_stands_in_a_sentence_is_not_called_missing():
    question = "What is the licence of driver 'Sami Harju'?"
    answer = "Sami Harju has driven for us since 2013-08-21, holds a licence of class C and belongs to the Turku Depot."
    assert judge_match(question, ("C",), answer).verdict is Verdict.CORRECT
    elsewhere = answer.replace("class C", "class B, parks on lot C")
    assert judge_match(question, ("C",), elsewhere).verdict is Verdict.NOT_JUDGED
    assert judge_match(question, ("B",), answer).verdict is Verdict.INCORRECT
    assert judge_match(question, ("A",), "A driver has a licence.").verdict is Verdict.INCORRECT


def test_what_stands_beside_an_answer_is_named_in_whole_words():
    answer = (
        "The ship city of order 10266 of employee Janet Leverling, customer Wartian Herkku and shipper Federal "
        "Shipping is Oulu."
    )
    judgement = judge_match("City of customer 'Wartian Herkku'", ["Oulu"], answer)
    assert judgement.rule == "needs a judge"
    named = judgement.reason.rpartition("beside it stands ")[2].partition(".")[0].split(", ")
    assert named
    assert {word.casefold() for word in named} <= {word.strip(",.").casefold() for word in answer.split()}
