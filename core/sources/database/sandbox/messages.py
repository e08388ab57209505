"""What a worker and its parent say to each other, one pickled record at a time over two pipes."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from multiprocessing.connection import Connection

from core.domain import errors
from core.domain.errors import (
    DestinationRefused,
    InvalidInput,
    LimitExceeded,
    PlumblineError,
    QueryStopped,
    SourceUnavailable,
)
from core.sources.database.readers.protocol import Statement
from core.sources.database.sandbox.limits import Limits


@dataclass(frozen=True, slots=True)
class Address:
    """A database.

    Attributes:
        kind: As SQLAlchemy names it.
        location: A file's path, or a server's address with its references to variables.
        environment: What the gate needs to know of this process's environment: the variables that the address names,
            and the operator's rules for what goes out.
    """

    kind: str
    location: str
    environment: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Describe:
    """Asks for the tables of a database."""

    address: Address


@dataclass(frozen=True, slots=True)
class Run:
    """Asks for the rows of a statement."""

    address: Address
    statement: Statement
    params: Mapping[str, object]
    limits: Limits
    guarded: bool


@dataclass(frozen=True, slots=True)
class Cancel:
    """Ends what runs; nobody wants its rows any more."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Closes the connections to the database."""


@dataclass(frozen=True, slots=True)
class End:
    """Asks for the end of a session that a worker left behind on a server.

    Attributes:
        address: Of the server.
        session: Its number there.
    """

    address: Address
    session: int


Request = Describe | Run | Cancel | Leave | End


@dataclass(frozen=True, slots=True)
class Begun:
    """Says that a query is about to run on a server that does not notice when its client is gone.

    Attributes:
        session: The number by which another connection can end it.
    """

    session: int


@dataclass(frozen=True, slots=True)
class Reply:
    """A part of an answer.

    Attributes:
        content: Rows, tables or nothing.
        columns: Names of the result's columns.
        done: Whether nothing follows.
    """

    content: tuple[object, ...] = ()
    columns: tuple[str, ...] = ()
    done: bool = True


@dataclass(frozen=True, slots=True)
class Failure:
    """An error, by the name of its class; nothing follows it.

    Attributes:
        limit: Which limit ended a query, empty where none did.
        host: What was not to be called, empty where nothing was.
        last: Whether the worker ends after it.
    """

    kind: str
    message: str
    hint: str
    limit: str = ""
    host: str = ""
    last: bool = False

    @classmethod
    def of(cls, error: PlumblineError, *, last: bool = False) -> Failure:
        """The error as it is sent."""
        limit = error.limit if isinstance(error, QueryStopped) else ""
        host = error.host if isinstance(error, DestinationRefused) else ""
        return cls(type(error).__name__, error.message, error.hint, limit, host, last)

    def error(self) -> PlumblineError:
        """The error as it was raised."""
        if self.limit:
            return QueryStopped(self.message, self.hint, limit=self.limit)
        if self.host:
            return DestinationRefused(self.message, self.hint, host=self.host)
        kind = getattr(errors, self.kind, None)
        if isinstance(kind, type) and issubclass(kind, InvalidInput | LimitExceeded | SourceUnavailable):
            return kind(self.message, self.hint)
        return SourceUnavailable(self.message, self.hint)


def send(pipe: Connection, message: Request | Begun | Reply | Failure) -> int:
    """Sends a message and gives its bytes."""
    data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.send_bytes(data)
    return len(data)


def receive(pipe: Connection) -> object:
    """The next message.

    Raises:
        EOFError: The other side is gone.
    """
    return pickle.loads(pipe.recv_bytes())  # noqa: S301 - from a process of our own
