"""What questions name by a code or a key stands in documents under another name, and what is not there under none."""

from dataclasses import replace

import pytest

from core.diagnosis.computed.rows import DatabaseRows
from core.diagnosis.service.facts.preparing import rivals_of
from core.diagnosis.service.facts.search import FactSearch
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.sources.projects import Source, SourceKind
from core.domain.status import Status
from core.domain.testset.cases import OPERATION, TestCase
from core.sources.database import DatabaseSource
from tests.support.databases.source_servers import KINDS, database

ZONES = (("OS", "Open space"), ("R1", "Single-family residential"), ("M1", "Light industrial"))
STREETS = ("18 Dock Street", "5 Mill Lane", "77 Canal Avenue", "3 Elm Street", "41 Iron Lane")
PEOPLE = (("Ugo", "Ferrante"), ("Rita", "Osei"), ("Nils", "Coster"), ("Gwen", "Hartley"), ("Olga", "Mbeki"))
ZONE = 'SELECT "zone" FROM "parcel" WHERE "apn" = :p0'
OFFICE = 'SELECT "office" FROM "clerk" WHERE "clerk_no" = :p0'
BARNS = """SELECT COUNT("c"."barn_id") FROM "parcel" AS "p" LEFT JOIN "barn" AS "c" ON "c"."apn" = "p"."apn"
WHERE "p"."apn" = :p0 GROUP BY "p"."apn\""""
PUMP = 'SELECT "litres" FROM "pump" WHERE "pump_id" = :p0'


def apn(number):
    return f"10-30{number}-29"


def inserted(table, rows):
    return f"INSERT INTO {table} VALUES {', '.join(map(str, rows))}"


TOWN = [
    "CREATE TABLE zone (cd VARCHAR(9) PRIMARY KEY, dsc VARCHAR(40) NOT NULL)",
    "CREATE TABLE parcel (apn VARCHAR(20) PRIMARY KEY, sit_addr VARCHAR(40) NOT NULL UNIQUE, zone VARCHAR(9), "
    "FOREIGN KEY (zone) REFERENCES zone(cd))",
    "CREATE TABLE clerk (clerk_no INTEGER PRIMARY KEY, fst_nm VARCHAR(40) NOT NULL, lst_nm VARCHAR(40) NOT NULL, "
    "office VARCHAR(40))",
    "CREATE TABLE barn (barn_id INTEGER PRIMARY KEY, barn_name VARCHAR(40) NOT NULL UNIQUE, apn VARCHAR(20), "
    "FOREIGN KEY (apn) REFERENCES parcel(apn))",
    "CREATE TABLE pump (pump_id INTEGER PRIMARY KEY, litres INTEGER)",
    inserted("zone", ZONES),
    inserted("parcel", [(apn(number), street, ZONES[number % 3][0]) for number, street in enumerate(STREETS)]),
    inserted("clerk", [(number, *name, f"Room {number}{number}{number}") for number, name in enumerate(PEOPLE, 1)]),
    inserted("barn", [(1, "Red Barn", apn(0)), (2, "Long Barn", apn(1)), (3, "Hay Barn", apn(2))]),
    inserted("pump", [(number, number * 1234) for number in range(1, 6)]),
]


@pytest.fixture(params=KINDS)
def town(request, tmp_path):
    with database(request.param, TOWN, tmp_path) as address:
        yield address


def parcel_pages(barns=("Red Barn", "Long Barn", "Hay Barn", "", "")):
    """The page of each parcel is called by its address, says its zone in words and lists its barns."""
    return [
        Document(
            id=f"p{number}",
            title=street,
            text=f"It is zoned {ZONES[number % 3][1].lower()}.\n\n## Barns\n\n" + (f"- {barn}" if barn else "None."),
        )
        for number, (street, barn) in enumerate(zip(STREETS, barns, strict=True))
    ]


def staff():
    lines = [f"- {' '.join(name)} sits in Room {number * 111}" for number, name in enumerate(PEOPLE, 1)]
    return Document(id="staff", title="Staff", text="\n".join(lines))


def case(number, sql, key, answer, question, operation="look-up", gold=""):
    return TestCase(
        case_id=f"c{number}",
        question=question.format(key),
        reference_answers=(answer,),
        group_id=f"g{number}",
        sql=sql,
        sql_params={"p0": key},
        sql_template_id="t",
        gold_document_ids=(gold,) if gold else (),
        attributes={OPERATION: operation},
    )


