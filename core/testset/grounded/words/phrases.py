"""Names of tables and columns as the noun phrases people use."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.domain.sources.schema import Column, Table
from core.domain.sources.semantics import CENTS
from core.sources.database.words import split_words
from core.testset.grounded.currencies import CURRENCIES
from core.testset.grounded.words.dates import IN_A_YEAR, NOUN_OF, date_noun, period_noun, shown_words
from core.testset.grounded.words.inflection import BESIDE, is_plural, singular
from core.testset.grounded.words.people import is_person
from core.testset.grounded.words.vocabulary import (
    ABBREVIATIONS,
    AMOUNTS_IN,
    BEFORE_FIGURES,
    CONTACT_ENDS,
    KEY_ENDS,
    KEY_NAMES,
    LASTING,
    MEASURES,
    NAMED_GROUPS,
    NAMED_PLACES,
    OTHER_NAMES,
    PAST_OF,
    PER,
    ROLES,
    ROW_OF,
    SAID_AS,
    SUMS,
    TIMES,
    UNITS,
    WHEN,
    WHICH_ONE,
)

SOLD = frozenset({"ticket", "seat", "unit", "item", "meal", "room", "night", "product", "piece", "entry", "admission"})
"""What amounts are named after that are paid for it."""
_SYMBOLS = {"km_h": "km/h", "m_s": "m/s"}
_MEASURED = re.compile(
    r"(?P<what>.*[^\W_]{3})(?:[ _]in)?[ _](?P<symbol>(?i:km/h|km_h|m/s|m_s)|kW|MW|kWh|MWh|GWh|kV|kPa|hPa|MPa|°C|°F)"
    r"|(?P<pressure>(?i:.*press(?:ure)?))(?:[ _]in)?[ _](?P<bar>(?i:bar))"
)
"""A name that ends in a unit as it is written."""


def table_noun(name: str) -> str:
    """A table's rows, one of them.

    >>> table_noun("account_products"), table_noun("MediaType"), table_noun("tbl_Companies"), table_noun("ATM")
    ('account product', 'media type', 'company', 'ATM')
    """
    words = split_words(name)
    if len(words) > 1 and words[0] in ("tbl", "dim", "fact", "t"):
        words = words[1:]
    if len(words) > 1 and words[-1] in BESIDE:
        return shown_words([*words[:-2], singular(words[-2]), words[-1]])
    return shown_words([*words[:-1], ROW_OF.get(words[-1]) or singular(words[-1])])


def column_noun(name: str, table: str, *, temporal: bool = False) -> str:
    """What a column holds.

    Args:
        name: The column.
        table: Its table; words that only repeat it are left out.
        temporal: Whether its values are dates or times.

    >>> column_noun("opened_on", "branch", temporal=True), column_noun("established_year", "region")
    ('opening date', 'year established')
    >>> column_noun("HireDate", "Employee", temporal=True), column_noun("BranchName", "branches")
    ('hire date', 'name')
    >>> column_noun("rate_pct", "loan"), column_noun("customer_since", "customer", temporal=True)
    ('rate in per cent', 'start date')
    >>> column_noun("offered_since", "branch_product", temporal=True), column_noun("Milliseconds", "Track")
    ('date of first offer', 'length in milliseconds')
    >>> column_noun("YearPublished", "book"), column_noun("ClosesAt", "branch"), column_noun("BornIn", "author")
    ('year of publication', 'closing time', 'place of birth')
    >>> column_noun("PublisherName", "book"), column_noun("UserName", "account"), column_noun("supplier_name", "part")
    ('publisher', 'user name', 'supplier')
    >>> column_noun("amount_cents", "invoice"), column_noun("cost_amt", "test"), column_noun("tax_amount", "bill")
    ('amount in cents', 'cost', 'tax amount')
    >>> column_noun("veh_no", "vehicle"), column_noun("dept_name", "department")
    ('vehicle number', 'name')
    >>> column_noun("hired", "driver", temporal=True), column_noun("last_serviced", "vehicle", temporal=True)
    ('hiring date', 'last service date')
    >>> column_noun("purchased_date", "vehicle", temporal=True), column_noun("date_sold", "house", temporal=True)
    ('purchase date', 'sale date')
    >>> column_noun("actual_hours", "order"), column_noun("brand_name", "product"), column_noun("max_seats", "room")
    ('actual hours', 'brand', 'maximum number of seats')
    >>> column_noun("valid_from", "rate", temporal=True), column_noun("warranty_until", "machine", temporal=True)
    ('start of validity', 'end of the warranty')
    >>> column_noun("price_per_kg", "harvest"), column_noun("yield_t_per_ha", "field")
    ('price per kilogram', 'yield in tonnes per hectare')
    >>> column_noun("dateOfBirth", "person", temporal=True), column_noun("max_qty", "order"), column_noun("Fax", "Shop")
    ('date of birth', 'maximum quantity', 'fax number')
    >>> column_noun("elev_max_m", "peak"), column_noun("price_min", "price"), column_noun("wind_max_km_h", "site")
    ('maximum elev in metres', 'minimum price', 'maximum wind in km/h')
    >>> column_noun("guests_max", "hall"), column_noun("temp_avg_c", "site"), column_noun("maximum", "limit")
    ('maximum number of guests', 'average temp in degrees Celsius', 'maximum')
    """
    if not temporal and (measured := _MEASURED.fullmatch(name)):
        # Letters and signs of a unit are no words: "the wind limit in km/h" rather than "in km h".
        symbol = measured["symbol"] or "bar"
        what = column_noun(measured["what"] or measured["pressure"], table)
        return f"{what} in {_SYMBOLS.get(symbol.casefold(), symbol)}"
    words = _per_unit(_opened(name))
    if len(words) > 1 and words[-1] == "no":
        words[-1] = "number"
    if words == ["when"] and temporal:
        return "date and time"
    if len(words) == 1 and words[0] in MEASURES:
        return MEASURES[words[0]]
    unit = UNITS.get(words[-1], "") if len(words) > 1 else ""
    if words[-1] in TIMES and len(words) > 1 and words[-2] not in LASTING | {"in"}:
        unit = ""  # "the actual hours" rather than "the actual in hours"
    if unit:
        words = words[:-2] if words[-2] == "in" and len(words) > 2 else words[:-1]
    own = split_words(table_noun(table))
    words = _shortest(words, own, table)
    phrase = ""
    if temporal or {words[0], words[-1]} & {"on", "at", "since", "year"}:
        phrase = (period_noun(words) if temporal else "") or date_noun(words, own)
    if not phrase and len(words) > 1 and words[-1] in ("to", "by", "for", "from", "in", "until", "till"):
        phrase = ROLES.get(" ".join(words)) or f"{'-'.join(words)} entry"
    words = [*words[:-1], *SAID_AS.get(words[-1], words[-1]).split()]
    if temporal and not phrase and not set(words) & WHEN:
        words = [*words, "date"]  # "the last dry dock date" rather than "the last dry dock"
    if unit in AMOUNTS_IN and words[-1] in NOUN_OF and not phrase:
        words = ["amount", *words]  # "the amount paid in euros" rather than "the paid in euros"
    phrase = phrase or shown_words([*words, *CONTACT_ENDS.get(words[-1], ())])
    return f"{phrase} {unit}".strip()


def _opened(name: str) -> list[str]:
    """The words of a column's name, abbreviations written out, without what says that it counts or is a flag."""
    words = [word for piece in split_words(name) for word in ABBREVIATIONS.get(piece, piece).split()]
    if len(words) > 1 and words[0] in ("n", "nb", "num") and is_plural(words[-1]):
        words = words[1:]
    if len(words) > 1 and (words[-1] in ("yn", "flg") or (words[-1] == "count" and is_plural(words[-2]))):
        words = words[:-1]
    return words


