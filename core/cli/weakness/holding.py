"""Whether the score of the command weakness holds inside groups, as a JSON document and as lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from core.weakness.findings.drafts.families import MOST_LEVELS

if TYPE_CHECKING:
    from core.cli.weakness.cases import Cases, WeaknessRequest
    from core.domain.estimates import Estimate
    from core.weakness.holding import Holding


def holding_document(cases: Cases, request: WeaknessRequest) -> dict[str, object]:
    """Each attribute with the score's area inside its levels and the verdict, or why there is none.

    The attributes are those that were named, else all that are offered. The score is taken as it is, without a
    threshold.
    """
    from core.domain.results.runs import VERDICT_METRIC
    from core.weakness.holding import scores_within

    if cases.verdict is None or np.isnan(cases.verdict).all():
        score = cases.source.get("score", cases.source.get("metric", ""))
        reason = (
            "The score is the verdict itself."
            if score == VERDICT_METRIC
            else "Nothing says which answers are right."
            + ("" if cases.store is not None else " Name the column that does with --verdict COL.")
        )
        return {"holding": [], "holding_reason": reason}
    names = [
        name
        for name in dict.fromkeys(request.names or cases.offered)
        if 2 <= len(cases.unchanged.attribute(name).levels) <= MOST_LEVELS
    ]
    holdings = scores_within(cases.unchanged, cases.verdict, names)
    return {"holding": [_row(holding) for holding in holdings], "holding_reason": ""}


def holding_lines(document: Mapping[str, object]) -> list[str]:
    """One line an attribute: the verdict and its sentence; none where nothing says which answers are right."""
    rows = document["holding"]
    if not isinstance(rows, list) or not rows:
        return []
    told = [f"  {row['attribute']}: {row['verdict']}. {row['sentence']}" for row in rows]
    return ["Does the score hold inside groups?", *told]


def _row(holding: Holding) -> dict[str, object]:
    return {
        "attribute": holding.attribute,
        "verdict": holding.verdict,
        "sentence": holding.sentence,
        "right": holding.right,
        "wrong": holding.wrong,
        "outside": holding.outside,
        "unscored": holding.unscored,
        "pooled": _area(holding.pooled),
        "within": _area(holding.within),
        "lost": _area(holding.lost),
        "levels": [
            {"level": level.level, "right": level.right, "wrong": level.wrong, "auc": _area(level.auc)}
            for level in holding.levels
        ],
        "equal_areas": {**asdict(holding.equality), "p_adjusted": holding.p_adjusted},
    }


def _area(estimate: Estimate) -> dict[str, object]:
    return dict(estimate.as_json())