def found(address, cases, documents, contexts=()):
    """The evidence of the last case, and whether passages of some documents show it."""
    with DatabaseSource.connect(address) as opened:
        schema = opened.schema
    source = Source(
        id="s",
        project_id="p",
        kind=SourceKind.DATABASE,
        name="town",
        location=address,
        schema=schema,
        fingerprint=schema.fingerprint,
    )
    # MariaDB has other quotation marks around names.
    mark = "`" if schema.dialect in {"mysql", "mariadb"} else '"'
    cases = [replace(one, sql=one.sql.replace('"', mark)) for one in cases]
    last = cases[-1]
    passages = tuple(Context(document_id=page.id, text=page.text) for page in documents if page.id in contexts)
    response = Response(case_id=last.case_id, answer="Nobody knows.", contexts=passages)
    wrong = Score(case_id=last.case_id, metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)
    rivals = rivals_of((one.sql_template_id, one.sql_params) for one in cases)
    with DatabaseRows(source) as behind:
        search = FactSearch(documents, rivals, cases, behind)
        finding, shown = search.search([last], [last], {last.case_id: response}, {last.case_id: wrong})
    return finding.evidence, shown[last.case_id]


def zones(asked):
    question = "What is the zon of parcel '{}'?"
    every = [case(number, ZONE, apn(number), ZONES[number % 3][0], question) for number in range(5)]
    return [*(one for number, one in enumerate(every) if number != asked), every[asked]]


def test_a_code_is_stated_by_its_meaning_on_a_page_that_has_another_name(town):
    assert found(town, zones(0), parcel_pages(), ["p0"]) == (FactEvidence.PRESENT, True)
    assert found(town, zones(0), parcel_pages(), ["p1"]) == (FactEvidence.PRESENT, False)


def test_without_the_page_there_is_a_gap(town):
    pages = [page for page in parcel_pages() if page.id != "p0"]
    assert found(town, zones(0), pages, ["p1"])[0] is FactEvidence.ABSENT


def test_a_key_of_a_person_is_their_name(town):
    question = "What is the office of clerk '{}'?"
    cases = [case(number, OFFICE, number, f"Room {number * 111}", question) for number in range(1, 6)]
    assert found(town, cases, [staff()], ["staff"]) == (FactEvidence.PRESENT, True)


def test_a_record_with_a_number_only_is_undecided(town):
    pages = [Document(id="pumps", title="Pumps", text="The old pump gives 6,170 units, the new one 2,468.")]
    cases = [case(number, PUMP, number, str(number * 1234), "How many litres has pump '{}'?") for number in (1, 3)]
    assert found(town, cases, pages)[0] is FactEvidence.UNDECIDED


def counts(asked):
    question = "How many barns does the parcel '{}' have?"
    answers = ("1", "1", "1", "0", "0")
    every = [case(number, BARNS, apn(number), answers[number], question, "count") for number in range(5)]
    return [*(one for number, one in enumerate(every) if number != asked), every[asked]]


def test_a_page_that_lists_none_says_that_there_is_none(town):
    assert found(town, counts(3), parcel_pages(), ["p3"]) == (FactEvidence.PRESENT, True)
    assert found(town, counts(3), parcel_pages(), ["p0"]) == (FactEvidence.PRESENT, False)


def test_none_is_a_gap_where_the_page_that_would_list_them_is_missing(town):
    pages = [page for page in parcel_pages() if page.id != "p3"]
    assert found(town, counts(3), pages, ["p0"])[0] is FactEvidence.ABSENT


def test_none_is_a_gap_where_documents_speak_of_no_such_thing(town):
    pages = parcel_pages(barns=("",) * 5)
    pages = [Document(id=page.id, title=page.title, text=page.text.partition("\n\n")[0]) for page in pages]
    assert found(town, counts(3), pages, ["p3"])[0] is FactEvidence.ABSENT


def test_none_is_contradicted_where_the_page_lists_one(town):
    pages = parcel_pages(barns=("Red Barn", "Long Barn", "Hay Barn", "Long Barn", ""))
    assert found(town, counts(3), pages, ["p3"])[0] is FactEvidence.CONTRADICTED
