"""Values reach the database by the parameters of the parsed statement, on every kind of database.

A text that looks like a parameter, in whatever style a driver writes them, stays the text that it is.
"""

from dataclasses import replace

import pytest
from sqlalchemy import make_url

from core.sources.database import DatabaseSource
from core.sources.database.address import read_address
from core.sources.database.readers.server import ServerReader
from core.sources.database.reflection import read_schema
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.combinations import combinations
from tests.support.databases.source_servers import KINDS, database

TEXTS = (
    ":p0",
    ":p0'",
    ":p1 :p0 :p0",
    "12:30 :noon ::p0 a::text",
    "%s %(p0)s %% 100% %p0 %",
    "? ?1 $1 $p0 @p0 {p0}",
    "back\\slash \\' \\\\ \\:p0 ends with \\",
    "quote ' double \" tick ` ''",
    "-- no comment /* :p0 */ # :p0",
    "$$ :p0 $$ $tag$ %s $tag$",
    "Zoë 北京 🏦 \u200b:p0",
    "line\nbreak\ttab :p0",
    "' UNION SELECT LOAD_FILE('/etc/passwd') -- :p0",
)
STATEMENTS = (
    "CREATE TABLE note (note_id INTEGER PRIMARY KEY, name VARCHAR(200) NOT NULL, body VARCHAR(200))",
    "INSERT INTO note VALUES (1, 'Ann', 'plain')",
    "INSERT INTO note VALUES (2, ':p0', 'looks like a parameter')",
)


def literal(text, kind):
    """The text as a person writes it in a statement of this kind of database."""
    escaped = text.replace("'", "''")
    return "'" + (escaped.replace("\\", "\\\\") if kind == "mariadb" else escaped) + "'"


@pytest.fixture(params=KINDS)
def notes(request, tmp_path):
    with database(request.param, STATEMENTS, tmp_path) as address, DatabaseSource.connect(address) as source:
        yield request.param, source


def test_a_literal_that_looks_like_a_parameter_stays_a_literal(notes):
    kind, source = notes
    for text in TEXTS:
        found = source.query(f"SELECT {literal(text, kind)} AS said, name FROM note WHERE name = :p0", {"p0": "Ann"})
        assert found.rows == ((text, "Ann"),), text


def test_a_value_that_looks_like_a_parameter_or_a_statement_stays_a_value(notes):
    kind, source = notes
    for text in TEXTS:
        found = source.query(
            f"SELECT :p0 AS given, {literal(text, kind)} AS said FROM note WHERE note_id = 1", {"p0": text}
        )
        assert found.rows == ((text, text),), text
    assert source.query("SELECT body FROM note WHERE name = :p0", {"p0": ":p0"}).rows == (("looks like a parameter",),)


def test_ground_truth_is_right_beside_a_literal_that_looks_like_a_parameter(notes):
    kind, source = notes
    attack = literal("x:p0 UNION SELECT LOAD_FILE(:p0) -- ", kind)
    bound = bind(
        f"SELECT body FROM note WHERE name = '[note.name]' AND body <> {attack} AND name LIKE '%n%%' LIMIT 5",
        source.schema,
    )
    # LIMIT keeps it from being answered by one statement for all names: each is bound.
    found = {filled.values: filled.answers for filled in combinations(source, bound)}
    assert found == {("Ann",): (("plain",),)}
    stored = next(iter(combinations(source, bound)))
    assert source.query(stored.sql, stored.params).rows == (("plain",),)


def test_per_cent_and_modulo_are_left_alone(notes):
    _, source = notes
    found = source.query("SELECT note_id % 2, '%' FROM note WHERE name LIKE '%n%' AND note_id = :p0", {"p0": 1})
    assert found.rows == ((1, "%"),)
    assert source.query("SELECT '%s %% %(p0)s' FROM note WHERE note_id = 1").rows == (("%s %% %(p0)s",),)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        ("postgresql", "%20-cstandard_conforming_strings%3Doff"),
        ("mariadb", "?init_command=SET%20sql_mode%3D%27ANSI_QUOTES%2CNO_BACKSLASH_ESCAPES%27"),
        ("mariadb", "?init_command=SET%20sql_mode%3D%27ORACLE%27"),
    ],
)
def test_a_server_that_reads_quotes_in_another_way_is_made_to_read_them_as_the_guard_does(kind, setting, tmp_path):
    with database(kind, STATEMENTS, tmp_path) as address:
        # As a server or an account may have it; no address may ask for it.
        odd = replace(read_address(address), url=make_url(address + setting))
        source = DatabaseSource(
            reader := ServerReader(odd, begun=print), read_schema(reader, {}, timeout_s=20), row_limit=100, timeout_s=20
        )
        for text in TEXTS:
            found = source.query(f"SELECT {literal(text, kind)} FROM note WHERE name = :p0", {"p0": "Ann"})
            assert found.rows == ((text,),), text
        source.close()
