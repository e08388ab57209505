"""What a GroUSE judge looks at: an answered question, its passages and, where there is one, the expected answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GrouseSample:
    """One sample of grounded question answering.

    Attributes:
        question: What was asked (``input`` in GroUSE's files).
        references: The passages the answer may cite, in order: ``[1]`` names the first. Empty where nothing was
            retrieved, None where it is not known what was.
        expected_answer: What a good answer says; None or blank where there is none, and the answer is judged alone.
        actual_answer: What the target answered (``actual_output``); None where it failed.
    """

    question: str
    references: tuple[str, ...] | None
    expected_answer: str | None
    actual_answer: str | None

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers as the judge sees them: the expected one first, where there is one."""
        expected = (self.expected_answer or "").strip()
        return (*((expected,) if expected else ()), self.actual_answer or "")
