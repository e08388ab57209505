"""Why a value that stands in an answer is not, or may not be, what the answer says."""

from dataclasses import dataclass

from core.judging.match.surroundings.sentences import telling_stems

NEEDS_A_JUDGE = "needs a judge"
"""The rule of what words cannot decide: it is not judged."""
IN_PASSING = "in passing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Objection:
    """Why a value that stands in an answer is not what the answer says.

    Attributes:
        rule: "negated", "hedged", "several values", "retracted", "question", "echo" or "abstained".
        reason: One sentence a person can check.
    """

    rule: str
    reason: str


def undecided(reason: str) -> Objection:
    """An objection that leaves the verdict to a judge or a person."""
    return Objection(rule=NEEDS_A_JUDGE, reason=reason)


def is_asked(words: str, question: str) -> bool:
    """Whether a question has a telling word of these: what it asks about is no objection."""
    return bool(telling_stems(words) & telling_stems(question))
