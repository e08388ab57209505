"""What every system under test can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from core.domain.responses import Response


class Target(Protocol):
    """The system under test.

    Attributes:
        name: The spec it was opened with.
        concurrency: How many questions it may be asked at once.
    """

    name: str
    concurrency: int

    def answer(self, case_id: str, question: str) -> Response:
        """Answers one question.

        Raises:
            TargetFailed: It could not answer this case; the message says why.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetSpec:
    """What a kind of target is, for screens and the command line.

    Attributes:
        name: The spec up to the first colon ("keyword", "recorded").
        title: For people.
        question: What a run against it answers, in plain words.
        needs_corpus: Whether it searches the project's documents.
        argument: What follows the colon in the spec ("FILE"), or empty.
        default_k: Documents it retrieves when nothing else is asked, or None where k has no meaning.
    """

    name: str
    title: str
    question: str
    needs_corpus: bool
    argument: str = ""
    default_k: int | None = None

    @property
    def usage(self) -> str:
        """The spec as a person writes it."""
        return f"{self.name}:{self.argument}" if self.argument else self.name
