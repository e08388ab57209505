"""The estimate of model calls that a command prints before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import emit

if TYPE_CHECKING:
    from core.llm.spending.estimates import Between, CallPart

Estimate = Annotated[bool, typer.Option("--estimate", help="Only estimate calls, tokens and cost; nothing is sent.")]
BudgetCalls = Annotated[
    int | None, typer.Option("--budget-calls", min=0, help="Stop after this number of model calls.")
]


def emit_outlook(parts: Sequence[CallPart], *, as_json: bool) -> None:
    """Prints calls, tokens and money of each part and of all together."""
    from core.llm.spending.estimates import Outlook

    outlook = Outlook(parts=tuple(parts))
    document = {
        "calls": asdict(outlook.calls),
        "tokens": asdict(outlook.tokens),
        "money": None if outlook.money is None else asdict(outlook.money),
        "currency": outlook.currency,
        "priced": outlook.priced,
        "parts": [asdict(part) for part in parts],
    }
    lines = [_line(part) for part in parts]
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    if parts:
        cost = "cost unknown" if outlook.money is None else f"{_range(outlook.money, 4)} {outlook.currency}".strip()
        of = f" ({outlook.priced} of {len(parts)} parts priced)" if outlook.money is not None else ""
        lines.append(f"{_range(outlook.calls)} calls, {_range(outlook.tokens)} tokens, {cost}{of}")
    emit(document, as_json=as_json, lines=[*lines, *notes] or ["No model would be called."])


def _line(part: CallPart) -> str:
    cost = "cost unknown" if part.money is None else f"{_range(part.money, 4)} {part.currency}".strip()
    sent, received = _range(part.prompt_tokens), _range(part.completion_tokens)
    return f"  {part.purpose}: {_range(part.calls)} calls of {part.model}, {sent} + {received} tokens, {cost}"


def _range(bounds: Between, digits: int = 0) -> str:
    low, high = f"{bounds.low:,.{digits}f}", f"{bounds.high:,.{digits}f}"
    return high if low == high else f"{low} to {high}"
