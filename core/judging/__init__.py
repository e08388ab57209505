"""Judges: what decides whether an answer is right."""

from core.judging.protocol import Judge, JudgeSpec
from core.judging.registry import list_judges, open_judge

__all__ = ["Judge", "JudgeSpec", "list_judges", "open_judge"]
