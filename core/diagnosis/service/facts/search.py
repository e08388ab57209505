"""The documents' evidence on the facts that a run failed at, and whether each answer had the fact before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from core.diagnosis.called.cases import Called
from core.diagnosis.called.coded import CodedAnswers
from core.diagnosis.called.codes import has_passage
from core.diagnosis.called.digits import DigitCodes
from core.diagnosis.called.pages import OwnPages
from core.diagnosis.computed.reading import ComputedFacts
from core.diagnosis.computed.rows import RowsBehind, is_computed
from core.diagnosis.service.facts.legibility import Legibility
from core.diagnosis.service.facts.passage_facts import GroundedFacts
from core.diagnosis.service.facts.patterns import PatternReader
from core.diagnosis.service.facts.preparing import RivalsByParameter
from core.diagnosis.service.facts.reading_cache import Readings
from core.diagnosis.service.facts.template_facts import KnownFacts
from core.diagnosis.service.facts.template_wordings import Learnt
from core.diagnosis.service.outcomes import ABSTAINED, verdict_of_value
from core.domain.results.responses import Response, Score, Verdict
from core.domain.sources.document_ids import GoldTables, KnownDocuments
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.forms import doubted
from core.judging.facts.index import FactIndex
from core.judging.facts.links import mentions_all
from core.judging.facts.reading import Source
from core.judging.facts.search import by_itself, find_evidence, passages_state, placed, read_passages
from core.judging.facts.wordings.siblings import StatedFact, Wording, stated_fact
from core.text.words import fold, stems

UNCLEAR = (FactEvidence.ABSENT, FactEvidence.UNDECIDED)
"""What may be read otherwise under other names or in other words."""


BETTER = (
    FactEvidence.PRESENT,
    FactEvidence.CONTRADICTED,
    FactEvidence.UNDECIDED,
    FactEvidence.ABSENT,
    FactEvidence.UNKNOWN,
)
"""What counts where a fact is looked for under several names: what shows most of the documents."""


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
        siblings: Cases of some facts of each template, whatever was answered, `SIBLINGS` of them at most: they show how
            the documents word what the template asks for, and whether gold ids fit the documents.
        behind: Knows the rows that computed answers come from; None where nothing does.
        readings: What was read of the same facts in other copies of the documents; none of it without them.

    Attributes:
        grounded: The chunks that questions were written from, as far as it was told of them.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        rivals: RivalsByParameter,
        siblings: Iterable[TestCase] = (),
        behind: RowsBehind | None = None,
        readings: Readings | None = None,
    ) -> None:
        self.grounded = GroundedFacts()
        self._index = FactIndex(documents)
        self._corpus_ids = KnownDocuments(document.id for document in documents)
        self._rivals = dict(rivals)
        self._calling = behind.calling(self._mentions) if behind is not None else None
        record = self._calling.record if self._calling is not None else (lambda gold_id: "")
        self._pages = OwnPages(self._index, self._corpus_ids, record)
        self._digits = DigitCodes()
        self._computed = ComputedFacts(self._index, self._pages.find, behind, self._calling)
        self._coded = CodedAnswers(self._index, self._calling, self._gold) if self._calling is not None else None
        self._learnt = Learnt(self._index, self._stated, self._about)
        readings = readings or Readings()
        self._known_facts = KnownFacts(self._index, self._rivals, self._gold, behind, self._calling, readings)
        self._patterns = PatternReader(self._known_facts, partial(read_passages, index=self._index))
        self._legibility = Legibility(self._known_facts, self._patterns)
        gold_ids: dict[str, None] = {}
        for case in siblings:
            self._learnt.add(case)
            self._known_facts.add(case)
            self._digits.learn(case)
            gold_ids.update(dict.fromkeys(case.gold_document_ids))
            called = self._called([case])
            if called is not None:
                self._learnt.add(called.wordings[0])
                self._known_facts.add(called.wordings[0])
                if self._coded is not None:
                    self._coded.learn(called.wordings[0])
            for named in (case,) if called is None else (case, called.wordings[0]):
                self._computed.learn(named)
        self._gold_tables = GoldTables.of(gold_ids, self._corpus_ids)

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
        if (written := self.grounded.finding(wordings[0])) is not None:
            return written, {case.case_id: self._had(case, responses.get(case.case_id)) for case in wrong}
        finding, wordings = self._best(wordings, _wrong_answers(wrong, responses, verdicts))
        fact = self._known_facts.fact(wordings)
        asked = {case.case_id: case for case in wordings}
        gold = [document.id for document in self._gold(wordings[0])]
        present = finding.evidence is FactEvidence.PRESENT
        stating = {*(finding.document_ids if present else ()), *gold}
        evidence = finding.passage if present else ""
        wording = None if fact.telling else self._learnt.wording(wordings[0])
        place = None if is_computed(wordings[0]) or not present else self._learnt.place(wordings[0])
        in_context: dict[str, bool | None] = {}
        for case in wrong:
            response = responses.get(case.case_id)
            contexts = response.contexts if response else ()
            passages = [(self._known(context.document_id), context.text) for context in contexts]
            states = passages_state(fact, passages, stating, self._index, wording, evidence, place)
            if states is False and present and not is_computed(wordings[0]):
                states = self._patterns.stated_in(wordings, passages, stating)
            if states is False and self._coded is not None and self._coded.is_told(wordings[0]):
                states = has_passage(passages, finding)
            known = asked.get(case.case_id, case)
            if self._computed.links.is_linked(known) or (
                is_computed(case) and finding.evidence is not FactEvidence.ABSENT
            ):
                states = self._computed.in_context(known, passages, states)
            in_context[case.case_id] = states
        return finding, in_context

    def _had(self, case: TestCase, response: Response | None) -> bool | None:
        """Whether a target had what a question was written from."""
        return self.grounded.in_context(case, response.contexts if response else ())

    def find(self, wordings: Sequence[TestCase], wrong_answers: Sequence[str] = ()) -> FactFinding:
        """What the documents say about one fact.

        Args:
            wordings: Every wording of the fact.
            wrong_answers: To it, without abstentions.
        """
        return self._best(wordings, wrong_answers)[0]

    def stated(self, wordings: Sequence[TestCase]) -> tuple[FactFinding, Sequence[TestCase]]:
        """What the documents say about one fact, and its wordings under the names by which they say it."""
        return self._best(wordings, ())

    def named(self, wordings: Sequence[TestCase]) -> Sequence[TestCase]:
        """The wordings of a fact under the names that documents have, where these are other ones."""
        called = self._called(wordings)
        return wordings if called is None else called.wordings

    def _best(
        self, wordings: Sequence[TestCase], wrong_answers: Sequence[str]
    ) -> tuple[FactFinding, Sequence[TestCase]]:
        """What the documents say under the question's own names or under theirs, and the wordings with these names."""
        finding, named = self._under_names(wordings, wrong_answers)
        if finding.evidence in UNCLEAR and not is_computed(named[0]) and not self._gold_known(named[0]):
            for in_short in self._in_short(named):
                other = self._found(in_short, wrong_answers)
                if other.evidence is FactEvidence.CONTRADICTED:
                    # A surname may be somebody else's: it shows what is said, and not what is wrong.
                    other = replace(other, evidence=FactEvidence.UNDECIDED)
                if BETTER.index(other.evidence) < BETTER.index(finding.evidence):
                    finding, named = other, in_short
        return finding, named

    def _in_short(self, wordings: Sequence[TestCase]) -> Iterator[Sequence[TestCase]]:
        """The wordings with the names by which some documents call a subject, without the rest of its name."""
        for parameter in wordings[0].sql_params:
            yield from self._known_facts.in_short(wordings, parameter)

    def _under_names(
        self, wordings: Sequence[TestCase], wrong_answers: Sequence[str]
    ) -> tuple[FactFinding, Sequence[TestCase]]:
        called = self._called(wordings)
        if called is None:
            return self._unless_unnamed(wordings[0], self._found(wordings, wrong_answers)), wordings
        own = None if called.instead else self._found(wordings, wrong_answers)
        if own is not None and own.evidence is FactEvidence.PRESENT:
            return own, wordings
        theirs = self._found(called.wordings, wrong_answers)
        if theirs.evidence in UNCLEAR and self._coded is not None and not is_computed(called.wordings[0]):
            names = self._known_facts.fact(called.wordings).names
            theirs = self._coded.finding(called.wordings[0], names, theirs)
        if own is None or BETTER.index(theirs.evidence) <= BETTER.index(own.evidence):
            return theirs, called.wordings
        return own, wordings

    def _unless_unnamed(self, case: TestCase, finding: FactFinding) -> FactFinding:
        """What no document states of a record that has a number only is undecided: they may state it of a dry dock."""
        absent = finding.evidence is FactEvidence.ABSENT and not self._gold(case)
        if not absent or self._calling is None or self._gold_known(case) or self._patterns.name_subjects(case):
            return finding
        unnamed = self._calling.is_unnamed(case)
        return replace(finding, evidence=FactEvidence.UNDECIDED) if unnamed else finding

    def _called(self, wordings: Sequence[TestCase]) -> Called | None:
        called = self._calling.called(wordings) if self._calling is not None else None
        if called is not None and self._calling is not None:
            self._rivals.update(self._calling.rivals)
        return called

    def _mentions(self, name: str) -> int:
        return len(self._index.mentioning((fold(name),)))

    def _found(self, wordings: Sequence[TestCase], wrong_answers: Sequence[str] = ()) -> FactFinding:
        fact = self._known_facts.fact(wordings)
        finding = doubted(fact, self._searched(fact, wordings, wrong_answers))
        finding = self._digits.doubted(wordings[0], finding, fact.any_of)
        if finding.evidence is FactEvidence.UNDECIDED and not is_computed(wordings[0]):
            finding = self._legibility.by_exclusion(wordings, finding)
        illegible = (
            finding.evidence is FactEvidence.ABSENT
            and not is_computed(wordings[0])
            and not self._gold_known(wordings[0])
            and not self._is_legible(wordings[0])
            and self._may_hold(fact, wordings)
        )
        return replace(finding, evidence=FactEvidence.UNDECIDED) if illegible else finding

    def _may_hold(self, fact: Fact, wordings: Sequence[TestCase]) -> bool:
        """Whether documents may state what was not found in words of their own.

        Where the answer stands in another record, pages about that one may, unless it stands nowhere which one it is.
        """
        lacking = self._computed.links.lacking(wordings[0], fact) if fact.joined else None
        if lacking is None:
            return self._legibility.may_hold(wordings)
        if lacking.belongs_to:
            return self._computed.links.may_be_tied(lacking)
        return self._legibility.may_hold(wordings, self._computed.links.subjects_of(wordings[0], lacking))

    def _is_legible(self, case: TestCase) -> bool:
        """Whether it is known how documents state what a case asks for, or they have it as it is written."""
        wording = self._learnt.wording(case)
        learnt = (wording is not None and not wording.alone) or self._learnt.place(case) is not None
        in_words = self._patterns.is_spelt(self._known_facts.fact([case]), case)
        return learnt or in_words or self._legibility.is_legible(case)

    def _searched(self, fact: Fact, wordings: Sequence[TestCase], wrong_answers: Sequence[str]) -> FactFinding:
        finding = self._directly(fact, wordings, wrong_answers)
        if not fact.joined or is_computed(wordings[0]):
            return finding
        finding = self._computed.links.without_own(wordings[0], fact, finding)
        present = finding.evidence is FactEvidence.PRESENT
        if present and self._names_subjects(fact, finding):
            return finding
        linked = present or finding.evidence is FactEvidence.CONTRADICTED
        return self._computed.links.by_links(wordings[0], fact, finding) if linked else finding

    def _directly(self, fact: Fact, wordings: Sequence[TestCase], wrong_answers: Sequence[str]) -> FactFinding:
        finding = self._find(wordings, wrong_answers)
        if (
            finding.evidence is FactEvidence.PRESENT
            and fact.telling
            and fact.shared <= stems(finding.passage)
            and not is_computed(wordings[0])
        ):
            return finding
        wording = self._learnt.wording(wordings[0])
        finding = finding if wording is None else self._find(wordings, wrong_answers, wording)
        if is_computed(wordings[0]):
            return self._computed.finding(wordings[0], fact, finding, wording)
        if finding.evidence in UNCLEAR:
            place = self._learnt.place(wordings[0])
            if place is not None:
                finding = placed(fact, finding, self._gold(wordings[0]), self._index, place)
            elif wording is None:
                finding = by_itself(fact, finding, self._gold(wordings[0]), self._index)
        for further in self._learnt.further(wordings[0]) if finding.evidence in UNCLEAR else ():
            other = self._find(wordings, wrong_answers, further)
            if other.evidence not in UNCLEAR:
                return other
        if finding.evidence in UNCLEAR:
            worded = self._patterns.finding(wordings, finding)
            finding = finding if self._computed.links.names_a_link(wordings[0], worded.passage) else worded
        if finding.evidence in UNCLEAR:
            finding = self._computed.links.chained(wordings[0], fact, finding)
        return finding

    def _names_subjects(self, fact: Fact, finding: FactFinding) -> bool:
        """Whether one of the documents that state a fact mentions who it is about."""
        stating = (self._index.document(document_id) for document_id in finding.document_ids)
        return any(document is not None and mentions_all(fact, Source.of(document)) for document in stating)

    def _find(
        self, wordings: Sequence[TestCase], wrong_answers: Sequence[str] = (), wording: Wording | None = None
    ) -> FactFinding:
        _, missing = self._corpus_ids.resolve(wordings[0].gold_document_ids)
        gold_known = self._gold_known(wordings[0])
        return find_evidence(
            self._known_facts.fact(wordings),
            self._gold(wordings[0]),
            self._index,
            wrong_answers,
            gold_known=gold_known,
            gold_whole=not (gold_known and missing),
            wording=wording,
        )

    def _gold_known(self, case: TestCase) -> bool:
        """Whether it is known which documents should hold the fact of a case."""
        named = case.gold_document_ids
        return bool(named) and self._gold_tables.comparable(named)

    def _gold(self, case: TestCase) -> list[Document]:
        return self._pages.documents(case.gold_document_ids)

    def _stated(self, members: Sequence[TestCase]) -> StatedFact | None:
        finding = self._find(members)
        document = self._index.document(finding.document_id)
        if finding.evidence is not FactEvidence.PRESENT or document is None:
            return None
        return stated_fact(self._known_facts.fact(members), Source.of(document), finding.passage)

    def _about(self, members: Sequence[TestCase]) -> tuple[Fact, Sequence[Document]]:
        return self._known_facts.fact(members), self._gold(members[0])

    def _known(self, document_id: str) -> str:
        return self._corpus_ids.find(document_id) or document_id


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
