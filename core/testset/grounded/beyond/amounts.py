"""Which columns can be added up, averaged and ranked, and which dates follow each other."""

from __future__ import annotations

from core.domain.sources.schema import Column, Table
from core.sources.database.words import split_words
from core.testset.grounded.entities import sorts_as_date
from core.testset.grounded.words.phrases import table_noun

NUMERIC = ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY")
_SUMMED = "amount total quantity freight shares commission fee cost hours subtotal revenue tax units payment"
SUMMED = frozenset(_SUMMED.split())
_AVERAGED = "price rate salary cost balance fee amount limit premium rent score total"
AVERAGED = frozenset(_AVERAGED.split())
_RANKED = "population area height weight length duration capacity budget rating stock"
RANKED = SUMMED | AVERAGED | frozenset(_RANKED.split())
NOT_RANKED = frozenset(
    {
        "minimum",
        "maximum",
        "min",
        "max",
        "least",
        "most",
        "discount",
        "level",
        "number",
        "code",
        "year",
        "id",
        "on",
        "order",
    }
)


def numeric(column: Column) -> bool:
    """Whether its values are numbers that mean something to a person."""
    kind = column.type.upper()
    return column.descriptive and not column.codes and any(part in kind for part in NUMERIC) and "INTERVAL" not in kind


def of_words(column: Column, words: frozenset[str]) -> bool:
    """Whether a number is one of some kind by its name, and no code or rank."""
    own = set(split_words(column.spoken))
    return numeric(column) and bool(own & words) and not own & NOT_RANKED


def is_share(noun: str) -> bool:
    """Whether a figure is a part of something, which nobody adds up.

    >>> is_share("commission in per cent"), is_share("commission in euros")
    (True, False)
    """
    return any(word in noun for word in ("per cent", "percent", "%"))


def varied(table: Table, column: Column) -> bool:
    """Whether its values tell rows apart well enough to be ranked."""
    return column.distinct is None or column.distinct >= min(5, max(2, table.rows // 4))


_MONEY = "amount total price salary cost balance fee payment limit premium rent revenue tax commission freight subtotal"
MONEY = frozenset(_MONEY.split())


def in_currencies(table: Table, column: Column) -> bool:
    """Whether a table's rows give an amount in several currencies, which can be neither added up nor ranked."""
    if not set(split_words(column.spoken)) & MONEY:
        return False
    return any(
        "currency" in split_words(other.spoken) and other.name != column.name and other.distinct != 1
        for other in table.columns
    )


EXTENT = frozenset(
    {"area", "capacity", "distance", "duration", "height", "length", "size", "volume", "weight", "width"}
)


def degrees(noun: str) -> tuple[str, str, str, str]:
    """The words for most, least, more and less of a figure.

    >>> degrees("price"), degrees("length in metres")
    (('highest', 'lowest', 'higher', 'lower'), ('greatest', 'smallest', 'greater', 'smaller'))
    """
    last = noun.split(" in ")[0].split()[-1]
    if last == "duration":
        return "longest", "shortest", "longer", "shorter"
    extent = last in EXTENT
    return ("greatest", "smallest", "greater", "smaller") if extent else ("highest", "lowest", "higher", "lower")


def main_date(table: Table) -> Column | None:
    """The date that says when a row happened: the one that is called nothing else, or after the row."""
    dates = [column for column in table.columns if column.descriptive and sorts_as_date(column)]
    noun = set(table_noun(table.spoken).split())
    own = [column for column in dates if set(split_words(column.spoken)) <= noun | {"date", "time", "day", "and"}]
    return own[0] if own else None
