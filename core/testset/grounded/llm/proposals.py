"""Proposals of a model and their outcome: kept, rejected with a reason, repeated, or missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from core.domain.errors import BudgetSpent, CallFailed, NothingAnswered, Stopped
from core.domain.testset.templates import Check
from core.llm import ChatModel

Item = TypeVar("Item")
Made = TypeVar("Made")

LONGEST = 4_000
"""The most characters of a proposal."""
LOOKED_AT = 2
"""The most proposals of one reply that are checked, as a multiple of the number requested: each is run on the
database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejected:
    """A proposal that was not kept.

    Attributes:
        text: The model's proposal.
        check: The check it failed ("names").
        reason: The reason for a person; it may hold figures and values from the data.
        told: The reason for the model when it is asked again; it holds nothing from the data.
        round: 1 for the first proposals, 2 for those that were to replace rejected ones.
    """

    text: str
    check: str
    reason: str
    told: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """The outcome of one request: for a table set, or for an SQL template in one form.

    Attributes:
        subject: The tables, or the SQL template.
        form: The form of wordings; empty for SQL templates.
        requested: How many were requested.
        delivered: How many were kept.
        rejected: Proposals that failed a check, those that were replaced included.
        replaced: How many of them another proposal replaced, which was kept.
        duplicates: Proposals that repeat another one.
        surplus: Proposals beyond the number requested.
        calls: Replies that were used.
        cached: How many of them the ledger had; nothing was sent for them.
        failure: Why there was no usable reply, or empty.
    """

    subject: str
    requested: int
    form: str = ""
    delivered: int = 0
    rejected: tuple[Rejected, ...] = ()
    replaced: int = 0
    duplicates: int = 0
    surplus: int = 0
    calls: int = 0
    cached: int = 0
    failure: str = ""

    @property
    def missing(self) -> str:
        """Why fewer were kept than requested; empty where none is missing."""
        lacking = self.requested - self.delivered
        if lacking <= 0:
            return ""
        counted = Counter(item.check.replace("_", " ") for item in self.rejected)
        reasons = [f"{count} failed the check {name}" for name, count in counted.items()]
        if self.replaced and reasons:
            reasons.append(f"{self.replaced} of them {'was' if self.replaced == 1 else 'were'} replaced")
        if self.duplicates:
            reasons.append(f"{self.duplicates} repeated another one")
        if self.surplus:
            reasons.append(f"{self.surplus} beyond the number asked for were not looked at")
        if self.failure:
            return "; ".join((*reasons, self.failure))
        # What failed in the second round was to replace what failed in the first; it is missing once.
        open_places = sum(item.round == 1 for item in self.rejected) - self.replaced
        if lacking > open_places + self.duplicates + self.surplus:
            reasons.append("the model proposed no more")
        return "; ".join(reasons)


def too_long(text: str) -> Rejected | None:
    """The rejection of a proposal that is too long, with its text cut; None where it is not too long."""
    if len(text) <= LONGEST:
        return None
    reason = f"It has {len(text):,} characters; the most is {LONGEST:,}."
    return Rejected(text=f"{text[: LONGEST // 10]} ...", check="length", reason=reason, told=reason)


def failed_check(checks: Sequence[Check], also: Sequence[str] = ()) -> Check | None:
    """The first failed check that rejects a proposal: a blocking one, or one that is named."""
    return next((check for check in checks if not check.passed and (check.blocking or check.name in also)), None)


def refuse_silence(deliveries: Sequence[Delivery], noun: str) -> None:
    """Fails work without any usable reply, so that it is not mistaken for work without results.

    Args:
        deliveries: The outcome of each request.
        noun: The subjects of the requests, in the plural.

    Raises:
        NothingAnswered: There was no usable reply to any of them.
    """
    if deliveries and all(delivery.failure and not delivery.calls for delivery in deliveries):
        raise NothingAnswered(noun, [delivery.failure for delivery in deliveries])


def refuse_unreachable(chat: ChatModel, number: int, noun: str) -> None:
    """Tries an endpoint once, so that many calls do not each wait in vain; an endpoint known to work is not tried.

    Args:
        chat: The model.
        number: How many requests will follow.
        noun: The subjects of the requests, in the plural.

    Raises:
        NothingAnswered: It cannot be reached, or refuses access.
        BudgetSpent: Nothing may be sent.
    """
    try:
        chat.structured()
    except BudgetSpent:
        raise
    except CallFailed as error:
        raise NothingAnswered(noun, [error.message] * number) from error


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
        items: The items.
        work: Blocks; is called from as many threads as `concurrency`.
        concurrency: The most items in work at once.
        stage: The stage that is reported with the progress.
        progress: Called with how many are done.
        should_stop: Called before each item.

    Raises:
        Stopped: A stop was requested; items in work were finished.
    """
    results: dict[int, Made] = {}
    flying: dict[Future[Made], int] = {}
    waiting: Iterator[tuple[int, Item]] = iter(enumerate(items))
    progress(stage, 0, len(items))
    with ThreadPoolExecutor(max_workers=max(1, concurrency), thread_name_prefix="generate") as pool:
        while True:
            while len(flying) < max(1, concurrency) and not should_stop() and (item := next(waiting, None)):
                flying[pool.submit(work, item[1])] = item[0]
            if not flying:
                break
            completed, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in completed:
                results[flying.pop(future)] = future.result()
            progress(stage, len(results), len(items))
    if len(results) < len(items):
        raise Stopped(
            f"It was stopped after {len(results)} of {len(items)} requests.", "Resume it; answered calls cost nothing."
        )
    return [results[place] for place in range(len(items))]
