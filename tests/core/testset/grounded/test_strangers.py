"""Names as strangers write them: prefixes, cut words, cents, periods, halves of keys, another language."""

import pytest

from core.sources.database import DatabaseSource
from core.sources.database.semantics.proposing import unnamed_tables
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.wordings import word_template
from core.testset.grounded.instantiate import GIVEN_AWAY, instantiate
from core.testset.grounded.references import reference_text
from core.testset.grounded.sql.binding import OutputColumn
from core.testset.grounded.sql.checks import check_sql_template
from tests.support.databases.sqlite_files import sqlite_schema

CLAIMS = """
CREATE TABLE tbl_reason_codes (fld_reason_code TEXT PRIMARY KEY, fld_reason_text TEXT);
CREATE TABLE tbl_societies (fld_soc_id INTEGER PRIMARY KEY, fld_soc_name TEXT UNIQUE, fld_hq_country TEXT);
CREATE TABLE tbl_policies (fld_pol_id INTEGER PRIMARY KEY, fld_policy_no TEXT UNIQUE NOT NULL, fld_incept_dt DATE,
    fld_cover_until DATE, fld_paid_cents INTEGER, fld_actual_hours REAL, fld_requested_by TEXT, fld_refers_to TEXT,
    fld_floor_area_m2 REAL, fld_soc_id INTEGER REFERENCES tbl_societies,
    fld_reason_code TEXT REFERENCES tbl_reason_codes);
INSERT INTO tbl_reason_codes VALUES ('ELEC', 'Electrical fault'), ('MECH', 'Mechanical fault'), ('OPR', 'No operator');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
INSERT INTO tbl_societies SELECT i, 'Club ' || char(64 + i), CASE i % 2 WHEN 0 THEN 'Spain' ELSE 'Malta' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO tbl_policies SELECT i, 'P-' || (500 + i), date('2020-01-01', (i * 9) || ' days'),
    date('2023-01-01', (i * 7) || ' days'), i * 1234, i / 2.0, 'Ann ' || char(64 + i % 26), 'x' || i, i * 7.5,
    1 + i % 9, CASE i % 3 WHEN 0 THEN 'ELEC' WHEN 1 THEN 'MECH' ELSE 'OPR' END FROM n;
"""
COLLEGE = """
CREATE TABLE room (hall TEXT, room_no TEXT, seats INTEGER, PRIMARY KEY (hall, room_no));
CREATE TABLE faculty (fac_code TEXT PRIMARY KEY, fac_name TEXT);
CREATE TABLE department (dept_code TEXT PRIMARY KEY, dept_name TEXT, fac_code TEXT REFERENCES faculty);
CREATE TABLE staff (staff_no INTEGER PRIMARY KEY, forename TEXT, surname TEXT);
CREATE TABLE module (dept_code TEXT REFERENCES department, module_no INTEGER, module_title TEXT,
    PRIMARY KEY (dept_code, module_no));
CREATE TABLE lesson (dept_code TEXT, module_no INTEGER, term TEXT, lecturer INTEGER REFERENCES staff, hall TEXT,
    room_no TEXT, seats_taken INTEGER, PRIMARY KEY (dept_code, module_no, term),
    FOREIGN KEY (dept_code, module_no) REFERENCES module, FOREIGN KEY (hall, room_no) REFERENCES room);
INSERT INTO faculty VALUES ('SC', 'Science'), ('HU', 'Humanities');
INSERT INTO staff VALUES (101, 'Ann', 'Lee'), (102, 'Bo', 'Ray'), (103, 'Cy', 'Orr');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
INSERT INTO department SELECT 'D' || i, 'Study ' || char(64 + i), CASE i % 2 WHEN 0 THEN 'SC' ELSE 'HU' END FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO room SELECT 'Hall ' || (i % 3), '0.' || i, 10 * i FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO module SELECT 'D' || (1 + i % 9), 100 + i, 'Theory ' || char(64 + i) FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
INSERT INTO lesson SELECT 'D' || (1 + i % 9), 100 + i, 'Spring', 101 + i % 3, 'Hall ' || (i % 3), '0.' || i, i FROM n;
"""
QUARRY = """
CREATE TABLE employee (emp_no INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, member_since DATE);
CREATE TABLE stone (stone_id INTEGER PRIMARY KEY, stone_name TEXT UNIQUE, delisted_on DATE, shares NUMERIC(9, 2));
CREATE TABLE slab (slab_no TEXT PRIMARY KEY, stone_id INTEGER REFERENCES stone, cut_by INTEGER REFERENCES employee,
    fitter_emp_no INTEGER REFERENCES employee, found_on DATE, prod_dt DATE, polishing_time_min INTEGER, vol_l REAL);
CREATE TABLE price (price_id INTEGER PRIMARY KEY, stone_id INTEGER REFERENCES stone, price_date DATE,
    price NUMERIC(9, 2));
CREATE TABLE grade (grade_code TEXT PRIMARY KEY, grade_name TEXT UNIQUE, since DATE, opened_yr INTEGER, to_date DATE,
    qty_packs INTEGER, open_since INTEGER, paid_eur NUMERIC(9, 2));
CREATE TABLE fee (stone_id INTEGER REFERENCES stone, grade_code TEXT REFERENCES grade, amount NUMERIC(9, 2),
    PRIMARY KEY (stone_id, grade_code));
CREATE TABLE refund (refund_id INTEGER PRIMARY KEY, stone_id INTEGER REFERENCES stone, refunded_on DATE, reason TEXT,
    refunded_by INTEGER REFERENCES employee, guest_no INTEGER REFERENCES guest, loads_per_hr INTEGER);
CREATE TABLE guest (guest_no INTEGER PRIMARY KEY, country TEXT);
INSERT INTO grade VALUES ('A1', 'Fine', '2001-02-03', 1990, '2021-02-03', 7, 1991, 5.5),
    ('B1', 'Coarse', '2002-02-03', 1995, '2022-02-03', 8, 1996, 6.5),
    ('C1', 'Raw', '2003-02-03', 1999, '2023-02-03', 9, 1997, 7.5);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, emp_no INTEGER REFERENCES employee, sale_date DATE, payment_date DATE);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6)
INSERT INTO employee SELECT 100 + i, 'Ann', 'Lee ' || char(64 + i), date('2010-01-01', (i * 90) || ' days') FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)
INSERT INTO stone SELECT i, 'Stone ' || char(64 + i), date('2020-01-01', (i * 9) || ' days'), i * 1.5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO slab SELECT 'S' || (i * 7), 1 + i % 9, 101 + i % 6, 101 + i % 5, date('2021-01-01', (i * 9) || ' days'),
    date('2022-01-01', (i * 9) || ' days'), 10 + i, i * 3.5 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
INSERT INTO price SELECT i, 1 + i % 9, date('2021-01-01', (i * 9) || ' days'), i * 2.25 FROM n;
INSERT INTO fee SELECT stone_id, grade_code, stone_id * 3.5 FROM stone, grade;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
INSERT INTO refund SELECT i, 1 + i % 9, date('2021-01-01', (i * 9) || ' days'), 'Crack ' || i,
    101 + i % 6, 7000 + i % 7 * 3,
    i * 25 FROM n;
INSERT INTO guest VALUES (7000, 'Italy'), (7003, 'Spain'), (7006, 'Peru'), (7009, 'Cuba'), (7012, 'Chad'),
    (7015, 'Mali'), (7018, 'Oman'), (7021, 'Iran'), (7024, 'Togo');
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30)
INSERT INTO sale SELECT i, 101 + i % 6, date('2021-01-01', (i * 9) || ' days'), date('2021-02-01', (i * 9) || ' days')
FROM n;
"""
GERMAN = """
CREATE TABLE kunde (kundennummer TEXT PRIMARY KEY, vorname TEXT, nachname TEXT, geburtsdatum DATE, wohnort TEXT);
CREATE TABLE auftrag (auftragsnummer TEXT PRIMARY KEY, kundennummer TEXT REFERENCES kunde, bestelldatum DATE,
    gesamtbetrag REAL, bezeichnung TEXT, lieferdatum DATE);
INSERT INTO kunde VALUES ('K1', 'Anna', 'Huber', '1980-02-03', 'Graz'), ('K2', 'Max', 'Lang', '1990-02-03', 'Linz');
INSERT INTO auftrag VALUES ('A1', 'K1', '2024-01-02', 9.5, 'Rad', '2024-02-02');
"""


