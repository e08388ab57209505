"""One kind of fault tried: planted in a copy, asked, judged and diagnosed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from core.diagnosis.diagnose import diagnose
from core.diagnosis.service.facts import RivalsByParameter, search_facts
from core.diagnosis.service.rows import diagnosis_row
from core.domain.results.diagnosis import Attribution
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.faults.kinds import IN_DOCUMENTS, Cause, FaultKind, diagnosed_cause
from core.faults.outcome import FaultyAnswer, Trial
from core.faults.planting import PlantedFault, Planting, SoundFact, other_value, plant

NO_DONOR = "no other question of its template retrieved other pages"
NO_PAGE_LEFT = "no other page would be left to search"

Ask = Callable[[Corpus, Sequence[TestCase]], Mapping[str, Response]]
"""Asks the target, which searches these documents, each case."""
Judge = Callable[[Sequence[TestCase], Mapping[str, Response]], Mapping[str, Score]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What does not change between faults."""

    cases: Mapping[str, Sequence[TestCase]]
    corpus: Corpus
    rivals: RivalsByParameter
    responses: Mapping[str, Response]
    ask: Ask
    judge: Judge
    comparable: bool = True


def try_kind(
    setup: Setup, kind: FaultKind, chosen: Sequence[SoundFact], trial: Trial, *, searches_documents: bool
) -> None:
    """Plants faults of one kind in a copy, asks and judges it, and adds what the diagnosis says to the trial.

    Args:
        setup: The working set-up.
        kind: The kind of fault.
        chosen: Where it is planted.
        trial: What it is added to.
        searches_documents: Whether the target searches the documents it is given.
    """
    before = {document.id: document for document in setup.corpus.documents}
    planting = plant(kind, chosen, before)
    facts = {fact.group_id: fact for fact in chosen if fact.group_id in planting.faults}
    corpus = Corpus(documents=tuple(planting.documents.values()))
    hidden: set[str] = set()
    swapped: dict[str, Response] = {}
    if kind is FaultKind.RETRIEVAL:
        if searches_documents:
            hidden = {known for fact in facts.values() for known in fact.stating}
        else:
            swapped = _other_contexts(setup, [case for group_id in facts for case in setup.cases[group_id]])
            facts = _without(facts, planting, lambda case: case.case_id in swapped, setup, NO_DONOR)
    if facts and not any(document.id not in hidden for document in corpus.documents):
        facts = _without(facts, planting, lambda case: False, setup, NO_PAGE_LEFT)
    cases = [case for group_id in facts for case in setup.cases[group_id]]
    if not cases:
        responses: Mapping[str, Response] = {}
    elif kind is FaultKind.READER:
        responses = _misread(setup, facts, cases)
    elif kind is FaultKind.RETRIEVAL and not searches_documents:
        responses = swapped
    else:
        seen = tuple(document for document in corpus.documents if document.id not in hidden)
        responses = setup.ask(Corpus(documents=seen), cases)
    if kind in IN_DOCUMENTS and facts:
        trial.changed[kind] = tuple(
            document for document in corpus.documents if document is not before.get(document.id)
        )
        trial.removed[kind] = tuple(known for known in before if known not in planting.documents)
    verdicts = setup.judge(cases, responses)
    trial.planted[kind] = len(facts)
    trial.skipped[kind] = planting.skipped
    trial.still_right[kind] = trial.not_judged[kind] = 0
    for case in cases:
        score = verdicts.get(case.case_id)
        trial.still_right[kind] += score is not None and score.value == 1.0
        trial.not_judged[kind] += score is None or score.value is None
    known = KnownDocuments(planting.documents)
    for case, cause, reason in diagnosed(setup, cases, responses, verdicts, corpus):
        fault = planting.faults[case.group_id]
        response = responses[case.case_id]
        trial.answers.append(
            FaultyAnswer(
                case_id=case.case_id,
                group_id=case.group_id,
                question=case.question,
                answer=response.answer or "",
                planted=kind,
                expected=_expected(kind, fault, response, known),
                diagnosed=cause,
                reason=reason,
                fault=fault,
            )
        )


def _without(
    facts: Mapping[str, SoundFact],
    planting: Planting,
    possible: Callable[[TestCase], bool],
    setup: Setup,
    reason: str,
) -> dict[str, SoundFact]:
    """The facts of which every case is possible; the others are passed over with a reason."""
    left = {group_id: fact for group_id, fact in facts.items() if all(map(possible, setup.cases[group_id]))}
    planting.skipped[reason] += len(facts) - len(left)
    planting.skipped = +planting.skipped
    return left


def _expected(kind: FaultKind, fault: PlantedFault, response: Response, known: KnownDocuments) -> Cause:
    """What a wrong answer should be called: a fact that other pages state is no gap when its own page goes."""
    if kind is FaultKind.READER:
        return Cause.READER
    if kind is FaultKind.VALUE_CHANGED:
        return Cause.CONTRADICTION
    if kind is FaultKind.PAGE_DELETED and not fault.repeated:
        return Cause.KNOWLEDGE_GAP
    retrieved, _ = known.resolve(response.document_ids)
    return Cause.RETRIEVAL if set(fault.repeated).isdisjoint(retrieved) else Cause.READER


def _misread(setup: Setup, facts: Mapping[str, SoundFact], cases: Iterable[TestCase]) -> dict[str, Response]:
    """The answers of a reader that has the right passages before it and says the value of another fact."""
    return {
        case.case_id: replace(
            setup.responses[case.case_id],
            answer=f"It is {other_value(facts[case.group_id]) or 'not known to me'}.",
            abstained=None,
        )
        for case in cases
    }


def _other_contexts(setup: Setup, cases: Sequence[TestCase]) -> dict[str, Response]:
    """What another question of the same template retrieved and was answered, in place of each case's own.

    A case for which there is no such question is left out.
    """
    by_template: defaultdict[tuple[str, str], list[TestCase]] = defaultdict(list)
    for members in setup.cases.values():
        for case in members:
            by_template[case.sql_template_id, case.text_template_id].append(case)
    swapped = {}
    for case in cases:
        own = setup.responses[case.case_id]
        donors = by_template[case.sql_template_id, case.text_template_id]
        start = donors.index(case)
        for donor in [*donors[start + 1 :], *donors[:start]]:
            other = setup.responses[donor.case_id]
            if donor.group_id != case.group_id and set(other.document_ids).isdisjoint(own.document_ids):
                swapped[case.case_id] = replace(other, case_id=case.case_id)
                break
    return swapped


def diagnosed(
    setup: Setup,
    cases: Sequence[TestCase],
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    corpus: Corpus,
) -> list[tuple[TestCase, Cause, str]]:
    """Every wrong answer with the cause that the diagnosis names."""
    evidences = search_facts(cases, responses, verdicts, corpus, setup.rivals)
    rows = [
        diagnosis_row(
            case,
            responses.get(case.case_id),
            verdicts.get(case.case_id),
            evidences,
            comparable=setup.comparable,
        )
        for case in cases
    ]
    by_id = {case.case_id: case for case in cases}
    known_ids: frozenset[str] = frozenset(document.id for document in corpus.documents)
    retrieved = {known for response in setup.responses.values() for known in response.document_ids}
    diagnosis = diagnose(rows, known_ids=known_ids, also_retrieved=retrieved)
    return [
        (by_id[row.row.case_id], diagnosed_cause(row.attribution, row.row), row.reason)
        for group in diagnosis.groups
        for row in group.rows
        if row.verdict is Verdict.INCORRECT and row.attribution is not Attribution.CORRECT
    ]
