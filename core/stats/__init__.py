"""Intervals, resampling, paired tests and multiplicity: arrays in, estimates out."""

from core.stats.agreement import cohen_kappa
from core.stats.intervals import clustered_proportion, wilson
from core.stats.multiplicity import holm
from core.stats.permutation import (
    Exchange,
    PermutationTest,
    exchange_permutation,
    paired_permutation,
    unpaired_permutation,
)
from core.stats.resampling import LEAST_CLUSTERS, cluster_bootstrap

__all__ = [
    "LEAST_CLUSTERS",
    "Exchange",
    "PermutationTest",
    "cluster_bootstrap",
    "clustered_proportion",
    "cohen_kappa",
    "exchange_permutation",
    "holm",
    "paired_permutation",
    "unpaired_permutation",
    "wilson",
]
