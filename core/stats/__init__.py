"""Intervals, resampling, paired tests and multiplicity: arrays in, estimates out."""

from core.stats.agreement.cohen import cohen_kappa
from core.stats.agreement.fleiss import FleissKappa, fleiss_kappa
from core.stats.agreement.kappa import Weights, mean_pairwise_kappa, weighted_kappa
from core.stats.agreement.krippendorff import Level, krippendorff_alpha
from core.stats.comparisons.multiplicity import benjamini_hochberg, holm
from core.stats.comparisons.permutation import (
    Exchange,
    PermutationTest,
    exchange_permutation,
    paired_permutation,
    unpaired_permutation,
)
from core.stats.grouped import GroupedMeans, grouped_means
from core.stats.intervals import clustered_proportion, wilson
from core.stats.means import clustered_mean
from core.stats.ranks.rank_correlation import clustered_spearman, paired_spearman_difference, spearman
from core.stats.resampling import LEAST_CLUSTERS, cluster_bootstrap

__all__ = [
    "LEAST_CLUSTERS",
    "Exchange",
    "FleissKappa",
    "GroupedMeans",
    "Level",
    "PermutationTest",
    "Weights",
    "benjamini_hochberg",
    "cluster_bootstrap",
    "clustered_mean",
    "clustered_proportion",
    "clustered_spearman",
    "cohen_kappa",
    "exchange_permutation",
    "fleiss_kappa",
    "grouped_means",
    "holm",
    "krippendorff_alpha",
    "mean_pairwise_kappa",
    "paired_permutation",
    "paired_spearman_difference",
    "spearman",
    "unpaired_permutation",
    "weighted_kappa",
    "wilson",
]
