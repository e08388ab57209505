"""Where the system is weak, and what was decided about it."""

from __future__ import annotations

from typing import Any

from core.domain.results.findings import Finding, FindingKind
from core.report.collect.gather import Gathered
from core.report.collect.sections.saying import missing, note, plain
from core.report.content import Block, Cell, Heading, Kind, Number, Table
from core.text.display.numbers import count, when
from core.weakness.findings.naming import name_of


def weaknesses(g: Gathered) -> tuple[Block, ...]:
    """Every finding with its evidence, decision and owner."""
    if not g.findings and g.records.searches:
        searched = count(g.records.searches, "recorded search", "recorded searches")
        return (
            plain(
                f"{searched[:1].upper()}{searched[1:]} for weaknesses found none that is significant among all that "
                "was looked at. With few facts a weakness is rarely shown: none found is not none there."
            ),
            *_tested_again(g),
        )
    if not g.findings:
        return (
            missing(
                "No search for weaknesses was recorded for this run.",
                "The Weakness page looks through topics, attributes and slices and records what it finds.",
            ),
            *_tested_again(g),
        )
    weak = [finding for finding in g.findings if finding.kind is not FindingKind.UNSCORED]
    notes = [finding for finding in g.findings if finding.kind is FindingKind.UNSCORED]
    blocks: list[Block] = []
    if weak:
        blocks.append(
            Table(
                id="findings",
                title=count(len(weak), "finding"),
                columns=("Severity", "Finding", "Effect", "Cases", "Status", "Owner", "Due"),
                rows=tuple(_row(g, finding) for finding in weak),
                note="Adjusted for all that was looked at (Benjamini and Hochberg). Severity is by rule until a person "
                "sets it.",
                labels=False,
            )
        )
    decided = [finding for finding in weak if finding.comment or finding.changed_by]
    if decided:
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                finding.id,
                finding.status.value,
                g.masker.safe(finding.comment) or "-",
                f"{g.masker.name(finding.changed_by)}, {when(finding.changed_at)}" if finding.changed_by else "-",
            )
            for finding in decided
        )
        blocks += [
            Heading(text="Decisions"),
            Table(id="decided", title="What people decided", columns=("Finding", "Status", "Comment", "By"), rows=rows),
        ]
    if notes:
        blocks.append(note(" ".join(g.masker.safe(finding.text) for finding in notes)))
    return (*blocks, *_tested_again(g))


def _tested_again(g: Gathered) -> tuple[Block, ...]:
    """What became of the findings of other runs, measured again on this one."""
    retests = [(thread, one) for thread in g.threads for one in thread.retests if one.run_id == g.run.id]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            g.masker.safe(thread.name),
            one.outcome.value,
            None
            if one.change is None
            else Number(
                value=one.change.value,
                low=one.change.low,
                high=one.change.high,
                n=one.change.n,
                kind=Kind.DIFFERENCE,
            ),
            _standing(g, thread.newest),
            g.masker.safe(one.reason),
        )
        for thread, one in retests
    )
    if not rows:
        return ()
    return (
        Heading(text="Findings of earlier runs, tested again"),
        Table(
            id="retests",
            title=f"{count(len(rows), 'finding')} measured again on this run",
            columns=("Finding", "Outcome", "Change", "Decision", "Why"),
            rows=rows,
            note="The change is this run less the run in which the finding was seen before; 95% interval.",
            labels=False,
        ),
    )


def _standing(g: Gathered, finding: Finding) -> str:
    """Severity, status, owner and due date in one cell."""
    owner = g.masker.name(finding.owner) or "nobody yet"
    due = f", by {finding.due}" if finding.due else ""
    return f"{finding.severity.value}, {finding.status.value}: {owner}{due}"


def finding_json(g: Gathered, finding: Finding) -> dict[str, Any]:
    """A finding as the JSON file has it."""
    return {
        "id": finding.id,
        "severity": finding.severity.value,
        "status": finding.status.value,
        "kind": finding.kind.value,
        "score": finding.score,
        "name": g.masker.safe(name_of(finding)),
        "text": g.masker.safe(finding.text),
        "conditions": {name: g.masker.safe(level) for name, level in finding.conditions},
        "cases": len(finding.case_ids),
        "owner": g.masker.name(finding.owner),
        "due": finding.due,
        "comment": g.masker.safe(finding.comment),
        "gone": finding.gone,
    }


def _row(g: Gathered, finding: Finding) -> tuple[Cell, ...]:
    status = f"{finding.status.value}, not seen in the last search" if finding.gone else finding.status.value
    name, text = g.masker.safe(name_of(finding)), g.masker.safe(finding.text)
    # What a person wrote is called by its words, and most sentences by rule begin with the name; it stands here once.
    alone = text.rstrip(".") in ("", name.rstrip("."))
    told = name if alone else text if text.startswith(name) else f"{name}: {text}"
    return (
        finding.severity.value,
        f"{told} ({finding.id})",
        _effect(finding),
        len(finding.case_ids),
        status,
        g.masker.name(finding.owner) or "nobody yet",
        finding.due or "-",
    )


def _effect(finding: Finding) -> Number | None:
    figures = finding.figures
    value = figures.get("effect")
    if not isinstance(value, int | float):
        return None
    scored = figures.get("scored")
    return Number(value=-float(value), n=scored if isinstance(scored, int) else None, kind=Kind.DIFFERENCE)
