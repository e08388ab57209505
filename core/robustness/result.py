"""The result of a run on variants: figures by kind, noise, drops of scores, what could not be measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.testset.variants import REPEAT
from core.robustness.behaviour import Behaviour
from core.robustness.flips import KindFigures, kind_figures
from core.robustness.noise import Noise, noise_of
from core.robustness.pairs import Answered, Pair, pairs_of
from core.robustness.parts import Drop, drops_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Robustness:
    """What became of the variants.

    Attributes:
        pairs: Every variant with its parent, repeats among them.
        kinds: The figures of each kind but repeats.
        noise: What changes by itself.
        drops: The change of each further score by kind.
        not_measured: What could not be measured and why, one sentence each.
    """

    pairs: tuple[Pair, ...]
    kinds: tuple[KindFigures, ...]
    noise: Noise
    drops: tuple[Drop, ...]
    not_measured: tuple[str, ...]

    def figures(self, kind: str) -> KindFigures | None:
        """The figures of a kind, None where it was not run."""
        return next((figures for figures in self.kinds if figures.kind == kind), None)

    def as_json(self) -> dict[str, object]:
        """All figures as plain JSON."""
        drops: dict[str, dict[str, object]] = {}
        for drop in self.drops:
            shown = {**drop.change.as_json(), "smallest_detectable_change": drop.detectable}
            drops.setdefault(drop.kind, {})[drop.metric] = shown
        return {
            "variants": len(self.pairs),
            "kinds": {
                figures.kind: {**figures.as_json(), "drops": drops.get(figures.kind, {})} for figures in self.kinds
            },
            "noise": self.noise.as_json(),
            "not_measured": list(self.not_measured),
        }


def robustness_of(
    parents: Mapping[str, Answered],
    variants: Sequence[Answered],
    *,
    ranges: Mapping[str, tuple[float | None, float | None]] | None = None,
    seed: int = 0,
) -> Robustness:
    """Compares the answers to variants with those to their parents.

    Args:
        parents: The cases of the run before, by id.
        variants: The cases of the run on variants.
        ranges: Least and greatest value of each further score.
        seed: For drawn sign patterns.
    """
    pairs = pairs_of(parents, variants)
    changed = [pair for pair in pairs if pair.kind != REPEAT]
    kinds = kind_figures(pairs, repeat=REPEAT, seed=seed)
    noise = noise_of([pair for pair in pairs if pair.kind == REPEAT], [*parents.values(), *variants])
    metrics = sorted({metric for pair in changed for metric in pair.variant.scores})
    return Robustness(
        pairs=pairs,
        kinds=kinds,
        noise=noise,
        drops=drops_of(changed, metrics, ranges or {}),
        not_measured=tuple(_not_measured(pairs, kinds, noise, metrics)),
    )


def worst_first(pairs: Sequence[Pair]) -> list[Pair]:
    """Pairs as they are worth reading: right answers that broke, wrong behaviour, undecided ones, then the others."""

    def place(pair: Pair) -> int:
        wrong = pair.seen.behaviour is Behaviour.WRONG
        undecided = pair.seen.behaviour is Behaviour.UNDECIDED
        return 0 if pair.broke else 1 if wrong else 2 if undecided else 3 if pair.fixed else 4

    return sorted(pairs, key=place)


def _not_measured(
    pairs: Sequence[Pair], kinds: Sequence[KindFigures], noise: Noise, metrics: Sequence[str]
) -> list[str]:
    said = []
    lost = sum(pair.parent is None for pair in pairs)
    if lost:
        said.append(
            f"{lost:,} of {len(pairs):,} variants have no parent in the run they are compared with; they count for "
            "right behaviour and not for flips."
        )
    judged = {
        pair.lineage.parent: pair.parent.verdict
        for pair in pairs
        if pair.answerable and pair.parent is not None and pair.parent.verdict is not None
    }
    right = sum(verdict == 1.0 for verdict in judged.values())
    if judged and right * 2 < len(judged):
        said.append(
            f"Only {right:,} of the {len(judged):,} original questions are answered correctly, and only those can "
            "become wrong: that no kind makes it worse says little here."
        )
    unjudged = sum(figures.not_judged for figures in kinds)
    if unjudged:
        said.append(f"{unjudged:,} pairs are not compared: one of their answers is not judged.")
    undecided = sum(figures.undecided for figures in kinds)
    if undecided:
        said.append(f"Of {undecided:,} variants rules cannot say whether the behaviour was right.")
    if noise.said:
        said.append(noise.said)
    if not metrics:
        said.append("No further score was measured on both sides, so that there is no drop of a score.")
    return said
