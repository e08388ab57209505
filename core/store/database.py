"""The store: one way to read, one way to write, one way to report progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError, OperationalError

from core.domain.errors import Conflict, InvalidInput
from core.store.digests import changes
from core.store.digests.recording import recorded, recorded_where_covered
from core.store.engines import BUSY_SECONDS, IMMEDIATE, damage_told, parse, reader, writer
from core.store.locks import locked
from core.store.migrate import migrate
from core.store.writing import versions

OF_A_RUN = ("run.", "score.")
"""What actions begin with that change one run: their subject."""


class Store:
    """Projects, sources, test sets, runs, jobs and their audit trail in one database.

    Threads may share a store; a process that forks must open its own.
    """

    def __init__(self, writing: Engine, reading: Engine) -> None:
        versions.watch(writing)
        changes.watch(writing)
        self._writing = writing
        self._reading = reading
        self._disposed = False

    def __repr__(self) -> str:
        return f"Store({self._writing.url.render_as_string(hide_password=True)!r})"

    @classmethod
    def open(cls, url: str) -> Store:
        """Opens a store, making or upgrading it where needed.

        Args:
            url: SQLAlchemy URL of an SQLite file (made with its folder where missing) or a PostgreSQL database.

        Raises:
            InvalidInput: The URL cannot be a store, or the database is not one this version can use.
            UnreadableFile: The file is not an SQLite database, or cannot be written.
            SourceUnavailable: The server does not answer.
        """
        parsed = parse(url)
        writing = writer(parsed)
        try:
            with damage_told(parsed):
                migrate(writing)
        except BaseException:
            writing.dispose()
            raise
        return cls(writing, reader(parsed))

    @property
    def url(self) -> str:
        """The URL that opens this store from anywhere on this machine; it may hold a password, so never show it."""
        return self._writing.url.render_as_string(hide_password=False)

    @property
    def folder(self) -> Path | None:
        """The folder of the store's file, None for a server."""
        database = self._writing.url.database
        return Path(database).parent if self._writing.dialect.name == "sqlite" and database else None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the store throughout and cannot change it."""
        with damage_told(self._reading.url), self._reading.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(
        self,
        actor: str,
        action: str,
        *,
        project_id: str = "",
        subject: str = "",
        detail: Mapping[str, object] | None = None,
    ) -> Iterator[Connection]:
        """A connection that may change the store; an audit entry is committed with the changes or not at all.

        What is read inside is still true when it commits, and the versions of what it changes grow with it, see
        `core.store.writing.versions`. Keep it short: no model call, no file, no waiting.

        Args:
            actor: Who does it.
            action: What is done, such as ``test_set.freeze``. One that begins with ``run.`` or ``score.`` has a run
                for its subject and changes no other run.
            project_id: The project it belongs to and whose records alone it changes, or empty.
            subject: Id of the record that is changed, or empty.
            detail: Further facts for the audit trail; plain JSON, no secret.

        Raises:
            InvalidInput: Actor or action is empty.
            Conflict: The change breaks a rule of the store, or another writer kept it locked.
        """
        if not actor.strip() or not action.strip():
            raise InvalidInput(
                f"The write {action or '(unnamed)'} has no {'actor' if action.strip() else 'action'}.",
                "Give every change of the store an actor and an action.",
            )
        with (
            self._writer(project_id, subject if action.startswith(OF_A_RUN) else "") as connection,
            recorded(connection, actor, action, project_id=project_id, subject=subject, detail=detail),
        ):
            yield connection

    @contextmanager
    def pulse(self, project_id: str = "", run_id: str = "") -> Iterator[Connection]:
        """A connection for a worker's reports and for what can be computed again.

        Heartbeats, progress, and caches such as the encodings of texts leave no audit entry. Rows that are evidence,
        such as calls of models, leave one of `core.store.digests.recording.UNATTENDED`. Keep it short, as every write.

        Args:
            project_id: The project whose things alone it changes, or empty.
            run_id: The run of it whose things alone it changes, or empty.
        """
        with self._writer(project_id, run_id) as connection, recorded_where_covered(connection, project_id, run_id):
            yield connection

    @contextmanager
    def exclusive(self, name: str, *, what: str, seconds: float = 0.0) -> Iterator[None]:
        """Lets one process at a time do a piece of work; the lock ends with its process, also when it is killed.

        Args:
            name: Of the lock, such as ``run_1``.
            what: What the work is, for the message, such as ``Run run_1``.
            seconds: How long to wait for another process to finish.

        Raises:
            Conflict: Another process, or another thread of this one, holds the lock.
        """
        with locked(self._writing, name, seconds) as held:
            if not held:
                raise Conflict(f"{what} is being worked on by another process.", "Wait until it is done, or stop it.")
            yield

    @property
    def disposed(self) -> bool:
        """Whether its connections were closed; whoever holds on to it would open them again."""
        return self._disposed

    def dispose(self) -> None:
        """Closes every connection."""
        self._disposed = True
        self._reading.dispose()
        self._writing.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.dispose()

    @contextmanager
    def _writer(self, project_id: str, run_id: str = "") -> Iterator[Connection]:
        try:
            with (
                damage_told(self._writing.url, writes=True),
                self._writing.connect().execution_options(**{IMMEDIATE: True}) as connection,
                connection.begin(),
            ):
                versions.begin(connection)
                yield connection
                versions.count(connection, project_id=project_id, run_id=run_id)
        except IntegrityError as error:
            raise Conflict(
                f"The store refused the change: {str(error.orig).strip().splitlines()[0]}.",
                "Load the page again; what the change refers to may be deleted, or may exist already.",
            ) from error
        except OperationalError as error:
            if "locked" not in str(error.orig):
                raise
            raise Conflict(
                f"Another process kept the store locked for more than {BUSY_SECONDS:.0f} seconds.", "Try again."
            ) from error
