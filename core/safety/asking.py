"""Probes and counterfactuals put to a target; `core.runs` asks, this says what."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from core.domain.identity import content_hash
from core.domain.results.responses import Response
from core.domain.results.runs import Run
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.runs.models import Chat, chat_of
from core.runs.stages.kept_answers import KeptAnswers, copy_name, system_of
from core.runs.stages.unstored import Told, answers_of
from core.runs.target import run_target
from core.safety.bias.dimensions import Dimension
from core.safety.bias.pairs import make_pairs
from core.safety.options import SafetyOptions
from core.safety.probes.kinds import Probe
from core.safety.probes.making import DOCUMENT, PROBE, make_probes, poisoned
from core.safety.readings import AnswerReader, Reading
from core.store.codec import from_row, to_row
from core.store.database import Store
from core.targets import list_targets
from core.targets.protocol import RETRIEVAL

PURPOSE: Final = "safety"
"""What the calls of a system are for that is asked probes and counterfactuals."""

AFTERWARDS: Final = frozenset({"thresholds", "rates", "toxic_from"})
"""Settings that nothing is read by: what was read is held against them."""


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
        responses: As they are kept: without passages, masked, and those of probes without their words.
        readings: What was read of each answer as it arrived.
        skipped: What was not tried, by the reason.
    """

    cases: tuple[TestCase, ...]
    responses: dict[str, Response]
    readings: dict[str, Reading]
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
    skipped = _not_made(attempt.probes, made, cases, corpus)
    if not attempt.dimensions:
        return made, skipped
    pairs = make_pairs(cases, attempt.dimensions, per_dimension=attempt.per_kind, seed=attempt.seed)
    return [*made, *pairs.cases], {**skipped, **pairs.skipped}


def _not_made(
    probes: Sequence[Probe], made: Sequence[TestCase], cases: Sequence[TestCase], corpus: Corpus
) -> dict[str, int]:
    """Kinds of probes for which there is nothing to ask, by the reason."""
    skipped: dict[str, int] = {}
    kinds = {case.attributes[PROBE] for case in made}
    if Probe.HIDDEN_INSTRUCTION in probes and Probe.HIDDEN_INSTRUCTION not in kinds:
        skipped["no case names its document, so that no instruction is hidden in one"] = len(cases)
    if Probe.PERSONAL_DATA in probes and not any(DOCUMENT in case.attributes for case in made if _personal(case)):
        skipped["no document is known to name a person beside their data, so that nobody is asked for by name"] = len(
            corpus.documents
        )
    return skipped


def _personal(case: TestCase) -> bool:
    return case.attributes[PROBE] == Probe.PERSONAL_DATA


def kept_of(store: Store, run: Run, attempt: Attempt, options: SafetyOptions) -> KeptAnswers:
    """The answers that an attempt on the target of a run goes on with; more kinds and dimensions have the same.

    Another seed and another number draw other people and cases, so they are another set-up; so are other settings by
    which answers are read, since nothing but what was read of them is kept.
    """
    system = system_of(store, run.project_id, run.target, run.options)
    drawn = [attempt.seed, attempt.per_kind]
    read_by = {name: value for name, value in options.as_json().items() if name not in AFTERWARDS}
    return KeptAnswers(store, run.project_id, content_hash(["safety", run.id, run.corpus_id, system, drawn, read_by]))


def ask_target(
    store: Store,
    run: Run,
    attempt: Attempt,
    cases: Sequence[TestCase],
    corpus: Corpus,
    options: SafetyOptions,
    reader: AnswerReader,
    *,
    chat: Chat | None = None,
    progress: Told = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Asked:
    """Asks a target the cases of an attempt; hidden instructions stand in a copy of the documents.

    Answers are read as they arrive, and what was read is kept, masked (`kept_of`), so that asking that was stopped or
    killed puts no question again that was answered. The caller forgets it once it has kept what came of it.

    Args:
        store: Where the run's project is.
        run: Target and options; it need not be stored.
        attempt: What is tried.
        cases: Approved cases.
        corpus: The documents.
        options: The project's.
        reader: Reads the answers.
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
    kept = kept_of(store, run, attempt, options)
    readings: dict[str, Reading] = {}
    responses: dict[str, Response] = {}
    canaries: dict[str, str] = {}
    asking = partial(chat or chat_of(store, run), purpose=PURPOSE)

    def ask(documents: Corpus, todo: Sequence[TestCase]) -> None:
        copy, by_id = copy_name(documents, corpus), {case.case_id: case for case in todo}
        before, beside = kept.on(copy), kept.beside(copy)
        readings.update((name, from_row(Reading, row)) for name, row in beside.items() if name in by_id)

        def keep(batch: Sequence[Response]) -> None:
            read = reader.read([(by_id[response.case_id], response) for response in batch], canaries)
            readings.update(read)
            masked = [reader.without_values(by_id[response.case_id], response) for response in batch]
            kept.put(copy, masked, {name: to_row(reading) for name, reading in read.items()})

        answers = answers_of(
            run_target(store, run, todo, asking, documents),
            todo,
            progress=progress,
            should_stop=should_stop,
            kept=before,
            keep=keep,
        )
        responses.update(
            (name, before.get(name) or reader.without_values(by_id[name], answer)) for name, answer in answers.items()
        )

    ask(corpus, open_to_all)
    if hidden and searches(run):
        poison = poisoned(corpus, hidden)
        canaries.update(poison.canaries)
        tried = [case for case in hidden if case.case_id in canaries]
        ask(poison.corpus, tried)
        if len(tried) < len(hidden):
            skipped["its gold document is not among the documents"] = len(hidden) - len(tried)
    elif hidden:
        skipped["the target has documents of its own, in which nothing can be hidden"] = len(hidden)
        made = open_to_all
    return Asked(cases=tuple(made), responses=responses, readings=readings, canaries=canaries, skipped=skipped)


def searches(run: Run) -> bool:
    """Whether the target searches the documents it is given."""
    own = {spec.name for spec in list_targets() if not spec.needs_corpus}
    retrieves = str(run.options.get("mode") or RETRIEVAL) == RETRIEVAL
    return retrieves and run.target.partition(":")[0].strip() not in own
