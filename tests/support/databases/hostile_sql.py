"""Statements that no template should be able to run, drawn from a seed: a few shapes in very many disguises.

The tables are those of the small bank, ``branch`` and ``account``, and ``many`` with 2,000 rows.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

KINDS = ("write", "file", "wait", "memory", "time", "text")
TIME_SHARE = 0.03
"""Share of statements without end: each takes the whole time a query is given."""
MANY = 2_000

Draw = random.Random


def many_statements() -> list[str]:
    """What makes the table with many rows."""
    rows = ", ".join(f"({number}, 'row {number} {'x' * 20}')" for number in range(MANY))
    return ["CREATE TABLE many (n INTEGER PRIMARY KEY, name VARCHAR(60))", f"INSERT INTO many VALUES {rows}"]


def hostile_statements(dialect: str, number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Kind and text of each statement; the same seed gives the same ones."""
    draw = random.Random(f"{dialect} {seed}")
    shapes: dict[str, Callable[[Draw, str], str]] = {
        "write": _write,
        "file": _file,
        "wait": _wait,
        "memory": _memory,
        "time": _time,
        "text": _text,
    }
    others = [kind for kind in KINDS if kind != "time"]
    for _ in range(number):
        kind = "time" if draw.random() < TIME_SHARE else draw.choice(others)
        statement = shapes[kind](draw, dialect)
        yield kind, statement if kind in ("time", "memory") else _disguised(draw, statement)


def _table(draw: Draw) -> str:
    return draw.choice(("branch", "account", "many"))


def _write(draw: Draw, dialect: str) -> str:
    table = _table(draw)
    own = {
        "sqlite": (
            "PRAGMA writable_schema = ON",
            f"REPLACE INTO {table} VALUES (1, 'x')",
            "VACUUM",
            "REINDEX",
            f"INSERT OR REPLACE INTO {table} VALUES (1, 'x')",
            "CREATE TEMP TABLE t AS SELECT 1",
            "CREATE TRIGGER t AFTER INSERT ON branch BEGIN DELETE FROM account; END",
        ),
        "postgresql": (
            f"SELECT * INTO copied FROM {table}",
            f"WITH gone AS (DELETE FROM {table} RETURNING *) SELECT * FROM gone",
            f"WITH new AS (INSERT INTO {table} SELECT * FROM {table} RETURNING *) SELECT COUNT(*) FROM new",
            "DO $$ BEGIN DELETE FROM account; END $$",
            f"SELECT query_to_xml('DELETE FROM {table}', true, true, '')",
            "SELECT nextval('s'), setval('s', 1)",
            "SELECT lo_create(1)",
            f"MERGE INTO {table} USING branch ON true WHEN MATCHED THEN DELETE",
            f"EXPLAIN ANALYZE DELETE FROM {table}",
            "SELECT set_config('transaction_read_only', 'off', false)",
            "ALTER SYSTEM SET fsync = off",
            f"COPY {table} FROM '/dev/null'",
            "SELECT pg_switch_wal()",
        ),
        "mariadb": (
            f"REPLACE INTO {table} VALUES (1, 'x')",
            f"INSERT INTO {table} SELECT * FROM {table} ON DUPLICATE KEY UPDATE name = 'x'",
            f"SELECT name FROM {table} INTO @a",
            "SET GLOBAL read_only = 0",
            "SET STATEMENT max_statement_time = 0 FOR DELETE FROM account",
            "SELECT @a := 1",
            "SELECT NEXT VALUE FOR s",
            f"DELETE a FROM {table} a, branch b",
            "RENAME TABLE branch TO gone",
            f"HANDLER {table} OPEN",
            "CALL p()",
            "PREPARE s FROM 'DELETE FROM account'",
            "EXECUTE IMMEDIATE 'DELETE FROM account'",
            "FLUSH TABLES",
        ),
    }[dialect]
    common = (
        f"DELETE FROM {table}",
        f"UPDATE {table} SET name = 'x'",
        f"INSERT INTO {table} (name) VALUES ('x')",
        f"DROP TABLE {table}",
        f"TRUNCATE TABLE {table}",
        f"ALTER TABLE {table} ADD COLUMN z INTEGER",
        f"CREATE TABLE z AS SELECT * FROM {table}",
        f"CREATE VIEW z AS SELECT * FROM {table}",
        f"CREATE INDEX z ON {table} (name)",
        "BEGIN; DELETE FROM account; COMMIT",
        f"SELECT 1; DELETE FROM {table}",
        "GRANT ALL ON branch TO PUBLIC",
    )
    return draw.choice((*own, *common))


