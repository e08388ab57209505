"""Records of a draw of cases to label: the plan, the population, and the draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

import numpy as np
import numpy.typing as npt

from core.domain.results.labels import Part

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A case that was drawn for a round; see :class:`core.domain.results.labels.LabelItem`."""

    case_id: str
    part: Part = Part.RANDOM
    stratum: str = ""
    probability: float = 1.0
    gold: Mapping[str, float] = field(default_factory=dict)
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawPlan:
    """How many cases to draw, and for which reasons; the four shares are of the total and sum to 1.

    Attributes:
        total: Cases to draw. The actual number differs slightly where there is a targeted part, since both draws may
            take the same case.
        random_share: Share drawn at random from all cases. Guarantees are made and checked on these cases only.
        uncertainty: Share near the threshold.
        disagreement: Share where two or more metrics differ.
        coverage: Share spread over parts of the score's range, and topics.
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
        names: Of the metrics; uncertainty (without a probability) and coverage use the first one.
        lower: For each metric, whether lower is better; no metric where empty.
        probability: Calibrated chance of each case to be accepted, NaN where there is none.
        threshold: Of the probability where there is one, else of the first metric.
        topics: The topic of each case, where coverage uses topics.
        clusters: The source of each case, for the count of sources.
        known: Whether a case was drawn before, so that only the random share may take it; no case where None.
        done: Whether a case was drawn at random before, so that neither draw may take it; no case where None.
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
        stratum: The reason, or the part of the range for coverage; empty for the random share.
        requested: Cases planned for it.
        drawn: Cases drawn for it.
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
        unscored: Cases among them without the first metric; only the random share can draw them.
        unreachable: Cases that could not be drawn at all; always 0 with a random share.
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
        """The sampling design that a round stores, as plain JSON."""
        return {
            "plan": asdict(self.plan),
            "population": self.population,
            "unscored": self.unscored,
            "unreachable": self.unreachable,
            "random_probability": self.random_probability,
            "drawn": len(self.items),
            "counts": [{**asdict(count), "part": count.part.value} for count in self.counts],
        }
