"""What a comparison of two runs says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.comparison.pairs import CasePair, Change, change_of, clusters_of, values_of
from core.comparison.settings import Setting
from core.diagnosis import Attribution
from core.domain.estimates import Proportion
from core.domain.results.runs import VERDICT_METRIC
from core.stats import clustered_proportion, holm

LEVEL = 0.05
MODULES = (
    Attribution.KNOWLEDGE_GAP,
    Attribution.RETRIEVAL,
    Attribution.LANGUAGE_MODEL,
    Attribution.UNDECIDED,
    Attribution.UNRESOLVED_GAP,
)
MOST_LEVELS = 12
"""Levels of an attribute beyond which its slices are not listed."""
LEAST_CASES = 12
"""Cases of a slice from which on it is listed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """The change of accuracy within one level of an attribute."""

    attribute: str
    level: str
    change: Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Run B against run A, over the cases that both have.

    Attributes:
        settings: What differs between the runs.
        cases: Cases that both have, with the same question and answers.
        left_out: Cases that only one of them has, or whose answers differ.
        accuracy: The change of the verdict.
        metrics: The change of every metric that both have, p-values adjusted over them.
        modules: The change of the share of cases attributed to each module, adjusted over them.
        slices: The change of accuracy by level of each attribute, adjusted over all of them.
        fixed, broken: Cases that became right, and that became wrong.
        fixed_share: Of the answers that were wrong.
        broken_share: Of the answers that were right.
        noise: Verdicts that differ between two runs of the same system; None where no run was repeated.
        noise_runs: Repeated runs it comes from.
        no_noise: Why it is not known, a clause; empty where it is.
        without_module: Cases without a module in one of the runs, so that they do not count for `modules`.
    """

    settings: tuple[Setting, ...]
    cases: int
    left_out: int
    accuracy: Change
    metrics: tuple[Change, ...]
    modules: tuple[Change, ...]
    slices: tuple[Slice, ...]
    fixed: tuple[CasePair, ...]
    broken: tuple[CasePair, ...]
    fixed_share: Proportion
    broken_share: Proportion
    flipped: Proportion
    noise: Proportion | None = None
    noise_runs: int = 0
    no_noise: str = ""
    without_module: int = 0

    @property
    def conclusion(self) -> str:
        """What the test of the accuracy says, in one sentence."""
        change, value = self.accuracy, self.accuracy.difference.value
        if change.p_value is None or value is None:
            return f"Too few cases to tell: {change.difference.method or 'no case is judged in both runs'}."
        if change.p_value <= LEVEL:
            return f"B answers {'more' if value > 0 else 'fewer'} cases correctly than A ({value:+.3f})."
        least = "" if change.detectable is None else f"; a change below {change.detectable:.3f} would rarely be found"
        return f"No difference in accuracy is shown ({value:+.3f}{least})."

    def as_json(self) -> dict[str, object]:
        """The command line's form."""
        return {
            "cases": self.cases,
            "left_out": self.left_out,
            "differs": [setting.as_json() for setting in self.settings],
            "delta": {change.name: change.as_json() for change in (self.accuracy, *self.metrics)},
            "modules": {change.name: change.as_json() for change in self.modules},
            "without_module": self.without_module,
            "slices": [{"attribute": one.attribute, "level": one.level, **one.change.as_json()} for one in self.slices],
            "flips": {
                "fixed": self.fixed_share.as_json(),
                "broken": self.broken_share.as_json(),
                "flipped": self.flipped.as_json(),
                "fixed_cases": [pair.case.case_id for pair in self.fixed],
                "broken_cases": [pair.case.case_id for pair in self.broken],
            },
            "noise": None if self.noise is None else {**self.noise.as_json(), "runs": self.noise_runs},
            "noise_not_measured": self.no_noise,
            "smallest_detectable_change": self.accuracy.detectable,
            "conclusion": self.conclusion,
        }


