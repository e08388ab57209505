"""Databases through the gate: from an address as a person wrote it to connections that went where it says.

A reference ``${NAME}`` may stand for the password and for the user, nowhere else: what stands elsewhere is shown, kept
or decides where the connection goes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

from core.domain.errors import DestinationRefused, InvalidInput, SourceUnavailable
from core.net.gate.destinations import Destination, plain_host
from core.net.gate.listed import ALLOWED
from core.net.gate.options import FILES, OURS, SOCKETS, require_options
from core.net.gate.policy import addresses, admit, admitted_hosts, open_socket, strict
from core.net.gate.variables import require_variable
from core.net.tls import require_readable
from core.settings import environment_value

REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
CONNECT_SECONDS = 10
LONGEST_SHOWN = 120
"""Characters of an address that a message repeats."""
SILENT_SECONDS = 120
"""How long a MySQL server may say nothing, at sign-in as well, before it is taken for gone."""
NO_FILE = f"{os.devnull}/none"
"""The path of a file that cannot be there."""
USUAL_PORTS = {"postgresql": 5432, "mysql": 3306}
KINDS = {
    "sqlite": "sqlite",
    "sqlite+pysqlite": "sqlite",
    "postgresql": "postgresql",
    "postgresql+psycopg": "postgresql",
    "mysql+pymysql": "mysql",
    "mariadb+pymysql": "mysql",
}
"""The drivers that are used, each with the kind of its options."""

_SPELLED = {
    "postgres": "postgresql+psycopg://",
    "postgresql": "postgresql+psycopg://",
    "mysql": "mysql+pymysql://",
    "mariadb": "mariadb+pymysql://",
    "sqlite": "sqlite:///",
}
SECRET_OPTIONS = frozenset({"password", "passwd", "pwd", "sslpassword", "token", "access_token", "secret"})
_HINT = "Write it like sqlite:///folder/file.sqlite, or upload an SQLite file."

Parameters: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseAddress:
    """A database address that was checked; its secrets are still references.

    Attributes:
        url: As SQLAlchemy reads it, references in place.
        kind: ``sqlite``, ``postgresql`` or ``mysql``.
        destination: Where it connects to; None for a file, and for PostgreSQL's usual socket on this machine.
        shown: What messages call it: kind, host and name, without user, password and options.
    """

    url: URL
    kind: str
    destination: Destination | None
    shown: str

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables it refers to."""
        return tuple(name for part in (self.url.username, self.url.password) for name in REFERENCE.findall(part or ""))

    def secrets(self) -> tuple[str, ...]:
        """The values of its variables, to be hidden in what comes back; those that are not set are left out."""
        return tuple(value for name in self.variables if (value := environment_value(name)))


def read_address(text: str) -> DatabaseAddress:
    """A database address, checked without connecting.

    Args:
        text: SQLAlchemy URL, such as ``sqlite:///data/bank.sqlite`` or
            ``postgresql+psycopg://reader:${BANK_PASSWORD}@host/bank``.

    Raises:
        InvalidInput: It is no address, carries a literal password, refers to a variable where none may stand, or has an
            option that is not allowed.
        DestinationRefused: Its host may not be called, or a variable may not go there.
        Forbidden: It names a file of certificates that a person may not name.
    """
    url = _parsed(text)
    in_options = [value for name, value in url.query.items() if name.lower() in SECRET_OPTIONS]
    if any(secret and not REFERENCE.fullmatch(str(secret)) for secret in (url.password, *in_options)):
        # The message must not repeat the address: it holds the password.
        raise InvalidInput(
            "The database address carries a password in plain text.",
            "Put the password in an environment variable and write ${NAME} in its place.",
        )
    kind = _kind(url)
    if kind == "sqlite" and (url.database or "").lower().startswith("file:"):
        raise InvalidInput(
            f"'{str(url.database)[:200]}' is an SQLite file: address.",
            "Give the plain path: sqlite:///folder/file.sqlite.",
        )
    _require_references_in_place(url)
    require_options(kind, url.query)
    for name in FILES & url.query.keys():
        require_readable(str(url.query[name]))
    address = DatabaseAddress(url=url, kind=kind, destination=_destination(url, kind), shown=_shown(url))
    if kind != "sqlite":
        _admit(address)
    return address


def filled_address(address: DatabaseAddress) -> URL:
    """The address with its variables in place; for connecting only.

    Raises:
        InvalidInput: A variable is not set.
        DestinationRefused: A variable may not go there.
    """
    to = address.destination or Destination("localhost", USUAL_PORTS.get(address.kind))

    def value(match: re.Match[str]) -> str:
        require_variable(match[1], to)
        found = environment_value(match[1])
        if found is None:
            raise InvalidInput(
                f"The database address needs the environment variable {match[1]}, which is not set.",
                f"Set {match[1]} and start Plumbline again.",
            )
        return found

    def put(part: str | None) -> str | None:
        return None if part is None else REFERENCE.sub(value, part)

    return address.url.difference_update_query(OURS).set(
        username=put(address.url.username), password=put(address.url.password)
    )


