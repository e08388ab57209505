"""The price table of a project; amounts are kept as decimal text."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, delete, insert, select

from core.domain.llm import Price
from core.store.tables import model_prices


def all(connection: Connection, project_id: str) -> dict[str, Price]:
    """The prices of a project by model, in name order."""
    query = select(model_prices).where(model_prices.c.project_id == project_id).order_by(model_prices.c.model)
    return {
        row.model: Price(
            model=row.model,
            input_per_million=Decimal(row.input_per_million),
            output_per_million=Decimal(row.output_per_million),
            currency=row.currency,
        )
        for row in connection.execute(query)
    }


def replace(connection: Connection, project_id: str, prices: list[Price]) -> None:
    """Stores the price table of a project instead of the one it had."""
    connection.execute(delete(model_prices).where(model_prices.c.project_id == project_id))
    if prices:
        connection.execute(
            insert(model_prices),
            [
                {
                    "project_id": project_id,
                    "model": price.model,
                    "input_per_million": str(price.input_per_million),
                    "output_per_million": str(price.output_per_million),
                    "currency": price.currency,
                }
                for price in prices
            ],
        )
