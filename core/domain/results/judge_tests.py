"""Unit tests of judges, their runs, and what a judge said in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.domain.status import Status


class Part(StrEnum):
    """Which tests of a suite: those for work on prompts, or those that no prompt was fitted to."""

    TRAIN = "train"
    TEST = "test"
    ALL = "all"


class Way(StrEnum):
    """Whether a judge sees the expected answer beside the one it judges."""

    PAIRED = "paired"
    SINGLE = "single"


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitTest:
    """One sample whose right judgement is known.

    Attributes:
        id: Unique in its suite.
        references: The documents, cited by their place from 1.
        expected: A perfect answer.
        actual: The answer that is judged.
        conditions: By metric, such as ``{"answer_relevancy": ">=3", "usefulness": "==None"}``.
        failure_mode: What is wrong with the answer; empty where nothing is.
        situation: The question with its documents that tests share; a cluster.
        part: ``train`` or ``test``.
    """

    id: str
    question: str
    references: tuple[str, ...]
    expected: str
    actual: str
    conditions: Mapping[str, str]
    failure_mode: str = ""
    situation: str = ""
    part: Part = Part.TEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a judge said by one metric.

    Attributes:
        value: Only where `status` is ``scored``.
        status: ``null_judgement`` is a judgement; all others but ``scored`` say why there is none.
        reason: The judge's own, or why there is no value.
        call_id: The ledger's row with the raw reply; empty where nothing was asked.
    """

    metric: str
    value: float | None
    status: Status
    reason: str = ""
    call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTestRun:
    """One judge over one part of one suite.

    Attributes:
        judge: ``grouse:MODEL@BASE_URL``, ``llm:MODEL@BASE_URL`` or ``recorded:FILE``.
        suite: The suite's name.
        suite_hash: Of all its tests, those of the other part among them.
        part: Which of them were run.
        way: Paired or single.
        repeats: How often each test is judged; figures are of the first time, the others show the judge's noise.
        prompts: What the judge was asked with: id to version and digest, as :func:`core.judges.prompts.prompt_names`
            writes them.
        tests: Those that are run.
        finished_at: UTC, ISO 8601; empty while tests are left.
    """

    id: str
    project_id: str
    judge: str
    suite: str
    suite_hash: str
    part: Part
    way: Way
    repeats: int
    prompts: Mapping[str, str] = field(default_factory=dict)
    tests: tuple[UnitTest, ...] = ()
    created_at: str = ""
    created_by: str = ""
    finished_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeTestOutcome:
    """What a judge said in one test, one time.

    Attributes:
        draw: 0 for the first time.
        judged: One for each metric that the judge was asked for.
    """

    test_id: str
    draw: int
    judged: tuple[Judged, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What a judge must reach in a project before its scores count.

    Attributes:
        least: Pass rate that each metric and each failure mode must reach, in [0, 1].
        lower: Whether the lower end of the 95% interval must reach it, instead of the rate itself.
        judged: Share of tests that the judge must come to a judgement in, in [0, 1].
    """

    least: float = 0.8
    lower: bool = False
    judged: float = 0.9
