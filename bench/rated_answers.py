"""Faithfulness and claim reading beside what other authors say of answers that hardly copy their passages.

``python -m bench.rated_answers`` prints the tables of docs/faithfulness.md: of each file in ``answers/rated``, whose
authors wrote passages, answers and three ratings of each without sight of the rules, the rank correlation with the mean
rating; and of the authors in ``KEPT_APART``, who wrote single claims that a passage supports, contradicts or does not
hold, how often a supported one has more than one that is not (the area under the curve).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.results.responses import Context
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metric, score_samples
from core.stats import spearman
from core.stats.ranks.auc import auc

METRICS = ("faithfulness", "claim_reading")
ANSWERS = Path(__file__).resolve().parent / "answers"
KINDS = SUPPORTED, CONTRADICTED, ABSENT = "supported", "contradicted", "not there"
KEPT_APART = ("mixed", "near_records", "services", "terms")
"""Authors of claims that the reader of claims is not fitted on."""

Floats = np.ndarray[Any, np.dtype[np.float64]]


def rated() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The name of each file of rated answers, and its rows."""
    for path in sorted((ANSWERS / "rated").glob("*.jsonl")):
        yield path.stem, _lines(path)


def claims() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The name of each file of claims kept apart, and its claims."""
    for author in KEPT_APART:
        rows = [
            {"passage": block["passage"], "claim": claim, "label": label}
            for block in blocks_of(author)
            for label in KINDS
            for claim in block[label]
        ]
        yield author, rows


def blocks_of(author: str) -> list[dict[str, Any]]:
    """The passages of an author of claims, each with its claims by kind."""
    return _lines(ANSWERS / "claims" / f"{author}.jsonl")


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def values(rows: Sequence[Mapping[str, Any]], metric: str) -> Floats:
    """The score of each row by a metric, (n,); 0 where there is none.

    Args:
        rows: Each with a question, passages and an answer, or with a passage and a claim.
        metric: Its name.
    """
    samples = [
        Sample(
            case_id=str(place),
            question=row.get("question", ""),
            answer=row.get("answer") or row["claim"],
            contexts=tuple(
                Context(document_id=f"p{number}", text=text)
                for number, text in enumerate(row.get("passages") or [row["passage"]])
            ),
        )
        for place, row in enumerate(rows)
    ]
    batches = score_samples(samples, [find_metric(metric)], Models(encoder=open_encoder()))
    return np.array([score.value or 0.0 for batch in batches for score in batch])


def areas(scores: Floats, rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """How often a supported claim has more than one that is contradicted, and than one that is not there."""
    labels = np.array([row["label"] for row in rows])
    contradicted, absent = (
        auc(
            scores[(labels == SUPPORTED) | (labels == other)],
            labels[(labels == SUPPORTED) | (labels == other)] == SUPPORTED,
        )
        for other in (CONTRADICTED, ABSENT)
    )
    return contradicted, absent


def main() -> None:
    """Print both tables, a column for each metric."""
    print(f"| ratings | n | {' | '.join(METRICS)} |\n|---|---|{'---|' * len(METRICS)}")
    for name, rows in rated():
        ratings = np.array([np.mean(row["ratings"]) for row in rows])
        found = [spearman(values(rows, metric), ratings) for metric in METRICS]
        print(f"| {name} | {len(rows)} | {' | '.join(f'{one:.3f}' for one in found)} |")
    print("\n| claims | n | metric | supported above contradicted | supported above not there |\n|---|---|---|---|---|")
    for name, rows in claims():
        for metric in METRICS:
            contradicted, absent = areas(values(rows, metric), rows)
            print(f"| {name} | {len(rows)} | {metric} | {contradicted:.3f} | {absent:.3f} |")


if __name__ == "__main__":
    main()