def asked(schema):
    """Every question about a schema."""
    templates = propose_templates(schema, limit=200)
    return {text.text for one in templates for text in word_template(one, schema, form="interrogative", n=4)}


@pytest.fixture(scope="module")
def claims(tmp_path_factory):
    return sqlite_schema(tmp_path_factory.mktemp("claims") / "claims.sqlite", CLAIMS)


@pytest.fixture(scope="module")
def questions(claims):
    return asked(claims)


@pytest.mark.parametrize(
    "question",
    [
        "What is the inception date of policy '[tbl_policies.fld_policy_no]'?",
        "What is the end of the cover of policy '[tbl_policies.fld_policy_no]'?",
        "What is the amount paid of policy '[tbl_policies.fld_policy_no]'?",
        "What are the actual hours of policy '[tbl_policies.fld_policy_no]'?",
        "Who requested policy '[tbl_policies.fld_policy_no]'?",
        "What is the floor area in square metres of policy '[tbl_policies.fld_policy_no]'?",
        "What is the headquarters country of the society '[tbl_societies.fld_soc_name]'?",
        "What is the code of the reason '[tbl_reason_codes.fld_reason_text]'?",
        "How many policies are there with the reason '[tbl_reason_codes.fld_reason_text]'?",
        "What is the total amount paid of the policies of the society '[tbl_societies.fld_soc_name]'?",
    ],
)
def test_what_names_mean_is_asked_in_the_words_people_use(questions, question):
    assert question in questions


@pytest.fixture(scope="module")
def quarry(tmp_path_factory):
    return asked(sqlite_schema(tmp_path_factory.mktemp("quarry") / "quarry.sqlite", QUARRY))


