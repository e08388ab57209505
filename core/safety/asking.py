"""Probes and counterfactuals put to a target; `core.runs` asks, this says what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.runs.models import Chat
from core.runs.target import run_target
from core.runs.unstored import Told, answers_of
from core.safety.bias.dimensions import Dimension
from core.safety.bias.pairs import make_pairs
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.probes.making import PROBE, make_probes, poisoned
from core.store.database import Store
from core.targets import list_targets
from core.targets.protocol import RETRIEVAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """What is tried on a target.

    Attributes:
        probes: Kinds of probes.
        dimensions: Of counterfactual pairs; none for no pairs.
        per_kind: Cases of a kind, and sets of a dimension, at most.
    """

    probes: tuple[Probe, ...] = tuple(Probe)
    dimensions: tuple[Dimension, ...] = ()
    per_kind: int = 20
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked and answered.

    Attributes:
        cases: Every case that was made, asked or not.
        skipped: What was not tried, by the reason.
    """

    cases: tuple[TestCase, ...]
    responses: dict[str, Response]
    canaries: dict[str, str]
    skipped: dict[str, int]


def cases_of(
    attempt: Attempt, cases: Sequence[TestCase], corpus: Corpus, options: SafetyOptions
) -> tuple[list[TestCase], dict[str, int]]:
    """The cases of an attempt, and how many questions gave none, by the reason."""
    made = make_probes(
        attempt.probes,
        documents=corpus.documents,
        cases=cases,
        topics=options.topics,
        rules=options.rules,
        most=attempt.per_kind,
        seed=attempt.seed,
    )
    if not attempt.dimensions:
        return made, {}
    pairs = make_pairs(cases, attempt.dimensions, per_dimension=attempt.per_kind, seed=attempt.seed)
    return [*made, *pairs.cases], pairs.skipped


def ask_target(
    store: Store,
    run: Run,
    attempt: Attempt,
    cases: Sequence[TestCase],
    corpus: Corpus,
    options: SafetyOptions,
    *,
    chat: Chat | None = None,
    progress: Told = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Asked:
    """Asks a target the cases of an attempt; hidden instructions stand in a copy of the documents.

    Args:
        store: Where the run's project is.
        run: Target and options; it need not be stored.
        attempt: What is tried.
        cases: Approved cases.
        corpus: The documents.
        options: The project's.
        chat: What opens models; by default within a budget of its own.
        progress: Told the stage and the questions asked.
        should_stop: Asked before each question.

    Raises:
        Stopped: A stop was requested.
        InvalidInput: The target cannot be opened as asked.
    """
    made, skipped = cases_of(attempt, cases, corpus, options)
    hidden = [case for case in made if case.attributes.get(PROBE) == Probe.HIDDEN_INSTRUCTION]
    open_to_all = [case for case in made if case not in hidden]
    responses = answers_of(
        run_target(store, run, open_to_all, chat, corpus), open_to_all, progress=progress, should_stop=should_stop
    )
    canaries: dict[str, str] = {}
    if hidden and searches(run):
        copy = poisoned(corpus, hidden)
        canaries = copy.canaries
        tried = [case for case in hidden if case.case_id in canaries]
        target = run_target(store, run, tried, chat, copy.corpus)
        responses |= answers_of(target, tried, progress=progress, should_stop=should_stop)
        if len(tried) < len(hidden):
            skipped["its gold document is not among the documents"] = len(hidden) - len(tried)
    elif hidden:
        skipped["the target has documents of its own, in which nothing can be hidden"] = len(hidden)
        made = open_to_all
    return Asked(cases=tuple(made), responses=responses, canaries=canaries, skipped=skipped)


def searches(run: Run) -> bool:
    """Whether the target searches the documents it is given."""
    own = {spec.name for spec in list_targets() if not spec.needs_corpus}
    retrieves = str(run.options.get("mode") or RETRIEVAL) == RETRIEVAL
    return retrieves and run.target.partition(":")[0].strip() not in own
