"""A fact of another record, whose page says nothing of the subject: which it is stands elsewhere, or nowhere."""

import pytest

from core.diagnosis.service.facts.search import FactSearch
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.databases.working_databases import rows_behind

SCRIPT = """
CREATE TABLE tramline (id int PRIMARY KEY, code varchar(8) UNIQUE, opened date);
CREATE TABLE mishap (number int PRIMARY KEY, tramline_id int REFERENCES tramline (id));
INSERT INTO tramline VALUES (1, 'TL-204', '1988-05-14'), (2, 'TL-311', '1994-09-03'), (3, 'TL-450', '2001-11-20');
INSERT INTO mishap VALUES (7101, 1), (7102, 2), (7103, 3);
"""
SQL = "SELECT tramline.opened FROM mishap JOIN tramline ON mishap.tramline_id = tramline.id WHERE mishap.number = :p0"
OPENED = {7101: ("tramline:1", "1988-05-14"), 7102: ("tramline:2", "1994-09-03"), 7103: ("tramline:3", "2001-11-20")}
LINES = (
    Document(id="tramline:1", title="TL-204", text="TL-204 serves the harbour. The opening date was 14 May 1988."),
    Document(id="tramline:2", title="TL-311", text="TL-311 serves the mill. The opening date was 3 September 1994."),
    Document(id="tramline:3", title="TL-450", text="TL-450 serves the fair. The opening date was 20 November 2001."),
)
LOG = Document(id="log", title="Mishap log", text="Mishap 7101 happened on TL-204. Mishap 7103 happened on TL-450.")


def asked(number: int) -> TestCase:
    gold, day = OPENED[number]
    return TestCase(
        case_id=f"c{number}",
        question=f"What is the opening date of the tramline of mishap '{number}'?",
        reference_answers=(day,),
        group_id=f"g{number}",
        sql=SQL,
        sql_template_id="t",
        sql_params={"p0": number},
        gold_document_ids=(f"mishap:{number}", gold),
        tables=("mishap", "tramline"),
        attributes={"asks_for": "tramline.opened"},
    )


@pytest.fixture
def search(tmp_path):
    with rows_behind(sqlite_file(tmp_path / "trams.sqlite", SCRIPT)) as behind:
        yield FactSearch([*LINES, LOG], {}, [asked(number) for number in OPENED], behind)


def diagnosed(search: FactSearch, number: int, *passages: Document):
    case = asked(number)
    contexts = tuple(Context(document_id=page.id, text=page.text) for page in passages)
    response = Response(case_id=case.case_id, answer="On 1 May 1950.", contexts=contexts)
    wrong = Score(case_id=case.case_id, metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)
    finding, in_context = search.search([case], [case], {case.case_id: response}, {case.case_id: wrong})
    return finding.evidence, in_context[case.case_id]


def test_the_page_of_the_other_record_alone_does_not_answer(search):
    """The line's page was found; which line it was, was not: the search is to blame, and not the reader."""
    assert diagnosed(search, 7101, LINES[0], LINES[1]) == (FactEvidence.PRESENT, False)


def test_both_pages_together_answer(search):
    assert diagnosed(search, 7101, LINES[0], LOG) == (FactEvidence.PRESENT, True)


def test_a_link_that_no_document_states_is_a_gap(search):
    assert diagnosed(search, 7102, LINES[1], LOG) == (FactEvidence.ABSENT, False)
