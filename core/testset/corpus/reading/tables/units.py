"""The unit of a table's figures, from its title: "(In millions, except per share amounts)"."""

from __future__ import annotations

import re

_SCALE = re.compile(
    r"\b(?P<word>thousand|million|billion)s?\b|(?<![A-Za-z])[$€£] ?(?P<sign>m|bn|k|['’]?000)s?\b|"
    r"\b(?P<zeros>['’]?000)s\b|\bx ?(?:[$€£]|[A-Z]{3})? ?(?P<times>1[,. ]?000)\b",
    re.IGNORECASE,
)
_SCALES = {"m": "million", "bn": "billion", "k": "thousand"}
_EXCEPT = re.compile(r"\b(?:except|other than|excluding)\b", re.IGNORECASE)
_CURRENCIES = (
    (re.compile(r"(?:US|U\.S\.) ?\$|\$|\b(?:US|U\.S\. )?dollars?\b|\bUSD\b", re.IGNORECASE), "dollars"),
    (re.compile(r"€|\beuros?\b|\bEUR\b", re.IGNORECASE), "euros"),
    (re.compile(r"£|\bpounds(?: sterling)?\b|\bGBP\b", re.IGNORECASE), "pounds"),
    (re.compile(r"\b(?:Swiss )?francs\b|\bCHF\b", re.IGNORECASE), "Swiss francs"),
)
_PER = re.compile(r"\bper (?:\w+ )?(?:share|unit|rsu)\b", re.IGNORECASE)
_SHARES = re.compile(r"\b(?:shares|rsus|number of|units|employees|headcount)\b", re.IGNORECASE)
_COUNTED = re.compile(
    r"(?:(?:basic|diluted|weighted[- ]average|number of|common) )*(?:shares|rsus)\b(?! price| value)", re.IGNORECASE
)
_PRICED = re.compile(
    r"\b(?:price|fee|rent|cost|charge|amount|deposit|salary|wage|premium|budget|turnover|revenue|sales|balance|excess|"
    r"benefit|value|income|profit|limit|area|weight|height|length|width|distance|capacity|speed|power|elevation)s?\b",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"\d[\d.,]* ?(?:thousand|million|billion|[mk]|bn)\b", re.IGNORECASE)
_IN_PERCENT = re.compile(r"\bin (?:%|percent\b|per cent\b)(?P<of> of [a-z]+(?: [a-z]+){0,4})?")
_RATE = re.compile(r"\b(?:rate|percent(?:age)?|ratio|yield|%)", re.IGNORECASE)


def needs_unit(label: str) -> bool:
    """Whether a bare figure says too little under such a name: a price, a weight.

    >>> needs_unit("annual rent"), needs_unit("number of seats")
    (True, False)
    """
    return bool(_PRICED.search(label)) and not label.startswith("number of ")


def unit_words(title: str, label: str, cells: str) -> str | None:
    """How a question states the unit of a row's figures; empty where no unit is needed, None where it is unclear.

    Args:
        title: What stands above the table.
        label: The row's name with its group and column.
        cells: Of the table, where a sign of currency may stand.

    >>> unit_words("Statements (In millions, except per share amounts)", "total net sales", "$ 94,836")
    'in millions of dollars'
    >>> unit_words("Statements (In millions, except per share amounts)", "basic earnings per share", "$ 1.53")
    'in dollars'
    >>> unit_words("Capital position (in £ million)", "tier 2", "110"), unit_words("Costs (£'000)", "rent", "12")
    ('in millions of pounds', 'in thousands of pounds')
    >>> unit_words("Costs, in % of assets (EUR 2,246.7 million)", "fees", "")
    'in percent of assets'
    >>> unit_words("Costs (x EUR 1,000)", "fees", "")
    'in thousands of euros'
    >>> unit_words("Shares and prices (in millions, except number of shares)", "shares issued", "$ 3") is None
    True
    """
    title = _AMOUNT.sub("", title)  # "in % of assets (EUR 2,246.7 million)" is in percent
    scale = _SCALE.search(title)
    if percent := _IN_PERCENT.search(title):
        return None if scale else f"in percent{percent['of'] or ''}"
    currency = _currency(title) or _currency(cells)
    if _RATE.search(label):
        return None if scale else ""
    if scale is None:
        return ""
    if _COUNTED.match(label):
        return _of_shares(title)
    if _PER.search(label):
        return f"in {currency}" if currency and _EXCEPT.search(title) else None
    if _SHARES.search(label):
        return _of_shares(title)
    short = (scale["sign"] or "").casefold()
    word = f"{(scale['word'] or _SCALES.get(short, 'thousand')).lower()}s"
    return f"in {word} of {currency}" if currency else f"in {word}"


def _of_shares(title: str) -> str | None:
    """Figures of shares have the scale that the title gives for them, and none is guessed."""
    match = re.search(r"\bshares\b[^,;()]*?\bin (thousands|millions)\b", title, re.IGNORECASE)
    return f"in {match[1].lower()}" if match else None


def _currency(text: str) -> str:
    return next((word for shape, word in _CURRENCIES if shape.search(text)), "")