def _per_unit(words: list[str]) -> list[str]:
    """The words of a figure per unit with both units written out; others as they are.

    >>> _per_unit(["yield", "t", "per", "ha"]), _per_unit(["price", "per", "kg", "cents"])
    (['yield', 'in', 'tonnes', 'per', 'hectare'], ['price', 'per', 'kilogram', 'cents'])
    """
    if "per" not in words[1:-1]:
        return words
    at = words.index("per", 1)
    of, figure, below = words[:at], [], words[at + 1 :]
    if of[-1] in UNITS and of[-1] not in TIMES:
        figure = UNITS[of.pop()].split()
        figure = figure if of and of[-1] != "in" else figure[1:]
    if (power := " ".join(below[:2])) in PER:
        below[:2] = [PER[power]]
    elif below[0].isdigit():
        below[1:2] = [_spelled(word) for word in below[1:2]]
    else:
        below[0] = PER.get(below[0]) or singular(_spelled(below[0]))
    return [*of, *figure, "per", *below]


def _spelled(unit: str) -> str:
    return UNITS.get(unit, unit).removeprefix("in ")


def _shortest(words: list[str], own: list[str], table: str) -> list[str]:
    """A column's words without those that its table, or the words themselves, say already."""
    if len(words) > len(own) and words[: len(own)] == own:
        rest = words[len(own) :]
        words = words if rest in (["since"], ["on"], ["at"]) or set(rest) <= BEFORE_FIGURES else rest
    if len(words) > 1 and words[-1] in BEFORE_FIGURES:
        words = [words[-1], *words[:-1]]  # "the maximum elevation" rather than "the elevation maximum"
    if words in (["no"], ["number"]):
        return [*own, "number"]
    pair = len(words) == 2
    maker = words[0].endswith(("er", "or", "ist")) and words[0] not in OTHER_NAMES
    if pair and words[1] == "name" and (maker or words[0] in NAMED_PLACES | NAMED_GROUPS):
        words = words[:1]  # "the publisher" and the city rather than "the publisher name", "the city name"
    if len(words) > 1 and words[-1] == "amount" and words[-2] in SUMS:
        words = words[:-1]  # "the cost" rather than "the cost amount"
    if len(words) == 2 and words[1] in KEY_NAMES and _shortens(words[0], table):
        words = [*own, "number"] if words[1] in ("no", "number") else words[1:]
    if len(words) > 1 and words[0] in BEFORE_FIGURES - {"average"} and words[-1] not in TIMES and is_plural(words[-1]):
        words = [words[0], "number", "of", *words[1:]]
    if len(words) > 1 and words[0] in ("number", "quantity", "count") and is_plural(words[-1]):
        words = words[2:] if words[1] == "of" and len(words) > 2 else words[1:]  # how many lawyers a firm has
    if len(words) == 2 and set(words) <= NAMED_PLACES:
        words = [words[0], "or", words[1]]
    return words


