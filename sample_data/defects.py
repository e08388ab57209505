"""The planted defects of the documents, by record and column.

`FACTS` are the facts the sample test set asks about. A defect names one of them (or a page that later detectors
read); everything not named here is stated, correctly and retrievably, in the document of its record.
"""

from __future__ import annotations

from typing import Any

FACTS: dict[str, tuple[str, ...]] = {
    "region": ("managing_director",),
    "branch": ("opening_date",),
    "branch_product": ("offered_since",),
    "adviser": ("branch_id", "specialism"),
    "account_product": ("interest_rate", "minimum_deposit"),
    "loan_product": ("maximum_amount", "maximum_term", "early_repayment_fee"),
    "card_product": ("annual_fee", "account_product_id"),
    "service_fee": ("amount", "effective_date"),
    "atm": ("withdrawal_limit",),
}
"""Columns by table; the facts of `branch_product` stand in the branch's document."""

WITHOUT_DOCUMENT: frozenset[tuple[str, int]] = frozenset(
    {("region", 6), ("branch", 14), ("adviser", 14), ("service_fee", 14)}
)
"""The islands joined the bank in 2025 and have no pages yet; one new fee has none either."""

OMITTED: frozenset[tuple[str, int, str]] = frozenset(
    {
        ("branch", 9, "opening_date"),
        ("adviser", 4, "specialism"),
        ("account_product", 12, "interest_rate"),
        ("account_product", 13, "minimum_deposit"),
        ("card_product", 5, "annual_fee"),
        ("atm", 9, "withdrawal_limit"),
    }
)
"""The document exists and leaves this one fact out."""

WEAK_CELL: frozenset[tuple[str, int, str]] = frozenset(
    ("loan_product", key, "early_repayment_fee") for key in (1, 2, 4, 5, 6, 7, 9, 10)
)
"""Fees of loans: most loan pages send the reader to the offer letter instead of naming the fee."""

CONTRADICTED: dict[tuple[str, int, str], Any] = {
    ("branch", 5, "opening_date"): "1968-07-04",
    ("account_product", 2, "interest_rate"): 2.9,
    ("account_product", 10, "minimum_deposit"): 1000,
    ("card_product", 3, "annual_fee"): 72,
    ("loan_product", 3, "maximum_amount"): 30000,
    ("service_fee", 13, "amount"): 45.8,
}
"""What the document states instead of the database's value."""

TERSE: frozenset[tuple[str, int]] = frozenset(
    {
        *(("service_fee", key) for key in (1, 3, 4, 6, 9, 10, 12)),
        *(("atm", key) for key in (2, 4, 6, 8, 10, 11)),
        *(("adviser", key) for key in (9, 10, 13)),
    }
)
"""Short notices. They share few everyday words with a long question, so counting shared words ranks a full page
about something else above them; a short question finds them by name."""

STALE_BRANCH = 6
STALE_PHONE = "01632 960027"
STALE_PATH = "archive/2019/ironmonger-gate.md"
STALE_UPDATED = "2019-02-11"

PERSONAL_PATH = "policies/complaint-case-review.md"
PERSONAL = {
    "name": "Elspeth Tamworth",
    "iban": "GB73XLMB00710018715544",
    "phone": "07700 900461",
    "email": "elspeth.tamworth@example.org",
}
"""A person who does not exist; the numbers lie in ranges reserved for fiction, the IBAN's check digits are right."""


def stated(table: str, key: int, column: str, value: Any) -> Any:
    """What the document of a record states about one column: the value, another value, or None for nothing."""
    fact = (table, key, column)
    if fact in OMITTED or fact in WEAK_CELL:
        return None
    return CONTRADICTED.get(fact, value)
