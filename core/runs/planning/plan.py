"""What a run will take before it starts: questions, model calls, tokens, money, time.

A built-in target is asked a few questions to see how long one takes. A target that is waited for, which may cost money
or be somebody's running system, is not asked before a person starts the run: its time comes from what it took before.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from core.domain.errors import TargetFailed
from core.domain.results.runs import Run
from core.domain.sources.projects import SourceKind
from core.domain.testset.cases import TestCase
from core.llm import load_prompt
from core.llm.spending.estimates import MOST_PAST, CallPart, Outlook, grounds_of
from core.runs.planning.call_estimate import RunGrounds, parts_of
from core.runs.target import run_target
from core.store import document_mappings, sources
from core.store.database import Store
from core.store.models import reads
from core.store.testset import testsets
from core.targets import Target, list_targets

PROBES = 5
"""Cases that are really asked to see how long one takes; their answers are thrown away."""

KEEPING_SECONDS = 0.0015
"""What judging and storing one case takes besides, on two cores (165,492 cases in 4.5 minutes)."""


ENCODED_WORDS = 5_000.0
"""Words a second that the packaged encoder makes into vectors on two cores."""

ENCODED_QUESTION_SECONDS = 0.02
"""What one question takes a target that encodes it."""

UNTIMED = "it is not called before the run starts, and no earlier run measured it"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan(Outlook):
    """The size of a run.

    Attributes:
        cases: Questions that will be asked.
        seconds: Expected duration, or None where it is not known; `untimed` says why.
        seconds_per_case: Seconds of one case in the middle: probed, or measured in the past.
        probed: Cases that were asked to find out.
        words_to_encode: Words of documents that are encoded first, unless they were before; such a target is not
            probed.
        measured: Past answers that the time rests on; 0 where it was probed.
        untimed: Why there is no duration, or empty.
    """

    cases: int
    seconds: float | None
    seconds_per_case: float | None
    probed: int
    words_to_encode: int = 0
    measured: int = 0
    untimed: str = ""


def plan_of(
    store: Store,
    project_id: str,
    test_set_id: str,
    *,
    target: str,
    judge: str = "match",
    options: Mapping[str, object] | None = None,
) -> RunPlan:
    """Estimates a run as it would be created from these choices; no model and no system from outside is asked.

    Args:
        store: Where the project is.
        project_id: The project.
        test_set_id: The test set.
        target: Target spec; the bare name of one that is waited for ("http") is not opened, for a system whose
            settings are still being written.
        judge: Judge spec.
        options: As for a run.

    Raises:
        InvalidInput: The target or a model cannot be opened as asked.
    """
    # A budget stops a run, it does not make it smaller.
    settings_given = {name: value for name, value in (options or {}).items() if not name.startswith("budget")}
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id)
        corpus_source = sources.latest(connection, project_id, SourceKind.CORPUS)
        corpus = sources.corpus(connection, corpus_source.id) if corpus_source and target.startswith("openai") else None
        if corpus and corpus_source:
            own = [document.id for document in corpus.documents]
            cases = document_mappings.named(
                cases, document_mappings.known(connection, project_id, corpus_source.id, own)
            )
        took = reads.recent_latencies(connection, project_id, target, limit=MOST_PAST)
    run = Run(
        id="",
        project_id=project_id,
        test_set_id=test_set_id,
        target=target,
        judge=judge,
        corpus_id=corpus_source.id if corpus_source else "",
        options=settings_given,
    )
    opened = None if _unsettled(target) else run_target(store, run, cases)
    grounds = grounds_of(store, project_id)
    run_grounds = RunGrounds(
        prices=grounds.prices,
        sizes=grounds.sizes,
        ceiling=grounds.ceiling,
        probed=grounds.probed,
        variant=grounds.variant,
        prompts=partial(load_prompt, store=store, project_id=project_id),
        corpus=corpus,
    )
    parts = parts_of(cases, target=target, judge=judge, options=settings_given, grounds=run_grounds)
    if opened is None:
        return RunPlan(cases=len(cases), seconds=None, seconds_per_case=None, probed=0, parts=parts, untimed=UNTIMED)
    return plan_run(cases, opened, parts=parts, took=took)


def plan_run(
    cases: Sequence[TestCase], target: Target, *, parts: Sequence[CallPart] = (), took: Sequence[float] = ()
) -> RunPlan:
    """Estimates a run; a built-in target is asked a few evenly spread cases, one that is waited for none.

    Args:
        cases: The cases of the test set that are not excluded.
        target: The opened target.
        parts: The model calls it makes.
        took: Seconds of past answers of this target.

    Returns:
        The plan; with no case, zero seconds.
    """
    if _waited_for(target):
        plan = _remembered(len(cases), target, took)
    elif target.words_to_encode and cases:
        plan = _encoding(len(cases), target.words_to_encode)
    else:
        plan = _probed(cases, target)
    return _with_judging(replace(plan, parts=tuple(parts)))


def _waited_for(target: Target) -> bool:
    return target.name.partition(":")[0] in _outside()


def _unsettled(spec: str) -> bool:
    return spec in _outside()


def _outside() -> frozenset[str]:
    """The kinds of target that are waited for."""
    return frozenset(spec.name for spec in list_targets() if spec.outside)


def _encoding(cases: int, words: int) -> RunPlan:
    each = ENCODED_QUESTION_SECONDS
    return RunPlan(
        cases=cases,
        seconds=words / ENCODED_WORDS + cases * (each + KEEPING_SECONDS),
        seconds_per_case=each,
        probed=0,
        words_to_encode=words,
    )


def _remembered(cases: int, target: Target, took: Sequence[float]) -> RunPlan:
    """The time by what the target took before; nobody pays for an estimate."""
    middle = float(np.median(took)) if len(took) else None
    expected = _expected(cases, middle, target.concurrency)
    encoding = target.words_to_encode / ENCODED_WORDS
    return RunPlan(
        cases=cases,
        seconds=None if expected is None else expected + (encoding if cases else 0.0),
        seconds_per_case=middle,
        probed=0,
        words_to_encode=target.words_to_encode,
        measured=len(took),
        untimed="" if expected is not None else UNTIMED,
    )


def _probed(cases: Sequence[TestCase], target: Target) -> RunPlan:
    step = max(1, len(cases) // PROBES)
    seconds = []
    for case in cases[::step][:PROBES]:
        started = time.perf_counter()
        try:
            target.answer(case.case_id, case.question)
        except TargetFailed:
            continue
        seconds.append(time.perf_counter() - started)
    middle = sorted(seconds)[len(seconds) // 2] if seconds else None
    expected = _expected(len(cases), middle, target.concurrency)
    return RunPlan(
        cases=len(cases),
        seconds=expected,
        seconds_per_case=middle,
        probed=len(seconds),
        untimed="" if expected is not None else "no probed case was answered",
    )


def _with_judging(plan: RunPlan) -> RunPlan:
    """The time with a model as the judge, which goes on beside the answers: that of the slower of the two."""
    judge = next((part for part in plan.parts if part.purpose == "judge"), None)
    if judge is None or plan.seconds is None or not plan.cases:
        return plan
    if judge.seconds is None:
        return replace(plan, seconds=None, untimed=f"no call of the judge {judge.model} has been timed yet")
    return replace(plan, seconds=max(plan.seconds, judge.calls.high * judge.seconds / max(1, judge.at_once)))


def _expected(cases: int, each: float | None, at_once: int) -> float | None:
    if not cases:
        return 0.0
    return None if each is None else cases * (each / at_once + KEEPING_SECONDS)
