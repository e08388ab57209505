"""What is computed from many rows is no gap of the documents where none of them states it."""

from core.diagnosis.service.facts.run_search import search_facts
from core.domain.results.responses import Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.domain.status import Status
from core.domain.testset.cases import LOOK_UP, OPERATION, TestCase

PAGE = "The branch belongs to the north. It has 4 counters.\n\nManager: Ada Miller"


def evidence_of(operation, question, answer, said="Nobody knows."):
    case = TestCase(
        case_id="c",
        question=question,
        reference_answers=(answer,),
        group_id="g",
        sql_template_id="t",
        sql_params={"p0": "Harbour Street"},
        gold_document_ids=("branch:1",),
        attributes={OPERATION: operation},
    )
    corpus = Corpus(documents=(Document(id="branch:1", title="Harbour Street", text=PAGE),))
    wrong = Score(case_id="c", metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)
    response = Response(case_id="c", answer=said, latency_s=0.0)
    return search_facts([case], {"c": response}, {"c": wrong}, corpus, {}).findings["g"].evidence


def test_a_count_that_no_page_states_is_undecided():
    asked = ("How many lockers does the branch in Harbour Street have?", "72")
    assert evidence_of(LOOK_UP, *asked) is FactEvidence.ABSENT
    assert evidence_of("count", *asked) is FactEvidence.UNDECIDED


def test_what_seems_contradicted_is_undecided():
    asked = ("Manager of Harbour Street", "Tom Birch", "Ada Miller")
    assert evidence_of(LOOK_UP, *asked) is FactEvidence.CONTRADICTED
    assert evidence_of("extreme", *asked) is FactEvidence.UNDECIDED


def test_a_count_that_a_page_states_is_present():
    asked = ("How many counters does the branch in Harbour Street have?", "4")
    assert evidence_of("count", *asked) is evidence_of(LOOK_UP, *asked) is FactEvidence.PRESENT
