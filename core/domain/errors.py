"""The error tree.

PlumblineError                what happened, to which thing; `hint` says what to do
+-- InvalidInput              something a person gave that cannot be used: a file, an address, a setting
|   +-- UnsafeSql             a statement that is not one plain SELECT on known tables
|   |   +-- UnparsableSql     a text that is no SQL
|   |   +-- UnknownName       a table or column that does not exist or could be several
|   |   +-- ExpensiveSql      a SELECT that could cost the database far more than a question is worth
|   +-- InvalidTemplate       an SQL or text template that cannot be used as it is
|   +-- UnreadableFile        a file that is empty, damaged, locked or of a kind that is not read
|   +-- LostColumns           a file of which columns would be lost that look like answers, passages or ids
|   +-- DestinationRefused    a host that may not be called, or a variable that may not go there
+-- NotFound                  an id that names nothing
+-- Conflict                  the thing changed or was frozen in the meantime
|   +-- LabelChanged          a label that is not the one its rater saw any more
|   +-- DecisionChanged       an adjudication or a finding that is not the one its decider saw any more
+-- Forbidden                 the actor's role does not allow it
+-- SourceUnavailable         a database or folder that does not answer
+-- LimitExceeded             a row limit or a timeout was reached
|   +-- QueryStopped          one query was ended by the limit it names: its time, memory, rows, bytes, ...
+-- Stopped                   a person asked the work to stop
+-- TargetFailed              the system under test failed on one case
|   +-- NoReply               its HTTP service sent nothing that can be read
+-- AlwaysFails               the first questions of a run all failed for one lasting reason; it stops, and can resume
+-- DoubtfulAnswers           the first answers of a run look misread; it stops before it is spent, and can go on
+-- CallFailed                one call of a model has no usable reply; the case keeps the reason
|   +-- BudgetSpent           nothing more may be sent; the whole run stops and can be resumed
+-- NothingAnswered           no call of a whole job has a usable reply; the job fails and can be resumed
+-- InsufficientData          too few observations for the figure asked for
"""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.status import Status


class PlumblineError(Exception):
    """An error a person can act on.

    Args:
        message: What happened, with the value and the thing it happened to.
        hint: What to do about it, one sentence.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InvalidInput(PlumblineError):
    """A file, an address, a setting or an argument that cannot be used."""


class UnsafeSql(InvalidInput):
    """SQL that is not exactly one SELECT on known tables with known functions."""


class UnparsableSql(UnsafeSql):
    """A text that cannot be parsed as SQL."""


class UnknownName(UnsafeSql):
    """A table or column that the schema does not have, or that several tables have."""


class ExpensiveSql(UnsafeSql):
    """A SELECT that is refused for what it could cost: its size, its nesting, or values that grow."""


class InvalidTemplate(InvalidInput):
    """An SQL template or a text template that cannot be used as it is."""


class UnreadableFile(InvalidInput):
    """A file that is empty, damaged, locked, or of a kind that is not read."""

    @property
    def told(self) -> str:
        """The reason, with what a person can do about it where there is something."""
        return f"{self.message}. {self.hint}" if self.hint else self.message


class DestinationRefused(InvalidInput):
    """A host, an address or a socket that may not be called, or a variable that may not go there.

    Args:
        message: What is refused and why, without a secret.
        hint: What the person or the operator can do.
        host: What was to be called, for the audit trail.

    Attributes:
        recorded: Whether the audit trail has it.
    """

    recorded = False

    def __init__(self, message: str, hint: str, *, host: str) -> None:
        super().__init__(message, hint)
        self.host = host


class LostColumns(InvalidInput):
    """A file of which columns would be lost that look as if they held answers, passages or ids.

    Args:
        message: What happened.
        hint: What to do about it.
        columns: The columns.
    """

    def __init__(self, message: str, hint: str = "", columns: Sequence[str] = ()) -> None:
        super().__init__(message, hint)
        self.columns = tuple(columns)


class NotFound(PlumblineError):
    """An id that names nothing."""


class Conflict(PlumblineError):
    """The thing was changed, frozen or finished in the meantime."""


class LabelChanged(Conflict):
    """A label was saved or taken back in another window since its rater saw it; nothing was written."""


class DecisionChanged(Conflict):
    """Somebody decided, changed or withdrew a decision since the person saw it; nothing was written."""


class Forbidden(PlumblineError):
    """The actor's role does not allow the action."""


