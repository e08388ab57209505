"""The ledger for people: which calls were made for what, what they added up to, one call with all that was said."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field

from core.domain.errors import NotFound
from core.domain.llm import Call, CallState, Use
from core.store.database import Store
from core.store.models import calls as llm_calls
from core.store.models import prices, reads
from core.store.models.reads import CallFilter, CallRow, Tally
from core.text.display.formulas import neutral

COLUMNS = (
    "id",
    "at",
    "purpose",
    "model",
    "endpoint",
    "prompt_id",
    "prompt_version",
    "prompt_hash",
    "sample",
    "state",
    "finish_reason",
    "error",
    "prompt_tokens",
    "completion_tokens",
    "cost",
    "latency_s",
    "attempts",
)
"""Of a call in a download as CSV, before its parameters, messages, reasoning and reply."""


__all__ = [
    "COLUMNS",
    "CallFilter",
    "CallRow",
    "Shown",
    "Totals",
    "add",
    "as_csv",
    "as_jsonl",
    "call_with_uses",
    "currency",
    "of_job",
    "of_run",
    "page",
    "totals",
]


Shown = Callable[[Call], Call]
"""A call as it is shown, such as with what is nobody's business masked."""


def as_it_is(call: Call) -> Call:
    """The call itself."""
    return call


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What uses of models add up to.

    A cost is a sum over the calls whose cost is known, and always comes with how many those are of how many: what has
    no price adds nothing to it and is never taken for free.

    Attributes:
        name: The purpose, or what the row is about.
        uses: Replies that were asked for.
        cached: Of them, those the ledger had: nothing was sent.
        calls: Calls that were sent.
        counted: Calls whose tokens are known.
        prompt_tokens: Tokens sent, of the calls that are counted.
        completion_tokens: Tokens received, likewise.
        priced: Calls whose cost is known.
        cost: Their cost; None where no call has one.
        failures: Calls without a usable reply, by how they ended.
    """

    name: str
    uses: int = 0
    cached: int = 0
    calls: int = 0
    counted: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    priced: int = 0
    cost: float | None = None
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """Calls without a usable reply."""
        return sum(self.failures.values())

    def as_json(self) -> dict[str, object]:
        """Plain JSON."""
        return {**asdict(self), "failed": self.failed}


def page(
    store: Store, project_id: str, call_filter: CallFilter, *, limit: int = 100, offset: int = 0
) -> tuple[list[CallRow], int]:
    """A part of a project's calls, newest first, and how many there are."""
    with store.read() as connection:
        return reads.page(connection, project_id, call_filter, limit=limit, offset=offset)


def call_with_uses(store: Store, project_id: str, call_id: str, shown: Shown = as_it_is) -> tuple[Call, list[Use]]:
    """One call of a project with all that was said, and what its reply was used for.

    Args:
        store: Where the ledger is.
        project_id: The project.
        call_id: The call.
        shown: What is to be seen of it.

    Raises:
        NotFound: The project has no such call.
    """
    with store.read() as connection:
        call = llm_calls.get(connection, call_id)
        if call.project_id != project_id:
            raise NotFound(f"This project has no call {call_id}.", "Choose one in the list of calls.")
        return shown(call), reads.uses(connection, call_id)


def totals(store: Store, project_id: str, call_filter: CallFilter) -> list[Totals]:
    """What a project's uses of models add up to, a row for each purpose in name order."""
    with store.read() as connection:
        tallies = reads.tallies(connection, project_id, call_filter)
    purposes = sorted({tally.purpose for tally in tallies})
    return [add(purpose, [tally for tally in tallies if tally.purpose == purpose]) for purpose in purposes]


def of_run(store: Store, project_id: str, run_id: str) -> Totals:
    """What a run has used so far."""
    return _all(store, project_id, CallFilter(run_id=run_id))


def of_job(store: Store, project_id: str, job_id: str) -> Totals:
    """What a job has used so far that asks models without a run."""
    return _all(store, project_id, CallFilter(job_id=job_id))


def add(name: str, tallies: Iterable[Tally]) -> Totals:
    """Tallies as one row of totals; what came from the ledger is counted, and costs nothing again."""
    listed = list(tallies)
    sent = [tally for tally in listed if not tally.cached]
    failures: dict[str, int] = {}
    for tally in sent:
        if tally.state is not CallState.ANSWERED:
            failures[tally.state.value] = failures.get(tally.state.value, 0) + tally.uses
    priced = sum(tally.priced for tally in sent)
    return Totals(
        name=name,
        uses=sum(tally.uses for tally in listed),
        cached=sum(tally.uses for tally in listed if tally.cached),
        calls=sum(tally.uses for tally in sent),
        counted=sum(tally.counted for tally in sent),
        prompt_tokens=sum(tally.prompt_tokens for tally in sent),
        completion_tokens=sum(tally.completion_tokens for tally in sent),
        priced=priced,
        cost=sum(tally.cost for tally in sent) if priced else None,
        failures=dict(sorted(failures.items())),
    )


def currency(store: Store, project_id: str) -> str:
    """What a project's prices are in; empty where there is no price or no word for it."""
    with store.read() as connection:
        return next((price.currency for price in prices.all(connection, project_id).values()), "")


def as_jsonl(store: Store, project_id: str, call_filter: CallFilter, shown: Shown = as_it_is) -> bytes:
    """Every call with its messages and its reply, a JSON object a line, oldest first."""
    return b"".join(
        json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in _rows(store, project_id, call_filter, shown)
    )


def as_csv(store: Store, project_id: str, call_filter: CallFilter, shown: Shown = as_it_is) -> bytes:
    """Every call as CSV; a text that a spreadsheet would run as a formula gets a quote in front."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, [*COLUMNS, "parameters", "messages", "reasoning", "reply"], lineterminator="\n")
    writer.writeheader()
    for row in _rows(store, project_id, call_filter, shown):
        flat = {**row, **{name: json.dumps(row[name], ensure_ascii=False) for name in ("parameters", "messages")}}
        writer.writerow({name: neutral(value) for name, value in flat.items()})
    return out.getvalue().encode("utf-8-sig", "replace")


def _all(store: Store, project_id: str, call_filter: CallFilter) -> Totals:
    with store.read() as connection:
        return add("all", reads.tallies(connection, project_id, call_filter))


def _rows(store: Store, project_id: str, call_filter: CallFilter, shown: Shown) -> Iterator[dict[str, object]]:
    with store.read() as connection:
        for call in map(shown, reads.whole(connection, project_id, call_filter)):
            row: dict[str, object] = {name: getattr(call, name) for name in COLUMNS}
            row |= {"state": call.state.value, "parameters": dict(call.parameters)}
            row |= {"messages": [asdict(message) for message in call.messages]}
            row |= {"reasoning": call.reasoning, "reply": call.reply}
            yield row
