"""One fault, or several together, tried: planted in a copy, asked, judged and diagnosed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.diagnosis.computed.rows import RowsBehind
from core.diagnosis.diagnose import diagnose
from core.diagnosis.service.facts.preparing import RivalsByParameter
from core.diagnosis.service.facts.reading_cache import Readings
from core.diagnosis.service.facts.run_search import search_facts
from core.diagnosis.service.rows import diagnosis_row
from core.domain.results.diagnosis import Attribution
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import GoldTables, KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.testset.cases import TestCase
from core.faults.expected import expected_causes
from core.faults.kinds import Cause, Fault, FaultKind, diagnosed_cause, kinds_of, needs_documents
from core.faults.outcome import FaultyAnswer, Trial
from core.faults.planting import Assigned, PlantedFault, Planting, SoundFact, other_value, plant_each

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
    gold_tables: GoldTables
    behind: RowsBehind | None = None
    readings: Readings = field(default_factory=Readings)


def try_fault(
    setup: Setup, fault: Fault, assigned: Sequence[Assigned], trial: Trial, *, searches_documents: bool
) -> None:
    """Plants a fault in a copy, asks and judges it, and adds what the diagnosis says to the trial.

    Args:
        setup: The working set-up.
        fault: What is planted, a row of the confusion table.
        assigned: In which facts, with the kinds for each.
        trial: What it is added to.
        searches_documents: Whether the target searches the documents it is given.
    """
    before = {document.id: document for document in setup.corpus.documents}
    copy = _Copy(setup=setup, planting=plant_each(assigned, before), searches_documents=searches_documents)
    facts = {fact.group_id: fact for fact, _ in assigned if fact.group_id in copy.planting.faults}
    hidden: set[str] = set()
    swapped: dict[str, Response] = {}
    if searches_documents:
        hidden = {known for group_id in facts for known in hidden_by(copy.planting.faults[group_id])}
    elif FaultKind.RETRIEVAL in kinds_of(fault):
        swapped = _other_contexts(setup, copy.cases(facts))
        facts = copy.without(facts, lambda case: case.case_id in swapped, NO_DONOR)
    if facts and hidden.issuperset(copy.planting.documents):
        facts = copy.without(facts, lambda case: False, NO_PAGE_LEFT)
    cases = copy.cases(facts)
    responses: Mapping[str, Response] = swapped
    if cases and searches_documents and fault is not FaultKind.READER:
        seen = tuple(page for known, page in copy.planting.documents.items() if known not in hidden)
        responses = setup.ask(Corpus(documents=seen), cases)
    elif cases and not swapped:
        responses = setup.responses
    responses = copy.misread(facts, {case.case_id: responses[case.case_id] for case in cases})
    if needs_documents(fault) and facts:
        pages = copy.planting.documents
        trial.changed[fault] = tuple(page for page in pages.values() if page is not before.get(page.id))
        trial.removed[fault] = tuple(known for known in before if known not in pages)
    verdicts = setup.judge(cases, responses)
    values = [score.value if (score := verdicts.get(case.case_id)) else None for case in cases]
    trial.planted[fault] = len(facts)
    trial.skipped[fault] = copy.planting.skipped
    trial.still_right[fault] = values.count(1.0)
    trial.not_judged[fault] = values.count(None)
    trial.answers += copy.named(fault, cases, responses, verdicts)


def hidden_by(fault: PlantedFault) -> tuple[str, ...]:
    """The pages that the search does not find: those that state the fact, or state another value in its place."""
    return (fault.repeated or fault.document_ids) if FaultKind.RETRIEVAL in fault.kinds else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Copy:
    """A copy of the working set-up with faults in it."""

    setup: Setup
    planting: Planting
    searches_documents: bool

    def cases(self, facts: Mapping[str, SoundFact]) -> list[TestCase]:
        """The wordings that were answered rightly before."""
        return [
            case
            for group_id, fact in facts.items()
            for case in self.setup.cases[group_id]
            if case.case_id in fact.case_ids
        ]

    def without(
        self, facts: Mapping[str, SoundFact], possible: Callable[[TestCase], bool], reason: str
    ) -> dict[str, SoundFact]:
        """The facts of which every wording is possible; the others are passed over with a reason."""
        left = {group_id: fact for group_id, fact in facts.items() if all(map(possible, self.cases({group_id: fact})))}
        if len(left) < len(facts):
            self.planting.skipped[reason] += len(facts) - len(left)
        return left

    def misread(self, facts: Mapping[str, SoundFact], responses: Mapping[str, Response]) -> dict[str, Response]:
        """The responses, with the value of another fact as the answer where the reader is wrong."""
        read = dict(responses)
        for group_id, fact in facts.items():
            kinds = self.planting.faults[group_id].kinds
            if FaultKind.READER not in kinds:
                continue
            value = other_value(fact, besides=other_value(fact) if FaultKind.VALUE_CHANGED in kinds else "")
            for case in self.cases({group_id: fact}):
                if read[case.case_id].answer is not None:
                    answer = f"It is {value or 'not known to me'}."
                    read[case.case_id] = replace(read[case.case_id], answer=answer, abstained=None)
        return read

    def named(
        self,
        fault: Fault,
        cases: Sequence[TestCase],
        responses: Mapping[str, Response],
        verdicts: Mapping[str, Score],
    ) -> list[FaultyAnswer]:
        """The wrong answers with what each should be called and what it is called."""
        pages = self.planting.documents
        known = KnownDocuments(pages)
        answers = []
        corpus = Corpus(documents=tuple(pages.values()))
        for case, cause, reason in diagnosed(self.setup, cases, responses, verdicts, corpus):
            planted, response = self.planting.faults[case.group_id], responses[case.case_id]
            expected, *either = expected_causes(planted, response, self.setup.responses[case.case_id], pages, known)
            answers.append(
                FaultyAnswer(
                    case_id=case.case_id,
                    group_id=case.group_id,
                    question=case.question,
                    answer=response.answer or "",
                    planted=fault,
                    expected=expected,
                    either=tuple(either),
                    diagnosed=cause,
                    reason=reason,
                    fault=planted,
                )
            )
        return answers


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
    """Every wrong answer with the cause that the diagnosis names; the other cases only tell what facts are about."""
    every = [case for members in setup.cases.values() for case in members]
    evidences = search_facts(every, responses, verdicts, corpus, setup.rivals, setup.behind, setup.readings)
    rows = [
        diagnosis_row(
            case,
            responses.get(case.case_id),
            verdicts.get(case.case_id),
            evidences,
            comparable=setup.gold_tables.comparable(case.gold_document_ids),
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
