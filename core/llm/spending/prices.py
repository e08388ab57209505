"""The price table of a project: the user's own figures, read from a person's entries or from CSV, in exact decimals."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation

from core.domain.errors import InvalidInput
from core.domain.llm import Price
from core.domain.sources.projects import Role
from core.llm.spending.cost import cost
from core.project.service import require
from core.store.database import Store
from core.store.models import prices as model_prices
from core.text.display.formulas import neutral, restored

COLUMNS = ("model", "input_per_million", "output_per_million", "currency")
"""Of a price table as CSV, in this order."""

MOST_MODELS = 2_000
MOST_MONEY = Decimal(10_000_000)
LONGEST_NAME = 200
LONGEST_CURRENCY = 12

__all__ = ["COLUMNS", "as_csv", "checked", "cost", "price_of", "read_csv", "save"]


def price_of(model: str, input_per_million: object, output_per_million: object, currency: str) -> Price:
    """A price from what a person wrote; amounts are taken digit by digit.

    >>> price_of("m", "0.10", "1", "USD").input_per_million
    Decimal('0.10')

    Raises:
        InvalidInput: The name is missing or too long, or an amount is no number from 0.
    """
    name, money = model.strip(), currency.strip()
    if not name or len(name) > LONGEST_NAME:
        raise InvalidInput(
            f"A price has {'no model' if not name else f'a model of {len(name)} characters'}.",
            "Give the name of the model as calls name it.",
        )
    if len(money) > LONGEST_CURRENCY:
        raise InvalidInput(f"The currency of {name} has {len(money)} characters.", "Write it short, such as EUR.")
    return Price(
        model=name,
        input_per_million=_amount(input_per_million, name, "a million input tokens"),
        output_per_million=_amount(output_per_million, name, "a million output tokens"),
        currency=money,
    )


def checked(prices: Sequence[Price]) -> list[Price]:
    """The prices in name order, when they are a table: one price a model, one currency for all.

    One currency, since costs are added up over models and a budget is one sum.

    Raises:
        InvalidInput: They are not.
    """
    if len(prices) > MOST_MODELS:
        raise InvalidInput(f"The table has {len(prices):,} models.", f"Keep at most {MOST_MODELS:,}.")
    seen: set[str] = set()
    for price in prices:
        if price.model in seen:
            raise InvalidInput(f"The model {price.model} has two prices.", "Keep one of them.")
        seen.add(price.model)
    currencies = list(dict.fromkeys(price.currency for price in prices))
    if len(currencies) > 1:
        listed = " and ".join(currency or "(none)" for currency in currencies[:3])
        raise InvalidInput(
            f"The prices are in several currencies: {listed}.", "Convert them to one, since costs are added up."
        )
    return sorted(prices, key=lambda price: price.model)


def save(store: Store, project_id: str, prices: Sequence[Price], *, actor: str) -> list[Price]:
    """Stores the price table of a project instead of the one it had.

    A call keeps the cost it had when it was made. One that was made without a price is priced by the table as it is
    when its cost is read, so that a price given later counts for it; the audit trail keeps every table there was.

    Raises:
        InvalidInput: It is no price table.
        Forbidden: The actor may not change the project.
    """
    table = checked(prices)
    require(store, project_id, actor, Role.VALIDATOR)
    detail = {"models": len(table), "prices": {price.model: _price_fields(price) for price in table}}
    with store.write(actor, "prices.save", project_id=project_id, detail=detail) as connection:
        model_prices.replace(connection, project_id, table)
    return table


def read_csv(data: bytes) -> list[Price]:
    """A price table from CSV with the columns of `COLUMNS`; the order does not matter, others are left out.

    Raises:
        InvalidInput: A column is missing or a row cannot be used; the message names the row.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput("The price table is not UTF-8 text.", "Save it as CSV in UTF-8.") from None
    try:
        dialect: type[csv.Dialect] = csv.Sniffer().sniff(text.split("\n", 1)[0], delimiters=",;\t")
    except csv.Error:
        dialect = csv.excel
    try:
        rows = list(csv.DictReader(io.StringIO(text, newline=""), dialect=dialect))
    except csv.Error as error:
        raise InvalidInput(f"The price table is not CSV ({error}).", "Save it as CSV in UTF-8.") from error
    if not rows:
        raise InvalidInput("The price table has no row.", f"Give the columns {', '.join(COLUMNS)}.")
    names = {(name or "").strip().casefold(): name for name in rows[0]}
    if missing := [name for name in COLUMNS[:3] if name not in names]:
        raise InvalidInput(
            f"The price table has no column {', '.join(missing)}.", f"Give the columns {', '.join(COLUMNS)}."
        )
    prices = []
    for number, row in enumerate(rows, start=2):
        cells = [row.get(names[name]) or "" if name in names else "" for name in COLUMNS]
        if not any(cells):
            continue
        try:
            prices.append(price_of(restored(cells[0]), cells[1], cells[2], restored(cells[3])))
        except InvalidInput as error:
            raise InvalidInput(f"Line {number} of the price table: {error.message}", error.hint) from error
    return checked(prices)


def as_csv(prices: Mapping[str, Price]) -> bytes:
    """A price table as CSV that :func:`read_csv` reads back."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for price in prices.values():
        writer.writerow(
            [
                neutral(price.model),
                f"{price.input_per_million:f}",
                f"{price.output_per_million:f}",
                neutral(price.currency),
            ]
        )
    return out.getvalue().encode()


def _price_fields(price: Price) -> list[str]:
    """A price as the audit trail keeps it: input, output, currency."""
    return [f"{price.input_per_million:f}", f"{price.output_per_million:f}", price.currency]


def _amount(value: object, model: str, of: str) -> Decimal:
    text = str(value).strip()
    try:
        amount = Decimal(text)
    except InvalidOperation:
        raise InvalidInput(
            f"The price of {of} of {model} is {text[:40]!r}, which is no number.", "Write it like 2.50."
        ) from None
    if not amount.is_finite() or not 0 <= amount <= MOST_MONEY:
        raise InvalidInput(f"The price of {of} of {model} is {text[:40]}.", f"Give an amount from 0 to {MOST_MONEY:,}.")
    return amount
