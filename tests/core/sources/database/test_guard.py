import pytest

from core.domain.errors import UnknownName, UnparsableSql, UnsafeSql
from core.domain.sources.schema import Column, Schema, Table
from core.sources.database import check_select


def table(name, *columns):
    return Table(name=name, rows=1, columns=tuple(Column(name=column, type="TEXT") for column in columns))


SCHEMA = Schema(
    dialect="sqlite",
    tables=(
        table("Client", "Name", "Location", "Order Date"),
        table("Project", "Name", "Client", "StartDate"),
        table('odd "name', "Größe"),
    ),
)


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("DELETE FROM Client", "DELETE changes data"),
        ("INSERT INTO Client VALUES ('a', 'b', 'c')", "INSERT changes data"),
        ("UPDATE Client SET Name = 'x'", "UPDATE changes data"),
        ("REPLACE INTO Client VALUES ('a', 'b', 'c')", "REPLACE is a command"),
        ("WITH d AS (DELETE FROM Client RETURNING Name) SELECT * FROM d", "DELETE changes data"),
        ("DROP TABLE Client", "DROP changes the database's structure"),
        ("CREATE TABLE t AS SELECT * FROM Client", "CREATE changes the database's structure"),
        ("ALTER TABLE Client ADD COLUMN x", "ALTER "),
        ("TRUNCATE TABLE Client", "TRUNCATE changes the database's structure"),
        ("PRAGMA writable_schema = ON", "PRAGMA changes or reads settings"),
        ("SET x = 1", "SET changes or reads settings"),
        ("ATTACH DATABASE 'x' AS y", "ATTACH opens another database"),
        ("DETACH y", "DETACH opens another database"),
        ("SELECT Name INTO copy FROM Client", "SELECT INTO reads or writes outside"),
        ("COPY Client TO '/tmp/x'", "COPY reads or writes outside"),
        ("SELECT Name FROM Client FOR UPDATE", "FOR UPDATE or FOR SHARE takes locks"),
        ("BEGIN", "BEGIN takes locks"),
        ("COMMIT", "COMMIT takes locks"),
        ("VACUUM", "VACUUM is a command"),
        ("EXPLAIN SELECT Name FROM Client", "EXPLAIN is a command"),
        ("SELECT 1; SELECT 2", "These are 2 statements"),
        ("SELECT Name FROM Client; DROP TABLE Client", "These are 2 statements"),
        ("SELECT Name FROM Client -- and more", "carries a comment"),
        ("SELECT /*!50000 Name */ Name FROM Client", "carries a comment"),
        ("SELECT /*+ hint */ Name FROM Client", "carries a comment"),
        ("-- only this", "carries a comment"),
        ("SELECT load_extension('x')", "The function LOAD_EXTENSION is not on the list"),
        ("SELECT nextval('s')", "The function NEXTVAL is not on the list"),
        ("SELECT (SELECT readfile('/etc/passwd'))", "The function READFILE is not on the list"),
        ("SELECT Name FROM Client WHERE random() > 0", "The function RAND"),
        ("SELECT name FROM pragma_table_info('Client')", "The function PRAGMA_TABLE_INFO is not on the list"),
        ("SELECT value FROM Client, json_each('[1]')", "The function JSON_EACH is not on the list"),
        ("SELECT Name FROM date('now')", "is a function, not a table"),
        ("WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r", "recursive query"),
        ("SELECT ?", "a parameter without a name"),
        ("VALUES (1)", "is not allowed in a statement"),
        ("SELECT Name FROM main.Client AS c CROSS JOIN temp.x", "outside the connected schema"),
        ("SELECT Name FROM other.public.Client", "outside the connected schema"),
        ("SELECT * FROM sqlite_master", "no table sqlite_master"),
        (
            # The name of a query in one place must not open the table of that name in another.
            "SELECT Name FROM Client WHERE EXISTS (WITH sqlite_master AS (SELECT 1 AS a) SELECT a FROM sqlite_master)"
            " AND Name IN (SELECT name FROM sqlite_master)",
            "no table sqlite_master",
        ),
        ("SELECT 1 FROM '/etc/passwd'", "no table /etc/passwd"),
        ("SELECT rowid FROM Client", "no column rowid"),
        ("", "is empty"),
        (" ; ", "is empty"),
        ("SELECT ((", "cannot be parsed"),
        ("SELECT 'open", "cannot be parsed"),
        ("SELECT Name FROM Client WHERE Name = '" + "x" * 20_001 + "'", "20,0"),
        ("SELECT " + "(" * 3000 + "1" + ")" * 3000, "nested too deeply"),
    ],
)
def test_anything_but_one_plain_select_is_refused_with_its_reason(sql, reason):
    with pytest.raises(UnsafeSql) as caught:
        check_select(sql, SCHEMA)
    assert reason in caught.value.message
    assert caught.value.hint


def test_mysql_version_comments_and_locks_are_refused_in_their_own_dialect():
    schema = Schema(dialect="mysql", tables=SCHEMA.tables)
    for sql in ("SELECT Name FROM Client /*!50000 FOR UPDATE */", "SELECT Name FROM Client LOCK IN SHARE MODE"):
        with pytest.raises(UnsafeSql):
            check_select(sql, schema)


