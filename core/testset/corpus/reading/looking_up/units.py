"""The unit of a bare figure that a question asks for in the words of its table."""

from __future__ import annotations

import re

from core.testset.corpus.reading.looking_up.names import BARE
from core.testset.corpus.reading.tables.row_units import said_unit
from core.testset.corpus.reading.tables.units import unit_words

_SAID = re.compile(
    r"[$€£%]|\b(?:000s?|EUR|USD|GBP|CHF|pounds|euros|dollars|pence|cents|per cent|percent|FTE|hours|hrs|days|weeks|"
    r"months|years|min(?:utes)?|k?g|tonnes?|[km]?m[²³]?|kWh?|MWh?|litres?|t|ha|sq m|thousands?|millions?)\b"
)
"""A unit in the words of a question."""
_COUNTED = re.compile(
    r"\b(?:number|count|headcount|score|points|rank|position|size|year|page|floor|level|grade|age)\b|\b\w{2,}s\b",
    re.IGNORECASE,
)
"""A head that counts or numbers things, which need no unit: "Seats", "Items at once"."""
_MONEY = re.compile(
    r"\b(?:budgets?|limits?|fees?|charges?|costs?|prices?|rents?|amounts?|balances?|values?|sales|revenues?|expenses|rates?|"
    r"contributions|premiums?|funds|loans|assets|receipts|arrears|exposures?|gross|net|grants|outturn|spend)\b",
    re.IGNORECASE,
)
"""A head whose figures are amounts."""
_BRACKETED = re.compile(r"\((?P<unit>[^()]+)\)")
_CURRENCIES = (
    (re.compile(r"£|\bGBP\b|\bpounds\b"), "in pounds"),
    (re.compile(r"€|\bEUR\b|\beuros\b"), "in euros"),
    (re.compile(r"\$|\bUSD\b|\bdollars\b"), "in dollars"),
    (re.compile(r"\bCHF\b|\bfrancs\b"), "in Swiss francs"),
)


_PLAIN = frozenset(said for _, said in _CURRENCIES)
_IDENTIFIES = re.compile(
    r"(?:^|\b(?!of ))(?:no\.?|number|codes?|ids?|ref\.?|reference|postcode|tel\.?|phone)$", re.IGNORECASE
)


def unit_behind(value: str, said: str, head: str, caption: str, announced: str) -> str | None:
    """What a question says behind itself; empty where it says the unit already, or none is needed.

    None where a figure needs a unit and none is given.

    Args:
        value: The cell.
        said: The words of the question: the table's name, the row and the head.
        head: The head of the column.
        caption: The table's own, which the question may not quote.
        announced: The unit that the document or the text above the table gives for all figures, or empty.

    >>> unit_behind("300", "Mandates", "Secured", "Mandates", "GBP thousand")
    'in thousands of pounds'
    >>> unit_behind("15", "Tickets", "Items at once", "Tickets", "")
    ''
    >>> unit_behind("186400", "", "Arrears", "", "GBP"), unit_behind("87", "", "DPD", "", "GBP")
    ('in pounds', None)
    >>> unit_behind("300", "Mandates", "Secured", "Mandates", "") is None
    True
    """
    if not BARE.fullmatch(value) or _SAID.search(said):
        return ""
    bracket = _BRACKETED.search(caption)
    if _IDENTIFIES.search(head):
        return ""
    money = _MONEY.search(head) is not None
    counted = _COUNTED.search(head) and not money and not re.search(r"[.,]\d", value)
    for words in (bracket["unit"] if bracket else "", announced):
        unit = _worded(words) if words and not counted else ""
        if unit and (money or unit not in _PLAIN):
            return unit  # in a list with amounts in pounds, "DPD" are none
    return "" if counted else None


def _worded(words: str) -> str:
    """A unit as a question says it: "in thousands of pounds" for "GBP thousand"."""
    scaled = unit_words(f"({words})", "", "")
    if scaled:
        return scaled
    currency = next((said for shape, said in _CURRENCIES if shape.search(words)), "")
    return currency or said_unit(words) or ""
