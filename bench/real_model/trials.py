"""For each prompt, inputs from the sample bank and what makes a reply to them right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

from bench.real_model.sample import sample_cases
from core.domain.results.responses import Response, Verdict
from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.domain.testset.questions import QuestionKind
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.installation import SAMPLE_DATA
from core.judging import open_judge
from core.judging.claims.checks import verdicts_of
from core.judging.claims.extraction import ClaimList
from core.judging.grouse import GrouseMetric
from core.judging.grouse.replies import form_of, grade_of
from core.judging.models.votes import ReferenceVerdict
from core.judging.self_check import SameAnswer
from core.knowledge.fluent import missing_facts
from core.knowledge.records import Record, read_records
from core.sources.corpus import load_corpus
from core.sources.database import DatabaseSource
from core.testset.corpus.questions.kinds import KIND_RULES
from core.testset.corpus.questions.model import KeyFacts, WrittenQuestions
from core.testset.corpus.quotes import find_quote
from core.testset.grounded import files
from core.testset.grounded.llm.forms import form_criteria
from core.testset.grounded.llm.proposals import Rejected
from core.testset.grounded.llm.round_trip import BackInSql
from core.testset.grounded.llm.schema import schema_text
from core.testset.grounded.llm.sql_generator import SqlProposals, checked_proposal
from core.testset.grounded.llm.text_generator import TextProposals
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.wording.checks import check_text_template
from core.testset.topics.naming import TopicName
from core.testset.variants.rewording import Reworded, masked

PASSAGE = 700
"""Characters of a passage: a small model on one core reads about a hundred tokens a second."""

EXAMPLE = "lighthouse"
"""What the example of the short prompt is about; no topic of the bank is."""

MARK = re.compile(r"</?[a-z_]+-[0-9a-f]{8,}>|<[a-z_]+-[0-9a-f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One request.

    Attributes:
        inputs: What the prompt is rendered with.
        form: The form of the reply; None for plain text.
        right: Whether a reply that could be read does what it was asked for.
    """

    inputs: Mapping[str, object]
    form: type[BaseModel] | None
    right: Callable[[object], bool]


