"""Orders of customers: two bound values of which one is a date, names with quotes, numbers that repeat."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from core.domain.sources.documents import Corpus, Document
from core.domain.testset.cases import TestCase

CUSTOMERS: Final = ("Ann O'Neil", 'Lou "Red" Ortiz', "Königlich & Söhne", "Blue Harbour Ltd", "Mia Castell", "Tor Vik")
FIRST: Final = date(1997, 3, 4)
FREIGHT: Final = ("12.50", "12.50", "48.00", "7.25", "12.50", "48.00")
"""Half of the orders cost 12.50 to ship."""

WORDINGS: Final = {
    "short": "What is the {what} of the order dated {on} of the customer {who}?",
    "long": "I am preparing a reply to somebody, so please tell me the {what} of the order dated {on} of {who}.",
}


def in_words(day: date) -> str:
    """A date as pages write it.

    >>> in_words(date(1997, 3, 4))
    '4 March 1997'
    """
    return f"{day.day} {day:%B} {day.year}"


def ordered_on(number: int) -> date:
    """When an order was placed; two customers may order on one day."""
    return FIRST + timedelta(days=7 * (number // 2))


def shipped_on(number: int) -> date:
    """When it left."""
    return ordered_on(number) + timedelta(days=3 + 11 * number)


def orders() -> Corpus:
    """A page for each order, with dates in words."""
    return Corpus(
        documents=tuple(
            Document(
                id=f"orders:{number + 1}",
                title=f"Order {number + 1}",
                text=(
                    f"The order dated {in_words(ordered_on(number))} of the customer {who}.\n\n"
                    f"The shipped date of the order dated {in_words(ordered_on(number))} of the customer {who} is "
                    f"{in_words(shipped_on(number))}.\n\n"
                    f"The freight of the order dated {in_words(ordered_on(number))} of the customer {who} is "
                    f"{FREIGHT[number]}."
                ),
            )
            for number, who in enumerate(CUSTOMERS)
        )
    )


def order_cases() -> list[TestCase]:
    """Twelve facts in two wordings each: when an order was shipped, and what its freight was."""
    return [
        TestCase(
            case_id=f"{property_key}-{number + 1}-{form}",
            question=wording.format(what=what, on=ordered_on(number).isoformat(), who=who),
            reference_answers=(shipped_on(number).isoformat() if property_key == "shipped" else FREIGHT[number],),
            form=form,
            group_id=f"{property_key}-{number + 1}",
            sql=f"SELECT {property_key} FROM orders WHERE ordered = :p0 AND customer = :p1",
            sql_params={"p0": ordered_on(number).isoformat(), "p1": who},
            gold_document_ids=(f"orders:{number + 1}",),
            tables=("orders",),
            sql_template_id=property_key,
            text_template_id=f"{property_key}-{form}",
        )
        for property_key, what in (("shipped", "shipped date"), ("freight", "freight"))
        for number, who in enumerate(CUSTOMERS)
        for form, wording in WORDINGS.items()
    ]
