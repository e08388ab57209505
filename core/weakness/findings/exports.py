"""Findings as JSON, as rows of a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.domain.findings import Finding

FIGURES = ("n", "scored", "mean", "low", "high", "rest", "effect", "p_adjusted", "tested")
COLUMNS = (
    "id", "run", "score", "kind", "conditions", "severity", "status", "owner", "comment", "text", *FIGURES,
    "gone", "cases",
)  # fmt: skip
"""Of findings as a table."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")


def findings_as_json(found: Sequence[Finding]) -> list[dict[str, object]]:
    """Findings as plain JSON, for the command line, downloads and the report."""
    return [
        {
            **asdict(one),
            "kind": one.kind.value,
            "severity": one.severity.value,
            "status": one.status.value,
            "conditions": [list(pair) for pair in one.conditions],
            "case_ids": list(one.case_ids),
        }
        for one in found
    ]


def finding_rows(found: Sequence[Finding]) -> list[dict[str, object]]:
    """Findings as rows of a table with the columns of `COLUMNS`; what a finding has no figure for is None."""
    return [
        {
            "id": one.id,
            "run": one.run_id,
            "score": one.score,
            "kind": one.kind.value,
            "conditions": "; ".join(f"{name} = {level}" for name, level in one.conditions),
            "severity": one.severity.value,
            "status": one.status.value,
            "owner": one.owner,
            "comment": one.comment,
            "text": one.text,
            **{name: one.figures.get(name) for name in FIGURES},
            "gone": one.gone,
            "cases": " ".join(one.case_ids),
        }
        for one in found
    ]


def rows_as_csv(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as CSV; a text that a spreadsheet would run as a formula gets a quote in front."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(columns), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _quoted(value) for name, value in row.items()})
    return out.getvalue()


def findings_as_csv(found: Sequence[Finding]) -> str:
    """Findings as CSV."""
    return rows_as_csv(COLUMNS, finding_rows(found))


def _quoted(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_RISKY) else value
