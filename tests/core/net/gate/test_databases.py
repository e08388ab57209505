"""Database addresses as people and attackers write them: what is refused in which words, and what keeps working."""

import re
from pathlib import Path

import pytest

from core.domain.errors import DestinationRefused, Forbidden, InvalidInput, PlumblineError
from core.net.gate import Destination
from core.net.gate.databases import filled_address, read_address

ROOT = Path(__file__).resolve().parents[4]
SECRET = "pw-9x8y7z"


@pytest.fixture(autouse=True)
def own_machine(monkeypatch):
    for name in ("ALLOWED_HOSTS", "HOST_VARIABLES", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    monkeypatch.setenv("BANK_PASSWORD", SECRET)


PG, MY = "postgresql+psycopg://u:${BANK_PASSWORD}@db.bank.example/x", "mysql+pymysql://u@db.bank.example/x"
NOT_ALLOWED = "of a database address is not allowed"
NO_VALUE = "has a value that is not allowed"
VARIABLE = "refers to the environment variable"

HOSTILE = {
    f"{PG}?host=evil.example": NO_VALUE,
    f"{PG}?host=/tmp,evil.example": NO_VALUE,
    f"{PG}?host=evil.example:1&host=b:2": "host of the database address is given twice",
    f"{PG}?hostaddr=10.0.0.1": f"option hostaddr {NOT_ALLOWED}",
    f"{PG}?port=1": f"option port {NOT_ALLOWED}",
    f"{PG}?user=postgres": f"option user {NOT_ALLOWED}",
    f"{PG}?dbname=postgres": f"option dbname {NOT_ALLOWED}",
    f"{PG}?service=prod": f"option service {NOT_ALLOWED}",
    f"{PG}?servicefile=/tmp/x": f"option servicefile {NOT_ALLOWED}",
    f"{PG}?passfile=/home/ada/.pgpass": f"option passfile {NOT_ALLOWED}",
    f"{PG}?sslkey=/home/ada/key.pem": f"option sslkey {NOT_ALLOWED}",
    f"{PG}?sslcert=/home/ada/cert.pem": f"option sslcert {NOT_ALLOWED}",
    f"{PG}?sslkeylogfile=/tmp/x": f"option sslkeylogfile {NOT_ALLOWED}",
    f"{PG}?sslcrl=/etc/passwd": f"option sslcrl {NOT_ALLOWED}",
    f"{PG}?krbsrvname=x": f"option krbsrvname {NOT_ALLOWED}",
    f"{PG}?require_auth=password": f"option require_auth {NOT_ALLOWED}",
    f"{PG}?replication=database": f"option replication {NOT_ALLOWED}",
    f"{PG}?plugin=evil": f"option plugin {NOT_ALLOWED}",
    f"{PG}?options=-cdefault_transaction_read_only%3Doff": NO_VALUE,
    f"{PG}?options=-csearch_path%3Da%20-cstatement_timeout%3D0": NO_VALUE,
    f"{PG}?options=-csearch_path%3Da%5C%20-crole%3Droot": NO_VALUE,
    f"{PG}?application_name=${{BANK_PASSWORD}}": VARIABLE,
    f"{PG}?sslrootcert=/x%27y": NO_VALUE,
    f"{PG}?connect_timeout=0": NO_VALUE,
    f"{PG}?connect_timeout=9999": NO_VALUE,
    f"{PG}?sslpassword={SECRET}": "password in plain text",
    f"{PG}?password={SECRET}": "password in plain text",
    f"{PG}?password=${{BANK_PASSWORD}}": VARIABLE,
    f"postgresql+psycopg://u:{SECRET}@db.bank.example/x": "password in plain text",
    f"postgresql+psycopg://u:{SECRET}${{BANK_PASSWORD}}@db.bank.example/x": "password in plain text",
    f"postgresql+psycopg://u:{SECRET}@db.bank.example:port/x": "is not a database address",
    "postgresql+psycopg://u${BANK_PASSWORD}@db.bank.example/x": "partly a variable",
    "postgresql+psycopg://u@${BANK_PASSWORD}/x": VARIABLE,
    "postgresql+psycopg://u@${BANK_PASSWORD}.evil.example/x": VARIABLE,
    "postgresql+psycopg://u@db.bank.example/${BANK_PASSWORD}": VARIABLE,
    "postgresql+psycopg://u@a,b/x": "these are several hosts",
    "postgresql+psycopg://u@a:1,b:2/x": "is not a database address",
    "postgresql+psycopg://u@2130706433/x": "unusual way",
    "postgresql+psycopg://u@0x7f.1/x": "unusual way",
    "postgresql+psycopg://u@169.254.169.254/x": "metadata service",
    "postgresql+psycopg://u@[::ffff:169.254.169.254]/x": "metadata service",
    "postgresql+psycopg://u@[fe80::1%25eth0]/x": "has a %",
    "postgresql+psycopg://u@0.0.0.0/x": "no address of a host",
    "postgresql+psycopg://u@db.bank.example/x?host=/tmp": "a server and a socket",
    "postgresql+psycopg2://u@db.bank.example/x": "driver for postgresql",
    "postgresql+asyncpg://u@db.bank.example/x": "driver for postgresql",
    "postgresql+pg8000://u@db.bank.example/x": "driver for postgresql",
    "mysql+mysqldb://u@db.bank.example/x": "driver for mysql",
    "mysql+mysqlconnector://u@db.bank.example/x": "driver for mysql",
    "mariadb+mariadbconnector://u@db.bank.example/x": "driver for mariadb",
    f"{MY}?local_infile=1": f"option local_infile {NOT_ALLOWED}",
    f"{MY}?read_default_file=/home/ada/.my.cnf": f"option read_default_file {NOT_ALLOWED}",
    f"{MY}?read_default_group=client": f"option read_default_group {NOT_ALLOWED}",
    f"{MY}?init_command=DROP%20TABLE%20x": f"option init_command {NOT_ALLOWED}",
    f"{MY}?sql_mode=x": f"option sql_mode {NOT_ALLOWED}",
    f"{MY}?host=evil.example": f"option host {NOT_ALLOWED}",
    f"{MY}?port=1": f"option port {NOT_ALLOWED}",
    f"{MY}?passwd={SECRET}": "password in plain text",
    f"{MY}?user=root": f"option user {NOT_ALLOWED}",
    f"{MY}?unix_socket=/run/mysqld/mysqld.sock": "a server and a socket",
    f"{MY}?unix_socket=relative": NO_VALUE,
    f"{MY}?client_flag=128": f"option client_flag {NOT_ALLOWED}",
    f"{MY}?ssl_key=/home/ada/key.pem": f"option ssl_key {NOT_ALLOWED}",
    f"{MY}?ssl_cert=/home/ada/x": f"option ssl_cert {NOT_ALLOWED}",
    f"{MY}?ssl_capath=/root": f"option ssl_capath {NOT_ALLOWED}",
    f"{MY}?server_public_key=x": f"option server_public_key {NOT_ALLOWED}",
    f"{MY}?auth_plugin_map=x": f"option auth_plugin_map {NOT_ALLOWED}",
    f"{MY}?bind_address=127.0.0.1": f"option bind_address {NOT_ALLOWED}",
    f"{MY}?defer_connect=1": f"option defer_connect {NOT_ALLOWED}",
    f"{MY}?LOCAL_INFILE=1": f"option LOCAL_INFILE {NOT_ALLOWED}",
    "mysql+pymysql://u@${BANK_PASSWORD}/x": VARIABLE,
    "sqlite:///file:/etc/x.sqlite?mode=rwc&uri=true": "an SQLite file: address",
    "sqlite:///FILE:x": "an SQLite file: address",
    "sqlite:///bank.sqlite?mode=rwc": f"option mode {NOT_ALLOWED}",
    "sqlite:///bank.sqlite?uri=true": f"option uri {NOT_ALLOWED}",
    "sqlite:///bank.sqlite?vfs=x": f"option vfs {NOT_ALLOWED}",
    "sqlite:///${BANK_PASSWORD}": VARIABLE,
    "sqlite:////data/${BANK_PASSWORD}/x.sqlite": VARIABLE,
    "sqlite://evil.example/bank.sqlite": "names a server",
    "sqlite+aiosqlite:///bank.sqlite": "driver for sqlite",
    "sqlite+pysqlcipher:///bank.sqlite": "driver for sqlite",
    "duckdb:///bank.duckdb": "'duckdb' is not a kind of database",
    "oracle+oracledb://u@db.bank.example/x": "'oracle' is not a kind of database",
    "mssql+pyodbc://u@db.bank.example/x": "'mssql' is not a kind of database",
    "http://db.bank.example/x": "'http' is not a kind of database",
    "postgresql+psycopg://u@db.bank.example/x\x00y": "cannot be seen",
    "postgresql+psycopg://u@db.bank.example/x\ny": "cannot be seen",
    "${BANK_PASSWORD}": "is not a database address",
    "${BANK_PASSWORD}://u@db.bank.example/x": "is not a database address",
    "": "is empty",
}


@pytest.mark.parametrize("address", HOSTILE)
def test_a_hostile_address_is_refused_by_name_and_never_repeated_with_a_secret(address):
    with pytest.raises(PlumblineError) as error:
        read_address(address)
    assert re.search(HOSTILE[address], error.value.message), error.value.message
    assert error.value.hint
    assert SECRET not in f"{error.value} {error.value.__cause__!r}"


HONEST = {
    "postgresql://user:${BANK_PASSWORD}@db.bank.example/bank": Destination("db.bank.example", 5432),
    "postgresql+psycopg://reader:${BANK_PASSWORD}@host/bank": Destination("host", 5432),
    "postgresql+psycopg://postgres@127.0.0.1:5432/postgres?options=-csearch_path%3Dreporting": Destination(
        "127.0.0.1", 5432
    ),
    "postgresql+psycopg://postgres@localhost/postgres?options=-c%20search_path%3Da,b": Destination("localhost", 5432),
    "postgresql+psycopg://${BANK_USER}:${BANK_PASSWORD}@10.20.0.4:6432/bank": Destination("10.20.0.4", 6432),
    "postgresql+psycopg://u@db.bank.example/x?sslmode=verify-full&sslrootcert=/etc/ssl/certs/bank.pem": Destination(
        "db.bank.example", 5432
    ),
    "postgresql+psycopg://u@db.bank.example/x?application_name=Plumbline&connect_timeout=5": Destination(
        "db.bank.example", 5432
    ),
    "postgresql+psycopg://u@/bank?host=/var/run/postgresql": Destination("/var/run/postgresql"),
    "postgresql+psycopg:///bank?host=/var/run/postgresql": Destination("/var/run/postgresql"),
    "postgresql+psycopg:///bank": None,
    "postgresql+psycopg://u@[::1]:5432/bank": Destination("::1", 5432),
    "postgresql+psycopg://u%40bank@bank.postgres.database.azure.com/x?sslmode=require": Destination(
        "bank.postgres.database.azure.com", 5432
    ),
    "mysql+pymysql://reader:${BANK_PASSWORD}@db.bank.example/bank": Destination("db.bank.example", 3306),
    "mysql+pymysql://root@127.0.0.1:3306/": Destination("127.0.0.1", 3306),
    "mariadb+pymysql://root@127.0.0.1:3306/bank?charset=utf8mb4": Destination("127.0.0.1", 3306),
    "mysql+pymysql://u@/bank?unix_socket=/run/mysqld/mysqld.sock": Destination("/run/mysqld/mysqld.sock"),
    "mysql+pymysql://u@db.bank.example/x?ssl_ca=/etc/ssl/certs/bank.pem&ssl_check_hostname=true": Destination(
        "db.bank.example", 3306
    ),
    "sqlite:///data/bank.sqlite": None,
    "sqlite:////srv/bank.sqlite": None,
    "sqlite:///folder with blank/bank.db": None,
    "sqlite+pysqlite:///bank.db": None,
}


@pytest.mark.parametrize("address", HONEST)
def test_an_honest_address_is_taken(monkeypatch, address):
    monkeypatch.setenv("BANK_USER", "ada")
    read = read_address(address)
    assert read.destination == HONEST[address]
    filled = filled_address(read)
    assert filled.password in (None, SECRET)
    assert "${" not in (filled.username or "")
    assert SECRET not in read.shown
    assert "ada" not in read.shown


@pytest.mark.parametrize("address", [address for address, to in HONEST.items() if not address.startswith("sqlite")])
def test_with_sign_in_an_honest_address_needs_the_operators_word_and_then_works(monkeypatch, address):
    monkeypatch.setenv("BANK_USER", "ada")
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    with pytest.raises(DestinationRefused) as error:
        read_address(address)
    assert "PLUMBLINE_ALLOWED_HOSTS" in error.value.hint
    to = HONEST[address]
    if to is None:
        return
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", to.host)
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", f"{to.host}=BANK_PASSWORD,BANK_USER")
    filled_address(read_address(address))


def test_a_missing_variable_is_named(monkeypatch):
    monkeypatch.delenv("BANK_PASSWORD")
    with pytest.raises(InvalidInput, match="needs the environment variable BANK_PASSWORD, which is not set"):
        filled_address(read_address(PG))


def test_no_setting_of_plumbline_goes_into_an_address(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", f"sqlite:////tmp/{SECRET}")
    with pytest.raises(InvalidInput, match="PLUMBLINE_DATABASE_URL is a setting of Plumbline"):
        read_address("postgresql+psycopg://u:${PLUMBLINE_DATABASE_URL}@db.bank.example/x")


def test_with_sign_in_a_certificate_file_lies_in_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "h")
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path))
    read_address(f"postgresql+psycopg://u@h/x?sslrootcert={tmp_path}/bank.pem")
    for place in ("/home/ada/bank.pem", f"{tmp_path}/../bank.pem"):
        for address in (f"postgresql+psycopg://u@h/x?sslrootcert={place}", f"mysql+pymysql://u@h/x?ssl_ca={place}"):
            with pytest.raises(Forbidden, match="outside the data folder"):
                read_address(address)


def test_every_address_in_the_documents_is_taken_or_is_an_example_of_the_store():
    texts = [path.read_text(encoding="utf-8") for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]]
    found = {
        match.rstrip(".,;:`')")
        for text in texts
        for match in re.findall(r"(?:postgresql|mysql|mariadb|sqlite)(?:\+\w+)?://[^\s`\"')]+", text)
    }
    for address in found:
        if not address.endswith("//"):
            read_address(address)
