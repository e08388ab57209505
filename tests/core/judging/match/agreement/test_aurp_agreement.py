"""Agreement with the 287 recorded Aurp verdicts."""

import ast
import json
from collections import Counter

import pytest

from core.domain.results.responses import Verdict
from core.judging.match import judge_match
from core.judging.match.settings import CoarseDates, MatchSettings
from core.stats.agreement.cohen import cohen_kappa
from tests.support.shared_data import shared


@pytest.fixture(scope="module")
def verdicts():
    """(form, question, reference, response, recorded verdict, our judgement) of every recorded verdict."""
    rows = []
    for form in ("short", "long"):
        recorded = json.loads(shared(f"grammar-aurp/SemanticsMatch/{form}.json").read_text(encoding="utf-8"))
        for entry, (verdict,) in recorded.items():
            question, reference, response = ast.literal_eval(entry)
            rows.append((form, question, reference, response, verdict, judge_match(question, [reference], response)))
    return rows


@pytest.mark.slow
def test_287_verdicts_are_recorded_and_20_of_them_have_no_response(verdicts):
    # short 135 + long 152 = 287; the 20 without a response were recorded as Incorrect
    assert Counter(row[0] for row in verdicts) == {"short": 135, "long": 152}
    silent = [row for row in verdicts if row[3] is None]
    assert len(silent) == 20
    assert {row[4] for row in silent} == {"Incorrect"}
    assert {row[5].rule for row in silent} == {"no answer"}


def test_kappa_on_the_judged_ones(verdicts):
    judged = [row for row in verdicts if row[5].verdict is not Verdict.NOT_JUDGED]
    table = Counter((row[4], row[5].verdict.value) for row in judged)
    assert table == {
        ("Correct", "correct"): 243,
        ("Correct", "incorrect"): 16,
        ("Incorrect", "correct"): 1,
        ("Incorrect", "incorrect"): 7,
    }
    kappa = cohen_kappa([row[4].casefold() for row in judged], [row[5].verdict.value for row in judged])
    # p_o = 250/267, p_e = (259 x 244 + 8 x 23) / 267^2 = 0.8891; kappa = (0.9363 - 0.8891) / (1 - 0.8891)
    assert kappa.value == pytest.approx(0.4261, abs=5e-4)
    assert kappa.n == 267


def test_kappa_on_all_where_no_answer_counts_as_incorrect(verdicts):
    ours = ["correct" if row[5].verdict is Verdict.CORRECT else "incorrect" for row in verdicts]
    kappa = cohen_kappa([row[4].casefold() for row in verdicts], ours)
    # p_o = 270/287, p_e = (259 x 244 + 28 x 43) / 287^2 = 0.7818; kappa = (0.9408 - 0.7818) / (1 - 0.7818)
    assert kappa.value == pytest.approx(0.7285, abs=5e-4)
    assert kappa.value >= 0.72


def test_kappa_where_a_project_accepts_coarser_dates(verdicts):
    accepting = MatchSettings(coarse_dates=CoarseDates.ACCEPTED)
    judged = [(row[4].casefold(), judge_match(row[1], [row[2]], row[3], accepting).verdict) for row in verdicts]
    ours = ["correct" if verdict is Verdict.CORRECT else "incorrect" for _, verdict in judged]
    recorded = [verdict for verdict, _ in judged]
    # the one left is the recorded judge's mistake: p_o = 286/287
    assert Counter(zip(recorded, ours, strict=True)) == {
        ("correct", "correct"): 259,
        ("incorrect", "correct"): 1,
        ("incorrect", "incorrect"): 27,
    }
    assert cohen_kappa(recorded, ours).value == pytest.approx(0.9799, abs=5e-4)


def test_every_disagreement_is_known(verdicts):
    found = Counter()
    for _, _, reference, _, verdict, judgement in verdicts:
        if judgement.verdict is not Verdict.NOT_JUDGED and verdict.casefold() != judgement.verdict.value:
            found[reference, verdict, judgement.rule] += 1
    assert found == {
        # the answer gives a season or a month, the reference a day: the recorded judge let it pass
        ("2023-03-01", "Correct", "less precise"): 6,
        ("2024-06-30", "Correct", "less precise"): 3,
        ("2024-10-30", "Correct", "less precise"): 6,
        ("2025-05-20", "Correct", "less precise"): 1,
        # the recorded judge's mistake: the answer states the reference word for word
        ("Marie Curie", "Incorrect", "text"): 1,
    }
