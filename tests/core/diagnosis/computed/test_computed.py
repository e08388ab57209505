"""Computed answers: which rows they need, and what it means that documents state all, some or none of them."""

import sqlite3
from contextlib import closing

import pytest

from core.diagnosis.computed.chain import chain_statement
from core.diagnosis.computed.rows import DatabaseRows
from core.diagnosis.computed.statement import needed_statement
from core.diagnosis.service.facts.run_search import search_facts
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.documents import Corpus, Document
from core.domain.sources.evidence import FactEvidence
from core.domain.sources.projects import Source, SourceKind
from core.domain.status import Status
from core.domain.testset.cases import OPERATION, TestCase
from core.sources.database import DatabaseSource

LATEST = """SELECT MAX("c"."placed") FROM "client" AS "p" JOIN "purchase" AS "c" ON "c"."client_id" = "p"."client_id"
WHERE "p"."name" = :p0 GROUP BY "p"."client_id\""""
COUNT = LATEST.replace('MAX("c"."placed")', 'COUNT("c"."purchase_id")')
TOTAL = LATEST.replace('MAX("c"."placed")', 'ROUND(SUM("c"."amount"), 2)')
ANY = """SELECT CASE WHEN EXISTS(SELECT 1 FROM "purchase" AS "c" WHERE "c"."client_id" = "p"."client_id") THEN 'yes'
ELSE 'no' END FROM "client" AS "p" WHERE "p"."name" = :p0"""
OLDER = """SELECT COUNT("c"."client_id") FROM "client" AS "p" LEFT JOIN "client" AS "c" ON "c"."since" < "p"."since"
WHERE "p"."name" = :p0 AND NOT "p"."since" IS NULL GROUP BY "p"."client_id\""""
BETWEEN = """SELECT COUNT(*) FROM "agent" AS "c" WHERE "c"."hired" >= :p0 AND "c"."hired" <= :p1 HAVING COUNT(*) > 0"""
WHICH = """SELECT CASE WHEN "a"."hired" < "b"."hired" THEN "a"."name" ELSE "b"."name" END FROM "agent" AS "a"
JOIN "agent" AS "b" ON "a"."agent_id" < "b"."agent_id" AND "a"."hired" <> "b"."hired"
WHERE "a"."name" = :p0 AND "b"."name" = :p1"""
CHAIN = """SELECT "agent"."hired" FROM "client" JOIN "agent" ON "client"."agent_id" = "agent"."agent_id"
WHERE "client"."name" = :p0"""

ROWS = ((101, "3 May 2021", "12.50"), (102, "9 June 2022", "40.00"), (103, "1 July 2020", "7.25"))


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript("""
CREATE TABLE agent (agent_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, hired DATE);
CREATE TABLE client (client_id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL, since DATE,
    agent_id INTEGER REFERENCES agent);
CREATE TABLE purchase (purchase_id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, placed DATE, amount REAL);
INSERT INTO agent VALUES (1, 'Ada Miller', '2011-02-03'), (2, 'Tom Birch', '2014-05-06');
INSERT INTO client VALUES (1, 'Northwick Mills', '2015-01-01', 1), (2, 'Osten Works', '2017-01-01', 2);
INSERT INTO purchase VALUES (101, 1, '2021-05-03', 12.5), (102, 1, '2022-06-09', 40), (103, 1, '2020-07-01', 7.25);
""")
        db.commit()
    return f"sqlite:///{path}"


def pages(rows=ROWS, text="It buys a lot."):
    lines = "".join(f"| {number} | {day} | {amount} |\n" for number, day, amount in rows)
    table = f"{text}\n\n| Number | Placed on | Amount |\n|---|---|---|\n{lines}"
    return [
        Document(id="mills", title="Northwick Mills", text=table),
        Document(id="osten", title="Osten Works", text="It buys nothing.\n\nServed by: Tom Birch"),
    ]


