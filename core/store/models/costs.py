"""The cost of calls as an expression of the store: the stored cost, else tokens times the present prices."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Float, FromClause, and_, cast, func, select
from sqlalchemy.sql import Select

from core.store.tables import llm_calls, model_prices

_MILLION = 1_000_000.0

_BY_PRICES = (
    llm_calls.c.prompt_tokens * cast(model_prices.c.input_per_million, Float)
    + llm_calls.c.completion_tokens * cast(model_prices.c.output_per_million, Float)
) / _MILLION

COST: ColumnElement[float | None] = func.coalesce(llm_calls.c.cost, _BY_PRICES)
"""Of a call, NULL where its tokens or its price are unknown; for queries over `with_prices`.

A call that had a price when it was made keeps its cost. A call that had none is priced by the present table, so that a
price entered later counts for earlier calls.
"""


def with_prices(calls: FromClause = llm_calls) -> FromClause:
    """Calls, or what they are joined with, beside the price of their model where there is one."""
    return calls.outerjoin(
        model_prices,
        and_(model_prices.c.project_id == llm_calls.c.project_id, model_prices.c.model == llm_calls.c.model),
    )


def select_calls(*columns: ColumnElement[Any]) -> Select[Any]:
    """A query for these columns of calls, all by default; their cost is `COST`."""
    selected = [
        COST.label("cost") if column is llm_calls.c.cost else column for column in columns or tuple(llm_calls.c)
    ]
    return select(*selected).select_from(with_prices())
