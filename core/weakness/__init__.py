"""Where a system is weak: one attribute, two, slices of up to three, with tests adjusted for many parts."""

from core.weakness.bivariate import WeaknessMap, bivariate
from core.weakness.holding import Holding, score_within
from core.weakness.marginal import Marginal, marginal
from core.weakness.options import WeaknessOptions
from core.weakness.parts import Parts
from core.weakness.slices.finder import Slice, SliceOptions, SliceReport, find_slices
from core.weakness.table import Attribute, CaseTable, ScoreColumn, attribute_of

__all__ = [
    "Attribute",
    "CaseTable",
    "Holding",
    "Marginal",
    "Parts",
    "ScoreColumn",
    "Slice",
    "SliceOptions",
    "SliceReport",
    "WeaknessMap",
    "WeaknessOptions",
    "attribute_of",
    "bivariate",
    "find_slices",
    "marginal",
    "score_within",
]
