"""Pages of a stranger's blood bank: registers with several donors, roles on many pages, totals in a CSV file."""

from dataclasses import replace

import pytest

from core.diagnosis.service.facts.search import FactSearch
from core.domain.results.responses import Context, Response, Score
from core.domain.results.runs import VERDICT_METRIC
from core.domain.sources.chunks import Chunk
from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from tests.support.databases.sqlite_files import sqlite_file
from tests.support.databases.working_databases import rows_behind

SCRIPT = """
CREATE TABLE depot (code TEXT PRIMARY KEY, name TEXT UNIQUE, town TEXT, litres INTEGER);
CREATE TABLE giver (number TEXT PRIMARY KEY, depot_code TEXT REFERENCES depot (code));
CREATE TABLE gift (id INTEGER PRIMARY KEY, depot_code TEXT REFERENCES depot (code));
CREATE TABLE clerk (id INTEGER PRIMARY KEY, full_name TEXT UNIQUE, role TEXT, boss_id INTEGER REFERENCES clerk (id),
    depot_code TEXT REFERENCES depot (code));
INSERT INTO depot VALUES ('HER', 'Heron Hall', 'Averley', 60), ('LIM', 'Lime Annex', 'Sorrel', 90);
INSERT INTO giver VALUES ('G-41', 'HER'), ('G-42', 'LIM'), ('G-43', 'HER'), ('G-44', 'LIM'), ('G-45', 'HER');
INSERT INTO gift VALUES (1, 'HER'), (2, 'HER'), (3, 'HER'), (4, 'LIM'), (5, 'LIM');
INSERT INTO clerk VALUES (1, 'Maud Oke', 'head nurse', NULL, 'LIM'), (2, 'Colm Dee', 'porter', 1, 'HER'),
    (3, 'Ida Roe', 'cook', 1, 'HER');
"""
REGISTER = Document(
    id="register-4",
    title="Register, page 4",
    text="\n\n".join(
        f"Giver {number}, {name}, was born in {year}. Body weight on record: {weight} kg. "
        f"{name.split()[0]} usually gives at {depot} and first gave in 2014."
        for number, name, year, weight, depot in (
            ("G-41", "Orla Dunne", 1961, 71, "Heron Hall"),
            ("G-42", "Iris Lomax", 1962, 72, "Lime Annex"),
            ("G-43", "Tam Poole", 1963, 73, "Heron Hall"),
            ("G-44", "Vera Quill", 1964, 74, "Lime Annex"),
            ("G-45", "Zeb Birch", 1965, 75, "Heron Hall"),
        )
    ),
)
HERON = Document(id="heron", title="Heron Hall", text="Heron Hall is a depot of the service, based in Averley.")
LIME = Document(id="lime", title="Lime Annex", text="Lime Annex is a depot of the service, based in Sorrel.")
COLM = Document(
    id="colm",
    title="Staff: Colm Dee",
    text="Colm Dee works as porter at Heron Hall. The line manager is Maud Oke, head nurse.",
)
MAUD = Document(
    id="maud", title="Staff: Maud Oke", text="Maud Oke works as head nurse at Lime Annex. Any head nurse may sign."
)
HOUSE = Document(id="house", title="House rules", text="The head nurse opens the door. Ask the head nurse for keys.")
TOTALS = Document(
    id="totals.csv", title="totals", text="code: HER; name: Heron Hall; gifts: 3\ncode: LIM; name: Lime Annex; gifts: 2"
)
RAW = Document(id="totals.csv", title="totals", text="code,name,gifts\nHER,Heron Hall,3\nLIM,Lime Annex,2")
PAGES = (REGISTER, HERON, LIME, COLM, MAUD, HOUSE, TOTALS)

LITRES = "SELECT depot.litres FROM giver JOIN depot ON giver.depot_code = depot.code WHERE giver.number = :p0"
TOWN = "SELECT depot.town FROM giver JOIN depot ON giver.depot_code = depot.code WHERE giver.number = :p0"
BOSS = (
    "SELECT depot.name FROM clerk JOIN clerk AS boss ON clerk.boss_id = boss.id "
    "JOIN depot ON boss.depot_code = depot.code WHERE clerk.full_name = :p0"
)
GIFTS = "SELECT COUNT(*) FROM depot AS p JOIN gift AS c ON c.depot_code = p.code WHERE p.name = :p0 GROUP BY p.code"


