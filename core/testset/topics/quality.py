"""The quality of topics, and warnings where they are unsuitable for drawing a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.domain.estimates import Estimate, Proportion
from core.domain.sources.topics import OUTLIER, Topic, TopicQuality
from core.testset.topics.geometry.neighbours import Floats

Labels = npt.NDArray[np.int64]

SAMPLE = 5_000
"""Chunks a silhouette is computed on at most; it takes the square of their number."""

MOST_OUTLIERS = 0.3
LARGEST = 0.5
LEAST_SILHOUETTE = 0.2
LEAST_COHERENCE = 0.0
LEAST_STABILITY = 0.6
REPEATED, REPEATED_IN = 0.94, 5
"""Similarity and documents from which a topic is one text repeated in many places."""
DIGITS = 6
"""Decimals of figures; beyond them processors may differ."""


def quality(
    points: Floats,
    labels: Labels,
    topics: Sequence[Topic],
    steady: Estimate,
    *,
    seed: int,
) -> TopicQuality:
    """The figures of topics and their warnings.

    Args:
        points: The reduced space, (n, dimensions).
        labels: Topic of each chunk, -1 for none.
        topics: These topics, described.
        steady: Of the topics as they were found (`stability`).
        seed: Of the sample that the silhouette is computed on.
    """
    n = len(labels)
    sizes = np.bincount(labels[labels != OUTLIER]) if (labels != OUTLIER).any() else np.zeros(1, dtype=np.int64)
    values = [topic.coherence for topic in topics if topic.coherence is not None]
    figures = TopicQuality(
        coherence=_figure(float(np.mean(values)) if values else None, len(values), "NPMI, mean over topics"),
        silhouette=silhouette(points, labels, seed=seed),
        outliers=Proportion(num=int((labels == OUTLIER).sum()), den=n, method="all chunks counted"),
        largest=Proportion(num=int(sizes.max()), den=n, method="all chunks counted"),
        stability=steady,
    )
    return with_warnings(figures, topics)


def silhouette(points: Floats, labels: Labels, *, seed: int) -> Estimate:
    """Mean silhouette of the chunks that have a topic, on at most 5,000 of them; none with fewer than two topics."""
    from sklearn.metrics import silhouette_score
    from threadpoolctl import threadpool_limits

    inside = np.flatnonzero(labels != OUTLIER)
    if len(inside) > SAMPLE:
        inside = np.sort(np.random.default_rng(seed).permutation(inside)[:SAMPLE])
    names = np.unique(labels[inside])
    if not 2 <= len(names) < len(inside):
        return _figure(None, len(inside), "fewer than two topics")
    with threadpool_limits(limits=1):
        value = float(silhouette_score(points[inside].astype(np.float64), labels[inside]))
    return _figure(value, len(inside), "silhouette in the reduced space")


def stability(labels: Labels, again: Sequence[Labels] | None) -> Estimate:
    """Mean adjusted Rand index of topics with those of other seeds; the outliers count as one group.

    Args:
        labels: Topic of each chunk, -1 for none.
        again: The labels by other seeds; None where nothing depends on a seed.
    """
    from sklearn.metrics import adjusted_rand_score

    if again is None:
        return _figure(None, 0, "no random choice in this method")
    if not again:
        return _figure(None, 0, "not repeated")
    if all(len(np.unique(each)) < 2 for each in (labels, *again)):
        return _figure(None, len(again), "no seed finds two groups")
    values = [round(float(adjusted_rand_score(labels, other)), DIGITS) for other in again]
    mean = round(float(np.mean(values)), DIGITS)
    method = "adjusted Rand index with other seeds, and its range"
    return Estimate(value=mean, low=min(values), high=max(values), n=len(values), method=method)


def with_warnings(figures: TopicQuality, topics: Sequence[Topic]) -> TopicQuality:
    """The figures with a warning for each poor one, and for topics that only repeat a text."""
    warnings = []
    count = sum(topic.number != OUTLIER for topic in topics)
    if count < 2:
        warnings.append(
            f"There {'is 1 topic' if count == 1 else 'are no topics'}, so drawing by topic is drawing at random. "
            "Lower the least size of a topic, or use k-means with a number of topics."
        )
    if (share := figures.outliers.value or 0.0) > MOST_OUTLIERS:
        warnings.append(
            f"{share:.0%} of the passages ({figures.outliers.num:,} of {figures.outliers.den:,}) are in no topic, and "
            "no question is drawn from them by topic. Assign them, lower the least size, or use k-means."
        )
    if count > 1 and (share := figures.largest.value or 0.0) > LARGEST:
        warnings.append(
            f"The largest topic holds {share:.0%} of the passages; it hides smaller ones. Split it, or allow smaller "
            "topics."
        )
    if (value := figures.silhouette.value) is not None and value < LEAST_SILHOUETTE:
        warnings.append(
            f"The topics run into each other: silhouette {value:.2f} (n = {figures.silhouette.n:,}), good topics have "
            f"{LEAST_SILHOUETTE} and more. Merge near ones, or ask for fewer topics."
        )
    if (value := figures.coherence.value) is not None and value < LEAST_COHERENCE:
        warnings.append(
            f"The words of the topics do not go together: coherence {value:.2f} (NPMI of {figures.coherence.n} topics; "
            "0 is chance). Look at the passages before you draw by these topics."
        )
    if (value := figures.stability.value) is not None and value < LEAST_STABILITY:
        warnings.append(
            f"Other seeds give other topics: adjusted Rand index {value:.2f} over {figures.stability.n} repetitions. "
            "Use PCA, larger topics, or more documents."
        )
    if repeated := [topic for topic in topics if says_the_same(topic)]:
        chunks = sum(topic.size for topic in repeated)
        warnings.append(
            f"{_topic_list(repeated)} nearly the same text in many documents ({chunks:,} passages, "
            f"likeness {min(topic.alike or 0.0 for topic in repeated):.2f} and more), as a notice on every page does. "
            "Look at it, and drop what nobody would ask about."
        )
    return replace(figures, warnings=tuple(warnings))


def agreement(labels: Sequence[int], groups: Sequence[str]) -> float | None:
    """Adjusted Rand index of topics with groups known from elsewhere, such as folders; None with fewer than two groups.

    1 where both divide the chunks in the same way, 0 as by chance. The outliers count as one group.
    """
    from sklearn.metrics import adjusted_rand_score

    return round(float(adjusted_rand_score(groups, labels)), DIGITS) if len(set(groups)) > 1 else None


def says_the_same(topic: Topic) -> bool:
    """Whether a topic that is not dropped is one text repeated in many documents."""
    return (
        topic.number != OUTLIER
        and not topic.dropped
        and topic.alike is not None
        and topic.alike >= REPEATED
        and topic.documents >= REPEATED_IN
    )


def _topic_list(topics: Sequence[Topic]) -> str:
    numbers = [str(topic.number) for topic in topics]
    if len(numbers) == 1:
        return f"Topic {numbers[0]} is"
    return f"Topics {', '.join(numbers[:-1])} and {numbers[-1]} are each"


def _figure(value: float | None, n: int, method: str) -> Estimate:
    return Estimate(value=None if value is None else round(value, DIGITS), low=None, high=None, n=n, method=method)
