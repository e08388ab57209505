"""The documents' evidence on the facts that a run failed at, and whether each answer had the fact before it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from core.diagnosis.service.outcomes import ABSTAINED, verdict_of_value
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.index import FactIndex
from core.judging.facts.search import Fact, find_evidence, passages_state
from core.judging.facts.subjects import Rivals

RivalsByParameter = Mapping[tuple[str, str], Rivals]
"""What each parameter of each SQL template was filled with, by the template's id and the parameter's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FactEvidences:
    """What the documents say about the facts of which some answer is wrong.

    Attributes:
        findings: By filled SQL query.
        in_context: By case, whether the passages that the target retrieved state the fact; None where their texts are
            not known. Only for wrong answers.
    """

    findings: Mapping[str, FactFinding] = field(default_factory=dict)
    in_context: Mapping[str, bool | None] = field(default_factory=dict)


class FactSearch:
    """The documents of a corpus, prepared once for the facts of many answers.

    Args:
        documents: All documents.
        rivals: Of the parameters of the cases' templates.
    """

    def __init__(self, documents: Sequence[Document], rivals: RivalsByParameter) -> None:
        self._index = FactIndex(documents)
        self._by_id = {document.id: document for document in documents}
        self._corpus_ids = KnownDocuments(self._by_id)
        self._rivals = rivals

    def search(
        self,
        wordings: Sequence[TestCase],
        wrong: Sequence[TestCase],
        responses: Mapping[str, Response],
        verdicts: Mapping[str, Score],
    ) -> tuple[FactFinding, dict[str, bool | None]]:
        """Searches the documents for one fact, and the passages of its wrong answers for it.

        Args:
            wordings: Every wording of the fact, by which the property is known.
            wrong: Those that were answered wrongly.
            responses: By case.
            verdicts: By case.

        Returns:
            What the documents say, and by wrong case what :class:`FactEvidences` has of its passages.
        """
        first = wordings[0]
        fact = Fact.of(
            first.reference_answers,
            list(first.sql_params.values()),
            [case.question for case in wordings],
            [self._rivals.get((first.sql_template_id, name)) for name in first.sql_params],
        )
        gold, _ = self._corpus_ids.resolve(first.gold_document_ids)
        finding = find_evidence(
            fact,
            [self._by_id[document_id] for document_id in gold],
            self._index,
            _wrong_answers(wrong, responses, verdicts),
        )
        stating = {*finding.document_ids, *gold}
        in_context: dict[str, bool | None] = {}
        for case in wrong:
            response = responses.get(case.case_id)
            contexts = response.contexts if response else ()
            in_context[case.case_id] = passages_state(
                fact, [(self._known(context.document_id), context.text) for context in contexts], stating
            )
        return finding, in_context

    def _known(self, document_id: str) -> str:
        return self._corpus_ids.find(document_id) or document_id


def search_facts(
    cases: Sequence[TestCase],
    responses: Mapping[str, Response],
    verdicts: Mapping[str, Score],
    corpus: Corpus,
    rivals: RivalsByParameter,
) -> FactEvidences:
    """Searches the documents for every fact with a wrong answer, and the passages of each wrong answer for the fact.

    Linear in the cases and in the documents that mention a subject. Nothing is stored; what a run failed at is searched
    by :mod:`core.diagnosis.service.evidence`.

    Args:
        cases: With every wording of each fact.
        responses: By case.
        verdicts: By case.
        corpus: All documents.
        rivals: Of the parameters of the cases' templates.
    """
    groups: defaultdict[str, list[TestCase]] = defaultdict(list)
    for case in cases:
        groups[case.group_id].append(case)
    documents = FactSearch(corpus.documents, rivals)
    findings: dict[str, FactFinding] = {}
    in_context: dict[str, bool | None] = {}
    for group_id, members in groups.items():
        wrong = [case for case in members if verdict_of(verdicts.get(case.case_id)) is Verdict.INCORRECT]
        if group_id and wrong:
            findings[group_id], passages = documents.search(members, wrong, responses, verdicts)
            in_context.update(passages)
    return FactEvidences(findings=findings, in_context=in_context)


def rivals_of(parameters: Iterable[tuple[str, Mapping[str, object]]]) -> RivalsByParameter:
    """What each parameter of each SQL template was filled with; a single value tells nobody apart and is left out.

    Args:
        parameters: The SQL template's id and the bound values, of each filled query.
    """
    values: defaultdict[tuple[str, str], dict[str, None]] = defaultdict(dict)
    for template_id, bound in parameters:
        for name, value in bound.items():
            values[template_id, name][str(value)] = None
    return {parameter: Rivals(names) for parameter, names in values.items() if len(names) > 1}


def verdict_of(score: Score | None) -> Verdict:
    """The verdict a stored score stands for."""
    return verdict_of_value(None if score is None else score.value)


def _wrong_answers(
    wrong: Sequence[TestCase], responses: Mapping[str, Response], verdicts: Mapping[str, Score]
) -> list[str]:
    answers = []
    for case in wrong:
        response = responses.get(case.case_id)
        if response is not None and response.answer and verdicts[case.case_id].detail.get("rule") != ABSTAINED:
            answers.append(response.answer)
    return list(dict.fromkeys(answers))