def _file(draw: Draw, dialect: str) -> str:
    path = draw.choice(("/etc/passwd", "/tmp/plumbline_hostile", "../../x", "C:\\x"))
    choices = {
        "sqlite": (
            f"SELECT readfile('{path}')",
            f"SELECT writefile('{path}', 'x')",
            f"SELECT load_extension('{path}')",
            f"ATTACH DATABASE '{path}' AS other",
            f"VACUUM INTO '{path}'",
            f"SELECT edit('x', '{path}')",
            "SELECT * FROM pragma_database_list",
            "SELECT sql FROM sqlite_master",
            "SELECT * FROM dbstat",
            f"SELECT * FROM fsdir('{path}')",
            "SELECT fts3_tokenizer('simple')",
        ),
        "postgresql": (
            f"SELECT pg_read_file('{path}')",
            f"SELECT pg_read_binary_file('{path}')",
            f"SELECT * FROM pg_ls_dir('{path}')",
            f"SELECT lo_import('{path}')",
            f"SELECT lo_export(1, '{path}')",
            f"COPY branch TO '{path}'",
            "COPY branch TO PROGRAM 'touch /tmp/plumbline_hostile'",
            "SELECT * FROM dblink('host=localhost', 'SELECT 1') AS t(a int)",
            "SELECT usename, passwd FROM pg_shadow",
            "SELECT * FROM pg_catalog.pg_authid",
            "SELECT * FROM information_schema.tables",
            "SELECT current_setting('data_directory')",
            f"LOAD '{path}'",
            "CREATE EXTENSION file_fdw",
        ),
        "mariadb": (
            f"SELECT LOAD_FILE('{path}')",
            f"SELECT name FROM branch INTO OUTFILE '{path}'",
            f"SELECT name FROM branch INTO DUMPFILE '{path}'",
            f"LOAD DATA INFILE '{path}' INTO TABLE branch",
            f"SELECT name FROM branch UNION SELECT LOAD_FILE('{path}')",
            "SELECT User, Password FROM mysql.user",
            "SELECT * FROM information_schema.tables",
            "SELECT @@datadir",
            f"INSTALL SONAME '{path}'",
            f"CREATE FUNCTION f RETURNS STRING SONAME '{path}'",
            "SELECT sys_exec('id')",
        ),
    }[dialect]
    return draw.choice(choices)


def _wait(draw: Draw, dialect: str) -> str:
    seconds = draw.choice((5, 600, 10**6))
    choices = {
        "sqlite": (
            "SELECT name FROM branch FOR UPDATE",
            "BEGIN EXCLUSIVE",
            "PRAGMA locking_mode = EXCLUSIVE",
            "PRAGMA busy_timeout = 1000000",
            "SELECT sqlite_sleep(1000)",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r",
            "SELECT value FROM generate_series(1, 1000000000)",
        ),
        "postgresql": (
            f"SELECT pg_sleep({seconds})",
            f"SELECT pg_sleep_for('{seconds} seconds')",
            f"SELECT name FROM branch WHERE (SELECT 1 FROM pg_sleep({seconds})) IS NULL",
            "SELECT pg_advisory_lock(1)",
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity",
            "SELECT pg_cancel_backend(1)",
            "LOCK TABLE branch",
            "SELECT name FROM branch FOR UPDATE",
            "SELECT name FROM branch FOR KEY SHARE NOWAIT",
            "SET statement_timeout = 0",
            "SELECT set_config('statement_timeout', '0', false)",
            "LISTEN x",
            "SELECT pg_notify('a', 'b')",
            "SELECT COUNT(*) FROM generate_series(1, 10000000000)",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r",
            "VACUUM FULL branch",
        ),
        "mariadb": (
            f"SELECT SLEEP({seconds})",
            f"SELECT name FROM branch WHERE SLEEP({seconds}) = 0",
            "SELECT BENCHMARK(10000000000, MD5('x'))",
            f"SELECT GET_LOCK('a', {seconds})",
            "SELECT RELEASE_ALL_LOCKS()",
            "LOCK TABLES branch WRITE",
            "SELECT name FROM branch FOR UPDATE",
            "SELECT name FROM branch LOCK IN SHARE MODE",
            "SET max_statement_time = 0",
            "SELECT MASTER_POS_WAIT('a', 1)",
            "KILL 1",
            "SELECT seq FROM seq_1_to_1000000000",
            "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r",
            "SELECT name FROM branch PROCEDURE ANALYSE()",
        ),
    }[dialect]
    return draw.choice(choices)


