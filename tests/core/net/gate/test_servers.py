"""Real databases through the gate: ordinary connections work, and go where the name led when it was checked."""

import getpass
import os
import socket
from contextlib import closing

import pytest
import sqlalchemy as sa

from core.domain.errors import DestinationRefused, SourceUnavailable
from core.net.gate import resolving_with
from core.sources.database import DatabaseSource
from core.sources.database.address import read_address
from core.sources.database.readers.server import ServerReader
from tests.support.databases.source_servers import SERVERS, database
from tests.support.servers.listening import listening, native_password
from tests.support.small_bank import bank_statements

SECRET = "pw-of-the-reader-1"


@pytest.fixture(params=["postgresql", "mariadb"])
def address(request, tmp_path):
    with database(request.param, bank_statements(), tmp_path) as found:
        yield found


def count(address):
    with DatabaseSource.connect(address) as source:
        return source.query("SELECT COUNT(*) FROM branch").rows[0][0]


def count_here(address):
    """The same in this process, whose names a test can lead elsewhere."""
    with (
        closing(ServerReader(read_address(address), begun=print)) as reader,
        reader.run("SELECT COUNT(*) FROM branch", {}, timeout_s=20) as result,
    ):
        return next(iter(result.rows))[0]


def test_a_name_is_connected_at_the_address_that_was_checked(address, monkeypatch):
    named = address.replace("127.0.0.1", "db.bank.example")
    asked = []

    def here(host, port):
        asked.append((host, port))
        return ["127.0.0.1"]

    with resolving_with(here):
        with pytest.raises(DestinationRefused, match=r"db\.bank\.example, which leads to 127\.0\.0\.1"):
            count_here(named)
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "db.bank.example,127.0.0.1")
        assert count_here(named) == 6
    kind = "postgresql" if address.startswith("postgresql") else "mariadb"
    assert set(asked) == {("db.bank.example", SERVERS[kind].port)}


def test_each_new_connection_is_checked_anew(address, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "db.bank.example,127.0.0.1")
    answers = ["127.0.0.1"]
    named = address.replace("127.0.0.1", "db.bank.example")
    with resolving_with(lambda host, port: answers), closing(ServerReader(read_address(named), begun=print)) as reader:
        answers[:] = ["169.254.169.254"]
        with reader.run("SELECT name FROM branch", {}, timeout_s=20) as first:
            next(iter(first.rows))
            # The pool's one connection is in use, so this takes a second one.
            with (
                pytest.raises(DestinationRefused, match="metadata service"),
                reader.run("SELECT name FROM branch", {}, timeout_s=20),
            ):
                pass


def test_where_the_first_address_does_not_answer_the_next_is_tried(address):
    kind = "postgresql" if address.startswith("postgresql") else "mariadb"
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.9", SERVERS[kind].port)) == 0:
            pytest.skip(f"{kind} listens on 127.0.0.9 as well, so no address here is without an answer")
    with resolving_with(lambda host, port: ["127.0.0.9", "127.0.0.1"]):
        assert count_here(address.replace("127.0.0.1", "localhost")) == 6


@pytest.mark.slow
def test_with_sign_in_a_named_server_with_a_named_variable_works(address, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    with pytest.raises(DestinationRefused, match="names no host that may be called"):
        count(address)
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
    assert count(address) == 6
    monkeypatch.setenv("DB_PW", SECRET)
    user = "postgres@" if address.startswith("postgresql") else "root@"
    with_password = address.replace(user, f"{user[:-1]}:${{DB_PW}}@")
    with pytest.raises(DestinationRefused, match=r"DB_PW is not named for 127\.0\.0\.1"):
        count(with_password)


def test_a_password_arrives_where_it_is_named_for(tmp_path, monkeypatch):
    monkeypatch.setenv("DB_PW", SECRET)
    monkeypatch.setenv("DB_USER", "reader")
    for named in ("", "127.0.0.1=DB_PW,DB_USER"):
        monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", named)
        with listening("postgresql") as server, pytest.raises(SourceUnavailable) as error:
            DatabaseSource.connect(f"postgresql+psycopg://${{DB_USER}}:${{DB_PW}}@127.0.0.1:{server.port}/x")
        assert SECRET.encode() in server.all
        assert "reader" not in f"{error.value} {error.value.__cause__!r}"
        with listening("mariadb") as server, pytest.raises(SourceUnavailable):
            DatabaseSource.connect(f"mariadb+pymysql://${{DB_USER}}:${{DB_PW}}@127.0.0.1:{server.port}/x")
        assert native_password(SECRET) in server.all


def test_what_a_server_says_comes_without_what_it_was_sent(tmp_path, monkeypatch):
    monkeypatch.setenv("DB_USER", "postgres")
    with database("postgresql", [*bank_statements()], tmp_path) as address:
        named = address.replace("postgres@", "${DB_USER}@")
        with DatabaseSource.connect(named) as source:
            engine = sa.create_engine(address)
            with engine.begin() as connection:
                connection.exec_driver_sql("DROP TABLE account")
            engine.dispose()
            with pytest.raises(Exception, match="refused the statement") as error:
                source.query("SELECT name FROM account")
    assert error.value.__cause__ is None


@pytest.mark.skipif(not os.path.isdir("/var/run/postgresql"), reason="PostgreSQL has no socket here")
def test_a_socket_of_this_machine_is_a_destination_like_others(monkeypatch, tmp_path):
    with database("postgresql", bank_statements(), tmp_path) as address:
        schema = address.split("%3D")[1]
        socket = f"postgresql+psycopg://{getpass.getuser()}@/postgres?host=/var/run/postgresql&options=-csearch_path%3D{schema}"
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
        with pytest.raises(DestinationRefused, match="may not call /var/run/postgresql"):
            DatabaseSource.connect(socket)
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "/var/run/postgresql")
        with pytest.raises(SourceUnavailable, match="does not answer"):
            # It is asked, and knows no such user; where it does, the bank is read.
            DatabaseSource.connect(socket.replace(getpass.getuser(), "nobody-of-this-name"))