def case(sql: str, asked: str, value: str, reference: str, tables: tuple[str, ...], **attributes: str) -> TestCase:
    return TestCase(
        case_id=f"{asked} {value}",
        question=f"{asked} '{value}'?",
        reference_answers=(reference,),
        group_id=f"{asked} {value}",
        sql=sql,
        sql_template_id=asked,
        sql_params={"p0": value},
        tables=tables,
        attributes=attributes,
    )


GIVERS = {"G-41": ("60", "Averley"), "G-42": ("90", "Sorrel"), "G-43": ("60", "Averley"), "G-44": ("90", "Sorrel")}
LITRES_OF = [
    case(LITRES, "What can the depot store of giver", giver, litres, ("giver", "depot"), asks_for="depot.litres")
    for giver, (litres, _) in GIVERS.items()
]
TOWN_OF = [
    case(TOWN, "What is the town of the depot of giver", giver, town, ("giver", "depot"), asks_for="depot.town")
    for giver, (_, town) in GIVERS.items()
]
BOSS_OF = [
    case(BOSS, "What is the depot of the boss of clerk", name, "Lime Annex", ("clerk", "depot"), asks_for="depot.name")
    for name in ("Colm Dee", "Ida Roe")
]
GIFTS_OF = [
    case(
        GIFTS,
        "How many gifts has the depot",
        name,
        number,
        ("depot", "gift"),
        asks_for="gift (count)",
        operation="count",
    )
    for name, number in (("Heron Hall", "3"), ("Lime Annex", "2"))
]


@pytest.fixture
def search(tmp_path):
    with rows_behind(sqlite_file(tmp_path / "blood.sqlite", SCRIPT)) as behind:
        yield FactSearch(PAGES, {}, [*LITRES_OF, *TOWN_OF, *BOSS_OF, *GIFTS_OF], behind)


def diagnosed(search: FactSearch, asked: TestCase, *passages: Document):
    contexts = tuple(Context(document_id=page.id, text=page.text) for page in passages)
    response = Response(case_id=asked.case_id, answer="The documents do not say.", contexts=contexts)
    wrong = Score(case_id=asked.case_id, metric=VERDICT_METRIC, value=0.0, status=Status.SCORED)
    finding, in_context = search.search([asked], [asked], {asked.case_id: response}, {asked.case_id: wrong})
    return finding, in_context[asked.case_id]


def test_where_a_giver_gives_does_not_say_what_the_depot_can_store(search):
    """All who give at Heron Hall share the 60 litres: the sentence was taken for how documents word the figure."""
    finding, in_context = diagnosed(search, LITRES_OF[0], REGISTER, LIME)
    assert finding.evidence is not FactEvidence.PRESENT
    assert in_context is not True


def test_a_register_goes_on_about_a_giver_until_the_next_one(search):
    finding, without_register = diagnosed(search, TOWN_OF[1], LIME, HERON)
    assert finding.evidence is FactEvidence.PRESENT
    assert without_register is False, "which depot it is stands in the register alone"
    assert diagnosed(search, TOWN_OF[1], LIME, REGISTER)[1] is True


def test_a_role_that_stands_on_more_pages_is_no_name(search):
    finding, in_context = diagnosed(search, BOSS_OF[0], COLM, HOUSE)
    assert finding.evidence is FactEvidence.PRESENT
    assert set(finding.document_ids) >= {"colm", "maud"}
    assert in_context is False
    assert diagnosed(search, BOSS_OF[0], COLM, MAUD)[1] is True


@pytest.mark.parametrize("passage", [TOTALS, RAW])
def test_a_total_in_a_table_states_a_count(search, passage):
    finding, in_context = diagnosed(search, GIFTS_OF[0], passage)
    assert (finding.evidence, finding.document_id) == (FactEvidence.PRESENT, "totals.csv")
    assert in_context is True
    assert diagnosed(search, GIFTS_OF[0], HERON)[1] is False


def test_passages_of_one_document_are_read_together(search):
    """The second passage of a document took the place of the first."""
    halves = REGISTER.text.split("\n\n")
    pieces = [Document(id=REGISTER.id, title="", text=text) for text in (halves[1], halves[3])]
    assert diagnosed(search, TOWN_OF[1], *pieces, LIME)[1] is True


