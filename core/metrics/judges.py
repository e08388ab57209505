"""The models that judge samples, and how the judgements of several become one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.llm import ChatModel, Prompts


class Ensemble(StrEnum):
    """How the judgements of several models become one."""

    MEAN = "mean"
    MAJORITY = "majority"


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """The judges of a scoring.

    Attributes:
        judges: The models, at least one.
        prompts: Finds a prompt by its id: the version that comes with Plumbline, or the project's own.
        ensemble: How several judgements become one.
        paired: Whether a GroUSE judge sees the expected answer first, where there is one.
        cites: Whether the target cites passages by number at all (`core.judging.grouse.cites`).
        draw: Tells repeats of one question about claims apart.
    """

    judges: tuple[ChatModel, ...]
    prompts: Prompts
    ensemble: Ensemble = Ensemble.MEAN
    paired: bool = True
    cites: bool = True
    draw: int = 0

    @property
    def concurrency(self) -> int:
        """Samples that are worth judging at once: each waits for one judge at a time."""
        return max(judge.concurrency for judge in self.judges)

    @property
    def names(self) -> tuple[str, ...]:
        """The judges as ``MODEL@BASE_URL``."""
        return tuple(judge.spec for judge in self.judges)