def _memory(draw: Draw, dialect: str) -> str:
    size = draw.choice((10**6, 45 * 10**6, 10**9, 2**31 - 1))
    pieces = draw.randint(2, 9)
    joined = f"CONCAT({', '.join(['a'] * pieces)})" if dialect != "sqlite" else " || ".join(["a"] * pieces)
    step = draw.choice((joined, "REPLACE(a, 'x', a)", f"REPLACE(a, 'x', '{'xy' * draw.randint(20, 400)}')"))
    start = draw.choice(("'x'", "name", f"'{'x' * draw.randint(1, 900)}'"))
    length = draw.randint(4, 40)
    first = f"SELECT {start} AS a FROM {_table(draw)}"
    chain = ", ".join([f"c0 AS ({first})", *(f"c{n} AS (SELECT {step} AS a FROM c{n - 1})" for n in range(1, length))])
    nested = first
    for n in range(min(length, 12)):
        nested = f"SELECT {step} AS a FROM ({nested}) AS d{n}"
    crossed = ", ".join(f"many AS m{n}" for n in range(draw.randint(2, 4)))
    collected = {"sqlite": "GROUP_CONCAT", "mariadb": "GROUP_CONCAT", "postgresql": "STRING_AGG"}[dialect]
    separator = ", ','" if dialect == "postgresql" else ""
    wide = draw.choice((f"'%{size}d', 1", f"'%.*c', {size}, 'x'", f"'%0{size}d', 1", "name, 1"))
    own = {
        "sqlite": (
            f"SELECT randomblob({size})",
            f"SELECT hex(zeroblob({size})) FROM many",
            f"SELECT PRINTF({wide}) FROM many",
            f"SELECT FORMAT({wide}) FROM many",
            "SELECT json_group_array(name) FROM many",
            f"SELECT LENGTH(REPLACE(PRINTF('%{draw.randint(900, 1500)}d', 1), ' ', name)) FROM many",
        ),
        "postgresql": (
            f"SELECT FORMAT('%{size}s', 'x')",
            f"SELECT CAST(name AS CHAR({min(size, 10_485_760)})) FROM many",
            f"SELECT name::char({min(size, 10_485_760)}) || name FROM many",
            "SELECT ARRAY_AGG(m0.name) FROM many AS m0, many AS m1",
            "SELECT JSON_AGG(m0.name), XMLAGG(XMLPARSE(CONTENT m0.name)) FROM many AS m0, many AS m1",
            f"SELECT {' || '.join(['CAST(POWER(10, 131000) AS TEXT)'] * draw.randint(15, 60))} FROM many",
        ),
        "mariadb": (
            f"SELECT CAST(name AS CHAR({size})) FROM many",
            f"SELECT CONVERT(name, CHAR({size})) FROM many",
            f"SELECT HEX(COMPRESS(REPEAT('x', {size})))",
            "SELECT JSON_ARRAYAGG(m0.name) FROM many AS m0, many AS m1",
            f"SELECT INSERT(name, 1, 1, REPEAT('x', {size})) FROM many",
        ),
    }[dialect]
    pad = draw.choice(("LPAD", "RPAD"))
    common = (
        f"WITH {chain} SELECT a FROM c{length - 1}",
        f"WITH {chain} SELECT LENGTH(a) FROM c{length - 1}",
        f"SELECT MAX(LENGTH(a)) FROM ({nested}) AS z",
        f"SELECT {collected}(m0.name{separator}) FROM {crossed}",
        f"SELECT LENGTH({collected}(CONCAT(m0.name, m1.name){separator})) FROM {crossed}",
        f"SELECT REPEAT(name, {size}) FROM many",
        f"SELECT {pad}(name, {size}, 'x') FROM many",
        f"SELECT SPACE({size})",
        f"SELECT UPPER({joined.replace('a', 'name')}) FROM many".replace("CONCnameT", "CONCAT"),
    )
    return draw.choice((*own, *common, *common))


