"""The figures of a trial, by hand."""

import json

import pytest

from core.faults.confusion import confusion_of
from core.faults.kinds import BLAMED, Cause, FaultKind
from core.faults.planting import PlantedFault
from core.faults.result import KEPT_ANSWERS, TrialResult
from core.faults.trial import FaultyAnswer, Trial


def answer(group, planted, expected, diagnosed, case="c"):
    return FaultyAnswer(
        case_id=f"{group}-{planted}-{case}",
        group_id=group,
        question="Who?",
        answer="Nobody.",
        planted=planted,
        expected=expected,
        diagnosed=diagnosed,
        reason="So it seems.",
        fault=PlantedFault(
            kind=planted, group_id=group, document_ids=("a",), before="Tom is.", after="Ann is.", home="b"
        ),
    )


@pytest.fixture
def trial():
    """Two deleted pages (one repeated elsewhere), a wrong reader in three facts of which one is called a gap."""
    gap, repeated = ("g1", FaultKind.PAGE_DELETED), ("g2", FaultKind.PAGE_DELETED)
    reader = FaultKind.READER
    return Trial(
        cases=12,
        facts=6,
        sound=4,
        planted={FaultKind.PAGE_DELETED: 2, reader: 3},
        answers=[
            answer(*gap, Cause.KNOWLEDGE_GAP, Cause.KNOWLEDGE_GAP, "short"),
            answer(*gap, Cause.KNOWLEDGE_GAP, Cause.KNOWLEDGE_GAP, "long"),
            answer(*repeated, Cause.RETRIEVAL, Cause.RETRIEVAL),
            answer("g1", reader, Cause.READER, Cause.READER),
            answer("g2", reader, Cause.READER, Cause.KNOWLEDGE_GAP),
            answer("g3", reader, Cause.READER, Cause.UNDECIDED),
            answer("g4", reader, Cause.READER, Cause.UNRESOLVED),
        ],
    )


def test_counts_of_what_was_planted_by_what_it_is_called(trial):
    figures = confusion_of(trial)
    assert figures.planted["page_deleted"] == {
        "knowledge_gap": 2,
        "contradiction": 0,
        "retrieval": 1,
        "reader": 0,
        "undecided": 0,
        "unresolved": 0,
    }
    assert figures.planted["reader"]["reader"] == 1
    assert figures.causes["page_deleted"]["retrieval"] == 1
    assert figures.expected["reader"]["knowledge_gap"] == 1
    assert set(figures.expected) == {str(cause) for cause in BLAMED}


def test_rates_count_facts_as_clusters_across_kinds(trial):
    figures = confusion_of(trial)
    # Called a gap: two wordings of g1, rightly, and one of g2, wrongly.
    gap = figures.precision["knowledge_gap"]
    assert (gap.num, gap.den, gap.clusters) == (2, 3, 2)
    # Is the reader's: g1 to g4, one of them called so.
    reader = figures.recall["reader"]
    assert (reader.num, reader.den, reader.clusters) == (1, 4, 4)
    # All seven, of four facts.
    assert (figures.named.num, figures.named.den, figures.named.clusters) == (4, 7, 4)
    assert (figures.undecided.num, figures.undecided.den) == (2, 7)
    # The documents state the facts of all but the two gaps.
    assert (figures.false_gaps.num, figures.false_gaps.den) == (1, 5)
    assert figures.named.low < 4 / 7 < figures.named.high


def test_a_rate_without_an_answer_has_no_value(trial):
    figures = confusion_of(trial)
    assert (figures.precision["contradiction"].value, figures.recall["contradiction"].den) == (None, 0)
    empty = confusion_of(Trial())
    assert [share.value for share in (empty.named, empty.undecided, empty.false_gaps)] == [None] * 3
    json.dumps(empty.as_json(), allow_nan=False)


def test_a_result_is_read_again_as_it_was_kept(trial):
    result = TrialResult.of(trial, made_from={"seed": 3}, seconds=1.5, at="2026-01-01T00:00:00+00:00")
    assert [item.group_id for item in result.answers[:3]] == ["g2", "g3", "g4"]
    assert (result.wrong, result.misnamed) == (7, 3)
    again = TrialResult.of_detail(json.loads(json.dumps(result.as_detail(), allow_nan=False, sort_keys=True)))
    assert again == result
    assert list(again.confusion.precision) == list(result.confusion.precision)
    assert list(again.confusion.planted) == list(result.confusion.planted)


def test_of_very_many_answers_the_wrongly_named_are_kept(trial):
    right = answer("g1", FaultKind.READER, Cause.READER, Cause.READER)
    trial.answers = [right] * KEPT_ANSWERS + [answer("g2", FaultKind.READER, Cause.READER, Cause.RETRIEVAL)]
    result = TrialResult.of(trial, made_from={}, seconds=0.0, at="")
    assert (len(result.answers), result.wrong) == (KEPT_ANSWERS, KEPT_ANSWERS + 1)
    assert result.answers[0].group_id == "g2"
