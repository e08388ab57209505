"""Filling templates, on small databases whose every question is known."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.errors import InvalidInput, InvalidTemplate, UnknownName
from core.domain.testset.cases import cases_hash
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded import instantiate as module
from core.testset.grounded.files import read_sql_templates, write_sql_templates
from core.testset.grounded.instantiate import Instantiation, fill, instantiate
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.wording.templates import text_id
from tests.support.databases.sqlite_files import sqlite_file

SHOPS = """
CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE clerk (
    clerk_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, hours REAL, shop_id INTEGER REFERENCES shop(shop_id)
);
INSERT INTO shop VALUES (1, 'North', 'Arden'), (2, 'South', 'Dalby'), (3, 'East', NULL), (4, 'Twin', 'Elstow'),
    (5, 'Twin', 'Farley');
INSERT INTO clerk VALUES (1, 'Ann', 'Lee', 40.0, 1), (2, 'Bo', 'Ray', 37.5, 2);
"""
TOWN = "SELECT town FROM shop WHERE name = '[shop.name]'"
TOWN_IDS = "SELECT town, shop_id FROM shop WHERE name = '[shop.name]'"
CLERK = "SELECT first_name, last_name FROM clerk JOIN shop ON clerk.shop_id = shop.shop_id WHERE name = '[shop.name]'"


def sql_template(sql: str, with_ids: str = "") -> SqlTemplate:
    return SqlTemplate(id=canonical_id(sql, "sqlite"), sql=sql, sql_with_ids=with_ids)


def wordings(template: SqlTemplate, **forms: list[str]) -> list[TextTemplate]:
    return [
        TextTemplate(id=text_id(template.id, form, text), sql_template_id=template.id, form=form, text=text)
        for form, texts in forms.items()
        for text in texts
    ]


@pytest.fixture
def shops(tmp_path):
    with DatabaseSource.connect(sqlite_file(tmp_path / "shops.sqlite", SHOPS)) as source:
        yield source


def made_of(tmp_path: Path, script: str, sql: str, *texts: str, **options: object) -> Instantiation:
    template = sql_template(sql)
    with DatabaseSource.connect(sqlite_file(tmp_path / "made.sqlite", script)) as source:
        return instantiate(source, [template], wordings(template, short=list(texts)), **options)


def test_a_case_carries_its_question_answer_and_provenance(shops):
    template = sql_template(TOWN, TOWN_IDS)
    result = instantiate(shops, [template], wordings(template, short=["Town of '[shop.name]'"]))
    north, south = result.cases
    assert (north.question, north.reference_answers) == ("Town of 'North'", ("Arden",))
    assert (south.question, south.reference_answers) == ("Town of 'South'", ("Dalby",))
    assert north.gold_document_ids == ("shop:1",)
    assert north.sql_params == {"p0": "North"}
    assert ":p0" in north.sql
    assert "shop_id" not in north.sql, "the statement of the answer, without the id columns"
    assert (north.tables, north.sql_template_id, north.form) == (("shop",), template.id, "short")
    assert north.attributes == {
        "asks_for": "shop.town",
        "table": "shop",
        "answer_type": "text",
        "joins": "0",
        "placeholders": "1",
        "operation": "look-up",
        "difficulty": "1",
        "answer_in_question": "no",
    }
    # East has no town; two shops called Twin are in two towns.
    assert result.drops == {"null answer": 1, "several answers": 1}
    assert result.counts == {
        "sql_templates": 1,
        "sql_queries": 2,
        "text_templates": {"short": 1},
        "questions": {"short": 2},
    }


def test_several_answers_and_null_can_be_kept(shops):
    template = sql_template(TOWN)
    texts = wordings(template, short=["Town of '[shop.name]'"])
    several = instantiate(shops, [template], texts, allow_multiple=True)
    assert {case.question: case.reference_answers for case in several.cases}["Town of 'Twin'"] == ("Elstow", "Farley")
    null = instantiate(shops, [template], texts, keep_null=True)
    assert {case.question: case.reference_answers for case in null.cases}["Town of 'East'"] == ()
    assert null.drops == {"several answers": 1}


def test_a_figure_that_two_records_of_one_name_share_is_left_out(tmp_path):
    counted = (
        "SELECT COUNT(*) FROM shop AS p JOIN clerk AS c ON c.shop_id = p.shop_id "
        "WHERE p.name = '[shop.name]' GROUP BY p.shop_id"
    )
    script = SHOPS + "INSERT INTO clerk VALUES (3, 'Di', 'Fox', 10.0, 4), (4, 'Ed', 'Gow', 20.0, 5);"
    result = made_of(tmp_path, script, counted, "How many clerks has '[shop.name]'?")
    # Each of the two shops called Twin has one clerk, and together they have two.
    assert [case.question for case in result.cases] == ["How many clerks has 'North'?", "How many clerks has 'South'?"]
    assert result.drops == {"several records of one name": 1}


def test_two_names_of_a_person_are_one_name(shops):
    template = sql_template(CLERK)
    result = instantiate(shops, [template], wordings(template, short=["Clerk of '[shop.name]'"]))
    assert [case.reference_answers for case in result.cases] == [("Ann Lee",), ("Bo Ray",)]


@pytest.mark.parametrize(
    ("selected", "answer"),
    [
        ("last_name, first_name", "Ann Lee"),
        ("hours, first_name, last_name", "40, Ann Lee"),
        ("first_name, last_name, hours", "Ann Lee, 40"),
        ("first_name, hours", "Ann, 40"),
        ("hours + 1, hours", "41, 40"),
        ("hours", "40"),
    ],
)
def test_answers_of_several_columns(shops, selected, answer):
    template = sql_template(CLERK.replace("first_name, last_name", selected))
    result = instantiate(shops, [template], wordings(template, short=["Clerk of '[shop.name]'"]))
    assert result.cases[0].reference_answers == (answer,)


VALUES = """
CREATE TABLE artist (artist_id INTEGER PRIMARY KEY, name TEXT, home TEXT);
INSERT INTO artist VALUES (1, 'O''Brien'' OR 1=1 --', 'Cork'), (2, '[Artist.Name]', 'Bern'),
    (3, 'Zoe', '[artist.home]');