def diagnosed(
    address,
    operation,
    sql,
    answer,
    documents,
    retrieved=(),
    question="What about 'Northwick Mills'?",
    gold=(),
    params=("Northwick Mills",),
):
    """The evidence, and whether the retrieved documents state all that is needed."""
    case = TestCase(
        case_id="c",
        question=question,
        reference_answers=(answer,),
        group_id="g",
        sql=sql,
        sql_template_id="t",
        sql_params={f"p{place}": value for place, value in enumerate(params)},
        gold_document_ids=gold,
        attributes={OPERATION: operation},
    )
    texts = {document.id: document.text for document in documents}
    contexts = tuple(Context(document_id=name, text=texts[name]) for name in retrieved)
    source = Source(id="s", project_id="p", kind=SourceKind.DATABASE, name="shop", location=address)
    with DatabaseRows(source) as behind:
        found = search_facts(
            [case],
            {"c": Response(case_id="c", answer="Nobody knows.", contexts=contexts, latency_s=0.0)},
            {"c": Score(case_id="c", metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)},
            Corpus(documents=tuple(documents)),
            {},
            behind,
        )
    return found.findings["g"].evidence, found.in_context["c"]


ASKED = [("latest", LATEST, "2022-06-09"), ("count", COUNT, "3"), ("total", TOTAL, "59.75")]


@pytest.mark.parametrize(("operation", "sql", "answer"), ASKED)
def test_all_rows_stated_are_present_and_known_to_be_retrieved(shop, operation, sql, answer):
    assert diagnosed(shop, operation, sql, answer, pages(), ["mills"]) == (FactEvidence.PRESENT, True)
    assert diagnosed(shop, operation, sql, answer, pages(), ["osten"]) == (FactEvidence.PRESENT, False)


@pytest.mark.parametrize(("operation", "sql", "answer"), ASKED)
def test_a_row_that_no_page_states_is_a_gap(shop, operation, sql, answer):
    assert diagnosed(shop, operation, sql, answer, pages(ROWS[:2]), ["mills"])[0] is FactEvidence.ABSENT


def test_the_page_with_the_answer_alone_is_not_enough(shop):
    """The latest date was on a retrieved page, and other rows on one that was not: no fault of the language model."""
    first, other = pages(ROWS[1:2])
    rest = Document(id="rest", title="Northwick Mills, continued", text=pages((ROWS[0], ROWS[2]))[0].text)
    evidence = diagnosed(shop, "latest", LATEST, "2022-06-09", [first, other, rest], ["mills"])
    assert evidence == (FactEvidence.PRESENT, False)


def test_without_a_database_a_row_says_nothing_of_the_latest(shop):
    evidence, _ = diagnosed("sqlite:////nowhere.sqlite", "latest", LATEST, "2022-06-09", pages(), ["mills"])
    assert evidence is FactEvidence.UNDECIDED


def test_one_row_is_enough_where_any_is_asked_for(shop):
    assert diagnosed(shop, "existence", ANY, "yes", pages(ROWS[:1]), ["mills"]) == (FactEvidence.PRESENT, True)


def test_an_answer_that_the_database_no_longer_gives_is_undecided(shop):
    assert diagnosed(shop, "latest", LATEST, "1999-01-01", pages(), ["mills"])[0] is not FactEvidence.PRESENT
    assert diagnosed(shop, "count", COUNT, "30", pages(), ["mills"])[0] is FactEvidence.UNDECIDED


def test_a_look_up_in_another_table_is_stated_by_two_pages(shop):
    staff = Document(
        id="staff",
        title="Staff",
        text="| Name | Here since |\n|---|---|\n| Ada Miller | 3 February 2011 |\n| Tom Birch | 6 May 2014 |",
    )
    documents = [*pages(text="Served by: Ada Miller"), staff]
    question = "What is the hire date of the agent of the client 'Northwick Mills'?"
    asked = ("look-up", CHAIN, "2011-02-03")
    assert diagnosed(shop, *asked, documents, ["mills"], question) == (FactEvidence.PRESENT, False)
    assert diagnosed(shop, *asked, documents, ["mills", "staff"], question) == (FactEvidence.PRESENT, True)
    assert diagnosed(shop, *asked, documents[:2], ["mills"], question)[0] is FactEvidence.ABSENT


