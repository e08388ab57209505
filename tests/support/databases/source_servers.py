"""Databases of a test's own on servers to read from; the test is skipped, with the reason, where none answers."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.support.databases.sqlite_files import sqlite_file

KINDS = ("sqlite", "postgresql", "mariadb")


@dataclass(frozen=True)
class Server:
    """One kind of server.

    Attributes:
        driver: The module that talks to it.
        address: Of the server, where databases are made.
        port: Where it listens.
        schema: What SQL calls the part that a test gets for itself.
        enter: What makes that part the one in use.
        own: The address of that part.
    """

    driver: str
    address: str
    port: int
    schema: str
    enter: str
    own: str


SERVERS = {
    "postgresql": Server(
        driver="psycopg",
        address="postgresql+psycopg://postgres@127.0.0.1:5432/postgres",
        port=5432,
        schema="SCHEMA",
        enter="SET search_path TO {name}",
        own="postgresql+psycopg://postgres@127.0.0.1:5432/postgres?options=-csearch_path%3D{name}",
    ),
    "mariadb": Server(
        driver="pymysql",
        address="mysql+pymysql://root@127.0.0.1:3306/",
        port=3306,
        schema="DATABASE",
        enter="USE {name}",
        own="mariadb+pymysql://root@127.0.0.1:3306/{name}",
    ),
}


@contextmanager
def database(kind: str, statements: Sequence[str], folder: Path) -> Iterator[str]:
    """The address of a database made by statements, of a kind in `KINDS`; dropped afterwards.

    Args:
        kind: ``sqlite`` for a file in the folder, else a server.
        statements: What makes the tables and their rows.
        folder: Where the file goes.
    """
    if kind == "sqlite":
        folder.mkdir(exist_ok=True)
        yield sqlite_file(folder / "source.sqlite", ";\n".join(statements))
        return
    server = SERVERS[kind]
    pytest.importorskip(server.driver, reason=f"{server.driver} is not installed, so {kind} is not read")
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=5).close()
    except OSError:
        pytest.skip(f"no {kind} server answers on 127.0.0.1:{server.port}")
    name = f"plumbline_source_{secrets.token_hex(6)}"
    engine = sa.create_engine(server.address, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"CREATE {server.schema} {name}")
            connection.exec_driver_sql(server.enter.format(name=name))
            for statement in statements:
                connection.exec_driver_sql(statement)
        yield server.own.format(name=name)
    finally:
        with engine.connect() as connection:
            connection.exec_driver_sql(f"DROP {server.schema} IF EXISTS {name}{_with_all(kind)}")
        engine.dispose()


@contextmanager
def schemas(kind: str, names: Sequence[str], statements: Sequence[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """A server's address that names no schema, and the schemas made on it; all of it is dropped afterwards.

    On PostgreSQL they lie in a database of their own; on MariaDB, where a schema is a database, beside others.

    Args:
        kind: ``postgresql`` or ``mariadb``.
        names: What statements call the schemas, as ``{name}``.
        statements: What makes the tables and their rows.
    """
    server = SERVERS[kind]
    pytest.importorskip(server.driver, reason=f"{server.driver} is not installed, so {kind} is not read")
    try:
        socket.create_connection(("127.0.0.1", server.port), timeout=5).close()
    except OSError:
        pytest.skip(f"no {kind} server answers on 127.0.0.1:{server.port}")
    own = f"plumbline_source_{secrets.token_hex(6)}"
    postgresql = kind == "postgresql"
    real = {name: name if postgresql else f"{own}_{name}" for name in names}
    address = server.address.removesuffix("postgres") + own if postgresql else server.address
    engine = sa.create_engine(server.address, isolation_level="AUTOCOMMIT")
    inside = engine
    try:
        with engine.connect() as connection:
            if postgresql:
                connection.exec_driver_sql(f"CREATE DATABASE {own}")
                inside = sa.create_engine(address, isolation_level="AUTOCOMMIT")
        with inside.connect() as connection:
            for name in real.values():
                connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {name}")
            for statement in statements:
                connection.exec_driver_sql(statement.format(**real))
        yield address.replace("mysql+pymysql", "mariadb+pymysql"), real
    finally:
        inside.dispose()
        with engine.connect() as connection:
            if postgresql:
                connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {own} WITH (FORCE)")
            for name in () if postgresql else reversed(real.values()):
                connection.exec_driver_sql(f"DROP DATABASE IF EXISTS {name}")
        engine.dispose()


def _with_all(kind: str) -> str:
    return " CASCADE" if kind == "postgresql" else ""
