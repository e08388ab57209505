"""How a call fails.

CallFailed          one call has no usable reply; the case keeps the reason
+-- BudgetSpent     nothing more may be sent; the whole run stops and can be resumed
"""

from __future__ import annotations

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
