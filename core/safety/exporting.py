"""The tables of a safety result, as people download them: masked like everything that leaves this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]


def finding_rows(result: Mapping[str, Any]) -> list[Row]:
    """The findings of personal data and secrets, one a row."""
    return [dict(finding) for finding in result["privacy"]["findings"]]


def probe_rows(result: Mapping[str, Any]) -> list[Row]:
    """What came of each probe."""
    return [dict(one) for one in result["probes"]["results"]]


def gap_rows(result: Mapping[str, Any]) -> list[Row]:
    """The gaps between groups, with every figure in a column of its own."""
    rows = []
    for gap in result["bias"]["gaps"]:
        plain = {name: value for name, value in gap.items() if name != "difference"}
        rows.append({**plain, **gap["difference"]})
    return rows


def document_rows(result: Mapping[str, Any]) -> list[Row]:
    """Stale, contradicting and repeated pages."""
    documents = result["documents"]
    return [
        *(
            {"kind": "stale", "document_id": one["document_id"], "why": " ".join(one["reasons"])}
            for one in documents["stale"]
        ),
        *(
            {
                "kind": "contradiction",
                "document_id": one["first"],
                "other_document_id": one["second"],
                "why": f"{one['what']} of {one['subject']}: {one['first_value']} and {one['second_value']}",
            }
            for one in documents["contradictions"]
        ),
        *(
            {
                "kind": "repeat",
                "document_id": one["first"],
                "other_document_id": ", ".join(one["others"] if "others" in one else [one["second"]]),
                "why": f"{one['share']:.0%} of their words in the same order",
            }
            for one in documents["repeats"]  # one for each group; earlier results have one for each pair
        ),
    ]


def tables_of(result: Mapping[str, Any]) -> dict[str, Sequence[Row]]:
    """Every table by the name of its file."""
    return {
        "findings": finding_rows(result),
        "toxicity": [dict(one) for one in result["toxicity"]["items"]],
        "probes": probe_rows(result),
        "bias": gap_rows(result),
        "documents": document_rows(result),
    }
