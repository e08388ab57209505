"""The inputs of sentences about weakness: the words for a score, and the figures of a part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.weakness.table import ScoreColumn

CLUSTERS = "semantic groups"
"""The name of sets of cases that share their source."""

VERDICT = "verdict"
REACHED = "reached"
CHANCE = "chance"
MEAN = "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreWords:
    """The words for a score.

    Attributes:
        label: Its name for people, such as ``groundedness``.
        kind: ``verdict``: the share answered correctly; ``reached``: the share that reaches a threshold; ``chance``: a
            calibrated probability; ``mean``: any other mean, in the score's own unit.
        threshold: The value to be reached.
        higher_is_better: Its direction.
        width: Distance of the least from the greatest value, None where the score has no bounds.
        clusters: The name of sets of cases that share a source, plural.
    """

    label: str
    kind: str
    threshold: float | None = None
    higher_is_better: bool = True
    width: float | None = 1.0
    clusters: str = CLUSTERS

    @property
    def share(self) -> bool:
        """Whether each case has it or not, so that cases can be counted."""
        return self.kind in (VERDICT, REACHED)

    @property
    def points(self) -> bool:
        """Whether differences are given in percentage points."""
        return self.kind in (VERDICT, REACHED, CHANCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFacts:
    """The figures of a part of the cases beside all others.

    Attributes:
        n: Cases.
        scored: Cases with a score.
        clusters: Clusters with a score, None where they were not counted.
        mean: Of the scored cases.
        low: Lower end of its 95% interval, None where there is none.
        high: Upper end.
        rest: Mean of all others.
        rest_scored: Others with a score.
        effect: How much worse than the others, positive is worse.
        p_adjusted: The p-value adjusted for everything tested.
        tested: The number of parts tested.
        among: Their kind, plural, such as ``cells of 3 pairs of attributes``.
    """

    n: int
    scored: int
    clusters: int | None
    mean: float
    low: float | None
    high: float | None
    rest: float
    rest_scored: int
    effect: float
    p_adjusted: float
    tested: int
    among: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompoundFacts:
    """The mean of a cell that its two attributes by themselves explain."""

    explained: float
    p_adjusted: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFacts:
    """How a slice was found: on one half of the cases, while the figures are of the other half.

    Attributes:
        n: Cases of the slice in both halves.
        scored: Of them with a score.
        clusters: Clusters of these.
        tried: Slices that were searched.
        found_effect: How much worse it was on the half where it was found.
        found_n: Its cases there.
        effect_low: Lower end of the 95% interval of the effect on the other half, None where there is none.
        effect_high: Upper end.
        held_out: Scored cases of the other half.
    """

    n: int
    scored: int
    clusters: int
    tried: int
    found_effect: float
    found_n: int
    effect_low: float | None
    effect_high: float | None
    held_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """Names of attributes for people; an attribute without a label is called by its name."""

    of: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.of.get(name, name.replace("_", " "))


def score_words(label: str, kind: str, score: ScoreColumn, threshold: float | None = None) -> ScoreWords:
    """The words for a score.

    Args:
        label: Its name for people.
        kind: ``verdict``, ``metric`` or ``chance``.
        score: The score itself, before a threshold is applied.
        threshold: For shares of cases that reach it instead of means; a verdict needs none.
    """
    figure = VERDICT if kind == VERDICT else REACHED if threshold is not None else CHANCE if kind == CHANCE else MEAN
    bounded = score.low is not None and score.high is not None
    return ScoreWords(
        label=label,
        kind=figure,
        threshold=threshold if figure == REACHED else None,
        higher_is_better=score.higher_is_better,
        width=1.0 if figure == REACHED else float(score.high or 0.0) - float(score.low or 0.0) if bounded else None,
    )
