"""Evidence on the facts of 100,000 wrong answers, beside a tenth of them and of the documents: the time is linear."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bench.measure import Line
from core.diagnosis.service.facts.preparing import rivals_of
from core.diagnosis.service.facts.run_search import search_facts
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.domain.testset.cases import TestCase

SMALL, LARGE, WORDINGS = 2_500, 25_000, 4
MOST = 1.5
"""How much more than ten times as long ten times as many may take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """What a run made of the orders."""

    cases: tuple[TestCase, ...]
    responses: Mapping[str, Response]
    verdicts: Mapping[str, Score]
    corpus: Corpus


def lines() -> Iterator[Line]:
    """Orders of customers, each fact bound by a name and a date, every answer wrong with its page before it."""
    small, large = (_seconds(groups) for groups in (SMALL, LARGE))
    yield Line(
        what=f"evidence on {LARGE * WORDINGS:,} wrong answers in {LARGE:,} documents",
        seconds=large,
        against=f"the limit: {MOST:g} x ten times {SMALL * WORDINGS:,} answers in {SMALL:,} documents",
        other=MOST * 10 * small,
    )


def orders(groups: int) -> Orders:
    """Orders of customers, each asked about in four wordings and answered wrongly with its page before it."""
    cases, responses, verdicts, documents = [], {}, {}, []
    for group in range(groups):
        customer, day = f"Customer {group // 10}", f"{1990 + group % 30}-0{1 + group % 9}-17"
        text = (
            f"This is order {group} of {customer}. The date of order {group} of {customer} is {day}. "
            f"The freight of order {group} of {customer} is {group}.25. The city of order {group} of {customer} is Ulm."
        )
        documents.append(Document(id=f"orders:{group}", title="", text=text))
        for wording in range(WORDINGS):
            case = TestCase(
                case_id=f"{group}-{wording}",
                question=f"{'What is ' * wording}freight of order dated '{day}' of customer '{customer}'",
                reference_answers=(f"{group}.25",),
                form="short" if wording % 2 else "long",
                group_id=str(group),
                sql_template_id="t",
                sql_params={"p0": customer, "p1": day},
                gold_document_ids=(f"orders:{group}",),
            )
            cases.append(case)
            context = Context(document_id=f"orders:{group}", text=text)
            responses[case.case_id] = Response(case_id=case.case_id, answer="It is 7.", contexts=(context,))
            verdicts[case.case_id] = Score(case_id=case.case_id, metric=VERDICT_METRIC, value=0.0)
    return Orders(cases=tuple(cases), responses=responses, verdicts=verdicts, corpus=Corpus(documents=tuple(documents)))


def _seconds(groups: int) -> float:
    made = orders(groups)
    rivals = rivals_of((case.sql_template_id, case.sql_params) for case in made.cases)
    started = time.perf_counter()
    evidences = search_facts(made.cases, made.responses, made.verdicts, made.corpus, rivals)
    seconds = time.perf_counter() - started
    if {finding.evidence for finding in evidences.findings.values()} != {FactEvidence.PRESENT}:
        raise AssertionError("a fact that is there was not found")
    return seconds
