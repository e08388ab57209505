"""Templates beyond look-ups: the set-based answers, the lists, the words, the mix."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest

from core.domain.testset.templates import SqlTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded.beyond.plan import Kind
from core.testset.grounded.beyond.proposing import propose_templates
from core.testset.grounded.beyond.wordings import word_template
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.checks import check_sql_template
from core.testset.grounded.sql.combinations import combinations, is_set_based
from core.testset.grounded.sql.operations import DIFFICULTY, operation
from core.testset.grounded.wording.frames import FRAMES
from tests.support.databases.source_servers import KINDS, database

SHOP = (
    "CREATE TABLE category (id int PRIMARY KEY, name varchar(40))",
    "CREATE TABLE staff (id int PRIMARY KEY, first_name varchar(20), last_name varchar(20), hire_date date)",
    "CREATE TABLE product (id int PRIMARY KEY, name varchar(40), colour varchar(10), price numeric(10,2),"
    " category_id int, FOREIGN KEY (category_id) REFERENCES category (id))",
    "CREATE TABLE sale (id int PRIMARY KEY, product_id int, staff_id int, sale_date date, amount numeric(10,2),"
    " FOREIGN KEY (product_id) REFERENCES product (id), FOREIGN KEY (staff_id) REFERENCES staff (id))",
    "INSERT INTO category VALUES (1, 'Tea'), (2, 'Coffee'), (3, 'Cakes')",
    "INSERT INTO staff VALUES (1, 'Ann', 'Lee', '2001-02-03'), (2, 'Ann', 'Ray', '2002-02-03'),"
    " (3, 'Bo', 'Lee', '2003-02-03')",
    "INSERT INTO product VALUES (1, 'Assam', 'black', 4.50, 1), (2, 'Sencha', 'green', 6, 1),"
    " (3, 'Matcha', 'green', 19.99, 1), (4, 'Earl Grey', 'black', 5, 1), (5, 'Espresso', 'black', 3, 2),"
    " (6, 'Mocha', 'brown', 3, 2), (7, 'Filter', 'brown', 2, 2), (8, 'Latte', 'white', 3.5, 2)",
    "INSERT INTO sale VALUES (1, 1, 1, '2020-01-01', 9), (2, 1, 2, '2020-02-01', 4.5), (3, 3, 1, '2020-03-01', 19.99),"
    " (4, 5, 3, '2020-01-05', 3), (5, 5, 3, '2020-04-05', 6.1), (6, 8, 1, '2020-05-05', 7), (7, 2, 1, '2020-01-01', 6)",
)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_one_statement_gives_what_one_query_for_each_combination_gives(kind: str, tmp_path: Path) -> None:
    with database(kind, SHOP, tmp_path) as address, DatabaseSource.connect(address) as source:
        templates = propose_templates(source.schema, limit=200)
        kinds: Counter[str] = Counter()
        for template in templates:
            bound = bind(template.sql, source.schema)
            kinds[operation(bound)] += 1
            assert is_set_based(bound) or operation(bound) == "between", template.sql
            together = {item.values: sorted(map(repr, item.answers)) for item in combinations(source, bound)}
            columns = [
                source.query(f"SELECT DISTINCT {placed.column.name} FROM {placed.table.name}").rows
                for placed in bound.placeholders
            ]
            one_by_one = {}
            for values in product(*([row[0] for row in rows if row[0] is not None] for rows in columns)):
                tokens = [placed.placeholder for placed in bound.placeholders]
                if tokens[-1].number and values[0] == values[-1]:
                    continue  # two values of one column are different ones
                params = {placed.parameter: value for placed, value in zip(bound.placeholders, values, strict=True)}
                if rows := source.query(bound.sql, params).rows:
                    one_by_one[values] = sorted(map(repr, dict.fromkeys(rows)))
            assert together == one_by_one, template.sql
        assert set(kinds) == set(DIFFICULTY)
        assert sum(kinds.values()) - kinds["look-up"] >= len(templates) / 3


@pytest.mark.slow
def test_answers_and_words(tmp_path: Path) -> None:
    with database("sqlite", SHOP, tmp_path) as address, DatabaseSource.connect(address) as source:
        templates = [
            template
            for template in propose_templates(source.schema, limit=200)
            if check_sql_template(template, source).template.approvable
        ]
        texts = [
            text
            for template in templates
            for form in FRAMES
            for text in word_template(template, source.schema, form=form, n=4)
        ]
        cases = instantiate(source, templates, texts, balanced=False).cases
    answers = {case.question: case.reference_answers for case in cases}
    assert answers["How many products does the category 'Tea' have?"] == ("4",)
    assert answers["How many products does the category 'Cakes' have?"] == ("0",)
    assert answers["Which products of the category 'Coffee' have no sales?"] == ("Filter; Mocha",)
    assert answers["Which product of the category 'Tea' has the highest price?"] == ("Matcha",)
    assert answers["Which three products of the category 'Tea' have the highest price?"] == (
        "Earl Grey; Matcha; Sencha",
    )
    assert answers["What are the products of the category 'Coffee'?"] == ("Espresso; Filter; Latte; Mocha",)
    assert answers["What is the total amount of the sales handled by the staff member 'Ann Lee'?"] == ("41.99",)
    assert answers["When was the latest sale of the product 'Espresso'?"] == ("2020-04-05",)
    assert answers["How many products have the colour 'green'?"] == ("2",)
    assert answers["How many staff members have an earlier hire date than the staff member 'Bo Lee'?"] == ("2",)
    assert answers["Does the product 'Mocha' have any sales?"] == ("no",)
    assert answers["Which product costs more, 'Assam' or 'Matcha'?"] == ("Matcha",)
    assert not any(question.startswith("Which product costs more, 'Espresso' or 'Mocha'") for question in answers)
    assert answers["How many sales were there between 2020-01-05 and 2020-03-01, both days included?"] == ("3",)
    assert answers["How many products have a price between 3 and 4.5, both included?"] == ("4",)
    assert "Tell me how many sales there were between 2020-01-05 and 2020-03-01, both days included." in answers
    assert answers["Please state how many products the category 'Tea' has."] == ("4",)
    # Nobody is called Bo Ray: a combination that is not there makes no question, not even one whose answer is 0.
    assert not any("Bo Ray" in question for question in answers)
    by_operation = {case.attributes["operation"]: case.attributes["difficulty"] for case in cases}
    assert by_operation == {name: str(level) for name, level in DIFFICULTY.items()}
    listed = next(case for case in cases if case.question.startswith("Which products of the category 'Coffee'"))
    assert listed.gold_document_ids == ("category:2",)
    pair = next(case for case in cases if case.question == "Which product costs more, 'Assam' or 'Matcha'?")
    assert pair.gold_document_ids == ("product:1", "product:3")


def test_kinds_can_be_chosen(tmp_path: Path) -> None:
    with database("sqlite", SHOP, tmp_path) as address, DatabaseSource.connect(address) as source:
        only = propose_templates(source.schema, kinds=(Kind.COUNT, Kind.TOP))
        assert {operation(bind(template.sql, source.schema)) for template in only} == {"count", "top"}
        assert propose_templates(source.schema) == propose_templates(source.schema)


def test_so_many_of_each_kind_and_then_the_next(tmp_path: Path) -> None:
    with database("sqlite", SHOP, tmp_path) as address, DatabaseSource.connect(address) as source:
        wanted = (Kind.LOOK_UP, Kind.COUNT, Kind.TOP)

        def asked(templates: list[SqlTemplate]) -> Counter[str]:
            return Counter(operation(bind(template.sql, source.schema)) for template in templates)

        first = propose_templates(source.schema, kinds=wanted, each=2)
        assert asked(first) == {"look-up": 2, "count": 2, "top": 1}, "only one amount in the shop can be ranked"
        known = {template.id for template in first}
        after = propose_templates(source.schema, kinds=wanted, each=2, known=known)
        assert asked(after)["look-up"] == 2
        assert not known & {template.id for template in after}
        assert not known & {template.id for template in propose_templates(source.schema, known=known)}


LABORATORY = (
    "CREATE TABLE physician (id int PRIMARY KEY, full_name varchar(40), email varchar(40) UNIQUE)",
    "CREATE TABLE sample (code varchar(10) PRIMARY KEY, taken_on date)",
    "CREATE TABLE test (id int PRIMARY KEY, name varchar(40), cost_amount numeric(10,2))",
    "CREATE TABLE result (sample_code varchar(10), test_id int, verified_by int, PRIMARY KEY (sample_code, test_id),"
    " FOREIGN KEY (sample_code) REFERENCES sample (code), FOREIGN KEY (test_id) REFERENCES test (id),"
    " FOREIGN KEY (verified_by) REFERENCES physician (id))",
    "INSERT INTO physician VALUES (1, 'Ann Lee', 'a@x.org'), (2, 'Bo Ray', 'b@x.org'), (3, 'Cy Day', 'c@x.org')",
    "INSERT INTO sample VALUES ('S1', '2020-01-01'), ('S2', '2020-01-02'), ('S3', '2020-01-03')",
    "INSERT INTO test VALUES (1, 'Glucose', 3), (2, 'Sodium', 4), (3, 'Ferritin', 5)",
    "INSERT INTO result VALUES ('S1', 1, 1), ('S1', 2, 1), ('S2', 1, 1), ('S2', 3, 2), ('S3', 1, 3)",
)


def test_who_stands_beside_a_pair_is_not_had_by_either_and_is_called_by_name(tmp_path: Path) -> None:
    with database("sqlite", LABORATORY, tmp_path) as address, DatabaseSource.connect(address) as source:
        templates = propose_templates(source.schema, limit=200)
        texts = [
            text.text
            for template in templates
            for text in word_template(template, source.schema, form="interrogative", n=1)
        ]
    assert "How many tests does the sample '[sample.code]' have?" in texts
    assert not any("physicians" in text for text in texts)
    assert not any("email" in text for text in texts)
    assert "Which test costs more, '[test.name#1]' or '[test.name#2]'?" in texts


STORE = (
    "CREATE TABLE supplier (id int PRIMARY KEY, name varchar(40))",
    "CREATE TABLE article (id int PRIMARY KEY, name varchar(40), units_in_stock int, length_cm int, supplier_id int,"
    " FOREIGN KEY (supplier_id) REFERENCES supplier (id))",
    "INSERT INTO supplier VALUES (1, 'North'), (2, 'South')",
    "INSERT INTO article VALUES (1, 'Rope', 4, 100, 1), (2, 'Nail', 9, 5, 1), (3, 'Pole', 2, 300, 1),"
    " (4, 'Hook', 7, 8, 2), (5, 'Chain', 1, 250, 2), (6, 'Lamp', 3, 30, 2)",
)


def test_numbers_of_things_and_extents_are_compared_as_people_do(tmp_path: Path) -> None:
    with database("sqlite", STORE, tmp_path) as address, DatabaseSource.connect(address) as source:
        texts = [
            text.text
            for template in propose_templates(source.schema, limit=200)
            for text in word_template(template, source.schema, form="interrogative", n=1)
        ]
    assert "Which article has more units in stock, '[article.name#1]' or '[article.name#2]'?" in texts
    assert "Which article is longer, '[article.name#1]' or '[article.name#2]'?" in texts
    assert "Which article of the supplier '[supplier.name]' has the fewest units in stock?" in texts
    assert "Which article of the supplier '[supplier.name]' has the greatest length in centimetres?" in texts


@pytest.mark.parametrize(
    ("shape", "sorts"), [("{d:02}.{m:02}.{y}", False), ("{m}/{d}/{y}", False), ("{y}-{m:02}-{d:02}", True)]
)
@pytest.mark.parametrize("kind", ["text", "date"])
def test_nothing_is_the_latest_by_dates_that_a_database_sorts_letter_by_letter(
    kind: str, shape: str, sorts: bool, tmp_path: Path
) -> None:
    days = [shape.format(d=1 + place % 28, m=1 + place % 12, y=2015 + place % 9) for place in range(60)]
    script = [
        "CREATE TABLE surveyor (id int PRIMARY KEY, name text UNIQUE)",
        f"CREATE TABLE report (number text PRIMARY KEY, report_date {kind}, cost real, surveyor_id int"
        " REFERENCES surveyor (id))",
        *(f"INSERT INTO surveyor VALUES ({place}, 'Ann {chr(65 + place)}ee')" for place in range(6)),
        *(
            f"INSERT INTO report VALUES ('R-{place:03}', '{day}', {place * 7}, {place % 6})"
            for place, day in enumerate(days)
        ),
    ]
    with database("sqlite", script, tmp_path) as address, DatabaseSource.connect(address) as source:
        templates = [template.sql for template in propose_templates(source.schema, limit=200)]
    by_date = [
        sql for sql in templates if "MAX(c.report_date)" in sql or "report_date >" in sql or "report_date <" in sql
    ]
    assert bool(by_date) is sorts
    assert any(sql.startswith("SELECT report_date FROM") for sql in templates)