def compared(
    pairs: Sequence[CasePair],
    *,
    settings: tuple[Setting, ...] = (),
    left_out: int = 0,
    ranges: Mapping[str, tuple[float | None, float | None]] | None = None,
    noise: Proportion | None = None,
    noise_runs: int = 0,
    no_noise: str = "",
    without_module: int = 0,
    seed: int = 0,
) -> Comparison:
    """Compares two runs case by case.

    Args:
        pairs: The cases of both.
        settings: What differs between them.
        left_out: Cases that are not compared.
        ranges: Least and greatest value of each metric.
        noise: Verdicts that differ between repeated runs.
        noise_runs: How many of them.
        no_noise: Why the noise is not known.
        without_module: Cases without a module in one of the runs.
        seed: For drawn sign patterns.
    """
    clusters = clusters_of(pairs)
    judged = [pair for pair in pairs if pair.judged]
    labels = [clusters[pair.case.case_id] for pair in judged]
    wrong = [pair for pair in judged if pair.before.verdict == 0.0]
    right = [pair for pair in judged if pair.before.verdict == 1.0]
    return Comparison(
        settings=settings,
        cases=len(pairs),
        left_out=left_out,
        accuracy=_adjusted([change_of(VERDICT_METRIC, *values_of(pairs, VERDICT_METRIC), clusters, seed=seed)])[0],
        metrics=_metrics(pairs, clusters, ranges or {}, seed),
        modules=_modules(pairs, clusters, seed),
        slices=_slices(judged, clusters, seed),
        fixed=tuple(pair for pair in judged if pair.fixed),
        broken=tuple(pair for pair in judged if pair.broken),
        fixed_share=clustered_proportion([pair.fixed for pair in wrong], [pair.cluster for pair in wrong]),
        broken_share=clustered_proportion([pair.broken for pair in right], [pair.cluster for pair in right]),
        flipped=clustered_proportion([pair.fixed or pair.broken for pair in judged], labels),
        noise=noise,
        noise_runs=noise_runs,
        no_noise=no_noise,
        without_module=without_module,
    )


def _metrics(
    pairs: Sequence[CasePair],
    clusters: Mapping[str, str],
    ranges: Mapping[str, tuple[float | None, float | None]],
    seed: int,
) -> tuple[Change, ...]:
    names = sorted(
        {name for pair in pairs for name in pair.before.scores} & {name for pair in pairs for name in pair.after.scores}
    )
    changes = []
    for name in names:
        low, high = ranges.get(name, (None, None))
        span = 1.0 if low is None or high is None else high - low
        values = values_of(pairs, name)
        changes.append(change_of(name, *values, clusters, comparisons=len(names), span=span, seed=seed))
    return _adjusted(changes)


def _modules(pairs: Sequence[CasePair], clusters: Mapping[str, str], seed: int) -> tuple[Change, ...]:
    known = [pair for pair in pairs if pair.judged and pair.module_before is not None and pair.module_after is not None]
    shown = [module for module in MODULES if any(module in (pair.module_before, pair.module_after) for pair in known)]
    return _adjusted(
        [
            change_of(
                str(module),
                {pair.case.case_id: float(pair.module_before is module) for pair in known},
                {pair.case.case_id: float(pair.module_after is module) for pair in known},
                clusters,
                comparisons=len(shown),
                seed=seed,
            )
            for module in shown
        ]
    )


def _slices(judged: Sequence[CasePair], clusters: Mapping[str, str], seed: int) -> tuple[Slice, ...]:
    members: dict[tuple[str, str], list[CasePair]] = {}
    for pair in judged:
        own = {**({"form": pair.case.form} if pair.case.form else {}), **pair.case.attributes}
        for attribute, level in own.items():
            members.setdefault((attribute, level), []).append(pair)
    levels: dict[str, int] = {}
    for attribute, _ in members:
        levels[attribute] = levels.get(attribute, 0) + 1
    shown = {
        place: cases
        for place, cases in members.items()
        if 1 < levels[place[0]] <= MOST_LEVELS and len(cases) >= LEAST_CASES
    }
    changes = _adjusted(
        [
            change_of(level, *values_of(cases, VERDICT_METRIC), clusters, comparisons=len(shown), seed=seed)
            for (_, level), cases in shown.items()
        ]
    )
    return tuple(
        Slice(attribute=attribute, level=level, change=change)
        for (attribute, level), change in zip(shown, changes, strict=True)
    )


def _adjusted(changes: Sequence[Change]) -> tuple[Change, ...]:
    adjusted = holm([change.p_value for change in changes])
    return tuple(replace(change, p_adjusted=value) for change, value in zip(changes, adjusted, strict=True))