def _time(draw: Draw, dialect: str) -> str:
    crossed = ", ".join(f"many AS m{n}" for n in range(draw.randint(4, 12)))
    last = draw.randint(0, 3)
    wild = "%".join("x" * draw.randint(2, 7))
    union = " UNION ALL ".join(["SELECT a FROM c{0}"] * 6)
    rows = "WITH c0 AS (SELECT name AS a FROM many), " + ", ".join(
        f"c{n} AS ({union.format(n - 1)})" for n in range(1, 9)
    )
    return draw.choice(
        (
            f"SELECT COUNT(*) FROM {crossed}",
            f"SELECT COUNT(DISTINCT m{last}.name) FROM {crossed}",
            f"SELECT m{last}.name FROM {crossed} ORDER BY m0.name, m1.name, m{last}.n LIMIT 3",
            f"SELECT m{last}.name, COUNT(*) FROM {crossed} GROUP BY m{last}.name HAVING COUNT(*) < 0",
            f"SELECT SUM(m{last}.n * 2.5) OVER (ORDER BY m0.n) FROM {crossed}",
            f"SELECT name FROM many WHERE (SELECT COUNT(*) FROM {crossed} WHERE m0.n <> many.n) < 0",
            f"SELECT COUNT(*) FROM {crossed} WHERE m0.name LIKE '%{wild}%y'",
            f"{rows} SELECT COUNT(*) FROM c8, c7, c6 AS e WHERE e.a <> c8.a",
            f"SELECT m0.name FROM {crossed} UNION SELECT m1.name FROM {crossed}",
            f"SELECT MAX(POWER(m0.n, 3) / (1 + m1.n)) FROM {crossed}",
        )
    )


def _text(draw: Draw, dialect: str) -> str:
    text = draw.choice(
        (":p0", "%s", "%(p0)s", "?", "$1", "::", "''", '"', "-- x", "/* x */", "$$ x $$", "{p0}", "`", "#", ";", "\\\\")
    )
    other = draw.choice(
        ("UNION SELECT LOAD_FILE(:p0)", "DELETE FROM account", "OR 1 = 1", "pg_sleep(9)", "\u2028", "🏦")
    )
    literal = f"'{text} {other}'"
    return draw.choice(
        (
            f"SELECT {literal}, name FROM branch",
            f"SELECT name FROM branch WHERE name = {literal}",
            f"SELECT name FROM branch WHERE name LIKE {literal}",
            f'SELECT name AS "{other.replace(chr(34), "")}" FROM branch',
            f"SELECT CONCAT(name, {literal}, {literal}) FROM branch",
            f"SELECT name FROM branch WHERE name IN ({literal}, {literal})",
        )
    )


def _disguised(draw: Draw, statement: str) -> str:
    """The statement with other letters, blanks, comments, or inside another one."""
    blank = draw.choice((" ", " ", "\t", "\n", "  ", "/**/", " -- x\n", "\u00a0", "\x0b"))
    letters = draw.choice((str, str, str.lower, str.upper, str.swapcase))
    place = draw.random()
    if place < 0.5:
        return statement
    if place < 0.75:
        return letters(blank.join(statement.split(" ")))
    inside = draw.choice(
        (
            "SELECT name FROM branch WHERE name = ({0})",
            "SELECT name FROM branch UNION {0}",
            "WITH x AS ({0}) SELECT 1 FROM x",
            "SELECT * FROM ({0}) AS x",
            "({0})",
            "SELECT 1; {0}",
            "/*!50000 {0} */",
            "/*M! {0} */ SELECT 1",
            "EXPLAIN {0}",
            "SELECT name FROM branch WHERE EXISTS ({0})",
            "{0} -- '",
            "SELECT '\\'; {0} -- '",
        )
    )
    return inside.format(statement)
