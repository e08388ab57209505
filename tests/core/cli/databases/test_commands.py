"""Commands on a database."""

import json
import sqlite3
from collections import Counter
from contextlib import closing

import pytest

from core.testset.grounded.beyond.plan import Kind
from core.testset.templates.unproposed import LACKS
from tests.support.shared_data import shared

SQL = "SELECT manager FROM branch WHERE name = '[branch.name]'"


@pytest.fixture
def templates(tmp_path):
    """One SQL template and wordings of it in two forms, in GRAMMAR's format."""
    sql, with_ids = tmp_path / "sql.json", tmp_path / "ids.json"
    short, long = tmp_path / "short.json", tmp_path / "long.json"
    sql.write_text(json.dumps({"('branch',)": [SQL]}))
    with_ids.write_text(json.dumps({"('branch',)": [SQL.replace("manager FROM", "manager, branch_id FROM")]}))
    short.write_text(json.dumps({SQL: ["Who manages [branch.name]?", "Manager of [branch.name]?"]}))
    long.write_text(json.dumps({SQL: ["Would you tell me who manages [branch.name]?"]}))
    return sql, with_ids, short, long


def test_a_view_is_called_one(cli, tmp_path):
    path = tmp_path / "shop.sqlite"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE tea (id INTEGER PRIMARY KEY, name TEXT);"
            "INSERT INTO tea VALUES (1, 'Assam'), (2, 'Matcha');"
            "CREATE VIEW listed AS SELECT name FROM tea"
        )
    lines = cli("schema", "--db", f"sqlite:///{path}").out
    assert "tea: 2 rows\n" in lines
    assert "listed: 2 rows (a view)\n" in lines


def test_so_many_templates_of_each_kind(cli, bank_url):
    asked = ("--kind", "look-up", "--kind", "count", "--each", "2")
    document = cli("sql-templates", "--db", bank_url, *asked, "--json").json
    asked_for = Counter(template["operation"] for template in document["templates"])
    assert asked_for == {"look-up": 2, "count": 1}, "the bank has one pair of tables, so one count"


def test_a_kind_without_a_template_is_named_with_the_reason(cli, bank_url):
    outcome = cli("sql-templates", "--db", bank_url, "--kind", "negation")
    assert outcome.code == 0
    assert f"No template of the kind negation: {LACKS[Kind.NEGATION]}." in outcome.err
    assert "No usable template was generated." in outcome.err
    assert "no rows" not in outcome.err, "the tables have rows"
    each = ("sql-templates", "--db", bank_url, "--each", 1)
    document = cli(*each, "--json").json
    assert document["unproposed"]["negation"] == LACKS[Kind.NEGATION]
    assert set(document["unproposed"]) == set(Kind) - set(document["operations"])
    assert "No template of the kind negation" in cli(*each).err
    assert "No template" not in cli("sql-templates", "--db", bank_url, "--kind", "look-up").err


def test_a_kind_without_room_says_what_to_raise(cli, bank_url):
    told = cli("sql-templates", "--db", bank_url, "--kind", "look-up", "--kind", "count", "--limit", 1).err
    assert "no room beside the others; a higher --limit or --each has some." in told


def test_schema(cli, bank_url):
    document = cli("schema", "--db", bank_url, "--json").json
    assert document["dialect"] == "sqlite"
    tables = {table["name"]: table for table in document["tables"]}
    assert {"name", "rows", "columns", "primary_key", "foreign_keys"} <= set(tables["branch"])
    assert (tables["branch"]["rows"], tables["account"]["rows"]) == (6, 12)
    columns = {column["name"]: column for column in tables["branch"]["columns"]}
    assert {"name", "type", "nullable", "descriptive"} <= set(columns["manager"])
    assert columns["manager"]["descriptive"]
    assert not columns["branch_id"]["descriptive"]
    assert not columns["name"]["nullable"]
    assert tables["account"]["foreign_keys"]
    lines = cli("schema", "--db", bank_url).out
    assert "branch: 6 rows" in lines
    assert "branch_id INTEGER (not descriptive" in lines


def test_schema_shows_the_keys_as_its_help_promises(cli, tmp_path):
    path = tmp_path / "survey.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE glaciers(glac_id INTEGER PRIMARY KEY, name TEXT UNIQUE);"
            "CREATE TABLE stakes(glac_id INTEGER REFERENCES glaciers(glac_id), stake_no INTEGER,"
            " PRIMARY KEY(glac_id, stake_no));"
            "CREATE TABLE readings(reading_id INTEGER PRIMARY KEY, glac_id INTEGER, stake_no INTEGER,"
            " FOREIGN KEY(glac_id, stake_no) REFERENCES stakes(glac_id, stake_no));"
        )
    lines = cli("schema", "--db", f"sqlite:///{path}").out.splitlines()
    keys = [line.strip() for line in lines if "key:" in line or "unique:" in line]
    assert keys == [
        "primary key: glac_id",
        "unique: name",
        "primary key: reading_id",
        "foreign key: glac_id, stake_no -> stakes (glac_id, stake_no)",
        "primary key: glac_id, stake_no",
        "foreign key: glac_id -> glaciers (glac_id)",
    ]
    reasons = {line for line in lines if line.startswith("  glac_id ")}
    assert reasons == {"  glac_id INTEGER (not descriptive: an id by its name)"}