class Bench:
    """The sample bank as the trials need it."""

    def __init__(self, n: int) -> None:
        self.n = n
        documents = load_corpus(SAMPLE_DATA / "documents").documents
        self._documents = {document.id: document for document in documents}
        cases = [case for case in sample_cases(60) if case.form == "short"]
        self.cases = [case for case in cases if self._states(case)][:n]
        self.source = DatabaseSource.connect(f"sqlite:///{SAMPLE_DATA / 'bank.sqlite'}")
        self.templates = files.read_sql_templates(SAMPLE_DATA / "templates.json", dialect=self.source.schema.dialect)
        self._match = open_judge("match")

    def trials(self, prompt_id: str) -> list[Trial]:
        """The trials of a prompt."""
        made: Iterator[Trial] = getattr(self, f"_{prompt_id}")()
        return [trial for trial, _ in zip(made, range(self.n), strict=False)]

    def passage(self, case: TestCase) -> str:
        """The part of the gold document that is shown."""
        return self._gold(case).text[:PASSAGE]

    def says(self, case: TestCase, text: object) -> bool:
        """Whether rules find the true answer in a text."""
        judged = self._match.judge(case, Response(case_id=case.case_id, answer=str(text)))
        return judged.verdict is Verdict.CORRECT

    def _gold(self, case: TestCase) -> Document:
        return self._documents[case.gold_document_ids[0]]

    def _states(self, case: TestCase) -> bool:
        document = self._documents.get(case.gold_document_ids[0]) if case.gold_document_ids else None
        return document is not None and (case.reference_answers[0] or "") in document.text[:PASSAGE]

    def _answer_closed_book(self) -> Iterator[Trial]:
        for case in self.cases:
            yield Trial(
                inputs={"question": case.question}, form=None, right=lambda text, case=case: self.says(case, text)
            )

    def _answer_from_contexts(self) -> Iterator[Trial]:
        for case in self.cases:
            contexts = [{"title": "", "text": self.passage(case)}]
            yield Trial(
                inputs={"question": case.question, "contexts": contexts},
                form=None,
                right=lambda text, case=case: self.says(case, text),
            )

    def _claims(self) -> Iterator[Trial]:
        for case in self.cases:
            answer = f"It is {case.reference_answers[0]}, as the page of the bank says."
            yield Trial(
                inputs={"question": case.question, "answer": answer},
                form=ClaimList,
                right=lambda form, case=case: any(case.reference_answers[0] in claim for claim in form.claims),
            )

    def _claim_support(self) -> Iterator[Trial]:
        for case, other in zip(self.cases, (*self.cases[1:], self.cases[0]), strict=True):
            claims = [
                f"{case.question}: {case.reference_answers[0]}.",
                f"{other.question}: {other.reference_answers[0]}.",
            ]
            yield Trial(
                inputs={"claims": claims, "contexts": [self.passage(case)]},
                form=verdicts_of(2),
                right=lambda form: (
                    [item.verdict for item in sorted(form.verdicts, key=lambda item: item.claim)] == ["Yes", "No"]
                ),
            )

    def _reference_verdict(self) -> Iterator[Trial]:
        for place, (case, said) in enumerate(self._said()):
            yield Trial(
                inputs={"question": case.question, "references": list(case.reference_answers), "response": said},
                form=ReferenceVerdict,
                right=lambda form, place=place: form.verdict == ("Incorrect" if place % 2 else "Correct"),
            )

    def _same_answer(self) -> Iterator[Trial]:
        for place, (case, said) in enumerate(self._said()):
            yield Trial(
                inputs={"question": case.question, "first": case.reference_answers[0], "second": said},
                form=SameAnswer,
                right=lambda form, place=place: form.same == ("No" if place % 2 else "Yes"),
            )

    def _said(self) -> Iterator[tuple[TestCase, str]]:
        """Answers that are right and wrong in turn."""
        for place, (case, other) in enumerate(zip(self.cases, (*self.cases[1:], self.cases[0]), strict=True)):
            yield case, f"It is {(other if place % 2 else case).reference_answers[0]}."

    def _grouse_answer_relevancy(self) -> Iterator[Trial]:
        return self._graded(GrouseMetric.ANSWER_RELEVANCY)

    def _grouse_completeness(self) -> Iterator[Trial]:
        return self._graded(GrouseMetric.COMPLETENESS)

    def _grouse_faithfulness(self) -> Iterator[Trial]:
        return self._graded(GrouseMetric.FAITHFULNESS)

    def _grouse_faithfulness_uncited(self) -> Iterator[Trial]:
        return self._graded(GrouseMetric.FAITHFULNESS_UNCITED)

    def _grouse_usefulness(self) -> Iterator[Trial]:
        return self._graded(GrouseMetric.USEFULNESS)

    def _graded(self, metric: GrouseMetric) -> Iterator[Trial]:
        """One answer alone, right and then declining in turn; of usefulness what only declines is asked about."""
        for place, (case, _) in enumerate(self._said()):
            declines = place % 2 == 1 or metric is GrouseMetric.USEFULNESS
            answer = "No document answers this." if declines else f"It is {case.reference_answers[0]} [1]."
            inputs: dict[str, object] = {"question": case.question, "answers": [answer]}
            if metric not in {GrouseMetric.ANSWER_RELEVANCY, GrouseMetric.USEFULNESS}:
                inputs["contexts"] = [self.passage(case)]
            yield Trial(
                inputs=inputs,
                form=form_of(metric, 1),
                right=lambda form, declines=declines: (grade_of(metric, form.answer_1)[0] is None) is declines,
            )

    def _question_paraphrase(self) -> Iterator[Trial]:
        for case in self.cases:
            question, marks = masked(case)
            yield Trial(
                inputs={"question": question},
                form=Reworded,
                right=lambda form, question=question, marks=marks: (
                    form.question.strip() != question and all(form.question.count(mark) == 1 for mark in marks)
                ),
            )

    def _key_facts(self) -> Iterator[Trial]:
        for case in self.cases:
            passage = self.passage(case)
            yield Trial(
                inputs={"title": self._gold(case).title, "passage": passage, "count": 3},
                form=KeyFacts,
                right=lambda form, passage=passage: any(find_quote(passage, fact.quote) for fact in form.facts),
            )

    def _document_questions(self) -> Iterator[Trial]:
        rules = KIND_RULES[QuestionKind.SIMPLE]
        for case in self.cases:
            passage = self.passage(case)
            yield Trial(
                inputs={
                    "kind": rules.name,
                    "rules": "\n".join(f"- {rule}" for rule in rules.rules),
                    "passages": [{"title": self._gold(case).title, "text": passage}],
                    "facts": [],
                    "count": 2,
                },
                form=WrittenQuestions,
                right=lambda form, passage=passage: any(
                    item.answer and item.answer in quote and find_quote(passage, quote)
                    for item in form.questions
                    for quote in item.quotes
                ),
            )

    def _knowledge_document(self) -> Iterator[Trial]:
        for record in self._records():
            facts = "\n".join(f"{fact.name}: {fact.value}" for fact in record.facts)
            yield Trial(
                inputs={"subject": record.label, "kind": record.noun, "facts": facts, "draft": "", "missing": ""},
                form=None,
                right=lambda text, record=record: not missing_facts(record, str(text)),
            )

    def _records(self) -> Iterator[Record]:
        yield from read_records(self.source, per_table=2)

    def _round_trip(self) -> Iterator[Trial]:
        schema = schema_text(self.source.schema)
        for template, text in self._worded():
            wanted = canonical_id(template.sql, self.source.schema.dialect)
            yield Trial(
                inputs={"schema": schema, "text": text},
                form=BackInSql,
                right=lambda form, wanted=wanted: canonical_id(form.sql, self.source.schema.dialect) == wanted,
            )

    def _worded(self) -> Iterator[tuple[SqlTemplate, str]]:
        from core.testset.grounded.wording.generator import generate_text_templates

        for template in self.templates:
            for text in generate_text_templates(template, self.source.schema, form="short", n=1):
                yield template, text.text

    def _sql_templates(self) -> Iterator[Trial]:
        schema = self.source.schema
        for table in (table for table in schema.tables if not table.association):
            yield Trial(
                inputs={
                    "schema": schema_text(schema, (table.name,)),
                    "tables": [table.name],
                    "count": 3,
                    "criteria": "",
                    "accepted": [],
                    "rejected": [],
                },
                form=SqlProposals,
                right=lambda form, name=table.name: any(
                    not isinstance(checked_proposal(sql, self.source, (name,)), Rejected) for sql in form.templates
                ),
            )

    def _text_templates(self) -> Iterator[Trial]:
        for template in self.templates:
            yield Trial(
                inputs={
                    "sql": template.sql,
                    "schema": schema_text(self.source.schema, template.tables or _tables(template)),
                    "placeholders": [placeholder.token for placeholder in template.placeholders],
                    "form": "short",
                    "form_criteria": form_criteria("short"),
                    "count": 3,
                    "criteria": "",
                    "accepted": [],
                    "rejected": [],
                },
                form=TextProposals,
                right=lambda form, template=template: any(_passes(text, template) for text in form.wordings),
            )

    def _topic_names(self) -> Iterator[Trial]:
        folders: dict[str, list[Document]] = {}
        for document in self._documents.values():
            folders.setdefault(Path(document.path or document.id).parts[0].partition(":")[0], []).append(document)
        for name, documents in folders.items():
            words = ", ".join(dict.fromkeys(re.findall(r"[a-z]{5,}", documents[0].text.lower())))[:120]
            yield Trial(
                inputs={
                    "words": words,
                    "passages": "\n\n".join(document.text[: PASSAGE // 2] for document in documents[:2]),
                    "others": "\n".join(other for other in folders if other != name),
                },
                form=TopicName,
                right=lambda form: 2 <= len(form.name.split()) <= 5 and EXAMPLE not in form.name.casefold(),
            )


def _tables(template: SqlTemplate) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"(?:FROM|JOIN) (\w+)", template.sql)))


def _passes(text: str, template: SqlTemplate) -> bool:
    draft = TextTemplate(id="", sql_template_id=template.id, form="short", text=text, origin="llm")
    return all(check.passed for check in check_text_template(draft, template).checks if check.blocking)
