"""What a call costs: its tokens times the user's prices; a model without a price has no cost, never 0."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from core.domain.llm import Price

MILLION = Decimal(1_000_000)


def cost(
    prices: Mapping[str, Price], model: str, prompt_tokens: int | None, completion_tokens: int | None
) -> float | None:
    """The cost of one call in the currency of its model's price.

    >>> cost({"m": Price(model="m", input_per_million=Decimal(2), output_per_million=Decimal(8))}, "m", 1000, 500)
    0.006

    Args:
        prices: By model.
        model: Who was asked.
        prompt_tokens: Tokens of the request, None where the endpoint did not say.
        completion_tokens: Tokens of the reply, None where the endpoint did not say.

    Returns:
        None where the price or a number of tokens is unknown.
    """
    price = prices.get(model)
    if price is None or prompt_tokens is None or completion_tokens is None:
        return None
    money = price.input_per_million * prompt_tokens + price.output_per_million * completion_tokens
    return float(money / MILLION)