@pytest.mark.parametrize(
    "question",
    [
        "How many slabs were cut by the employee '[employee.first_name] [employee.last_name]'?",
        "Who is the fitter of slab '[slab.slab_no]'?",
        "Who cut slab '[slab.slab_no]'?",
        "What is the start date of the grade '[grade.grade_name]'?",
        "What is the end date of the grade '[grade.grade_name]'?",
        "In which year did the grade '[grade.grade_name]' open?",
        "How many packs does the grade '[grade.grade_name]' have?",
        "Since when has the grade '[grade.grade_name]' been open?",
        "What is the amount paid in euros of the grade '[grade.grade_name]'?",
        "What is the reason of the refund of '[refund.refunded_on]' made by the employee "
        "'[employee.first_name] [employee.last_name]'?",
        "What is the fee for the stone '[stone.stone_name]' and the grade '[grade.grade_name]'?",
        "How many refunds were made by the employee '[employee.first_name] [employee.last_name]'?",
        "How many refunds were there between [refund.refunded_on#1] and [refund.refunded_on#2], both days included?",
        "Since when has the employee who cut the slab '[slab.slab_no]' been a member?",
        "How many stones have more shares than the stone '[stone.stone_name]'?",
        "Since when has the employee '[employee.first_name] [employee.last_name]' been a member?",
        "When was slab '[slab.slab_no]' found?",
        "When was the stone '[stone.stone_name]' delisted?",
        "How many shares does the stone '[stone.stone_name]' have?",
        "What is the production date of slab '[slab.slab_no]'?",
        "What is the polishing time in minutes of slab '[slab.slab_no]'?",
        "What is the volume in litres of slab '[slab.slab_no]'?",
        "What is the date of the latest price of the stone '[stone.stone_name]'?",
        "What is the payment date of the sale dated '[sale.sale_date]' handled by the employee "
        "'[employee.first_name] [employee.last_name]'?",
    ],
)
def test_deeds_dates_and_units_are_said_as_people_say_them(quarry, question):
    assert question in quarry


@pytest.mark.parametrize(
    "said", ["date found", "prices have a", "fitter employee", "as member", "price '", "refunded by", "HR"]
)
def test_nobody_says_what_a_column_says_twice(quarry, said):
    assert not [question for question in quarry if said in question]


def test_a_name_that_makes_no_phrase_is_not_asked_for(questions):
    assert not [question for question in questions if "refers" in question or " entry" in question]


def test_amounts_in_cents_are_answered_in_whole_ones(claims):
    paid = OutputColumn(source="p", table="tbl_policies", column="fld_paid_cents", name="fld_paid_cents")
    assert claims.table("tbl_policies").column("fld_paid_cents").unit == "cents"
    assert reference_text([123450], [paid], claims) == "1234.50"


def test_neither_half_of_a_key_nor_a_far_code_is_an_answer(tmp_path):
    schema = sqlite_schema(tmp_path / "college.sqlite", COLLEGE)
    questions = asked(schema)
    assert not [question for question in questions if "hall of the lesson" in question or "room number" in question]
    assert not [question for question in questions if question.count("[module.module_title]") > 1]
    # The faculty of a module's department is "Science", and never "SC".
    statements = [one.sql for one in propose_templates(schema, limit=200)]
    assert not [sql for sql in statements if sql.startswith("SELECT department.fac_code FROM module")]
    tied = "the lesson of the lecturer '[staff.forename] [staff.surname]' and the module '[module.module_title]'"
    assert [question for question in questions if tied in question]


def test_names_in_another_language_are_not_asked_about_but_listed(tmp_path):
    schema = sqlite_schema(tmp_path / "german.sqlite", GERMAN)
    assert asked(schema) == set()
    assert unnamed_tables(schema) == ["auftrag", "kunde"]


def test_a_look_up_whose_name_holds_the_answer_is_left_out(tmp_path):
    path = tmp_path / "clinics.sqlite"
    sqlite_schema(
        path,
        "CREATE TABLE clinic (clinic_id INTEGER PRIMARY KEY, clinic_name TEXT UNIQUE, city TEXT);"
        "INSERT INTO clinic VALUES (1, 'Porto Clinic', 'Porto'), (2, 'Sea View', 'Lagos'), (3, 'Hill House', 'Faro');",
    )
    with DatabaseSource.connect(f"sqlite:///{path}") as source:
        template = next(one for one in propose_templates(source.schema) if one.sql.startswith("SELECT city"))
        review = check_sql_template(template, source)
        texts = word_template(template, source.schema, form="short", n=1)
        filled = instantiate(source, [template], texts)
    assert review.questions == len(filled.cases) == 2
    assert filled.drops == {GIVEN_AWAY: 1}


@pytest.mark.parametrize(
    ("value", "answer"),
    [(37.5, "37.50"), (4.0, "4"), (12, "12"), ("Ann", "Ann")],
    ids=["part", "whole", "count", "text"],
)
def test_a_computed_amount_has_two_decimals(claims, value, answer):
    assert reference_text([value], [OutputColumn(source="", table="", column="", name="SUM")], claims) == answer
