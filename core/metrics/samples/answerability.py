"""Answerable x answered: whether a target answers where it can and declines where it cannot, before any other score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.estimates import Proportion
from core.judging.match.abstention import Outcome, read_answer
from core.metrics.samples.sample import Sample
from core.stats import clustered_proportion


class Cell(StrEnum):
    """The four cells of the table."""

    ANSWERED_ANSWERABLE = "answered_answerable"
    DECLINED_ANSWERABLE = "declined_answerable"
    ANSWERED_UNANSWERABLE = "answered_unanswerable"
    DECLINED_UNANSWERABLE = "declined_unanswerable"

    @property
    def right(self) -> bool:
        """Whether the target does there what it should."""
        return self in {Cell.ANSWERED_ANSWERABLE, Cell.DECLINED_UNANSWERABLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """The table answerable x answered of a run.

    Every share is of its row: of the answerable, or of the unanswerable cases that have an answer.

    Attributes:
        answered_answerable: Answered where it should: positive acceptance (GroUSE).
        declined_answerable: Declined though the documents hold an answer; its complement.
        declined_unanswerable: Declined where it should: negative rejection (GroUSE).
        answered_unanswerable: Answered though no document holds an answer; its complement.
        unknown: Cases with an answer of which nobody knows whether they are answerable; the share is of those that were
            answered.
        failed: Cases where the target gave no answer; in no cell.
        partly: Cases that count as answered and decline a part of what was asked.
        agreement: Where the target says itself whether it abstained: how often the rules read its answer the same way.
    """

    answered_answerable: Proportion
    declined_answerable: Proportion
    declined_unanswerable: Proportion
    answered_unanswerable: Proportion
    unknown: Proportion
    failed: int
    partly: int
    agreement: Proportion

    @property
    def answerable(self) -> int:
        """Answerable cases with an answer."""
        return self.answered_answerable.den

    @property
    def unanswerable(self) -> int:
        """Unanswerable cases with an answer."""
        return self.declined_unanswerable.den

    @property
    def total(self) -> int:
        """All cases, failed ones too."""
        return self.answerable + self.unanswerable + self.unknown.den + self.failed

    def share(self, cell: Cell) -> Proportion:
        """What a cell holds."""
        shares = {
            Cell.ANSWERED_ANSWERABLE: self.answered_answerable,
            Cell.DECLINED_ANSWERABLE: self.declined_answerable,
            Cell.ANSWERED_UNANSWERABLE: self.answered_unanswerable,
            Cell.DECLINED_UNANSWERABLE: self.declined_unanswerable,
        }
        return shares[cell]

    def as_json(self) -> dict[str, object]:
        """The command line's form of the table."""
        return {
            "total": self.total,
            **{cell.value: self.share(cell).as_json() for cell in Cell},
            "unknown": self.unknown.as_json(),
            "failed": self.failed,
            "partly": self.partly,
            "agreement": self.agreement.as_json(),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Answering:
    """What an answer does.

    Attributes:
        answers: Whether it answers: by the target's own word where it gives one, else as it is read.
        partly: Whether it answers and declines a part of what was asked.
        agrees: Whether it is read as the target says; None where the target says nothing.
    """

    answers: bool
    partly: bool = False
    agrees: bool | None = None


NOTHING_KNOWN: Final[Mapping[str, Answering]] = MappingProxyType({})


def answering(sample: Sample, known: Mapping[str, Answering] = NOTHING_KNOWN) -> Answering | None:
    """What a sample's answer does; None where the target failed.

    Args:
        sample: What was asked and answered.
        known: What answers do, by case id; another one is read, which takes some hundredths of a second.

    Edge cases: an empty answer does not answer, whatever the target says of itself.

    >>> answering(Sample(case_id="c", answer="I do not know.")).answers
    False
    """
    if sample.answer is None:
        return None
    if sample.case_id in known:
        return known[sample.case_id]
    outcome = read_answer(sample.question, sample.answer).outcome
    empty = not sample.answer.strip()
    does = not empty and not (outcome.declines if sample.abstained is None else sample.abstained)
    return Answering(
        answers=does,
        partly=does and outcome is Outcome.PARTLY,
        agrees=None if sample.abstained is None else outcome.declines == sample.abstained,
    )


def cell_of(sample: Sample, known: Mapping[str, Answering] = NOTHING_KNOWN) -> Cell | None:
    """The cell a sample belongs to; None where the target failed or nobody knows whether the case is answerable.

    Args:
        sample: What was asked and answered.
        known: What answers do, as for `answering`.

    >>> cell_of(Sample(case_id="c", answer="I do not know.", answerable=False)).value
    'declined_unanswerable'
    """
    does = answering(sample, known)
    if does is None or sample.answerable is None:
        return None
    return Cell(f"{'answered' if does.answers else 'declined'}_{'answerable' if sample.answerable else 'unanswerable'}")


def behaviour(
    samples: Iterable[Sample], clusters: Sequence[str], known: Mapping[str, Answering] = NOTHING_KNOWN
) -> Behaviour:
    """The table answerable x answered, its shares with 95% intervals that count clusters (GroUSE, table of rates).

    Positive acceptance = answered answerable / answerable; negative rejection = declined unanswerable / unanswerable.
    This is the meaning of the two words ("responded when supposed to", "refrained when there is no context"); the
    published package puts positive acceptance into another cell, which is not ours.

    Args:
        samples: What was asked and answered; read once.
        clusters: The group of each sample, in the same order; samples of one group share a source.
        known: What answers do, as for `answering`.

    Raises:
        InvalidInput: Another number of clusters than of samples.

    Edge cases: a row without a case has a share of 0/0, which is no number and no 0.

    >>> table = behaviour([Sample(case_id="c", answer="Ann Lee.", answerable=True)], ["g"])
    >>> table.answered_answerable.num, table.answerable, table.declined_unanswerable.value is None
    (1, 1, True)
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    rows: dict[bool | None, tuple[list[bool], list[int]]] = {True: ([], []), False: ([], []), None: ([], [])}
    agreed: tuple[list[bool], list[int]] = ([], [])
    failed = partly = count = 0
    for place, sample in enumerate(samples):
        count += 1
        if place >= len(clusters):
            continue
        does = answering(sample, known)
        if does is None:
            failed += 1
            continue
        partly += does.partly
        group = numbers[clusters[place]]
        rows[sample.answerable][0].append(does.answers)
        rows[sample.answerable][1].append(group)
        if does.agrees is not None:
            agreed[0].append(does.agrees)
            agreed[1].append(group)
    if count != len(clusters):
        raise InvalidInput(f"{count} samples come with {len(clusters)} clusters.", "Give one cluster for each sample.")
    return Behaviour(
        answered_answerable=clustered_proportion(*rows[True]),
        declined_answerable=clustered_proportion([not did_answer for did_answer in rows[True][0]], rows[True][1]),
        declined_unanswerable=clustered_proportion([not did_answer for did_answer in rows[False][0]], rows[False][1]),
        answered_unanswerable=clustered_proportion(*rows[False]),
        unknown=clustered_proportion(*rows[None]),
        failed=failed,
        partly=partly,
        agreement=clustered_proportion(*agreed),
    )