WRITTEN = TestCase(
    case_id="q",
    question="According to Lime Annex, is it based in Averley?",
    reference_answers=("No",),
    group_id="g",
    gold_document_ids=("lime",),
    gold_chunk_ids=("chk_1",),
)


def test_a_question_that_was_written_from_a_passage_is_stated_by_it(search):
    """No page says "No": the passage that the question was written from is the evidence."""
    chunk = Chunk(id="chk_1", document_id="lime", position=0, text=LIME.text, section=(), page=None, start=0, end=9)
    search.grounded.know([chunk])
    finding, in_context = diagnosed(search, WRITTEN, HERON, LIME)
    assert (finding.evidence, finding.document_id, finding.passage) == (FactEvidence.PRESENT, "lime", LIME.text)
    assert in_context is True
    assert diagnosed(search, WRITTEN, HERON)[1] is False


def test_a_passage_that_the_corpus_has_no_more_states_nothing(search):
    assert diagnosed(search, WRITTEN, LIME)[0].evidence is not FactEvidence.PRESENT


def test_what_a_target_had_is_unknown_where_a_wording_was_written_from_a_passage_that_is_gone(search):
    chunk = Chunk(id="chk_1", document_id="lime", position=0, text=LIME.text, section=(), page=None, start=0, end=9)
    search.grounded.know([chunk])
    contexts = [Context(text=LIME.text, document_id="lime")]
    assert search.grounded.in_context(WRITTEN, contexts) is True
    assert search.grounded.in_context(replace(WRITTEN, gold_chunk_ids=("chk_1", "chk_gone")), contexts) is None


def test_gifts_that_no_page_tells_of_a_giver_are_a_gap(tmp_path):
    """The register opens a paragraph with each giver and tells of no gift: nobody could count them."""
    sql = "SELECT COUNT(*) FROM giver AS p JOIN visit AS c ON c.giver = p.number WHERE p.number = :p0 GROUP BY p.number"
    script = (
        "CREATE TABLE giver (number TEXT PRIMARY KEY);"
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, giver TEXT REFERENCES giver (number), on_day DATE);"
        "INSERT INTO giver VALUES ('G-41'), ('G-42');"
        "INSERT INTO visit VALUES (1, 'G-41', '2024-03-22'), (2, 'G-41', '2024-07-20'), (3, 'G-42', '2024-05-02');"
    )
    asked = case(
        sql, "How many visits has", "G-41", "2", ("giver", "visit"), asks_for="visit (count)", operation="count"
    )
    with rows_behind(sqlite_file(tmp_path / "visits.sqlite", script)) as behind:
        finding, _ = diagnosed(FactSearch([REGISTER], {}, [asked], behind), asked, REGISTER)
    assert finding.evidence is FactEvidence.ABSENT


def test_amounts_that_are_kept_in_cents_are_looked_for_as_whole_ones(tmp_path):
    """Pages say 12.94 where the database has 1294: "the documents lack rows that the answer is computed from"."""
    sql = (
        "SELECT COUNT(*) FROM lot AS p JOIN lot AS o ON o.price_cents > p.price_cents WHERE p.number = :p0"
        " GROUP BY p.number"
    )
    script = (
        "CREATE TABLE lot (number TEXT PRIMARY KEY, price_cents INTEGER);"
        "INSERT INTO lot VALUES ('L-41', 1294), ('L-42', 1310), ('L-43', 980);"
    )
    pages = [
        Document(id=f"lot-{number}", title=f"Lot L-{number}", text=f"Lot L-{number} was sold at a price of €{price}.")
        for number, price in ((41, "12.94"), (42, "13.10"), (43, "9.80"))
    ]
    asked = case(
        sql, "How many lots had a higher price than", "L-41", "1", ("lot",), asks_for="lot (count)", operation="compare"
    )
    with rows_behind(sqlite_file(tmp_path / "lots.sqlite", script)) as behind:
        finding, in_context = diagnosed(FactSearch(pages, {}, [asked], behind), asked, *pages)
        assert (finding.evidence, in_context) == (FactEvidence.PRESENT, True)
        finding, _ = diagnosed(FactSearch(pages[:2], {}, [asked], behind), asked, *pages[:2])
    assert finding.evidence is FactEvidence.ABSENT
