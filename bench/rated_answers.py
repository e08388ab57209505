"""Faithfulness beside what other authors say of answers in today's manner, which hardly copy their passages.

``python -m bench.rated_answers`` prints the table of docs/faithfulness.md: of each file in ``answers/rated``, whose
authors wrote passages, answers and three ratings of each without sight of the rules, the rank correlation with the mean
rating; and of each file in ``answers/claims``, whose authors wrote single claims that a passage supports, contradicts
or does not hold, how often a supported one has more than one that is not (the area under the curve).
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

ANSWERS = Path(__file__).resolve().parent / "answers"
SUPPORTED, CONTRADICTED, ABSENT = "supported", "contradicted", "not there"


def rows_of(folder: str) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The name of each file of a folder of ``answers``, and its rows."""
    for path in sorted((ANSWERS / folder).glob("*.jsonl")):
        yield path.stem, [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def faithfulness(rows: Sequence[Mapping[str, Any]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The score of each row, (n,); 0 where there is none.

    Args:
        rows: Each with a question, passages and an answer, or with a passage and a claim.
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
    batches = score_samples(samples, [find_metric("faithfulness")], Models(encoder=open_encoder()))
    return np.array([score.value or 0.0 for batch in batches for score in batch])


def main() -> None:
    """Print both tables."""
    print("| ratings | n | rank correlation with the mean rating |\n|---|---|---|")
    for name, rows in rows_of("rated"):
        found = spearman(faithfulness(rows), np.array([np.mean(row["ratings"]) for row in rows]))
        print(f"| {name} | {len(rows)} | {found:.3f} |")
    print("\n| claims | n | supported above contradicted | supported above not there |\n|---|---|---|---|")
    for name, rows in rows_of("claims"):
        values = faithfulness(rows)
        labels = np.array([row["label"] for row in rows])
        areas = []
        for other in (CONTRADICTED, ABSENT):
            both = (labels == SUPPORTED) | (labels == other)
            areas.append(auc(values[both], labels[both] == SUPPORTED))
        print(f"| {name} | {len(rows)} | {areas[0]:.3f} | {areas[1]:.3f} |")


if __name__ == "__main__":
    main()
