"""Judges: what decides whether an answer is right."""

from core.judging.protocol import Judge, JudgeRequest, JudgeSpec
from core.judging.registry import list_judges, open_judge

__all__ = ["Judge", "JudgeRequest", "JudgeSpec", "list_judges", "open_judge"]