"""


def test_values_that_look_like_sql_or_placeholders_are_only_values(tmp_path):
    result = made_of(
        tmp_path, VALUES, "SELECT home FROM artist WHERE name = '[artist.name]'", "Home of '[artist.name]'?"
    )
    assert [(case.question, case.reference_answers) for case in result.cases] == [
        ("Home of 'O'Brien' OR 1=1 --'?", ("Cork",)),
        ("Home of 'Zoe'?", ("[artist.home]",)),
        ("Home of '[Artist.Name]'?", ("Bern",)),
    ]
    assert result.cases[0].sql_params == {"p0": "O'Brien' OR 1=1 --"}
    assert "Brien" not in result.cases[0].sql
    assert result.drops == {}


def test_a_placeholder_may_stand_twice(tmp_path):
    result = made_of(
        tmp_path,
        VALUES,
        "SELECT a.home FROM artist a JOIN artist b ON a.artist_id = b.artist_id "
        "WHERE a.name = '[artist.name]' AND b.name = '[artist.name]'",
        "'[artist.name]': home of '[artist.name]'",
    )
    assert [case.question for case in result.cases][1] == "'Zoe': home of 'Zoe'"
    assert len(result.cases) == 3


def test_filling_is_one_pass_whatever_the_letter_case():
    values = {("a", "x"): "[A.y]", ("a", "y"): 12.0}
    assert fill("[A.X] and [a.Y] and [b.z]", values) == "[A.y] and 12 and [b.z]"


def test_two_values_of_one_column_go_through_files_and_into_the_question(tmp_path):
    sql = (
        "SELECT CASE WHEN a.hours > b.hours THEN a.last_name ELSE b.last_name END FROM clerk AS a "
        "JOIN clerk AS b ON a.hours <> b.hours WHERE a.last_name = '[clerk.last_name#1]' "
        "AND b.last_name = '[clerk.last_name#2]'"
    )
    template = sql_template(sql)
    texts = wordings(template, short=["Who works more, '[clerk.last_name#1]' or '[Clerk.last_name#2]'?"])
    write_sql_templates(tmp_path / "sql.json", [template])
    assert read_sql_templates(tmp_path / "sql.json") == [replace(template, origin="import", tables=())]
    other = replace(texts[0], text="Does '[clerk.last_name]' work more?")
    with DatabaseSource.connect(sqlite_file(tmp_path / "made.sqlite", SHOPS)) as source:
        made = instantiate(source, [template], [*texts, other])
    assert made.drops[module.OTHER_PLACEHOLDERS] == 1
    assert [(case.question, case.reference_answers, case.sql_params) for case in made.cases] == [
        ("Who works more, 'Lee' or 'Ray'?", ("Lee",), {"p0": "Lee", "p1": "Ray"}),
        ("Who works more, 'Ray' or 'Lee'?", ("Lee",), {"p0": "Ray", "p1": "Lee"}),
    ]


def test_values_that_nobody_can_ask_or_answer_are_left_out(tmp_path):
    script = """
    CREATE TABLE place (place_id INTEGER PRIMARY KEY, name, note, town TEXT);
    INSERT INTO place VALUES (1, x'ff', 'a', 'Arden'), (2, 'b', x'00', 'Bern'), (3, '  ', 'c', 'Cork'),
        (4, 'd', '', 'Dalby'), (5, 'e', 'kept', 'Elstow'), (6, 1, 'one', 'Farley'), (7, '1', 'text', 'Genf');
    """
    result = made_of(tmp_path, script, "SELECT note FROM place WHERE name = '[place.name]'", "Note of '[place.name]'")
    assert {case.question: case.reference_answers for case in result.cases} == {
        "Note of 'e'": ("kept",),
        "Note of '1'": ("one",),
    }
    # 1 and '1' are two values to the database and one question to people.
    assert result.drops == {"value or answer is not text": 2, "value or answer is blank": 2, module.SAME_QUESTION: 1}
    assert len({case.case_id for case in result.cases}) == len(result.cases)


def test_null_in_one_of_two_columns_is_no_whole_answer(tmp_path):
    script = """
    CREATE TABLE place (name TEXT, town TEXT, country TEXT);
    INSERT INTO place VALUES ('North', 'Arden', NULL), ('South', 'Bern', 'Switzerland');
    """
    sql, text = "SELECT town, country FROM place WHERE name = '[place.name]'", "Town and country of '[place.name]'"
    result = made_of(tmp_path, script, sql, text)
    assert [case.reference_answers for case in result.cases] == [("Bern, Switzerland",)]
    assert result.drops == {"null answer": 1}


def test_answers_that_read_the_same_are_one_reference(tmp_path):
    script = "CREATE TABLE place (name TEXT, rank, town TEXT); INSERT INTO place VALUES ('x', 1, ''), ('x', '1', '');"
    sql, text = "SELECT rank FROM place WHERE name = '[place.name]'", "Rank of '[place.name]'"
    result = made_of(tmp_path, script, sql, text, allow_multiple=True)
    assert [case.reference_answers for case in result.cases] == [("1",)]


def test_a_question_that_holds_its_answer_says_so(tmp_path):
    script = "CREATE TABLE t (name TEXT, town TEXT); INSERT INTO t VALUES ('Bern East', 'Bern'), ('West', 'Bern');"
    result = made_of(tmp_path, script, "SELECT town FROM t WHERE name = '[t.name]'", "Town of '[t.name]'")
    assert {case.question: case.attributes["answer_in_question"] for case in result.cases} == {
        "Town of 'Bern East'": "yes",
        "Town of 'West'": "no",
    }


def test_the_same_question_of_two_templates_is_asked_once(shops):
    town, key = sql_template(TOWN), sql_template(TOWN.replace("SELECT town", "SELECT shop_id"))
    texts = [*wordings(town, short=["About '[shop.name]'"]), *wordings(key, short=["About  '[shop.name]' "])]
    result = instantiate(shops, [town, key], texts)
    # North and South are asked already; East has a key and no town.
    assert [(case.sql_template_id, case.sql_params["p0"]) for case in result.cases] == [
        (town.id, "North"),
        (town.id, "South"),
        (key.id, "East"),
    ]
    assert result.drops[module.SAME_QUESTION] == 2


def test_wordings_of_one_fact_may_differ_in_blanks_only(shops):
    template = sql_template(TOWN)
    result = instantiate(
        shops, [template], wordings(template, short=["Town of '[shop.name]'", "Town of '[shop.name]' "])
    )
    assert result.counts["questions"] == {"short": 4}


def test_balanced_gives_every_group_as_many_questions_in_each_form(shops):
    town, clerk = sql_template(TOWN), sql_template(CLERK)
    texts = [
        *wordings(
            town,
            short=["Town '[shop.name]'", "town of '[shop.name]'", "'[shop.name]': town"],
            long=["Where is '[shop.name]'", "Whereabouts is '[shop.name]'"],
        ),
        *wordings(
            clerk,
            short=["Clerk of '[shop.name]'", "'[shop.name]' clerk"],
            long=["Who works at '[shop.name]'", "Who serves at '[shop.name]'", "Who is at '[shop.name]'"],
        ),
    ]
    result = instantiate(shops, [town, clerk], texts, balanced=True)
    per_group = Counter((case.group_id, case.form) for case in result.cases)
    # 2 towns and 2 clerks; the fewest wordings of a form are 2.
    assert (len(per_group), set(per_group.values())) == (8, {2})
    whole = instantiate(shops, [town, clerk], texts, balanced=False)
    assert whole.counts["questions"] == {"short": 2 * 3 + 2 * 2, "long": 2 * 2 + 2 * 3}


def test_a_template_without_a_wording_in_every_form_is_not_balanced(shops):
    town, clerk = sql_template(TOWN), sql_template(CLERK)
    texts = [
        *wordings(town, short=["Town of '[shop.name]'"], long=["Where is '[shop.name]'"]),
        *wordings(clerk, short=["Clerk of '[shop.name]'"]),
    ]
    result = instantiate(shops, [town, clerk], texts)
    assert {case.sql_template_id for case in result.cases} == {town.id}
    assert result.drops[module.NO_WORDING] == 1
    assert result.unworded == module.lacking_forms([town, clerk], texts) == {clerk.id: ("long",)}
    assert instantiate(shops, [town, clerk], texts, balanced=False).counts["questions"] == {"short": 4, "long": 2}
    assert instantiate(shops, [town], []).drops == {module.NO_WORDING: 1}


def test_wordings_with_other_placeholders_are_left_out(shops):
    template = sql_template(TOWN)
    texts = wordings(template, short=["Town of '[shop.name]'", "Town of '[shop.name]' in '[shop.town]'", "Which town?"])
    result = instantiate(shops, [template], texts)
    assert [case.question for case in result.cases] == ["Town of 'North'", "Town of 'South'"]
    assert result.drops[module.OTHER_PLACEHOLDERS] == 2


def test_wordings_of_other_templates_are_ignored_and_a_template_counts_once(shops):
    town, clerk = sql_template(TOWN), sql_template(CLERK)
    texts = [*wordings(town, short=["Town of '[shop.name]'"]), *wordings(clerk, short=["Clerk of '[shop.name]'"])]
    once, twice = instantiate(shops, [town], texts), instantiate(shops, [town, town], texts)
    assert once == twice
    assert len(once.cases) == 2


def test_a_template_that_cannot_be_used_is_refused(shops):
    template = sql_template("SELECT nothing FROM shop WHERE name = '[shop.name]'")
    with pytest.raises(UnknownName, match="nothing"):
        instantiate(shops, [template], wordings(template, short=["x '[shop.name]'"]))


@pytest.mark.parametrize(
    "with_ids",
    [
        "SELECT name, shop_id FROM shop WHERE town = '[shop.town]'",
        "SELECT shop_id, town FROM shop WHERE name = '[shop.name]'",
    ],
)
def test_a_statement_with_ids_must_ask_the_same(shops, with_ids):
    template = sql_template(TOWN, with_ids)
    with pytest.raises(InvalidTemplate, match="does not ask the same: SELECT"):
        instantiate(shops, [template], wordings(template, short=["x '[shop.name]'"]))


MANY = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
INSERT INTO shop SELECT i, 'Shop ' || i, 'Town ' || i FROM n;
INSERT INTO clerk SELECT i, 'First' || i, 'Last' || i, i, i FROM (SELECT shop_id AS i FROM shop WHERE shop_id <= 20);
"""
EMPTY = SHOPS[: SHOPS.index("INSERT")]


