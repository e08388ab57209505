"""The report of rater agreement: over all raters, by pair and by rater."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from core.domain.estimates import Estimate, Proportion
from core.labelling.agreement.words import Usable
from core.stats import FleissKappa, Level


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAgreement:
    """Two raters.

    Attributes:
        kappa: Cohen's, weighted as the level asks; its method states why there is no value.
        same: Cases to which both gave the same label, of those that both labelled.
    """

    a: str
    b: str
    kappa: Estimate
    same: Proportion


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAgreement:
    """One rater.

    Attributes:
        n: Cases labelled.
        cannot_judge: Cases the rater could not judge, None where that is not known.
        mean: Mean of the labels, None without one or where labels are words.
        kappa_with_rest: Mean kappa with the other raters, each counted by the cases that are shared.
        rank_with_rest: Spearman of the rater's labels with the mean of the others' on the same cases.
        bias: Mean of the rater's label less the mean of the others' on the same cases.
        repeats: Kappa of the first with the second label of the same case.
        same_repeats: Cases labelled the same twice, of those labelled twice.
        gold: Kappa with the gold labels.
        same_gold: Cases labelled as in the gold label, of those that have one.
        seconds: Median time for a case, None where no time was measured.
    """

    rater: str
    n: int
    cannot_judge: int | None
    mean: float | None
    kappa_with_rest: Estimate
    rank_with_rest: Estimate
    bias: Estimate
    repeats: Estimate
    same_repeats: Proportion
    gold: Estimate
    same_gold: Proportion
    seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgreementReport:
    """The agreement under one criterion.

    Attributes:
        criterion: Its name.
        level: The level of measurement of the values.
        raters: Raters who gave a label.
        items: Cases with a label.
        shared: Cases with labels of two or more raters.
        labels: How many there are.
        alpha: Krippendorff's alpha at the level; its method states why there is no value.
        alphas: At every level that the values allow.
        fleiss: Fleiss' kappa, which takes levels as names; its method states why there is no value.
        kappa: Mean kappa of the pairs.
        rank: Spearman of one rater with the mean of the others, all raters together, cases drawn.
        gold: Mean kappa of the raters with the gold labels.
        same_gold: Labels equal to the gold label, of those on cases with one.
        pairs: Every two raters, also those who share no case.
        by_rater: Every rater.
        usable: Whether scores may be calibrated against these labels.
        reading: The agreement in plain words.
        notes: Caveats for the reader of the figures.
    """

    criterion: str
    level: Level
    raters: int
    items: int
    shared: int
    labels: int
    alpha: Estimate
    alphas: Mapping[Level, Estimate]
    fleiss: FleissKappa
    kappa: Estimate
    rank: Estimate
    gold: Estimate
    same_gold: Proportion
    pairs: tuple[PairAgreement, ...]
    by_rater: tuple[RaterAgreement, ...]
    usable: Usable
    reading: str
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Plain JSON, with the keys of the command line."""
        figures: dict[str, object] = {
            "krippendorff_alpha": self.alpha.as_json(),
            "level": self.level,
            "raters": self.raters,
            "items": self.items,
            "shared": self.shared,
            "labels": self.labels,
            "usable": self.usable,
            "reading": self.reading,
            "notes": list(self.notes),
            "alphas": {level: estimate.as_json() for level, estimate in self.alphas.items()},
            "fleiss_kappa": {
                **self.fleiss.estimate.as_json(),
                "raters": self.fleiss.raters,
                "left_out": self.fleiss.left_out,
            },
            "mean_kappa": self.kappa.as_json(),
            "rank_with_rest": self.rank.as_json(),
            "gold": self.gold.as_json(),
            "same_gold": self.same_gold.as_json(),
        }
        return {
            **figures,
            "pairs": [_json(pair) for pair in self.pairs],
            "by_rater": [_json(rater) for rater in self.by_rater],
        }


def _json(record: PairAgreement | RaterAgreement) -> dict[str, object]:
    plain = asdict(record)
    for name in plain:
        figure = getattr(record, name)
        if isinstance(figure, (Estimate, Proportion)):
            plain[name] = figure.as_json()
    return plain
