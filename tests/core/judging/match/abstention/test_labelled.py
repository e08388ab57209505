"""The rule of abstention on labelled answers of several domains, half of them not looked at when it was written."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.judging.match.abstention import Outcome, read_answer
from tests.support.shared_data import shared

LINES = (Path(__file__).parent / "labelled.jsonl").read_text(encoding="utf-8").splitlines()
ROWS = [json.loads(line) for line in LINES]
MTRAG = "mtrag/reference_subset_with_human_evaluations.json"
TOLD_MTRAG = {
    ("reference", Outcome.DECLINED): 6,
    ("reference", Outcome.ANSWERED): 1,
    ("llama-3.1-405b-instruct", Outcome.DECLINED): 2,
    ("llama-3.1-405b-instruct", Outcome.ANSWERED): 5,
    ("gpt-4o", Outcome.DECLINED): 3,
    ("gpt-4o", Outcome.ANSWERED): 4,
}


def declining(rows):
    """(precision, recall, F1) of "declines": declined or asks back, against answered or partly."""
    told = Counter()
    for question, answer, outcome in rows:
        told[outcome.declines, read_answer(question, answer).outcome.declines] += 1
    right = told[True, True]
    precision, recall = right / (right + told[False, True]), right / (right + told[True, False])
    return precision, recall, 2 * precision * recall / (precision + recall)


def rows_of(part):
    return [(row["question"], row["answer"], Outcome(row["outcome"])) for row in ROWS if row["set"] == part]


def test_there_are_enough_of_each_outcome():
    assert len(ROWS) >= 450
    assert {row["outcome"] for row in ROWS} == {outcome.value for outcome in Outcome}
    assert len({row["domain"] for row in ROWS}) >= 8
    assert 0.4 <= len(rows_of("held out")) / len(ROWS) <= 0.6


@pytest.mark.slow
@pytest.mark.parametrize(("part", "least"), [("seen", 0.97), ("held out", 0.93)])
def test_precision_and_recall(part, least):
    precision, recall, f1 = declining(rows_of(part))
    assert f1 >= least, (precision, recall)
    assert precision >= 0.95


@pytest.mark.slow
@pytest.mark.parametrize(("part", "least"), [("seen", 0.95), ("held out", 0.90)])
def test_the_four_outcomes(part, least):
    rows = rows_of(part)
    agreed = sum(read_answer(question, answer).outcome is outcome for question, answer, outcome in rows)
    assert agreed / len(rows) >= least


def test_the_unanswerable_questions_of_mtrag():
    # 7 questions x 3 systems, read by eye: an answer declines, or it tells something (5 of llama's 7, 4 of gpt-4o's, 1
    # reference that calls the matter subjective). They were read before the rule was written; none was tuned on.
    data = json.loads(shared(MTRAG).read_text(encoding="utf-8"))
    tasks = {task["task_id"]: task for task in data["tasks"] if task["Answerability"] == ["UNANSWERABLE"]}
    told = Counter()
    for row in data["evaluations"]:
        if row["task_id"] in tasks:
            question = tasks[row["task_id"]]["input"][-1]["text"]
            told[row["model_id"], read_answer(question, row["model_response"]).outcome] += 1
    assert told == TOLD_MTRAG
