"""Does the system know, read or retrieve? The same cases closed book, with the gold document, and live.

A case's three verdicts show the root cause of its live outcome: a case that is correct without any document is known to
the model; one that is incorrect with the gold document fails in reading; one that is correct with it and incorrect live
fails in retrieval.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from core.diagnosis.diagnose import diagnose, open_domain_groups
from core.domain.estimates import Estimate, Proportion
from core.domain.results.diagnosis import DiagnosisRow
from core.domain.results.responses import Verdict
from core.stats.comparisons.permutation import paired_permutation
from core.stats.intervals import clustered_proportion
from core.stats.resampling import LEAST_CLUSTERS, cluster_bootstrap

FEW = f"fewer than {LEAST_CLUSTERS} groups, so no interval"


class Mode(StrEnum):
    """The documents with which the system is run."""

    CLOSED_BOOK = "closed_book"
    """Without any document."""
    ORACLE = "oracle"
    """With the gold documents."""
    RETRIEVAL = "retrieval"
    """Live: with the documents it retrieves."""


class Part(StrEnum):
    """The root cause of a case's live outcome; each case has exactly one."""

    FINE = "fine"
    """Right live and with the gold document, wrong without: the documents make it right."""
    KNOWN = "known"
    """Right in all three: the model knows it, so the case does not test the documents."""
    RETRIEVAL = "retrieval"
    """Right with the gold document, wrong live."""
    READING = "reading"
    """Wrong with the gold document, wrong live."""
    LUCKY = "lucky"
    """Wrong with the gold document, right live."""
    NOT_JUDGED = "not_judged"
    """At least one of the three runs has no verdict."""


class Combination(StrEnum):
    """The three verdicts of a case, closed book - oracle - live, by name."""

    FINE = "wrong-right-right"
    KNOWN = "right-right-right"
    RETRIEVAL = "wrong-right-wrong"
    RETRIEVAL_SPOILT = "right-right-wrong"
    READING = "wrong-wrong-wrong"
    READING_SPOILT = "right-wrong-wrong"
    LUCKY = "wrong-wrong-right"
    LUCKY_KNOWN = "right-wrong-right"
    NOT_JUDGED = "not-judged"

    @property
    def part(self) -> Part:
        """The root cause of the combination."""
        return _PARTS[self]


_PARTS = {
    Combination.FINE: Part.FINE,
    Combination.KNOWN: Part.KNOWN,
    Combination.RETRIEVAL: Part.RETRIEVAL,
    Combination.RETRIEVAL_SPOILT: Part.RETRIEVAL,
    Combination.READING: Part.READING,
    Combination.READING_SPOILT: Part.READING,
    Combination.LUCKY: Part.LUCKY,
    Combination.LUCKY_KNOWN: Part.LUCKY,
    Combination.NOT_JUDGED: Part.NOT_JUDGED,
}

