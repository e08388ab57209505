"""Systems under test: built-in retrieval and recordings."""

from core.targets.protocol import Target, TargetSpec
from core.targets.registry import list_targets, open_target

__all__ = ["Target", "TargetSpec", "list_targets", "open_target"]
