"""Findings as JSON, as rows of a table and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from core.domain.results.findings import Finding, FindingRetest
from core.text.display.formulas import neutral
from core.weakness.findings.naming import name_of

FIGURES = ("n", "scored", "mean", "low", "high", "rest", "effect", "p_adjusted", "tested")
COLUMNS = (
    "id",
    "run",
    "score",
    "kind",
    "name",
    "conditions",
    "severity",
    "status",
    "owner",
    "due",
    "comment",
    "text",
    *FIGURES,
    "gone",
    "thread",
    "retest",
    "retest_run",
    "change",
    "change_low",
    "change_high",
    "retest_reason",
    "cases",
)
"""The columns of findings as a table."""


Retests = Mapping[str, FindingRetest]
"""The newest retest of findings, by thread."""


def findings_as_json(findings: Sequence[Finding], retests: Retests | None = None) -> list[dict[str, object]]:
    """Findings as plain JSON, for the command line, downloads and the report; with their newest retests."""
    return [
        {
            **asdict(finding),
            "kind": finding.kind.value,
            "severity": finding.severity.value,
            "status": finding.status.value,
            "conditions": [list(pair) for pair in finding.conditions],
            "case_ids": list(finding.case_ids),
            "name": name_of(finding),
            "retest": retest_as_json((retests or {}).get(finding.thread)),
        }
        for finding in findings
    ]


def retest_as_json(retest: FindingRetest | None) -> dict[str, object] | None:
    """A retest as plain JSON; None where there is none."""
    if retest is None:
        return None
    estimates = ("before", "after", "change", "deficit")
    figures = {name: value.as_json() if (value := getattr(retest, name)) else None for name in estimates}
    return {
        "run": retest.run_id,
        "against": retest.against,
        "outcome": retest.outcome.value,
        **figures,
        "paired": retest.paired,
        "reason": retest.reason,
        "at": retest.created_at,
    }


def finding_rows(findings: Sequence[Finding], retests: Retests | None = None) -> list[dict[str, object]]:
    """Findings as rows of a table with the columns of `COLUMNS`; a missing figure is None."""
    return [
        {
            "id": finding.id,
            "run": finding.run_id,
            "score": finding.score,
            "kind": finding.kind.value,
            "name": name_of(finding),
            "conditions": "; ".join(f"{name} = {level}" for name, level in finding.conditions),
            "severity": finding.severity.value,
            "status": finding.status.value,
            "owner": finding.owner,
            "due": finding.due,
            "comment": finding.comment,
            "text": finding.text,
            **{name: finding.figures.get(name) for name in FIGURES},
            "gone": finding.gone,
            "thread": finding.thread,
            **_retest_columns((retests or {}).get(finding.thread)),
            "cases": " ".join(finding.case_ids),
        }
        for finding in findings
    ]


def _retest_columns(retest: FindingRetest | None) -> dict[str, object]:
    change = retest.change if retest else None
    return {
        "retest": retest.outcome.value if retest else None,
        "retest_run": retest.run_id if retest else None,
        "change": change.value if change else None,
        "change_low": change.low if change else None,
        "change_high": change.high if change else None,
        "retest_reason": retest.reason if retest else None,
    }


def rows_as_csv(columns: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as CSV; a text that a spreadsheet would run as a formula gets a quote in front."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(columns), lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: neutral(value) for name, value in row.items()})
    return out.getvalue()


def findings_as_csv(findings: Sequence[Finding], retests: Retests | None = None) -> str:
    """Findings as CSV, with their newest retests."""
    return rows_as_csv(COLUMNS, finding_rows(findings, retests))
