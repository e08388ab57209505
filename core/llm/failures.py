"""How a call fails.

CallFailed          one call has no usable reply; the case keeps the reason
+-- BudgetSpent     nothing more may be sent; the whole run stops and can be resumed
NothingAnswered     no call of a whole job has a usable reply; the job fails and can be resumed
"""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.errors import PlumblineError
from core.domain.responses import Status


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
            "Correct the endpoint's address, its key or the model's name on the Models page, then try again: what was "
            "answered before is not asked again.",
        )
