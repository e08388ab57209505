"""Topics as the commands print them: as JSON and as lines for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.domain.estimates import Estimate
    from core.domain.sources.chunks import Chunk
    from core.domain.sources.documents import Document
    from core.domain.sources.topics import Topic, TopicQuality


def topic_document(topics: Sequence[Topic], quality: TopicQuality, chunks: int) -> dict[str, object]:
    """Topics and their figures as plain JSON."""
    return {
        "chunks": chunks,
        "topics": [{"id": topic.number, **asdict(topic), "label": topic.label} for topic in topics],
        "coherence": quality.coherence.as_json(),
        "silhouette": quality.silhouette.as_json(),
        "outliers": quality.outliers.as_json(),
        "largest": quality.largest.as_json(),
        "stability": quality.stability.as_json(),
        "warnings": list(quality.warnings),
    }


def topic_lines(topics: Sequence[Topic], quality: TopicQuality, chunks: int) -> list[str]:
    """The same for a person."""
    rows = [
        f"{topic.number:>4}  {topic.size:>6,} passages of {topic.documents:>5,} documents  "
        f"{'(dropped) ' if topic.dropped else ''}{topic.label}"
        for topic in topics
    ]
    return [
        f"{chunks:,} passages",
        *rows,
        f"  coherence   {_figure(quality.coherence)}",
        f"  silhouette  {_figure(quality.silhouette)}",
        f"  outliers    {quality.outliers.num:,} of {quality.outliers.den:,}",
        f"  stability   {_figure(quality.stability)}",
        *(f"! {warning}" for warning in quality.warnings),
    ]


def _figure(estimate: Estimate) -> str:
    return (
        f"- ({estimate.method})"
        if estimate.value is None
        else f"{estimate.value:.3f} (n = {estimate.n:,}; {estimate.method})"
    )


def folder_agreement(
    chunks: Sequence[Chunk], documents: Sequence[Document], topic_of: Mapping[str, int], topics: Sequence[Topic]
) -> dict[str, object]:
    """How far topics agree with the folders of the documents, with and without topics that only repeat a text."""
    from core.testset.topics.quality import agreement, says_the_same

    folder = {document.id: document.path.split("/")[0] if "/" in document.path else "" for document in documents}
    left_out = {topic.number for topic in topics if topic.dropped or says_the_same(topic)}
    rows = [(topic_of[chunk.id], folder[chunk.document_id]) for chunk in chunks if chunk.id in topic_of]
    counted = [row for row in rows if row[0] not in left_out]
    if len({name for _, name in rows}) < 2:
        return {}
    return {
        "folders": {
            "count": len({name for _, name in rows}),
            "all_chunks": {"value": agreement(*_columns(rows)), "n": len(rows)},
            "without_repeated_or_dropped": {"value": agreement(*_columns(counted)), "n": len(counted)},
        }
    }


def _columns(rows: Sequence[tuple[int, str]]) -> tuple[list[int], list[str]]:
    return [topic for topic, _ in rows], [name for _, name in rows]


def agreement_lines(document: Mapping[str, object]) -> list[str]:
    """The same for a person; empty where the documents lie in one folder."""
    folders = document.get("folders")
    if not isinstance(folders, Mapping):
        return []
    rest = folders["without_repeated_or_dropped"]
    return [
        f"  adjusted Rand index with the {folders['count']} folders of the documents: "
        f"{_shown(folders['all_chunks'])}; without topics that repeat a text or are dropped {_shown(rest)}"
    ]


def _shown(figure: Mapping[str, object]) -> str:
    value = figure["value"]
    return f"{'-' if not isinstance(value, float) else f'{value:.3f}'} (n = {figure['n']})"
