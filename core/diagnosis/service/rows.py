"""The rows of a run for its diagnosis: verdicts, document ids, and the documents' evidence on each failing fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.diagnosis import DiagnosisRow
from core.domain.results.responses import Response, Score, Verdict
from core.domain.results.runs import VERDICT_METRIC, Run
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex
from core.judging.facts.search import fact_evidence
from core.judging.facts.subjects import Rivals
from core.store import sources
from core.store.database import Store
from core.store.results import case_columns, runs, scores
from core.store.testset import testsets

ABSTAINED = "abstained"
"""The judge's rule for an answer that says it does not know; such an answer shows no other value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRows:
    """A run's rows, ready to diagnose.

    Attributes:
        known_ids: Ids of the corpus, None where the run has none.
        findings: The documents' evidence, by filled SQL query; only for facts that some form never answered correctly.
        cases: The test cases by id, for drill-down.
        responses: The responses, by case id.
    """

    run: Run
    rows: tuple[DiagnosisRow, ...]
    known_ids: frozenset[str] | None
    findings: Mapping[str, FactFinding]
    cases: Mapping[str, TestCase]
    responses: Mapping[str, Response]


def diagnosis_rows(store: Store, run_id: str, case_ids: Collection[str] | None = None) -> RunRows:
    """Reads a run and looks its failing facts up in the corpus.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Only these cases, with every other wording of their facts, on which their attribution depends; all
            cases where None.

    Raises:
        NotFound: There is no such run.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        selected_ids = None if case_ids is None else case_columns.with_wordings(connection, run.test_set_id, case_ids)
        cases = (
            testsets.cases(connection, run.test_set_id)
            if selected_ids is None
            else case_columns.chosen(connection, run.test_set_id, selected_ids)
        )
        responses = runs.responses(connection, run_id, selected_ids)
        verdicts = scores.of_metric(connection, run_id, VERDICT_METRIC, selected_ids)
        corpus = sources.corpus(connection, run.corpus_id) if run.corpus_id else None
    findings = _findings(cases, responses, verdicts, corpus) if corpus else {}
    return RunRows(
        run=run,
        rows=tuple(_row(case, responses.get(case.case_id), verdicts.get(case.case_id), findings) for case in cases),
        known_ids=_known_ids(run, corpus),
        findings=findings,
        cases={case.case_id: case for case in cases},
        responses=responses,
    )


def verdict_of(score: Score | None) -> Verdict:
    """The verdict a stored score stands for."""
    if score is None or score.value is None:
        return Verdict.NOT_JUDGED
    return Verdict.CORRECT if score.value == 1.0 else Verdict.INCORRECT


def _known_ids(run: Run, corpus: Corpus | None) -> frozenset[str] | None:
    if corpus is not None:
        return frozenset(document.id for document in corpus.documents)
    listed = run.options.get("known_ids")
    return frozenset(str(item) for item in listed) if isinstance(listed, list | tuple) else None


def _row(
    case: TestCase, response: Response | None, score: Score | None, findings: Mapping[str, FactFinding]
) -> DiagnosisRow:
    finding = findings.get(case.group_id)
    stated = finding is not None and finding.evidence is FactEvidence.PRESENT and finding.document_id
    return DiagnosisRow(
        case_id=case.case_id,
        group_id=case.group_id or case.case_id,
        form=case.form,
        verdict=verdict_of(score),
        true_ids=case.gold_document_ids,
        retrieved_ids=response.document_ids if response else (),
        attributes=case.attributes,
        evidence=finding.evidence if finding else None,
        fact_document_ids=finding.document_ids if finding and stated else (),
    )


def _findings(
    cases: Sequence[TestCase], responses: Mapping[str, Response], verdicts: Mapping[str, Score], corpus: Corpus
) -> dict[str, FactFinding]:
    """Searches the documents for the facts of which at least one form has judged answers and no correct one."""
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        groups[case.group_id].append(case)
    index = FactIndex(corpus.documents)
    by_id = {document.id: document for document in corpus.documents}
    corpus_ids = KnownDocuments(by_id)
    rivals = _rivals(groups)
    findings = {}
    for group_id, members in groups.items():
        if not group_id or not _has_gap(members, verdicts):
            continue
        first = members[0]
        gold, _ = corpus_ids.resolve(first.gold_document_ids)
        findings[group_id] = fact_evidence(
            first.reference_answers,
            list(first.sql_params.values()),
            [by_id[document_id] for document_id in gold],
            index,
            _wrong_answers(members, responses, verdicts),
            questions=[member.question for member in members],
            rivals=[rivals.get((first.sql_template_id, name)) for name in first.sql_params],
        )
    return findings


def _rivals(groups: Mapping[str, Sequence[TestCase]]) -> dict[tuple[str, str], Rivals]:
    """What each parameter of each SQL template was filled with; none where it is one value, which tells nobody apart."""
    values: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for members in groups.values():
        for name, value in members[0].sql_params.items():
            values[members[0].sql_template_id, name][str(value)] = None
    return {place: Rivals(names) for place, names in values.items() if len(names) > 1}


def _has_gap(members: Sequence[TestCase], verdicts: Mapping[str, Score]) -> bool:
    by_form: defaultdict[str, set[Verdict]] = defaultdict(set)
    for member in members:
        by_form[member.form].add(verdict_of(verdicts.get(member.case_id)))
    return any(
        Verdict.INCORRECT in form_verdicts and Verdict.CORRECT not in form_verdicts
        for form_verdicts in by_form.values()
    )


def _wrong_answers(
    members: Sequence[TestCase], responses: Mapping[str, Response], verdicts: Mapping[str, Score]
) -> list[str]:
    answers = []
    for member in members:
        score, response = verdicts.get(member.case_id), responses.get(member.case_id)
        if score is None or response is None or not response.answer:
            continue
        if verdict_of(score) is Verdict.INCORRECT and score.detail.get("rule") != ABSTAINED:
            answers.append(response.answer)
    return list(dict.fromkeys(answers))
