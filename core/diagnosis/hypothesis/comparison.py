"""Two values of an attribute side by side, module by module: the shares that a hypothesis test compares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import comb

import numpy as np

from core.diagnosis.documents import DocumentReader, RowDocuments
from core.diagnosis.groups import effective_verdict
from core.domain.results.diagnosis import DiagnosisRow, Policy, Unjudged
from core.domain.results.responses import Verdict
from core.domain.sources.evidence import FactEvidence
from core.stats.comparisons.permutation import Exchange


class TestedModule(StrEnum):
    """The rates that are compared."""

    __test__ = False

    OVERALL = "overall"
    """Correct among judged rows."""
    RETRIEVAL = "retrieval"
    """Every gold document retrieved, among rows whose gold documents are in the corpus."""
    LANGUAGE_MODEL = "language_model"
    """Correct among judged rows that had every gold document, where the documents do state the fact."""
    RETRIEVAL_DB = "retrieval_db"
    """At least one correct answer, per semantic group."""


@dataclass(slots=True)
class Cell:
    """The rows of one semantic group with one value: how many have the outcome, of how many."""

    num: int = 0
    den: int = 0

    def add(self, outcome: bool) -> None:
        """Counts one row."""
        self.num += outcome
        self.den += 1

    @property
    def rate(self) -> float:
        """The share with the outcome."""
        return self.num / self.den

    def competence(self, size: int) -> float:
        """The chance that at least one of `size` rows, taken at random from the cell, is correct.

        At the cell's own size that is whether it has a correct row. Taken at a common size it does not favour the value
        with more wordings: with more tries a group is more easily answered once.

        >>> Cell(num=1, den=3).competence(3), round(Cell(num=1, den=3).competence(1), 4)
        (1.0, 0.3333)
        """
        return 1.0 - comb(self.den - self.num, size) / comb(self.den, size)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The cells of two values for one module.

    Attributes:
        a: By semantic group; only groups with rows that count.
        b: The same for the other value.
    """

    a: Mapping[str, Cell]
    b: Mapping[str, Cell]

    @property
    def shared(self) -> tuple[str, ...]:
        """Groups with both values, in order."""
        return tuple(group for group in self.a if group in self.b)

    @property
    def same_size(self) -> bool:
        """Whether all groups of either value have the same number of rows."""
        return len({cell.den for side in (self.a, self.b) for cell in side.values()}) <= 1

    @property
    def even(self) -> bool:
        """Whether each shared group has as many rows of one value as of the other."""
        return all(self.a[group].den == self.b[group].den for group in self.shared)


def compare_sides(
    rows: Sequence[DiagnosisRow],
    attribute: str,
    a: str,
    b: str,
    *,
    reader: DocumentReader,
    policy: Policy,
    unjudged: Unjudged,
) -> dict[TestedModule, Sides]:
    """Counts outcomes by module, semantic group and value; linear in the number of rows.

    Rows with neither value are skipped. Competence is counted from the same cells as overall accuracy.
    """
    outcomes: dict[TestedModule, Callable[[DiagnosisRow, RowDocuments, Verdict], bool | None]] = {
        TestedModule.OVERALL: _overall,
        TestedModule.RETRIEVAL: _retrieval,
        TestedModule.LANGUAGE_MODEL: _language_model,
    }
    cells: dict[TestedModule, dict[str, dict[str, Cell]]] = {module: {a: {}, b: {}} for module in outcomes}
    for row in rows:
        value = row.value_of(attribute)
        if value is None or value not in (a, b):
            continue
        documents = reader.read(row)
        verdict = effective_verdict(row, documents, policy)
        if verdict is Verdict.NOT_JUDGED and unjudged == "incorrect":
            verdict = Verdict.INCORRECT
        for module, outcome_of in outcomes.items():
            outcome = outcome_of(row, documents, verdict)
            if outcome is not None:
                cells[module][value].setdefault(row.group_id, Cell()).add(outcome)
    sides = {module: Sides(a=by_value[a], b=by_value[b]) for module, by_value in cells.items()}
    return {**sides, TestedModule.RETRIEVAL_DB: sides[TestedModule.OVERALL]}


def paired_values(module: TestedModule, sides: Sides, groups: Iterable[str]) -> list[tuple[float, float]]:
    """Per group the share of each value; for the retrieval database, competence at the smaller of the two sizes."""
    pairs = []
    for group in groups:
        cell_a, cell_b = sides.a[group], sides.b[group]
        if module is TestedModule.RETRIEVAL_DB:
            size = min(cell_a.den, cell_b.den)
            pairs.append((cell_a.competence(size), cell_b.competence(size)))
        else:
            pairs.append((cell_a.rate, cell_b.rate))
    return pairs


def exchanges_of(module: TestedModule, sides: Sides, groups: Iterable[str]) -> list[Exchange]:
    """The distribution of the groups' differences under the null hypothesis, one entry per kind of group.

    Of the m_a + m_b rows of a group, c with the outcome, any m_a may have the first value: the number of outcomes among
    them is hypergeometric.
    """
    kinds = Counter(
        (sides.a[group].den, sides.b[group].den, sides.a[group].num + sides.b[group].num) for group in groups
    )
    exchanges = []
    for (size_a, size_b, outcomes), clusters in kinds.items():
        possible = range(max(0, outcomes - size_b), min(size_a, outcomes) + 1)
        ways = [comb(size_a, k) * comb(size_b, outcomes - k) for k in possible]
        differences = []
        for k in possible:
            split = Sides(a={"": Cell(num=k, den=size_a)}, b={"": Cell(num=outcomes - k, den=size_b)})
            ((rate_a, rate_b),) = paired_values(module, split, [""])
            differences.append(rate_a - rate_b)
        total = sum(ways)
        exchanges.append(Exchange(np.array(differences), np.array([way / total for way in ways]), clusters))
    return exchanges


def unpaired_values(module: TestedModule, sides: Sides) -> tuple[list[float], list[float]]:
    """The shares of the groups that have one value only; competence at the size of the smallest group."""
    cells_a = [cell for group, cell in sides.a.items() if group not in sides.b]
    cells_b = [cell for group, cell in sides.b.items() if group not in sides.a]
    if module is not TestedModule.RETRIEVAL_DB or not cells_a or not cells_b:
        return [cell.rate for cell in cells_a], [cell.rate for cell in cells_b]
    size = min(cell.den for cell in (*cells_a, *cells_b))
    return [cell.competence(size) for cell in cells_a], [cell.competence(size) for cell in cells_b]


def _overall(row: DiagnosisRow, documents: RowDocuments, verdict: Verdict) -> bool | None:
    return None if verdict is Verdict.NOT_JUDGED else verdict is Verdict.CORRECT


def _retrieval(row: DiagnosisRow, documents: RowDocuments, verdict: Verdict) -> bool | None:
    return None if documents.dangling else documents.recall


def _language_model(row: DiagnosisRow, documents: RowDocuments, verdict: Verdict) -> bool | None:
    stated = row.evidence not in (FactEvidence.ABSENT, FactEvidence.CONTRADICTED)
    return _overall(row, documents, verdict) if documents.recall and stated else None
