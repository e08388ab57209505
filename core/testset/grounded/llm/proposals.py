"""What was asked of a model and what came of it: kept, rejected with a reason, repeated, or not there at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from core.domain.errors import Stopped
from core.domain.templates import Check
from core.llm import BudgetSpent, CallFailed, ChatModel, NothingAnswered

Item = TypeVar("Item")
Made = TypeVar("Made")

LONGEST = 4_000
"""Characters of a proposal; a longer one is no question."""
LOOKED_AT = 2
"""How many times the number wanted is looked at of one reply: each proposal is run on the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A proposal that was not kept.

    Attributes:
        text: What the model proposed.
        check: The check it failed ("names").
        reason: What a person is told; it may hold figures and values found on the data.
        told: What the model is told when it is asked again: nothing that was found on the data.
        round: 1 for the first proposals, 2 for those that were to replace rejected ones.
    """

    text: str
    check: str
    reason: str
    told: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One thing that was asked for: a table set, or an SQL template in one form.

    Attributes:
        subject: What it was asked about: the tables, or the SQL template.
        form: The form of wordings; empty for SQL templates.
        requested: How many were wanted.
        delivered: How many were kept.
        rejected: Proposals that failed a check, those that were replaced included.
        duplicates: Proposals that say what another one says.
        surplus: Proposals beyond the number wanted.
        calls: Replies that were used.
        cached: Of them those the ledger had; nothing was sent for them.
        failure: Why there was no usable reply, or empty.
    """

    subject: str
    requested: int
    form: str = ""
    delivered: int = 0
    rejected: tuple[Rejected, ...] = ()
    duplicates: int = 0
    surplus: int = 0
    calls: int = 0
    cached: int = 0
    failure: str = ""

    @property
    def missing(self) -> str:
        """Why fewer were kept than were wanted; empty where none is missing."""
        lacking = self.requested - self.delivered
        if lacking <= 0:
            return ""
        if self.failure:
            return self.failure
        counted = Counter(item.check.replace("_", " ") for item in self.rejected)
        reasons = [f"{count} failed the check {name}" for name, count in counted.items()]
        if self.duplicates:
            reasons.append(f"{self.duplicates} repeated another one")
        return "; ".join(reasons) or "the model proposed no more"


def too_long(text: str) -> Rejected | None:
    """Why a proposal is rejected before it is looked at, cut to what is kept of it; None where it is not."""
    if len(text) <= LONGEST:
        return None
    reason = f"It has {len(text):,} characters; the most is {LONGEST:,}."
    return Rejected(text=f"{text[: LONGEST // 10]} ...", check="length", reason=reason, told=reason)


def failed_check(checks: Sequence[Check], also: Sequence[str] = ()) -> Check | None:
    """The first check for which a proposal is rejected: a blocking one, or one that is named."""
    return next((check for check in checks if not check.passed and (check.blocking or check.name in also)), None)


def refuse_silence(deliveries: Sequence[Delivery], things: str) -> None:
    """Fails work about which a model said nothing at all, so that it does not pass for work that found nothing.

    Args:
        deliveries: What came of each thing that was asked about.
        things: What they are, in the plural.

    Raises:
        NothingAnswered: There was no usable reply about any of them.
    """
    if deliveries and all(delivery.failure and not delivery.calls for delivery in deliveries):
        raise NothingAnswered(things, [delivery.failure for delivery in deliveries])


def refuse_unreachable(chat: ChatModel, number: int, things: str) -> None:
    """Tries an endpoint once before many calls would each wait for it in vain; nothing is sent where it is known.

    Args:
        chat: The model.
        number: How many things it is to be asked about.
        things: What they are, in the plural.

    Raises:
        NothingAnswered: It cannot be reached, or refuses us.
        BudgetSpent: Nothing may be sent.
    """
    try:
        chat.structured()
    except BudgetSpent:
        raise
    except CallFailed as error:
        raise NothingAnswered(things, [error.message] * number) from error


def in_order(
    items: Sequence[Item],
    work: Callable[[Item], Made],
    *,
    concurrency: int,
    stage: str,
    progress: Callable[[str, int, int], None],
    should_stop: Callable[[], bool],
) -> list[Made]:
    """Works on items side by side and gives the results in the order of the items.

    Args:
        items: What is worked on.
        work: Blocks; is called from as many threads as `concurrency`.
        concurrency: The most in work at once.
        stage: What is told with the progress.
        progress: Told how many are done.
        should_stop: Asked before each item.

    Raises:
        Stopped: It was asked to stop; what was in work was waited for.
    """
    made: dict[int, Made] = {}
    flying: dict[Future[Made], int] = {}
    waiting: Iterator[tuple[int, Item]] = iter(enumerate(items))
    progress(stage, 0, len(items))
    with ThreadPoolExecutor(max_workers=max(1, concurrency), thread_name_prefix="generate") as pool:
        while True:
            while len(flying) < max(1, concurrency) and not should_stop() and (item := next(waiting, None)):
                flying[pool.submit(work, item[1])] = item[0]
            if not flying:
                break
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                made[flying.pop(future)] = future.result()
            progress(stage, len(made), len(items))
    if len(made) < len(items):
        raise Stopped(
            f"It was stopped after {len(made)} of {len(items)} requests.", "Resume it; answered calls cost nothing."
        )
    return [made[place] for place in range(len(items))]