def sampled(folder: Path, limit: int | None, seed: int = 0) -> Instantiation:
    path = folder / "many.sqlite"
    url = f"sqlite:///{path}" if path.exists() else sqlite_file(path, EMPTY + MANY)
    town, clerk = sql_template(TOWN), sql_template(CLERK)
    texts = [
        *wordings(town, short=["Town of '[shop.name]'", "'[shop.name]': town"], long=["Where '[shop.name]' is"]),
        *wordings(clerk, short=["Clerk of '[shop.name]'", "'[shop.name]': clerk"], long=["Who is at '[shop.name]'"]),
    ]
    with DatabaseSource.connect(url) as source:
        return instantiate(source, [town, clerk], texts, limit=limit, seed=seed, balanced=False)


def test_a_limit_samples_whole_groups_in_proportion(tmp_path):
    whole, some = sampled(tmp_path, None), sampled(tmp_path, 25)
    # 60 towns and 20 clerks, 3 wordings each: 240. A limit of 25 gives 8 groups, 6 and 2 as 60 to 20.
    assert len(whole.cases) == 240
    groups = Counter(case.group_id for case in some.cases)
    assert set(groups.values()) == {3}
    assert Counter(
        len({c.group_id for c in some.cases if c.sql_template_id == t})
        for t in dict.fromkeys(case.sql_template_id for case in some.cases)
    ) == Counter({6: 1, 2: 1})
    assert some.drops == {"over the limit": 72}
    assert (
        set(some.cases) <= set(whole.cases)
        if False
        else {c.case_id for c in some.cases} <= {c.case_id for c in whole.cases}
    )
    assert sampled(tmp_path, 240) == whole


