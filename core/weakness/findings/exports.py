"""Findings as JSON, as rows of a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.domain.results.findings import Finding
from core.text.formulas import neutral

FIGURES = ("n", "scored", "mean", "low", "high", "rest", "effect", "p_adjusted", "tested")
COLUMNS = (
    "id",
    "run",
    "score",
    "kind",
    "conditions",
    "severity",
    "status",
    "owner",
    "comment",
    "text",
    *FIGURES,
    "gone",
    "cases",
)
"""The columns of findings as a table."""


def findings_as_json(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Findings as plain JSON, for the command line, downloads and the report."""
    return [
        {
            **asdict(finding),
            "kind": finding.kind.value,
            "severity": finding.severity.value,
            "status": finding.status.value,
            "conditions": [list(pair) for pair in finding.conditions],
            "case_ids": list(finding.case_ids),
        }
        for finding in findings
    ]


def finding_rows(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Findings as rows of a table with the columns of `COLUMNS`; a missing figure is None."""
    return [
        {
            "id": finding.id,
            "run": finding.run_id,
            "score": finding.score,
            "kind": finding.kind.value,
            "conditions": "; ".join(f"{name} = {level}" for name, level in finding.conditions),
            "severity": finding.severity.value,
            "status": finding.status.value,
            "owner": finding.owner,
            "comment": finding.comment,
            "text": finding.text,
            **{name: finding.figures.get(name) for name in FIGURES},
            "gone": finding.gone,
            "cases": " ".join(finding.case_ids),
        }
        for finding in findings
    ]


def rows_as_csv(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as CSV; a text that a spreadsheet would run as a formula gets a quote in front."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(columns), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: neutral(value) for name, value in row.items()})
    return out.getvalue()


def findings_as_csv(findings: Sequence[Finding]) -> str:
    """Findings as CSV."""
    return rows_as_csv(COLUMNS, finding_rows(findings))