def column_phrase(table: Table, column: Column) -> str:
    """What a column of a schema is called, with the unit that the semantic layer gives its figures.

    A currency stands with the amount itself, and hundredths of one are written as whole ones.
    """
    noun = _year_of(column, table) or column_noun(column.spoken, table.spoken, temporal=column.temporal)
    if column.unit == CENTS and (noun in NOUN_OF or noun in SOLD):
        noun = f"{noun} {'price' if noun in SOLD else 'amount'}"  # "the insured amount" rather than "the insured"
    days = column.type.upper() == "DATE" or (column.dates and not column.moments)
    if days and noun.endswith(" time"):
        noun = f"{noun.removesuffix('time')}date"  # "joined at" a day
    unsaid = column.unit in ("", CENTS) or column.unit.casefold() in CURRENCIES or f" in {column.unit}" in noun
    return noun if unsaid else f"{noun} in {column.unit}"


def _year_of(column: Column, table: Table) -> str:
    """What a column of years is called whose name says only what happened: "year built"; or empty."""
    words = split_words(column.spoken)
    happened = len(words) == 1 and words[0] in IN_A_YEAR
    return column_noun(f"{column.spoken}_year", table.spoken) if column.years and happened else ""


def role_noun(columns: Sequence[str], referred_table: str, referred: Sequence[str] = ()) -> str:
    """The role of a foreign key's target for the row that points to it.

    Args:
        columns: The key's columns in words.
        referred_table: The table it points to, in words.
        referred: The columns it points to: their words at the end of the key's say no role.

    >>> role_noun(["ProjectDirector"], "Employee"), role_noun(["branch_id"], "branches")
    ('project director', 'branch')
    >>> role_noun(["SupportRepId"], "Employee"), role_noun(["ReportsTo"], "Employee")
    ('support representative', 'manager')
    >>> role_noun(["veh_no"], "vehicle"), role_noun(["dept_id"], "departments")
    ('vehicle', 'department')
    >>> role_noun(["patient_hosp_no"], "patient", ["hosp_no"]), role_noun(["default currency code"], "currency")
    ('patient', 'default currency')
    >>> role_noun(["departs_from"], "harbours"), role_noun(["arrives_at"], "harbours")
    ('departure harbour', 'arrival harbour')
    >>> role_noun(["fitter employee no"], "employee"), role_noun(["container employee id"], "employee")
    ('fitter', 'container employee')
    >>> role_noun(["main glaciers id"], "glaciers"), role_noun(["first work orders id"], "work orders")
    ('main glacier', 'first work order')
    >>> role_noun(["parent_id"], "categories"), role_noun(["previous_id"], "policy"), role_noun(["parent_id"], "user")
    ('parent category', 'previous policy', 'parent')
    """
    words = split_words(columns[0]) if len(columns) == 1 else []
    own = split_words(referred[0]) if len(referred) == 1 else []
    if words and words == own and words[0] not in split_words(table_noun(referred_table)):
        return table_noun(referred_table)
    if (
        len(words) > len(own) > 1
        and words[-len(own) :] == own
        and own[0] not in split_words(table_noun(referred_table))
    ):
        words = words[: -len(own)]
    while len(words) > 1 and words[-1] in KEY_ENDS:
        words = words[:-1]
    if not words or words[-1] in KEY_ENDS:
        return table_noun(referred_table)
    if len(words) > 1 and table_noun(words[-1]) == table_noun(referred_table):
        doer = words[-2].endswith(("er", "or", "ist")) and words[-2] not in OTHER_NAMES
        if words[-2] in ("manager", "head") or (doer and is_person(table_noun(referred_table))):
            words = words[:-1]  # "the fitter" rather than "the fitter employee"
    role = ROLES.get(" ".join(words))
    table = split_words(referred_table)
    if words == table or (len(words) == 1 and _shortens(words[0], referred_table)):
        return table_noun(referred_table)
    if words[-len(table) :] == table:
        words = [*words[: -len(table)], *split_words(table_noun(referred_table))]  # one of them: "the main glacier"
    of_people = is_person(words[0]) and is_person(table_noun(referred_table))
    if len(words) == 1 and words[0] in WHICH_ONE and not of_people:
        return f"{words[0]} {table_noun(referred_table)}"
    if role is None and len(words) == 2 and words[1] in ("from", "to", "at") and words[0] in NOUN_OF:
        return f"{NOUN_OF[words[0]]} {table_noun(referred_table)}"  # the departure harbour, and not the other one
    if role is None and words[-1] in ("to", "by", "of", "for", "from", "in", "at", "via"):
        return table_noun(referred_table)
    return role or shown_words(words)


def done_by(columns: Sequence[str], referred_table: str) -> str:
    """What somebody did whom a key names by nothing else: "found" for ``found_by``; empty where a role says it.

    >>> done_by(["found_by"], "staff"), done_by(["taken by"], "employee"), done_by(["approved_by"], "employee")
    ('found', 'took', '')
    """
    participle = participle_of(columns, referred_table)
    return PAST_OF.get(participle, participle)


def participle_of(columns: Sequence[str], referred_table: str) -> str:
    """The same as a participle, for what was done: "taken" for ``taken_by``."""
    words = split_words(columns[0]) if len(columns) == 1 else []
    if len(words) < 2 or words[-1] != "by" or " ".join(words) in ROLES or not is_person(table_noun(referred_table)):
        return ""
    return words[-2]


def _shortens(word: str, table: str) -> bool:
    """Whether a word is a table's name cut short: its first letter and more of its letters in order.

    >>> _shortens("veh", "vehicle"), _shortens("dept", "departments"), _shortens("mgr", "employee")
    (True, True, False)
    """
    noun = table_noun(table).split()[-1].lower()
    rest = iter(noun[1:])
    return len(word) < len(noun) and word[0] == noun[0] and all(letter in rest for letter in word[1:])