def test_a_sample_is_fixed_by_its_seed(tmp_path):
    assert sampled(tmp_path, 30) == sampled(tmp_path, 30)
    assert sampled(tmp_path, 30, seed=1).cases != sampled(tmp_path, 30).cases
    larger = {case.case_id for case in sampled(tmp_path, 90).cases}
    assert {case.case_id for case in sampled(tmp_path, 30).cases} <= larger, "a larger sample holds the smaller one"


def test_a_limit_below_one_group_gives_nothing(tmp_path):
    assert sampled(tmp_path, 2).cases == ()
    assert sampled(tmp_path, 2).drops == {"over the limit": 80}
    assert len(sampled(tmp_path, 3).cases) == 3
    with pytest.raises(InvalidInput, match="at most 0 questions"):
        sampled(tmp_path, 0)


def test_a_template_without_a_single_question_takes_no_share(tmp_path):
    town, clerk = sql_template(TOWN), sql_template(CLERK)
    texts = [*wordings(town, short=["Town of '[shop.name]'"]), *wordings(clerk, short=["Clerk of '[shop.name]'"])]
    script = EMPTY + MANY.splitlines()[1] + MANY.splitlines()[2]
    with DatabaseSource.connect(sqlite_file(tmp_path / "few.sqlite", script)) as source:
        result = instantiate(source, [clerk, town], texts, limit=7)
    assert result.counts["questions"] == {"short": 7}


