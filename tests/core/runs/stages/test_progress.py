"""Stages that go on side by side are told as one line."""

from core.runs.stages.progress import StagesBeside


def test_the_foremost_unfinished_stage_is_told_with_the_later_ones_beside_it():
    said = []
    report = StagesBeside(lambda *told: said.append(told))
    for told in (("Scoring", 0, 4), ("Asking", 0, 4), ("Judging", 0, 4), ("Asking", 4, 4), ("Scoring", 4, 4)):
        report(*told)
    report("Judging", 4, 4)
    assert said == [
        ("Scoring", 0, 4, ""),
        ("Asking", 0, 4, "Scoring 0 of 4"),
        ("Asking", 0, 4, "Judging 0 of 4, scoring 0 of 4"),
        ("Judging", 0, 4, "Scoring 0 of 4"),
        ("Judging", 0, 4, ""),
        ("Judging", 4, 4, ""),
    ]