def open_engine(address: DatabaseAddress) -> Engine:
    """An engine whose every connection is opened by the gate: the name is resolved and checked anew each time.

    Args:
        address: Where to.

    Raises:
        InvalidInput: A variable is not set.
        DestinationRefused: A variable may not go there.
        ModuleNotFoundError: The driver is not installed.
    """
    engine = create_engine(filled_address(address), pool_pre_ping=True)
    if address.kind == "sqlite":
        return engine
    connect = _connect_postgresql if address.kind == "postgresql" else _connect_mysql

    @event.listens_for(engine, "do_connect")
    def open_connection(dialect: Any, record: object, positional: list[Any], named: Parameters) -> Any:
        return connect(address, dialect, named)

    return engine


def _connect_postgresql(address: DatabaseAddress, dialect: Any, named: Parameters) -> Any:
    named = {"connect_timeout": CONNECT_SECONDS, **named}
    to = address.destination
    if to is not None and not to.is_socket:
        found = addresses(to, to.port or USUAL_PORTS["postgresql"])
        # The host stays for the certificate's sake; what is connected to is the address.
        named |= {"host": ",".join([to.host] * len(found)), "hostaddr": ",".join(found)}
    if strict():
        # The library would else send what PGPASSWORD or the operator's password file has, to whichever host.
        named = {"password": "", "passfile": NO_FILE, **named}
    return dialect.loaded_dbapi.connect(**named)


def _connect_mysql(address: DatabaseAddress, dialect: Any, named: Parameters) -> Any:
    named = {"connect_timeout": CONNECT_SECONDS, "read_timeout": SILENT_SECONDS, **named, "local_infile": False}
    to = address.destination
    if to is None or to.is_socket:
        return dialect.loaded_dbapi.connect(**named)
    connection = dialect.loaded_dbapi.connect(**named, defer_connect=True)
    try:
        opened = open_socket(to, to.port or USUAL_PORTS["mysql"], float(named["connect_timeout"]))
    except OSError as error:
        raise dialect.loaded_dbapi.OperationalError(2003, f"{to} does not answer ({error.strerror or error})") from None
    connection.connect(opened)
    return connection


def _parsed(text: str) -> URL:
    if not text.strip():
        raise InvalidInput("The database address is empty.", _HINT)
    if any(not letter.isprintable() for letter in text.strip()):
        raise InvalidInput("The database address has a character that cannot be seen.", "Type it again.")
    try:
        return make_url(text.strip())
    except (ArgumentError, ValueError):
        # What stands behind the last @ holds no password; from the question mark on it might.
        location = re.split(r"[?#]", text.strip().split("@")[-1])[0]
        raise InvalidInput(f"'{_short(location)}' is not a database address.", _HINT) from None


def _kind(url: URL) -> str:
    name = url.drivername.lower()
    if (kind := KINDS.get(name)) is not None:
        return kind
    base = name.split("+")[0]
    spelled = _SPELLED.get(base)
    if spelled is None:
        raise InvalidInput(
            f"'{base[:40]}' is not a kind of database that is read here.",
            "Use sqlite:///file; PostgreSQL and MySQL work where their driver is installed.",
        )
    raise SourceUnavailable(
        f"The driver for {base} that '{name[:60]}://' asks for is not used here.", f"Write the address as {spelled}..."
    )


def _require_references_in_place(url: URL) -> None:
    if url.username and "${" in url.username and not REFERENCE.fullmatch(url.username):
        raise InvalidInput(
            "The user of the database address is partly a variable.", "Write ${NAME} alone in its place."
        )
    options = {f"option {name[:60]}": value for name, value in url.query.items()}
    for part, value in {"kind": url.drivername, "host": url.host, "database name": url.database, **options}.items():
        texts = (value,) if isinstance(value, str) else value or ()
        joined = " ".join((part, *texts))
        if "${" in joined:
            named = f" {found[1]}" if (found := REFERENCE.search(joined)) else ""
            raise InvalidInput(
                f"The {part} of the database address refers to the environment variable{named}.",
                "Only the password and the user may be ${NAME}; write out everything else.",
            )


def _destination(url: URL, kind: str) -> Destination | None:
    if kind == "sqlite":
        if url.host or url.port or url.username or url.password:
            raise InvalidInput(
                "The address of an SQLite file names a server.", "Write three slashes: sqlite:///folder/file.sqlite."
            )
        return None
    sockets = [str(url.query[name]).rstrip("/") for name in SOCKETS & url.query.keys()]
    if sockets and url.host:
        raise InvalidInput("The database address names a server and a socket.", "Leave one of them out.")
    if sockets:
        return Destination(os.path.normpath(sockets[0]), url.port)
    if url.host:
        return Destination(plain_host(url.host), url.port or USUAL_PORTS[kind])
    return None if kind == "postgresql" else Destination("localhost", url.port or USUAL_PORTS[kind])


def _admit(address: DatabaseAddress) -> None:
    if address.destination is None:
        if admitted_hosts() or strict():
            raise DestinationRefused(
                "The database address names no server.",
                f"Write its host before the name of the database; {ALLOWED} says which may be called.",
                host="",
            )
        return
    admit(address.destination)
    for name in address.variables:
        require_variable(name, address.destination)


def _shown(url: URL) -> str:
    plain: Mapping[str, Any] = {"username": None, "password": None, "query": {}}
    return _short(url.set(**plain).render_as_string())


def _short(text: str) -> str:
    """A text that somebody wrote, as far as a message needs it."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}... ({len(text):,} characters)"