@pytest.mark.slow
def test_templates_and_cases_from_a_database_alone(cli, bank_url):
    made = cli("sql-templates", "--db", bank_url, "--out", "sql.json", "--json").json["templates"]
    assert {"id", "tables", "sql", "status", "checks"} <= set(made[0])
    assert {"name", "passed"} <= set(made[0]["checks"][0]) or made[0]["checks"][0]
    for form in ("short", "long"):
        command = ("text-templates", "--db", bank_url, "--sql", "sql.json", "--form", form, "--n", 2)
        texts = cli(*command, "--out", f"{form}.json", "--json").json["templates"]
        assert {"sql", "form", "texts", "checks"} <= set(texts[0])
        assert {entry["form"] for entry in texts} == {form}
    command = ("instantiate", "--db", bank_url, "--sql", "sql.json", "--with-ids", "sql_with_ids.json")
    command = (*command, "--text", "short=short.json", "--text", "long=long.json", "--balanced", "--out", "cases.jsonl")
    document = cli(*command, "--json").json
    assert {"sql_templates", "sql_queries", "text_templates", "questions", "dropped"} <= set(document)
    assert document["questions"]["short"] == document["questions"]["long"] > 0
    with open("cases.jsonl", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    assert len(rows) == sum(document["questions"].values())
    assert {
        "case_id",
        "question",
        "reference_answers",
        "form",
        "group_id",
        "sql",
        "sql_params",
        "gold_document_ids",
        "tables",
        "attributes",
    } <= set(rows[0])
    assert "questions" in cli(*command).out
    assert "questions  SELECT" in cli("sql-templates", "--db", bank_url).out
    assert "branch" in cli("text-templates", "--db", bank_url, "--sql", "sql.json", "--form", "short").out


def test_fewer_wordings_than_asked_for_are_said(cli, bank_url, templates):
    outcome = cli("text-templates", "--db", bank_url, "--sql", templates[0], "--form", "short", "--n", 50, "--json")
    texts = outcome.json["templates"][0]["texts"]
    assert (outcome.json["requested"], outcome.json["delivered"]) == (50, len(texts))
    assert f"{len(texts)} of 50 requested wordings" in outcome.err
    few = cli("text-templates", "--db", bank_url, "--sql", templates[0], "--form", "short", "--n", 2)
    assert "requested" not in few.err


def test_a_given_template_fills_as_expected(cli, bank_url, templates):
    sql, with_ids, short, long = templates
    command = ("instantiate", "--db", bank_url, "--sql", sql, "--with-ids", with_ids, "--text", f"short={short}")
    document = cli(*command, "--text", f"long={long}", "--out", "cases.jsonl", "--json").json
    # 6 branches, each with 2 short wordings and 1 long one.
    assert (document["sql_templates"], document["sql_queries"]) == (1, 6)
    assert document["text_templates"] == {"short": 2, "long": 1}
    assert document["questions"] == {"short": 12, "long": 6}
    assert document["dropped"] == {}
    limited = cli(*command, "--limit", 4, "--seed", 3, "--out", "few.jsonl", "--json").json
    assert limited["questions"] == {"short": 4}


def test_nothing_to_ask_is_said(cli, bank_url, templates, tmp_path):
    (tmp_path / "none.json").write_text("{}")
    outcome = cli(
        "instantiate", "--db", bank_url, "--sql", templates[0], "--text", "short=none.json", "--out", "c.jsonl"
    )
    assert outcome.code == 0
    assert "No question was generated" in outcome.err
    assert "0 questions in c.jsonl" in outcome.out


def test_aurp_gives_the_recorded_numbers(cli):
    folder = shared("grammar-aurp")
    sql = folder / "SQLTemplateGenerator"
    document = cli(
        *("instantiate", "--db", f"sqlite:///{folder / 'aurp.sqlite'}", "--sql", sql / "sql_templates.json"),
        *("--with-ids", sql / "sql_templates_with_ids.json", "--balanced", "--keep-null", "--out", "aurp.jsonl"),
        *("--text", f"short={folder / 'TextTemplateGenerator' / 'short.json'}"),
        *("--text", f"long={folder / 'TextTemplateGenerator' / 'long.json'}", "--json"),
    ).json
    # reference/grammar.md: 10 SQL templates, 157 SQL queries, 30 text templates a form, 471 balanced questions a form.
    assert (document["sql_templates"], document["sql_queries"]) == (10, 157)
    assert document["text_templates"] == {"short": 30, "long": 30}
    assert document["questions"] == {"short": 471, "long": 471}


def database(path, script=""):
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return f"sqlite:///{path}"


@pytest.mark.slow
def test_addresses_that_are_refused(refused, tmp_path):
    (tmp_path / "zero.db").touch()
    (tmp_path / "text.db").write_text("no database at all " * 50)
    (tmp_path / "folder").mkdir()
    database(tmp_path / "bare.db", "CREATE TABLE t (a); DROP TABLE t;")
    for url, said in {
        "": "is empty",
        "nonsense": "is not a database address",
        "sqlite:///missing.db": "no database file",
        "sqlite:///folder": "is a folder",
        "sqlite:///zero.db": "0 bytes",
        "sqlite:///text.db": "is not an SQLite database",
        "sqlite:///bare.db": "no tables",
        "sqlite://": "names no database file",
        "sqlite:///${NOT_SET_ANYWHERE}": "NOT_SET_ANYWHERE",
        "postgresql://reader:secret@localhost/bank": "password in plain text",
        "postgresql://localhost:1/bank": "does not answer",
        "dbase://localhost/bank": "not a kind of database",
    }.items():
        assert said in refused("schema", "--db", url), url
    assert "secret" not in refused("schema", "--db", "postgresql://reader:secret@localhost/bank")
    assert not (tmp_path / "missing.db").exists()


BROKEN = {
    "missing.json": None,
    "empty.json": "",
    "cut.json": "{",
    "list.json": "[1]",
    "key.json": '{"branch": ["SELECT 1"]}',
    "number.json": "{\"('branch',)\": [3]}",
    "drop.json": '{"(\'branch\',)": ["DROP TABLE branch"]}',
    "column.json": "{\"('branch',)\": [\"SELECT nothing FROM branch WHERE name = '[branch.name]'\"]}",
    "deep.json": "[" * 100_000,
    "latin.json": "caf\xe9".encode("latin-1"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_template_files_that_are_refused(refused, bank_url, templates, tmp_path, name):
    content = BROKEN[name]
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    good, _, short, _ = templates
    assert refused("text-templates", "--db", bank_url, "--sql", name, "--form", "short")
    assert refused("instantiate", "--db", bank_url, "--sql", name, "--text", f"short={short}", "--out", "c.jsonl")
    refused("instantiate", "--db", bank_url, "--sql", good, "--text", f"short={name}", "--out", "c.jsonl")
    refused(
        *("instantiate", "--db", bank_url, "--sql", good, "--with-ids", name),
        *("--text", f"short={short}", "--out", "c.jsonl"),
    )
    assert not (tmp_path / "c.jsonl").exists()


def test_options_that_are_refused(refused, bank_url, templates, tmp_path):
    sql, _, short, _ = templates
    words = ("text-templates", "--db", bank_url, "--sql", sql)
    assert "No model is named" in refused("sql-templates", "--db", bank_url, "--generator", "llm")
    assert "No model is named" in refused(*words, "--form", "short", "--generator", "llm")
    assert "--model is given" in refused("sql-templates", "--db", bank_url, "--model", "m@http://127.0.0.1:1/v1")
    assert "does not say where" in refused("sql-templates", "--db", bank_url, "--generator", "llm", "--model", "m")
    assert "--round-trip needs a model" in refused(*words, "--form", "short", "--round-trip")
    assert "--generator cannot be 'x'" in refused("sql-templates", "--db", bank_url, "--generator", "x")
    assert "'haiku'" in refused(*words, "--form", "haiku")
    assert "--n" in refused(*words, "--form", "short", "--n", 0)
    assert "--limit" in refused("sql-templates", "--db", bank_url, "--limit", "-1")
    assert "cannot be written" in refused("sql-templates", "--db", bank_url, "--out", tmp_path)
    fill = ("instantiate", "--db", bank_url, "--sql", sql)
    assert "is not FORM=FILE" in refused(*fill, "--text", "short", "--out", "c.jsonl")
    assert "is not FORM=FILE" in refused(*fill, "--text", f"={short}", "--out", "c.jsonl")
    both = ("--text", f"short={short}", "--text", f"short={short}")
    assert "the form 'short' twice" in refused(*fill, *both, "--out", "c.jsonl")
    assert "cannot be written" in refused(*fill, "--text", f"short={short}", "--out", tmp_path / "no" / "c.jsonl")
    assert "--limit" in refused(*fill, "--text", f"short={short}", "--limit", 0, "--out", "c.jsonl")


def test_a_template_that_a_limit_ends_is_named_with_its_remedy_and_the_others_are_filled(cli, bank_url, templates):
    sql, _, short, _ = templates
    growing = "SELECT REPLACE(manager, 'a', manager) FROM branch WHERE name = '[branch.name]'"
    sql.write_text(json.dumps({"('branch',)": [SQL, growing]}))
    short.write_text(json.dumps({SQL: ["Who manages [branch.name]?"], growing: ["What about [branch.name]?"]}))
    command = ("instantiate", "--db", bank_url, "--sql", sql, "--text", f"short={short}", "--out", "cases.jsonl")
    document = cli(*command, "--json").json
    assert document["questions"] == {"short": 6}
    assert document["dropped"] == {"template ended by a limit": 1}
    assert [template["sql"] for template in document["stopped_templates"]] == [growing]
    told = cli(*command).err
    assert f"A limit ended the template {growing}" in told
    assert "could grow to 268 MB" in told
    assert "Put fewer texts together" in told
    assert "1 of 2 SQL templates were filled" in told