class SourceUnavailable(PlumblineError):
    """A database or a folder that does not answer."""


class LimitExceeded(PlumblineError):
    """A row limit or a timeout stopped the work."""


class QueryStopped(LimitExceeded):
    """One query that a limit ended; other queries are not concerned.

    Args:
        message: What happened.
        hint: What to do about it.
        limit: Which limit: ``time``, ``memory``, ``rows``, ``bytes``, ``value`` or ``temporary files``.
    """

    def __init__(self, message: str, hint: str = "", *, limit: str = "time") -> None:
        super().__init__(message, hint)
        self.limit = limit


class Stopped(PlumblineError):
    """A person stopped the work before it was done."""


class TargetFailed(PlumblineError):
    """The system under test failed on one case.

    Args:
        message: What happened.
        hint: What to do about it.
        lasting: Whether the next question will fail in the same way until somebody corrects something, as a path that
            the reply does not have; not so for what passes, such as a time-out or a busy service.
    """

    def __init__(self, message: str, hint: str = "", *, lasting: bool = False) -> None:
        super().__init__(message, hint)
        self.lasting = lasting


class NoReply(TargetFailed):
    """A question to an HTTP target without a reply that can be read.

    Args:
        message: What happened.
        hint: What to do about it.
        status: The HTTP status, where there was one.
        text: The body, without the secrets that were sent, where there was one.
        lasting: As for `TargetFailed`.
    """

    def __init__(
        self, message: str, hint: str, *, status: int | None = None, text: str = "", lasting: bool = False
    ) -> None:
        super().__init__(message, hint, lasting=lasting)
        self.status = status
        self.text = text


class AlwaysFails(PlumblineError):
    """The first questions of a run all failed for one reason that lasts; the rest waits until it is put right."""


class DoubtfulAnswers(PlumblineError):
    """The first answers of a run look as if they were misread; it keeps them and waits for a person to say go on."""


class CallFailed(PlumblineError):
    """One call that ended without a usable reply.

    Args:
        message: What happened.
        hint: What to do about it.
        status: Why a score that needed the call has no value.
        raw: What came back, where anything did.
        call_id: The ledger's row, or empty where nothing was sent.
    """

    def __init__(
        self, message: str, hint: str = "", *, status: Status = Status.API_ERROR, raw: str = "", call_id: str = ""
    ) -> None:
        super().__init__(message, hint)
        self.status = status
        self.raw = raw
        self.call_id = call_id


class BudgetSpent(CallFailed):
    """The budget does not allow another call."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message, hint, status=Status.BUDGET_STOPPED)


class NothingAnswered(PlumblineError):
    """Work that asked a model and had no usable reply at all.

    Args:
        things: What it asked about, in the plural ("table sets").
        reasons: Why there was no reply, one for each of them.
    """

    def __init__(self, things: str, reasons: Sequence[str]) -> None:
        first, *others = dict.fromkeys(reasons)
        more = f" Another reason: {others[0]}" if len(others) == 1 else ""
        more = f" There are {len(others)} further reasons." if len(others) > 1 else more
        super().__init__(
            f"No usable reply for {len(reasons):,} of {len(reasons):,} {things}. {first}{more}",
            "Correct the endpoint's address, its key or the model's name on the Models page, or take a larger model "
            "where replies cannot be read, then try again: what was answered before is not asked again.",
        )


class InsufficientData(PlumblineError):
    """Too few observations for the figure asked for.

    Args:
        need: The least number of observations.
        have: The number there is.
        what: The observations counted, in the plural ("semantic groups").
        remedy: What somebody can do.
    """

    def __init__(
        self, need: int, have: int, what: str = "observations", remedy: str = "Add cases or choose a coarser question."
    ) -> None:
        super().__init__(f"This needs at least {need} {what} and there are {have}.", remedy)
        self.need = need
        self.have = have
