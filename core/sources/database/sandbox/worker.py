"""One worker process, as its parent sees it."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
from collections.abc import Generator
from contextlib import suppress
from multiprocessing.connection import Connection

from core.domain.errors import InvalidInput, PlumblineError, SourceUnavailable
from core.installation import COMMAND, ENGINE, WORKING_FOLDER
from core.settings import child_environment
from core.sources.database.sandbox.limits import out_of_memory
from core.sources.database.sandbox.messages import (
    Address,
    Begun,
    Cancel,
    End,
    Failure,
    Leave,
    Reply,
    Request,
    receive,
    send,
)

MODULE = f"{ENGINE}.sources.database.sandbox.child"


class WorkerProcess:
    """Starts a worker and talks to it; used by one thread at a time.

    Attributes:
        address: The database it is connected to, None for none.
        session: Number of the session in which a server may still run its query, 0 for none.
    """

    def __init__(self) -> None:
        try:
            self._process = subprocess.Popen(
                [*COMMAND[:-1], MODULE],
                cwd=WORKING_FOLDER,
                env=child_environment(own=False),  # keys and addresses among them, which no query needs
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        except OSError as error:
            raise SourceUnavailable(
                f"The process that runs queries could not be started: {error.strerror}.",
                "Free some memory, or end other processes, and try again.",
            ) from error
        assert self._process.stdin is not None  # noqa: S101 - they are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._requests = Connection(os.dup(self._process.stdin.fileno()), readable=False)
        self._replies = Connection(os.dup(self._process.stdout.fileno()), writable=False)
        self._process.stdin.close()
        self._process.stdout.close()
        self._stopped = False
        self.address: Address | None = None
        self.session = 0

    @property
    def usable(self) -> bool:
        """Whether it can take another request: one that waits for it has nothing to say."""
        return not self._stopped and self._process.poll() is None and not self._replies.poll()

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    def ask(self, request: Request) -> Generator[Reply, None, None]:
        """Sends a request and gives its replies as they come; whoever leaves before the last one cancels it.

        Raises:
            PlumblineError: What went wrong in the worker, or that the worker itself went.
        """
        done = False
        try:
            self._say(request)
            while not done:
                reply = self._hear()
                done = reply.done
                yield reply
        except PlumblineError:
            raise
        except GeneratorExit:
            if not done:
                self._cancel()
            raise
        except BaseException:  # interrupted in the middle of a message
            self.stop()
            raise

    def leave(self) -> None:
        """Has it close its connection to the database."""
        with suppress(PlumblineError):
            for _ in self.ask(Leave()):
                pass
        self.address = None

    def end(self, address: Address, session: int) -> None:
        """Has it end a session on a server; one that is over already, or a server that does not answer, is no error."""
        with suppress(PlumblineError):
            for _ in self.ask(End(address, session)):
                pass

    def stop(self) -> None:
        """Ends the process; it cancels by itself what it may still run."""
        self._stopped = True
        self._requests.close()
        self._replies.close()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _say(self, request: Request) -> None:
        try:
            send(self._requests, request)
        except OSError as error:
            raise self._gone() from error
        except (TypeError, pickle.PicklingError, AttributeError) as error:
            raise InvalidInput(
                f"The database refused the statement: a value cannot be sent to it ({error}).", "Use plain values."
            ) from error

    def _hear(self) -> Reply:
        try:
            reply = receive(self._replies)
            if isinstance(reply, Begun):
                self.session = reply.session
                reply = receive(self._replies)
        except (EOFError, OSError) as error:
            raise self._gone() from error
        if isinstance(reply, Failure):
            if reply.last:
                self.stop()
            else:
                self.session = 0
            raise reply.error()
        assert isinstance(reply, Reply)  # noqa: S101 - a worker says nothing else
        if reply.done:
            self.session = 0
        return reply

    def _cancel(self) -> None:
        """Ends what runs and takes what is still on its way."""
        with suppress(PlumblineError):
            self._say(Cancel())
            while not self._hear().done:
                pass

    def _gone(self) -> PlumblineError:
        """Why the worker is no longer there."""
        self.stop()
        code = self._process.returncode
        if code in (-signal.SIGKILL, -signal.SIGSEGV, -signal.SIGABRT):
            return out_of_memory()  # the system ends a process that takes too much in one of these ways
        return SourceUnavailable(f"The process that runs queries ended with code {code}.", "Try again.")