ENDLESS = "SELECT town FROM shop WHERE name = '[shop.name]' AND (SELECT COUNT(*) FROM many a, many b, many c) > 0"
GROWING = "SELECT REPLACE(town, 'a', town) FROM shop WHERE name = '[shop.name]'"


def test_a_template_that_a_limit_ends_is_left_out_and_reported_and_the_others_go_on(tmp_path):
    script = (
        SHOPS
        + "CREATE TABLE many (n INTEGER);"
        + "INSERT INTO many VALUES (1);"
        + "INSERT INTO many SELECT n FROM many;" * 10
    )
    templates = [sql_template(sql) for sql in (ENDLESS, TOWN, GROWING, CLERK)]
    texts = [
        text
        for template, question in zip(templates, ("Town?", "Town of", "Name?", "Clerk of"), strict=True)
        for text in wordings(template, short=[f"{question} '[shop.name]'"])
    ]
    with DatabaseSource.connect(sqlite_file(tmp_path / "shops.sqlite", script), timeout_s=0.3) as source:
        result = instantiate(source, templates, texts)
        alone = instantiate(source, [templates[1], templates[3]], texts)
    assert result.cases == alone.cases
    assert result.counts == alone.counts
    assert result.drops == {**alone.drops, "template ended by a limit": 2}
    assert {out.sql: (out.reason, bool(out.remedy)) for out in result.left_out} == {
        GROWING: (
            'A value of the statement could grow to 268 MB: REPLACE("town", \'a\', "town").',
            True,
        ),
        ENDLESS: ("The query was stopped after 0.3 seconds of work.", True),
    }


PROGRAM = """
import sys
from pathlib import Path
from core.domain.identity import content_hash
from tests.core.testset.grounded.test_instantiate import sampled
print(content_hash(sampled(Path(sys.argv[1]), 40).cases))
"""


@pytest.mark.slow
def test_another_process_makes_the_same_cases_in_the_same_order(tmp_path):
    sampled(tmp_path, None)
    root = Path(__file__).parents[4]
    said = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path)],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(root)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "12345")
    }
    assert len(said) == 1


def test_the_content_hash_does_not_depend_on_the_order(tmp_path):
    cases = sampled(tmp_path, 40).cases
    assert cases_hash(cases) == cases_hash(tuple(reversed(cases)))
    assert cases_hash(cases) != cases_hash(cases[1:])
