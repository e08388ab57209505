"""Human labels: criteria, rounds, tasks, labels and adjudications."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class ScaleKind(StrEnum):
    """How a criterion is answered."""

    BINARY = "binary"
    LIKERT = "likert"
    COMMENT = "comment"


class LabelRule(StrEnum):
    """How the labels of several raters become one.

    ``median``: the level in the middle. ``majority``: accepted or not by vote, then the most frequent level on that
    side. Both give none where as many raters accept as do not. ``mean``: the mean of the labels. ``adjudicated``: the
    level all raters gave, none where they differ. An adjudication decides where there is none, and under every rule it
    overrides the raters. :func:`core.domain.results.combining.combined` applies them.
    """

    MEDIAN = "median"
    MAJORITY = "majority"
    MEAN = "mean"
    ADJUDICATED = "adjudicated"


class RoundOrigin(StrEnum):
    """Where the labels of a round come from."""

    PEOPLE = "people"
    IMPORTED = "imported"
    SIMULATED = "simulated"


class Part(StrEnum):
    """Why a case is in a round.

    Only the random share is exchangeable with the unlabelled cases: guarantees are derived and checked on it.
    """

    RANDOM = "random"
    TARGETED = "targeted"
    PRACTICE = "practice"


class LabelStatus(StrEnum):
    """Whether there is a level."""

    GIVEN = "given"
    CANNOT_JUDGE = "cannot_judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One answer to a criterion: a number and what it means in words."""

    value: int
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """One question that raters answer about a response.

    Attributes:
        question: As raters read it.
        levels: Lowest first; (0, 1) for a binary criterion, empty for a comment.
        accept_from: The lowest level that counts as accepted.
        rule: How several labels become one.
        guidelines: Shown beside the case; plain text or Markdown.
        position: Its place among the project's criteria, from 0.
        retired: Whether new rounds leave it out; its labels stay.
    """

    id: str
    project_id: str
    name: str
    question: str
    kind: ScaleKind
    levels: tuple[Level, ...] = ()
    accept_from: int = 1
    rule: LabelRule = LabelRule.MAJORITY
    guidelines: str = ""
    position: int = 0
    retired: bool = False
    created_at: str = ""
    created_by: str = ""

    @property
    def anchors(self) -> dict[float, str]:
        """The levels in words, by value."""
        return {float(level.value): level.anchor for level in self.levels}


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelRound:
    """Cases of one run that some raters label under some criteria.

    Attributes:
        criteria: Ids, in the order they are asked.
        raters: Names of the raters.
        overlap: How many raters see a case of the overlap.
        overlap_share: Share of the cases in the overlap; one rater sees each of the others.
        repeat_share: Share of a rater's cases that are repeated, to measure whether the rater agrees with themselves.
        show_reference: Whether raters see the reference answer.
        seed: Of the draw, the assignment and the order.
        design: How the cases were drawn: requested and drawn by part and stratum, population, score, threshold.
        closed: Whether it accepts no more labels.
        created_at: UTC, ISO 8601.
    """

    id: str
    project_id: str
    run_id: str
    name: str
    criteria: tuple[str, ...]
    raters: tuple[str, ...]
    origin: RoundOrigin = RoundOrigin.PEOPLE
    overlap: int = 2
    overlap_share: float = 1.0
    repeat_share: float = 0.0
    show_reference: bool = True
    seed: int = 0
    design: Mapping[str, object] = field(default_factory=dict)
    closed: bool = False
    created_at: str = ""
    created_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelItem:
    """A case of a round.

    Attributes:
        part: Why it is there.
        stratum: What it was drawn for, such as ``uncertain`` or ``score 0.2 to 0.4``; empty for the random share.
        probability: Chance of this case to come into the round, over both draws; 1 for practice and imported cases.
        gold: Practice: the right level by criterion id.
        explanation: Practice: why, shown after the rater's answer.
    """

    round_id: str
    case_id: str
    part: Part = Part.RANDOM
    stratum: str = ""
    probability: float = 1.0
    gold: Mapping[str, float] = field(default_factory=dict)
    explanation: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelTask:
    """A case that one rater is asked to label once.

    Attributes:
        occurrence: 0 for the first time, 1 for the repetition.
        position: Its place in the rater's own order, from 0; practice comes first.
        skipped: How often the rater skipped it; skipped tasks come after the others.
        done_at: UTC, ISO 8601, when it was last saved; empty before.
    """

    round_id: str
    rater: str
    case_id: str
    occurrence: int = 0
    position: int = 0
    part: Part = Part.RANDOM
    skipped: int = 0
    done_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A marked piece of a text.

    Attributes:
        where: ``answer``, ``reference`` or ``context N`` with N from 1.
        start: First character.
        end: One past the last character.
    """

    where: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """One rater's label of one case under one criterion.

    Attributes:
        occurrence: 0 for the first time, 1 for the repetition.
        value: The level, None where the rater could not judge or the criterion is a comment.
        spans: Evidence the rater marked.
        seconds: Time spent on the case, all criteria together; 0 where it was not measured.
        at: UTC, ISO 8601.
    """

    round_id: str
    case_id: str
    criterion_id: str
    rater: str
    occurrence: int = 0
    value: float | None = None
    status: LabelStatus = LabelStatus.GIVEN
    comment: str = ""
    spans: tuple[Span, ...] = ()
    seconds: float = 0.0
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """An adjudication, which decides the level of a case under a criterion.

    Attributes:
        value: The level; None where the case cannot be judged.
        reason: Why, in a person's words.
        at: UTC, ISO 8601.
    """

    run_id: str
    case_id: str
    criterion_id: str
    value: float | None
    reason: str
    actor: str
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OneLabel:
    """The label of a case under a criterion, from all raters together.

    Attributes:
        value: By the criterion's rule, None where the rule gives none.
        why: How it was decided, or why there is none: ``majority of 3``, ``tie``, ``raters differ``, ``cannot judge``,
            ``adjudicated``.
        ratings: Raters who gave a level.
        adjudicated: Whether an adjudication decided.
        random: Whether it was labelled in a round that drew it at random.
        probability: Chance of the case to be drawn by any of the rounds with labels under the criterion.
        simulated: Whether the labels are simulated.
        at: When its last label was saved.
    """

    case_id: str
    value: float | None
    why: str
    ratings: int
    adjudicated: bool = False
    random: bool = True
    probability: float = 1.0
    simulated: bool = False
    at: str = ""
