"""Variants of test cases: other wordings that must not change the answer, and input that should be declined."""

from core.testset.variants.registry import find_kinds, list_kinds
from core.testset.variants.spec import Draft, Ground, Skip, VariantSpec

__all__ = ["Draft", "Ground", "Skip", "VariantSpec", "find_kinds", "list_kinds"]
