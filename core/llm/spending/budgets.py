"""The most a run or a job may spend; what it spent is read from the ledger, so that a resumed one counts on."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from core.domain.errors import BudgetSpent, InvalidInput
from core.store.database import Store
from core.store.models import calls as llm_calls

NAMES = ("budget", "budget_calls")
"""Of the limits among the options of a run and the parameters of a job."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a person allows to be spent.

    Attributes:
        money: The most, in the currency of the price table; None for no limit.
        calls: The most calls that are sent; None for no limit.
    """

    money: float | None = None
    calls: int | None = None

    @classmethod
    def of(cls, parameters: Mapping[str, object]) -> Limits:
        """The limits among the parameters of a job, named as for a run.

        Raises:
            InvalidInput: One is no figure.
        """
        try:
            money, calls = (None if (value := parameters.get(name)) is None else float(str(value)) for name in NAMES)
        except ValueError as error:
            raise InvalidInput("A budget is not a number.", "Give an amount or a number of calls from 0.") from error
        return cls(money=money, calls=None if calls is None else int(calls))

    def as_params(self) -> dict[str, object]:
        """Plain JSON, for a job."""
        return dict(zip(NAMES, (self.money, self.calls), strict=True))

    def budget(self, store: Store, *, job_id: str = "") -> Budget | None:
        """The budget of a job within these limits; None where there is none.

        Raises:
            InvalidInput: A limit is below 0.
        """
        if self.money is None and self.calls is None:
            return None
        return Budget(store, job_id=job_id, money=self.money, calls=self.calls)


class Budget:
    """Lets calls through until the money or the number of calls is used up.

    A call in flight counts with the mean cost of those that are back, so a run ends about one call's worth above its
    money, never by a whole batch of them. Until the first is back, calls go one at a time.

    Args:
        store: Where the ledger is.
        run_id: The run whose calls count.
        job_id: The job whose calls count, where there is no run. With neither, only calls made under this budget count.
        money: The most that may be spent, in the currency of the price table; None for no limit.
        calls: The most calls; None for no limit.

    Raises:
        InvalidInput: A limit is below 0 or no number.
    """

    def __init__(
        self, store: Store, run_id: str = "", *, job_id: str = "", money: float | None = None, calls: int | None = None
    ) -> None:
        for name, limit in (("budget", money), ("number of calls", calls)):
            if limit is not None and not limit >= 0:
                raise InvalidInput(f"The {name} is {limit}.", "Give a number from 0, or none for no limit.")
        self.money, self.calls = money, calls
        self._room = threading.Condition()
        self._flying = 0
        self._uncounted = False
        with store.read() as connection:
            self._sent, self._spent, unpriced = llm_calls.spent(connection, run_id, job_id=job_id)
        self._priced = self._sent - unpriced

    @contextmanager
    def reserve(self) -> Iterator[Spending]:
        """Room for one call.

        Raises:
            BudgetSpent: There is none left.
        """
        with self._room:
            self._require_room()
            while self.money is not None and self._flying and not self._sent:
                self._room.wait()
                self._require_room()
            self._flying += 1
        spending = Spending()
        try:
            yield spending
        finally:
            with self._room:
                self._flying -= 1
                if spending.sent:
                    self._sent += 1
                    self._spent += spending.cost or 0.0
                    self._priced += spending.cost is not None
                    self._uncounted |= spending.uncounted
                self._room.notify_all()

    def _require_room(self) -> None:
        if self.calls is not None and self._sent + self._flying >= self.calls:
            raise BudgetSpent(
                f"The budget of {self.calls:,} calls is used up.", "Raise it and resume; what was answered is kept."
            )
        if self.money is None:
            return
        if self._uncounted:
            raise BudgetSpent(
                "The endpoint does not report the tokens of a call, so a budget in money cannot be enforced.",
                "Limit the number of calls instead and resume; what was answered is kept.",
            )
        each = self._spent / self._priced if self._priced else 0.0
        if self._spent + each * self._flying >= self.money:
            raise BudgetSpent(
                f"The budget of {self.money:g} is used up: {self._spent:.4g} spent in {self._sent:,} calls.",
                "Raise it and resume; what was answered is kept.",
            )


class Spending:
    """What one call came to; filled in by who made it.

    Attributes:
        sent: Whether it went out.
        cost: What it cost, None where that is not known.
        uncounted: Whether it was answered and nobody can say what that cost.
    """

    sent: bool = False
    cost: float | None = None
    uncounted: bool = False
