"""What a trial says of the diagnosis: planted cause against diagnosed cause, and how far to believe a named module.

Every rate is a share of wrong answers. Wordings of one fact, and the faults of several kinds planted in it, are one
cluster: they are no independent observations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.domain.estimates import Proportion
from core.faults.kinds import BLAMED, FAULTS, Cause, Combination, Fault, FaultKind
from core.faults.outcome import FaultyAnswer, Trial
from core.stats.intervals import clustered_proportion

Counts = Mapping[str, Mapping[str, int]]
"""Rows, columns, wrong answers."""

OF_KNOWLEDGE = (Cause.KNOWLEDGE_GAP, Cause.CONTRADICTION)
"""What the Diagnose page shows as a knowledge gap."""

SILENT = (Cause.UNDECIDED, Cause.UNRESOLVED)
"""What the diagnosis says where it accuses nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """The figures of a trial.

    Attributes:
        planted: Wrong answers by the kind of fault and the cause that the diagnosis names; every cause has a column.
        expected: The same by the cause that it should name.
        causes: Of the wrong answers by the kind of fault, how many should be put down to each cause: where another page
            repeats a fact, a deleted page is no gap.
        either: Of the wrong answers by the kind of fault, how many may be put down to a second cause as well.
        precision: Of the answers put down to a cause, how many are rightly; by each cause that accuses a module.
        recall: Of the answers with a cause, how many are put down to it.
        named: Of all wrong answers, how many are put down to their cause.
        named_by_kind: The same by the kind of fault.
        mixed: Where all kinds are mixed in one copy, wrong answers by the kind in their fact and the diagnosed cause.
        mixed_named: Of these, by kind, how many are put down to their cause.
        undecided: Of all wrong answers, for how many nobody is accused.
        false_gaps: Of the wrong answers whose fact the documents state, how many are put down to the knowledge, as a
            gap or as a contradiction.
    """

    planted: Counts
    expected: Counts
    causes: Counts
    either: Counts
    precision: Mapping[str, Proportion]
    recall: Mapping[str, Proportion]
    named: Proportion
    named_by_kind: Mapping[str, Proportion]
    mixed: Counts
    mixed_named: Mapping[str, Proportion]
    undecided: Proportion
    false_gaps: Proportion

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "confusion": {row: dict(counts) for row, counts in self.planted.items()},
            "expected": {row: dict(counts) for row, counts in self.expected.items()},
            "causes": {row: dict(counts) for row, counts in self.causes.items()},
            "either": {row: dict(counts) for row, counts in self.either.items()},
            "precision": {cause: share.as_json() for cause, share in self.precision.items()},
            "recall": {cause: share.as_json() for cause, share in self.recall.items()},
            "named": self.named.as_json(),
            "named_by_kind": {row: share.as_json() for row, share in self.named_by_kind.items()},
            "mixed": {row: dict(counts) for row, counts in self.mixed.items()},
            "mixed_named": {row: share.as_json() for row, share in self.mixed_named.items()},
            "undecided": self.undecided.as_json(),
            "false_knowledge_gaps": self.false_gaps.as_json(),
        }


def confusion_of(trial: Trial) -> Confusion:
    """The figures of a trial; a rate without a case has the denominator 0 and no value."""
    answers = trial.answers
    kinds, causes = [str(kind) for kind in FAULTS if kind in trial.planted], [str(cause) for cause in BLAMED]
    mixed = [(kind, answer) for answer in answers if answer.planted is Combination.MIXED for kind in answer.fault.kinds]
    return Confusion(
        planted=_counts(kinds, [(answer.planted, answer.diagnosed) for answer in answers]),
        expected=_counts(causes, [(answer.expected, answer.diagnosed) for answer in answers]),
        causes=_counts(kinds, [(answer.planted, answer.expected) for answer in answers]),
        either=_counts(kinds, [(answer.planted, cause) for answer in answers for cause in answer.either]),
        precision={
            str(cause): _share([answer for answer in answers if answer.diagnosed is cause], named_rightly)
            for cause in BLAMED
        },
        recall={
            str(cause): _share([answer for answer in answers if answer.expected is cause], named_rightly)
            for cause in BLAMED
        },
        named=_share(answers, named_rightly),
        named_by_kind={
            kind: _share([answer for answer in answers if answer.planted == kind], named_rightly) for kind in kinds
        },
        mixed=_counts(
            [str(kind) for kind in FaultKind if Combination.MIXED in trial.planted],
            [(kind, answer.diagnosed) for kind, answer in mixed],
        ),
        mixed_named={
            str(kind): _share([answer for planted, answer in mixed if planted is kind], named_rightly)
            for kind in FaultKind
            if Combination.MIXED in trial.planted
        },
        undecided=_share(answers, lambda answer: answer.diagnosed in SILENT),
        false_gaps=_share(
            [answer for answer in answers if answer.expected not in OF_KNOWLEDGE],
            lambda answer: answer.diagnosed in OF_KNOWLEDGE,
        ),
    )


def named_rightly(answer: FaultyAnswer) -> bool:
    """Whether the diagnosis names a cause it should, or may where two are right."""
    return answer.named_rightly


def _counts(rows: Sequence[str], pairs: Sequence[tuple[Fault | Cause, Cause]]) -> dict[str, dict[str, int]]:
    counts = {row: {str(cause): 0 for cause in Cause} for row in rows}
    for row, column in pairs:
        counts[row][column] += 1
    return counts


def _share(answers: Sequence[FaultyAnswer], has: Callable[[FaultyAnswer], bool]) -> Proportion:
    places: dict[str, int] = {}
    clusters = [places.setdefault(answer.group_id, len(places)) for answer in answers]
    return clustered_proportion([has(answer) for answer in answers], clusters)
