"""The error tree.

PlumblineError                what happened, to which thing; `hint` says what to do
+-- InvalidInput              something a person gave us: a file, an address, a setting
|   +-- UnsafeSql             a statement that is not one plain SELECT on known tables
|   |   +-- UnparsableSql     a text that is no SQL
|   |   +-- UnknownName       a table or column that does not exist or could be several
|   +-- InvalidTemplate       an SQL or text template that cannot be used as it is
|   +-- UnreadableFile        a file that is empty, damaged, locked or of a kind we do not read
+-- NotFound                  an id that names nothing
+-- Conflict                  the thing changed or was frozen in the meantime
+-- Forbidden                 the actor's role does not allow it
+-- SourceUnavailable         a database or folder that does not answer
+-- LimitExceeded             a row limit or a timeout was reached
+-- TargetFailed              the system under test failed on one case
+-- InsufficientData          too few observations for the figure asked for
"""

from __future__ import annotations


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


class InvalidTemplate(InvalidInput):
    """An SQL template or a text template that cannot be used as it is."""


class UnreadableFile(InvalidInput):
    """A file that is empty, damaged, locked, or of a kind that is not read."""


class NotFound(PlumblineError):
    """An id that names nothing."""


class Conflict(PlumblineError):
    """The thing was changed, frozen or finished in the meantime."""


class Forbidden(PlumblineError):
    """The actor's role does not allow the action."""


class SourceUnavailable(PlumblineError):
    """A database or a folder that does not answer."""


class LimitExceeded(PlumblineError):
    """A row limit or a timeout stopped the work."""


class Stopped(PlumblineError):
    """A person asked the work to stop, and it did before it was done."""


class TargetFailed(PlumblineError):
    """The system under test failed on one case."""


class InsufficientData(PlumblineError):
    """Too few observations for the figure asked for.

    Args:
        need: The least number of observations.
        have: The number there is.
        what: What is counted, plural ("semantic groups").
    """

    def __init__(self, need: int, have: int, what: str = "observations") -> None:
        super().__init__(
            f"This needs at least {need} {what} and there are {have}.", "Add cases or choose a coarser question."
        )
        self.need = need
        self.have = have
