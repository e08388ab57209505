"""What is drawn to be labelled: the plan, the cases there are, and the draw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
import numpy.typing as npt

from core.domain.labels import Part
from core.labelling.rounds import Drawn

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPlan:
    """How many cases to draw, and what for; the four shares are of the total and sum to 1.

    Attributes:
        total: Cases wanted. The number drawn is a few off where there is a targeted part: both draws may take a case.
        random_share: Drawn at random from all cases. Guarantees are made and checked on these cases only.
        uncertainty: Near the threshold.
        disagreement: Where two or more metrics differ.
        coverage: Spread over parts of the score's range, and topics.
        bins: Parts of the score's range.
        seed: Fixes the draw.
    """

    total: int
    random_share: float = 1.0
    uncertainty: float = 0.0
    disagreement: float = 0.0
    coverage: float = 0.0
    bins: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """The cases that may be drawn.

    Attributes:
        case_ids: Each once.
        scores: Shape (n, metrics), NaN where there is none.
        names: Of the metrics; the first one is what uncertainty (without a probability) and coverage go by.
        lower: For each metric, whether lower is better; no metric where empty.
        probability: Calibrated chance of each case to be accepted, NaN where there is none.
        threshold: Of the probability where there is one, else of the first metric.
        topics: Of each case, where they matter.
        clusters: What each case shares a source with, for the count of sources.
        known: Whether a case was drawn before and only the random share may take it; none where not told.
        done: Whether a case was drawn at random before and nothing may take it; none where not told.
    """

    case_ids: Sequence[str]
    scores: Floats
    names: Sequence[str] = ()
    lower: Sequence[bool] = ()
    probability: Floats | None = None
    threshold: float | None = None
    topics: Sequence[str] | None = None
    clusters: Sequence[object] | None = None
    known: npt.NDArray[np.bool_] | None = None
    done: npt.NDArray[np.bool_] | None = None

    @property
    def open(self) -> npt.NDArray[np.bool_]:
        """Which cases may be drawn."""
        return np.ones(len(self.case_ids), dtype=bool) if self.done is None else ~self.done


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCount:
    """One part of a draw.

    Attributes:
        part: Random or targeted.
        stratum: What for; empty for the random share.
        requested: Cases that were wanted for it.
        drawn: Cases it got.
        population: Cases that could have been drawn for it.
    """

    part: Part
    stratum: str
    requested: float
    drawn: int
    population: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Draw:
    """Cases to label.

    Attributes:
        items: In the order of the population.
        counts: By part and stratum.
        population: Cases that could have been drawn.
        unscored: Cases among them without the first metric; only the random share reaches them.
        unreachable: Cases that nothing could have drawn; not 0 only without a random share.
        sources: Clusters among the drawn cases, None where they are not known.
        random_probability: Chance of a case to be in the random share.
        probabilities: Chance of each case to be drawn, shape (cases,); of one that was drawn before the chance that it
            would have had, so that the chance over several rounds is 1 - prod(1 - p).
        plan: As it was asked for.
    """

    items: tuple[Drawn, ...]
    counts: tuple[DrawCount, ...]
    population: int
    unscored: int
    unreachable: int
    sources: int | None
    random_probability: float
    probabilities: Floats = field(repr=False)
    plan: DrawPlan

    def design(self) -> dict[str, object]:
        """What a round keeps of how its cases were drawn, as plain JSON."""
        return {
            "plan": asdict(self.plan),
            "population": self.population,
            "unscored": self.unscored,
            "unreachable": self.unreachable,
            "random_probability": self.random_probability,
            "drawn": len(self.items),
            "counts": [{**asdict(count), "part": count.part.value} for count in self.counts],
        }
