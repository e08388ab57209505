"""The figures of a trial, by hand."""

import json
from dataclasses import replace

import pytest

from core.faults.confusion import confusion_of
from core.faults.kinds import BLAMED, Cause, Combination, FaultKind
from core.faults.outcome import FaultyAnswer, Trial
from core.faults.planting import PlantedFault
from core.faults.result import KEPT_ANSWERS, TrialResult


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


def test_a_combination_is_a_row_and_a_mix_is_told_apart_by_kind(trial):
    mixed, stack = Combination.MIXED, Combination.MOVED_HIDDEN
    trial.planted |= {mixed: 2, stack: 1}
    right = replace(answer("m", FaultKind.READER, Cause.READER, Cause.READER), planted=mixed)
    wrong = replace(answer("m2", FaultKind.READER, Cause.READER, Cause.RETRIEVAL), planted=mixed)
    either = replace(
        answer("s", FaultKind.VALUE_MOVED, Cause.RETRIEVAL, Cause.READER), planted=stack, either=(Cause.READER,)
    )
    trial.answers += [right, wrong, either]
    figures = confusion_of(trial)
    assert list(figures.planted) == ["page_deleted", "reader", "mixed", "value_moved+retrieval"]
    assert (figures.planted["mixed"]["reader"], figures.planted["mixed"]["retrieval"]) == (1, 1)
    assert (figures.mixed["reader"]["retrieval"], sum(figures.mixed["page_deleted"].values())) == (1, 0)
    shares = {row: (share.num, share.den) for row, share in figures.named_by_kind.items()}
    # Where two causes are right, either counts.
    assert shares == {"page_deleted": (3, 3), "reader": (1, 4), "mixed": (1, 2), "value_moved+retrieval": (1, 1)}
    assert figures.either["value_moved+retrieval"]["reader"] == 1
    assert (figures.mixed_named["reader"].num, figures.mixed_named["reader"].den) == (1, 2)
    result = TrialResult.of(trial, made_from={}, seconds=1.0, at="")
    assert TrialResult.of_detail(json.loads(json.dumps(result.as_detail(), sort_keys=True))) == result


def test_a_result_from_before_combinations_is_still_read(trial):
    detail = TrialResult.of(trial, made_from={}, seconds=1.0, at="").as_detail()
    for name in ("named_by_kind", "mixed", "mixed_named", "either", "wordings", "unused_wordings"):
        del detail["result"][name]
    for item in detail["answers"]:
        del item["faults"], item["either"]
    assert TrialResult.of_detail(detail).confusion.named.num == 4


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