@pytest.mark.parametrize(
    ("sql", "kind", "hint"),
    [
        ("SELECT Nam FROM Client", UnknownName, "Did you mean Name?"),
        ("SELECT Name FROM Clint", UnknownName, "Did you mean Client?"),
        ("SELECT Name FROM Client, Project", UnknownName, "Write Client.Name."),
        ("SELECT c.Zzz FROM Client AS c", UnknownName, "Check table and column"),
        ("SELECT x.Name FROM Client AS c", UnknownName, ""),
        ("SELECT Name FROM Client UNION SELECT Name FROM Project ORDER BY Location", UnknownName, "Order by"),
        ("SELECT c.Name FROM Client AS c JOIN Project AS c ON c.Name = c.Client", UnknownName, "alias"),
        ("SELECT FROM WHERE", UnparsableSql, "Write one SELECT"),
    ],
)
def test_wrong_names_come_with_a_remedy(sql, kind, hint):
    with pytest.raises(kind) as caught:
        check_select(sql, SCHEMA)
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("sql", "written"),
    [
        ("select location from client where name=:p1;", 'SELECT "Location" FROM "Client" WHERE "Name" = :p1'),
        ("SELECT name n FROM client c", 'SELECT "Name" AS "n" FROM "Client" AS "c"'),
        (
            "SELECT project.name FROM project JOIN client ON project.client = client.name",
            'SELECT "Project"."Name" FROM "Project" JOIN "Client" ON "Project"."Client" = "Client"."Name"',
        ),
        ('SELECT "order date" FROM main.Client', 'SELECT "Order Date" FROM "Client"'),
        ('SELECT "Größe" FROM "odd ""name"', 'SELECT "Größe" FROM "odd ""name"'),
        ("SELECT d.name FROM (SELECT * FROM client) AS d", 'SELECT "d"."name" FROM (SELECT * FROM "Client") AS "d"'),
        ("(SELECT Name FROM Client)", 'SELECT "Name" FROM "Client"'),
        (
            "SELECT location, COUNT(*) AS c FROM client GROUP BY location HAVING c > 1 ORDER BY c LIMIT 3",
            'SELECT "Location", COUNT(*) AS "c" FROM "Client" GROUP BY "Location" HAVING "c" > 1 ORDER BY "c" LIMIT 3',
        ),
        (
            "SELECT Name FROM Client WHERE EXISTS (SELECT 1 FROM Project WHERE Project.Client = Location)",
            'SELECT "Name" FROM "Client" WHERE EXISTS(SELECT 1 FROM "Project" WHERE "Project"."Client" = "Location")',
        ),
        (
            "WITH x(n) AS (SELECT name FROM client) SELECT n FROM x",
            'WITH "x"("n") AS (SELECT "Name" FROM "Client") SELECT "n" FROM "x"',
        ),
    ],
)
def test_what_runs_is_written_anew_with_the_schemas_names_in_quotes(sql, written):
    assert check_select(sql, SCHEMA).sql == written


def test_a_union_a_using_join_and_common_functions_pass():
    for sql in (
        "SELECT Name FROM Client UNION SELECT Name FROM Project ORDER BY Name",
        "SELECT Name FROM Client JOIN Project USING (Name)",
        "SELECT strftime('%Y', StartDate), substr(Name, 1, 2) || 'x', ifnull(Name, '') FROM Project",
        "SELECT CASE WHEN Name LIKE 'a%' THEN 1 ELSE 2 END FROM Client WHERE Location IS NOT NULL OR Name IN ('a')",
        "SELECT dense_rank() OVER (ORDER BY Name) FROM Client",
    ):
        assert check_select(sql, SCHEMA).sql.startswith("SELECT")


@pytest.mark.parametrize("dialect", ["sqlite", "postgresql", "mysql", "mariadb"])
def test_parameters_are_written_with_a_colon_in_every_dialect(dialect):
    schema = Schema(dialect=dialect, tables=SCHEMA.tables)
    safe = check_select("SELECT Name FROM Client WHERE Name = :p0 AND Name LIKE '%a'", schema)
    assert "= :p0 AND" in safe.sql
    assert safe.parameters == ("p0",)


def test_tables_and_parameters_are_named_in_order_of_appearance():
    safe = check_select(
        "SELECT p.Name FROM Project p JOIN Client c ON p.Client = c.Name WHERE c.Name = :b AND p.Name = :a OR :b = 1",
        SCHEMA,
    )
    assert safe.tables == ("Project", "Client")
    assert set(safe.parameters) == {"a", "b"}


def test_a_cast_is_to_a_plain_type():
    """A server expands the entities of XML, and reads a type of its own by code of its own."""
    plain = {
        "postgresql": "TEXT; VARCHAR(20); INT; NUMERIC(10, 2); DOUBLE PRECISION; DATE; TIMESTAMPTZ; UUID; JSONB",
        "mysql": "CHAR; SIGNED; UNSIGNED; DECIMAL(10, 2); DATETIME; BINARY; JSON",
        "sqlite": "TEXT; INTEGER; REAL; NUMERIC; BLOB",
    }
    for dialect, names in plain.items():
        for name in names.split("; "):
            check_select(f"SELECT CAST(Name AS {name}) FROM Client", Schema(dialect=dialect, tables=SCHEMA.tables))
    for name in ("XML", "evil", "public.evil", "REGCLASS", "XML[]"):
        with pytest.raises(UnsafeSql):
            check_select(f"SELECT CAST(Name AS {name}) FROM Client", Schema(dialect="postgresql", tables=SCHEMA.tables))