MEANINGS: Mapping[Combination, str] = {
    Combination.FINE: "Right only with documents, and retrieval finds them.",
    Combination.KNOWN: "The model knows the fact; the case cannot test retrieval.",
    Combination.RETRIEVAL: "Right with the gold document, wrong with the retrieved ones.",
    Combination.RETRIEVAL_SPOILT: "The model knows and reads the fact; the retrieved documents mislead it.",
    Combination.READING: "Misread, or the gold document lacks the fact.",
    Combination.READING_SPOILT: "The model knows the fact, and the documents mislead it.",
    Combination.LUCKY: "Wrong with the gold document; another one or chance helped.",
    Combination.LUCKY_KNOWN: "The model knows the fact; only the gold document misleads it.",
    Combination.NOT_JUDGED: "One of the three runs has no verdict for it.",
}
"""One sentence for each combination, short enough for a column of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeWayCase:
    """One case with its three verdicts."""

    case_id: str
    group_id: str
    form: str
    verdicts: Mapping[Mode, Verdict]
    combination: Combination

    @property
    def part(self) -> Part:
        """The root cause of its live outcome."""
        return self.combination.part


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedDifference:
    """One run's accuracy minus another's, over the cases that all three runs judged.

    Attributes:
        p_value: Two-sided, from flipping signs of whole groups; None with fewer than six groups.
        groups: Filled SQL queries.
    """

    value: Estimate
    p_value: float | None
    groups: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDomain:
    """The open-domain filter (Table 4): Acc_retrieval_db with and without the groups the model alone answers.

    Attributes:
        groups: Ids of filled SQL queries that the closed-book run answers at least once.
        of: Filled SQL queries with a closed-book verdict.
        every: Over all groups of the live run.
        closed: Without the open-domain ones.
        by_form: The same two for each form.
    """

    groups: frozenset[str]
    of: int
    every: Proportion
    closed: Proportion
    by_form: Mapping[str, tuple[Proportion, Proportion]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeWay:
    """The comparison of three runs of one test set.

    Attributes:
        cases: Every case, in the order of the live run; their parts sum to all of them.
        judged: Cases with all three verdicts; the figures below are over these.
        missing: Cases without a verdict, by run; one case can be missing in several.
        accuracy: Of each run.
        parts: Share of each part among all cases, not judged included.
        combinations: Cases by combination; sums to all cases.
        reading_costs: Wrong with the gold document, among judged.
        retrieval_costs: Oracle minus live.
        documents_give: Live minus closed book.
        open_domain: The filter of Table 4.
    """

    cases: tuple[ThreeWayCase, ...]
    judged: int
    missing: Mapping[Mode, int]
    accuracy: Mapping[Mode, Proportion]
    parts: Mapping[Part, Proportion]
    combinations: Mapping[Combination, int]
    reading_costs: Proportion
    retrieval_costs: PairedDifference
    documents_give: PairedDifference
    open_domain: OpenDomain

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "n": len(self.cases),
            "judged": self.judged,
            "missing": {str(mode): count for mode, count in self.missing.items()},
            "accuracy": {str(mode): share.as_json() for mode, share in self.accuracy.items()},
            "parts": {str(part): share.as_json() for part, share in self.parts.items()},
            "combinations": {str(item): count for item, count in self.combinations.items()},
            "reading_costs": self.reading_costs.as_json(),
            "retrieval_costs": self.retrieval_costs.value.as_json(),
            "documents_give": self.documents_give.value.as_json(),
            "retrieval_db": self.open_domain.every.as_json(),
            "retrieval_db_without_open_domain": self.open_domain.closed.as_json(),
        }


def combination_of(closed_book: Verdict, oracle: Verdict, live: Verdict) -> Combination:
    """The name of three verdicts.

    >>> str(combination_of(Verdict.INCORRECT, Verdict.CORRECT, Verdict.INCORRECT))
    'wrong-right-wrong'
    """
    verdicts = (closed_book, oracle, live)
    if Verdict.NOT_JUDGED in verdicts:
        return Combination.NOT_JUDGED
    return Combination("-".join("right" if verdict is Verdict.CORRECT else "wrong" for verdict in verdicts))


def three_way(
    closed_book: Sequence[DiagnosisRow],
    oracle: Sequence[DiagnosisRow],
    live: Sequence[DiagnosisRow],
    *,
    known_ids: Collection[str] | None = None,
    seed: int = 0,
) -> ThreeWay:
    """Separates knowledge, reading and retrieval on the same cases.

    Shares have the interval of clustered proportions; differences are paired within the case and resampled by filled
    SQL query, so that wordings of one fact count as one.

    Args:
        closed_book: Rows of the run without documents.
        oracle: Rows of the run with the gold documents.
        live: Rows of the run as the system works; its cases are the ones reported.
        known_ids: Ids of the live run's corpus, None where they are not known.
        seed: Of the resampling.
    """
    verdicts_by_mode = {
        Mode.CLOSED_BOOK: {row.case_id: row.verdict for row in closed_book},
        Mode.ORACLE: {row.case_id: row.verdict for row in oracle},
        Mode.RETRIEVAL: {row.case_id: row.verdict for row in live},
    }
    cases = tuple(_case(row, verdicts_by_mode) for row in live)
    clusters = _codes(case.group_id for case in cases)
    judged = np.array([case.combination is not Combination.NOT_JUDGED for case in cases], dtype=np.bool_)
    right = {
        mode: np.array([case.verdicts[mode] is Verdict.CORRECT for case in cases], dtype=np.bool_) for mode in Mode
    }
    counts = Counter(case.combination for case in cases)
    among = clusters[judged]
    shares = {mode: clustered_proportion(right[mode][judged], among) for mode in Mode}
    return ThreeWay(
        cases=cases,
        judged=int(judged.sum()),
        missing={mode: sum(case.verdicts[mode] is Verdict.NOT_JUDGED for case in cases) for mode in Mode},
        accuracy=shares,
        parts={part: clustered_proportion([case.part is part for case in cases], clusters) for part in Part},
        combinations={item: counts[item] for item in Combination},
        reading_costs=clustered_proportion(~right[Mode.ORACLE][judged], among),
        retrieval_costs=paired_difference(right[Mode.ORACLE][judged], right[Mode.RETRIEVAL][judged], among, seed),
        documents_give=paired_difference(right[Mode.RETRIEVAL][judged], right[Mode.CLOSED_BOOK][judged], among, seed),
        open_domain=open_domain_filter(closed_book, live, known_ids=known_ids),
    )


def open_domain_filter(
    closed_book: Sequence[DiagnosisRow], live: Sequence[DiagnosisRow], *, known_ids: Collection[str] | None = None
) -> OpenDomain:
    """Acc_retrieval_db on all groups, and on those the model does not answer by itself (definition 8).

    A group is open-domain where the closed-book run answers it in any form. The filter treats groups that the model
    does not answer as closed-domain, also those it only happens to miss.

    Args:
        closed_book: Rows of the run without documents.
        live: Rows of the run that is assessed.
        known_ids: Ids of the live run's corpus, None where they are not known.
    """
    outside = open_domain_groups(closed_book)
    diagnosis = diagnose(live, known_ids=known_ids, open_domain=outside)
    judged_groups = {row.group_id for row in closed_book if row.verdict is not Verdict.NOT_JUDGED}
    return OpenDomain(
        groups=outside,
        of=len(judged_groups),
        every=diagnosis.figures.retrieval_db,
        closed=diagnosis.retrieval_db_closed or Proportion(num=0, den=0),
        by_form={
            form: (inner.figures.retrieval_db, inner.retrieval_db_closed or Proportion(num=0, den=0))
            for form, inner in diagnosis.by_form.items()
        },
    )


def paired_difference(
    first: NDArray[np.bool_], second: NDArray[np.bool_], clusters: NDArray[np.intp], seed: int = 0
) -> PairedDifference:
    r"""The difference of two shares over the same cases, which come in groups.

    With `d` the sum of a group's differences, `m` its cases and `K` groups of `n` cases, the difference is the ratio
    :math:`r = \sum d / \sum m`. Its linearised values :math:`r + (d - r m) K / n` have `r` as their mean and its
    sampling variance, whatever the sizes of the groups; they are what is resampled.

    Args:
        first: The outcome of each case in one run, shape (n,).
        second: The same in the other, shape (n,).
        clusters: The group of each case, shape (n,); any integers.
        seed: Of the resampling.

    Returns:
        `first` minus `second`; without interval and p-value for fewer than six groups, without a value for no case.

    >>> ones, zeros = np.ones(8, dtype=bool), np.zeros(8, dtype=bool)
    >>> difference = paired_difference(ones, zeros, np.arange(8))
    >>> difference.value.value, difference.p_value, difference.groups  # 2 of the 256 sign patterns are as extreme
    (1.0, 0.0078125, 8)
    """
    if not first.size:
        return PairedDifference(
            value=Estimate(value=None, low=None, high=None, n=0, method="no case"), p_value=None, groups=0
        )
    differences = first.astype(np.float64) - second.astype(np.float64)
    _, index = np.unique(clusters, return_inverse=True)
    sums, sizes = np.bincount(index, weights=differences), np.bincount(index)
    share, groups, n = float(sums.sum() / sizes.sum()), int(sizes.size), int(first.size)
    if groups < LEAST_CLUSTERS:
        return PairedDifference(
            value=Estimate(value=share, low=None, high=None, n=n, method=FEW), p_value=None, groups=groups
        )
    resampled = cluster_bootstrap(share + (sums - share * sizes) * groups / n, seed=seed)
    test = paired_permutation(sums, seed=seed)
    return PairedDifference(
        value=Estimate(value=share, low=resampled.low, high=resampled.high, n=n, method=resampled.method),
        p_value=test.p_value,
        groups=groups,
    )


def _case(row: DiagnosisRow, verdicts_by_mode: Mapping[Mode, Mapping[str, Verdict]]) -> ThreeWayCase:
    verdicts = {
        mode: mode_verdicts.get(row.case_id, Verdict.NOT_JUDGED) for mode, mode_verdicts in verdicts_by_mode.items()
    }
    return ThreeWayCase(
        case_id=row.case_id,
        group_id=row.group_id,
        form=row.form,
        verdicts=verdicts,
        combination=combination_of(verdicts[Mode.CLOSED_BOOK], verdicts[Mode.ORACLE], verdicts[Mode.RETRIEVAL]),
    )


def _codes(labels: Iterable[str]) -> NDArray[np.intp]:
    codes: dict[str, int] = {}
    return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=np.intp)