def test_rows_stand_under_the_title_of_the_subject_s_own_page(shop):
    """The ledger calls the client by the title of its page; the question, by the name that the page has as an entry."""
    own = Document(id="client:1", title="The Old Mill", text="Name: Northwick Mills\nServed by: Ada Miller")
    lines = "".join(f"| The Old Mill | {day} | {amount} |\n" for _, day, amount in ROWS)
    ledger = Document(id="ledger", title="Ledger", text=f"| Who | Placed on | Amount |\n|---|---|---|\n{lines}")
    asked = ("total", TOTAL, "59.75")
    found = diagnosed(shop, *asked, [own, ledger], ["ledger"], gold=("client:1",))
    assert found == (FactEvidence.PRESENT, False)
    found = diagnosed(shop, *asked, [own, ledger], ["ledger", "client:1"], gold=("client:1",))
    assert found == (FactEvidence.PRESENT, True)


def test_the_rows_of_a_comparison_are_all_of_the_table(shop):
    with DatabaseSource.connect(shop) as database:
        needed = needed_statement(OLDER, database.schema)
        assert needed is not None
        assert database.query(needed.safe.sql, {}).rows == (
            ("Northwick Mills", 1, "2015-01-01"),
            ("Osten Works", 2, "2017-01-01"),
        )


STAFF = [
    Document(id="ada", title="Ada Miller", text="Ada Miller was hired on 3 February 2011."),
    Document(id="tom", title="Tom Birch", text="Tom Birch was hired on 6 May 2014."),
]
OF_STAFF = [
    ("between", BETWEEN, "2", ("2011-01-01", "2014-12-31"), "How many agents were hired between 2011 and 2014?"),
    ("which of two", WHICH, "Ada Miller", ("Ada Miller", "Tom Birch"), "Who was hired earlier?"),
]


@pytest.mark.parametrize(("operation", "sql", "answer", "params", "question"), OF_STAFF)
def test_between_needs_what_lies_there_and_which_of_two_needs_both(shop, operation, sql, answer, params, question):
    def found(documents, retrieved):
        return diagnosed(shop, operation, sql, answer, documents, retrieved, question, params=params)

    assert found(STAFF, ["ada", "tom"]) == (FactEvidence.PRESENT, True)
    assert found(STAFF, ["ada"]) == (FactEvidence.PRESENT, False)
    silent = Document(id="tom", title="Tom Birch", text="Tom Birch likes tea.")
    assert found([STAFF[0], silent], ["ada"])[0] is FactEvidence.ABSENT


def test_what_lies_outside_of_two_bounds_is_not_needed(shop):
    bounds = ("2011-01-01", "2012-12-31")
    question = "How many agents were hired between 2011 and 2012?"
    found = diagnosed(shop, "between", BETWEEN, "1", STAFF[:1], ["ada"], question, params=bounds)
    assert found == (FactEvidence.PRESENT, True)


def test_rows_without_a_name_between_two_bounds_are_not_guessed(shop):
    with DatabaseSource.connect(shop) as database:
        sql = BETWEEN.replace('"agent"', '"purchase"').replace('"hired"', '"amount"')
        assert needed_statement(sql, database.schema) is None


@pytest.mark.parametrize(
    "sql",
    [
        'SELECT COUNT(*) FROM "client" AS "c" UNION SELECT 1',
        'SELECT COUNT(*) FROM (SELECT "name" FROM "client") AS "c"',
        'SELECT COUNT("c"."purchase_id") FROM "purchase" AS "c" GROUP BY "c"."client_id" HAVING COUNT(*) > 1',
    ],
)
def test_what_a_statement_does_not_show_is_not_guessed(shop, sql):
    with DatabaseSource.connect(shop) as database:
        assert needed_statement(sql, database.schema) is None
        assert chain_statement(sql, database.schema) is None
