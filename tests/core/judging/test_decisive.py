"""Where rules decide alone, and how far two judges agree."""

import ast
import json
from collections import Counter

import pytest

from core.domain.errors import InsufficientData
from core.domain.results.responses import Verdict
from core.judging.decisive import MOST_WORDS, agreement, is_decisive
from core.judging.match import judge_match
from tests.support.shared_data import shared

WHO = "Who manages the fund 'Oak, Elm and Ash'?"
YES, NO, NONE = Verdict.CORRECT, Verdict.INCORRECT, Verdict.NOT_JUDGED
OPEN = Verdict.NOT_JUDGED


def decided(answer, reference="Ann Lee", question=WHO):
    found = judge_match(question, [reference] if reference else [], answer)
    return found.verdict, is_decisive(found, question, answer)


@pytest.mark.parametrize(
    ("answer", "verdict", "decisive"),
    [
        ("Ann Lee", YES, True),
        ("The manager of Oak, Elm and Ash is Ann Lee.", YES, True),  # the commas are the question's
        ("Ann Lee, Bob Roy and Cy Orr.", OPEN, False),  # a list with the right one in it: a model is asked
        ("Ann Lee manages it; Bob Roy owns it.", YES, False),
        ("Ann Lee " + "works hard " * (MOST_WORDS // 2), YES, False),
        ("Bob Roy manages it.", NO, False),
        ("", NO, True),
        ("n/a", NO, True),
        ("I could not find the manager in the documents.", NO, False),
        (None, NONE, True),
    ],
)
def test_only_safe_verdicts_are_decisive(answer, verdict, decisive):
    assert decided(answer) == (verdict, decisive)


def test_other_rules():
    assert decided("It is 1.25 million.", "1,250,000", "What was the revenue?") == (YES, True)
    assert decided("No, it does not.", "no", "Does it pay a dividend?") == (YES, False), (
        "a yes or no is read from words"
    )
    assert decided("Rome and Oslo", "Rome, Oslo", "Which cities?")[1] is False, "a list may hold more than it should"
    assert decided("unknown", "not available", "Who?") == (YES, True), "both say there is none"
    assert decided("It is 7 [1, 3].", "7", "How many?") == (YES, True), "marks of citation are no second value"
    assert decided("It is 7 [1].", "1", "How many?") == (NO, False), "nor the first one"
    assert decided("N/A [2]", "1", "How many?") == (NO, True), "nor an answer"
    assert decided("Ann Lee", "") == (NONE, True), "without a reference there is nothing to ask a model"


@pytest.mark.slow
def test_on_the_recorded_aurp_verdicts_the_decisive_ones_are_right():
    found = Counter()
    for form in ("short", "long"):
        rows = json.loads(shared(f"grammar-aurp/SemanticsMatch/{form}.json").read_text(encoding="utf-8"))
        for entry, (recorded,) in rows.items():
            question, reference, response = ast.literal_eval(entry)
            judged = judge_match(question, [reference], response)
            found[is_decisive(judged, question, response), judged.verdict.value, recorded] += 1
    # 216 + 1 of 267 answers need no model; the 1 is the recorded judge's mistake (docs/match-judge.md).
    assert found == {
        (True, "correct", "Correct"): 216,
        (True, "correct", "Incorrect"): 1,
        (False, "correct", "Correct"): 27,
        (False, "incorrect", "Correct"): 16,
        (False, "incorrect", "Incorrect"): 7,
        (True, "not_judged", "Incorrect"): 20,
    }


def test_agreement_counts_what_both_judged():
    first = [YES, YES, YES, NO, NO, NO, NONE, YES]
    second = [YES, YES, NO, NO, NO, YES, YES, NONE]
    found = agreement(first, second)
    assert (found.both_correct, found.both_incorrect, found.first_only, found.second_only) == (2, 2, 1, 1)
    assert (found.agreed.num, found.agreed.den) == (4, 6)
    # 2 (2x2 - 1x1) / (3x3 + 3x3)
    assert found.kappa.value == pytest.approx(1 / 3)
    assert found.kappa.low < found.kappa.value < found.kappa.high


def test_agreement_over_clusters_is_less_sure():
    first, second = [YES, YES, NO, NO] * 12, [YES, NO, NO, NO] * 12
    alone = agreement(first, second).kappa
    together = agreement(first * 2, second * 2, [*range(48), *range(48)]).kappa
    assert together.value == alone.value
    # Each case twice in one cluster tells no more than once.
    assert together.high - together.low == pytest.approx(alone.high - alone.low, abs=0.02)


def test_agreement_without_a_common_case():
    with pytest.raises(InsufficientData):
        agreement([YES, NONE], [NONE, YES])
