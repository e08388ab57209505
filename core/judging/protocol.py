"""What every judge can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.domain.cases import TestCase
from core.domain.responses import Judgement, Response


class Judge(Protocol):
    """Decides whether a response answers its case.

    Attributes:
        name: The spec it was opened with.
    """

    name: str

    def judge(self, case: TestCase, response: Response) -> Judgement:
        """The verdict with the rule that decided; ``not_judged`` with its reason where there can be none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeSpec:
    """What a kind of judge is, for screens and the command line.

    Attributes:
        name: The spec up to the first colon ("match", "recorded").
        title: For people.
        question: What its verdict answers, in plain words.
        needs: What it cannot judge without: "answer", "reference", "file", "model".
        argument: What follows the colon in the spec ("FILE"), or empty.
    """

    name: str
    title: str
    question: str
    needs: tuple[str, ...]
    argument: str = ""

    @property
    def usage(self) -> str:
        """The spec as a person writes it."""
        return f"{self.name}:{self.argument}" if self.argument else self.name
