"""Drafts findings from weak parts: one for each set of cases that others do not explain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from core.domain.results.findings import Conditions, FindingKind, Severity, explained
from core.weakness.findings.drafts.explaining import not_explained
from core.weakness.findings.drafts.facts import Labels, PartFacts, ScoreWords, SearchFacts
from core.weakness.findings.drafts.families import Candidate, Family, cells, levels, pairs_of, usable
from core.weakness.findings.drafts.severity import lost_of, severity_of, spread_of
from core.weakness.findings.drafts.slices import slice_candidates
from core.weakness.findings.drafts.wording import part_text, slice_text, unscored_text
from core.weakness.options import WeaknessOptions
from core.weakness.slices.report import SliceReport
from core.weakness.table import CaseTable, Ints, ScoreColumn

WORST_FIRST = (Severity.HIGH, Severity.MEDIUM, Severity.LOW)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draft:
    """A finding before it is recorded.

    Attributes:
        kind: What it is about.
        conditions: What its cases have in common.
        text: In words.
        figures: The numbers of the text, plain JSON.
        positions: Its cases by place in the table, ascending.
        severity: By rule, see :func:`core.weakness.findings.drafts.severity.severity_of`.
    """

    kind: FindingKind
    conditions: Conditions
    text: str
    figures: Mapping[str, object]
    positions: Ints
    severity: Severity

    def rank(self) -> tuple[bool, int, float, Conditions]:
        """What sorts the worst first: notes last, else by severity and by the failing cases it explains."""
        unscored = self.kind is FindingKind.UNSCORED
        return unscored, WORST_FIRST.index(self.severity), -explained(self.figures), self.conditions


@dataclass(frozen=True, slots=True, kw_only=True)
class LookedAt:
    """The extent of the search, for which the p-values are adjusted.

    Attributes:
        attributes: Whose levels.
        levels: Levels tested.
        pairs: Whose cells.
        cells: Cells tested.
        slices: Slices that were tested; 0 without a slice search.
        left_out: What was not examined, and why, one sentence each.
    """

    attributes: tuple[str, ...]
    levels: int
    pairs: tuple[tuple[str, ...], ...]
    cells: int
    slices: int
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drafts:
    """The result of drafting.

    Attributes:
        drafts: The worst first: by severity, then by the failing cases they explain; notes come last.
        looked_at: The extent of the search.
    """

    drafts: tuple[Draft, ...]
    looked_at: LookedAt


def draft_findings(
    table: CaseTable,
    words: ScoreWords,
    options: WeaknessOptions | None = None,
    *,
    labels: Labels | None = None,
    attributes: Sequence[str] | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    slices: SliceReport | None = None,
) -> Drafts:
    """Examines levels of attributes, cells of pairs and slices, and drafts one finding for each weak set of cases.

    All levels are adjusted together, and all cells, so that weak parts are significant among everything examined. A
    level that is weak only because of one of its cells is left out, and so is a cell that is as weak as its level; see
    :func:`core.weakness.findings.drafts.explaining.not_explained`.

    Args:
        table: The cases with their score, after a threshold was applied.
        words: The words for the score.
        options: What counts as weak.
        labels: Names of attributes for people.
        attributes: Whose levels are examined; by default all that divide the cases.
        pairs: Whose cells; by default those of :func:`core.weakness.findings.drafts.families.pairs_of`.
        slices: The result of a slice search, if there was one.

    Raises:
        InvalidInput: The cases lack an attribute, or a pair is twice the same.
    """
    options = options or WeaknessOptions()
    attributes_used, left_out = usable(table, attributes)
    names = [attribute.name for attribute in attributes_used]
    if pairs is None:
        pairs, not_paired = pairs_of(attributes_used)
        left_out = (*left_out, *not_paired)
    by_level, by_cell = levels(table, names, options), cells(table, pairs, options)
    from_slices = slice_candidates(slices, options) if slices else ()
    searches = {id(candidate): search for candidate, search in from_slices}
    weak = [*by_level.candidates, *by_cell.candidates, *(candidate for candidate, _ in from_slices)]
    lost, spread = lost_of(table.score), spread_of(table.score)
    drafts = [
        _draft(candidate, words, labels, searches.get(id(candidate)), lost, spread)
        for candidate in not_explained(table, weak, options)
    ]
    drafts.sort(key=Draft.rank)
    return Drafts(
        drafts=(*drafts, *_unscored(table, names, options, labels)),
        looked_at=LookedAt(
            attributes=tuple(names),
            levels=by_level.tested,
            pairs=by_cell.looked_at,
            cells=by_cell.tested,
            slices=slices.carried if slices else 0,
            left_out=left_out,
        ),
    )


def figures_of(facts: PartFacts, **more: object) -> dict[str, object]:
    """The figures of a part as plain JSON."""
    return {**asdict(facts), **more}


def _draft(
    candidate: Candidate,
    words: ScoreWords,
    labels: Labels | None,
    search: SearchFacts | None,
    lost: float,
    spread: float,
) -> Draft:
    facts = candidate.facts
    effect = facts.effect / spread if spread else 0.0
    # The figures of a slice are of one half of its cases; the number it explains is of all of them.
    scored = facts.scored if search is None else search.scored
    severity = severity_of(effect, scored, lost)
    if search is not None:
        text = slice_text(words, candidate.conditions, facts, search, labels=labels)
    else:
        text = part_text(words, candidate.conditions, facts, labels=labels, compound=candidate.compound)
    more: dict[str, object] = {"p_value": candidate.p_value, "explains": effect * scored, "lost": lost}
    if candidate.compound is not None:
        more |= {"explained": candidate.compound.explained, "p_compound": candidate.compound.p_adjusted}
    if search is not None:
        more["search"] = asdict(search)
    return Draft(
        kind=candidate.kind,
        conditions=candidate.conditions,
        text=text,
        figures=figures_of(facts, **more, severity=severity.value),
        positions=candidate.positions,
        severity=severity,
    )


def _unscored(
    table: CaseTable, names: Sequence[str], options: WeaknessOptions, labels: Labels | None
) -> tuple[Draft, ...]:
    """Levels whose share without a score is larger than that of others; nothing where all or none have one."""
    unscored = ~table.scored
    if not unscored.any() or unscored.all():
        return ()
    absent = CaseTable(
        case_ids=table.case_ids,
        clusters=table.clusters,
        score=ScoreColumn(name="unscored", values=unscored.astype(np.float64), higher_is_better=False),
        attributes=table.attributes,
    )
    family: Family = levels(absent, names, options)
    return tuple(
        Draft(
            kind=FindingKind.UNSCORED,
            conditions=candidate.conditions,
            text=unscored_text(candidate.conditions, candidate.facts, labels=labels),
            figures=figures_of(candidate.facts, p_value=candidate.p_value, severity=Severity.LOW.value),
            positions=candidate.positions,
            severity=Severity.LOW,
        )
        for candidate in not_explained(absent, family.candidates, options)
    )
