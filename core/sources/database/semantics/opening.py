"""Opens the names of tables and columns: prefixes cut off, glued words parted, abbreviations written out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.sources.database.semantics.abbreviations import (
    ABBREVIATIONS,
    BEFORE,
    CODED_BY,
    LAST_ONLY,
    SEVERAL,
    STORED_AS,
    TABLE_ENDS,
    TABLE_PREFIXES,
    WORDS,
)
from core.sources.database.semantics.shortened import understood, written_in_full
from core.sources.database.words import PIECE, split_words

LEAST_GLUED = 5
"""Letters from which a word in one case may be several."""
LEAST_PREFIXED = 3
"""Names that have to share a prefix before it is taken for one."""
SHARE_PARTED = 0.7
HOW_OFTEN = frozenset({"daily", "weekly", "monthly", "quarterly", "yearly", "annual"})
"""Words that names put behind what they say something of."""
SHORTEST_PLURAL = 3
"""Letters of a short form that may have a plural's s; with fewer it is another word."""
GLUED_ENDS = ("no", "nr", "num", "nbr", "cd", "dt", "nm", "id", "amt", "qty", "name", "code", "date", "type")
LASTING = frozenset({"time", "duration", "length", "delay", "stop", "wait", "break", "downtime", "runtime"})
"""What is measured in minutes where a name ends in "min"."""
HOW_LONG = {
    "hr": "hour",
    "hrs": "hour",
    "hours": "hour",
    "min": "minute",
    "minimum": "minute",
    "sec": "second",
    "d": "day",
}
"""Units of time behind "per"."""
LENGTHS = frozenset(
    {
        *("length", "width", "height", "depth", "draught", "draft", "beam", "breadth", "diameter", "radius"),
        *("distance", "elevation", "altitude", "thickness", "span"),
    }
)
PERIODS = frozenset({"duration", "stay", "term", "notice", "period", "delay", "wait"})
WEIGHTS = frozenset({"weight", "mass", "load", "tonnage", "cargo", "displacement", "catch", "harvest"})
MEASURED = {"m": LENGTHS, "t": WEIGHTS}
"""Units of one letter at the end of a name, and the words behind which they are that."""
LASTS = {"d": "days", "h": "hours"}
"""Units of time behind one of `PERIODS`."""
SQUARED = {
    "m2": "square metres",
    "sqm": "square metres",
    "km2": "square kilometres",
    "m3": "cubic metres",
    "sqft": "square feet",
    "sq_ft": "square feet",
}
"""Units of areas and volumes at the end of a name."""
POWERS = re.compile(rf"(?<=.)(?:[_ ]|(?<=[a-z])(?=[A-Z]))({'|'.join(SQUARED)})$", re.IGNORECASE)
DIGITS_INSIDE = re.compile(r"[a-z]+\d+[a-z]+")


def opened_columns(
    names: Sequence[str], vocabulary: frozenset[str] = frozenset(), *, glued: bool = True, terse: bool = False
) -> dict[str, list[str]]:
    """The words of each column's name as people say them.

    Args:
        names: All columns of one table: what they all begin with says nothing of one.
        vocabulary: Further words of this database.
        glued: Whether a word may be several, see :func:`are_glued`.
        terse: Whether short forms of several words are left as they are, see :func:`language.is_terse`.

    >>> opened_columns(["sbCustId", "sbCustPostalCode", "sbCustJoinDate"])["sbCustPostalCode"]
    ['postal', 'code']
    >>> opened_columns(["sbtxid", "sbtxcustid", "sbtxsettlementdatestr"])["sbtxsettlementdatestr"]
    ['settlement', 'date']
    >>> opened_columns(["dos_freq_hrs"])["dos_freq_hrs"]
    ['dose', 'frequency', 'hours']
    >>> opened_columns(["RunningTimeMin", "price_min"])
    {'RunningTimeMin': ['running', 'time', 'minutes'], 'price_min': ['price', 'minimum']}
    >>> opened_columns(["capacity_per_hr"])["capacity_per_hr"]
    ['capacity', 'per', 'hour']
    """
    cut = _common_start(names, vocabulary)
    opened = {name: _opened(name[cut:] if len(name) > cut else name, vocabulary, glued, terse) for name in names}
    stems = {tuple(words[:-1]) for words in opened.values() if words[-1] == "maximum"}
    return {
        # What lasts is given in minutes, but where its maximum is there too.
        name: [*words[:-1], "minutes"]
        if words[-1] == "minimum" and words[-2:-1] and words[-2] in LASTING and tuple(words[:-1]) not in stems
        else words
        for name, words in opened.items()
    }


def opened_tables(
    names: Sequence[str], vocabulary: frozenset[str] = frozenset(), *, glued: bool = True, terse: bool = False
) -> dict[str, list[str]]:
    """The words of each table's name as people say them; the last is left in the number it has.

    >>> opened_tables(["sbcustomer", "sbdailyprice", "sbticker"])["sbdailyprice"], opened_tables(["DimProduct"])
    (['daily', 'price'], {'DimProduct': ['product']})
    """
    cut = _common_start(names, vocabulary)
    opened = {}
    for name in names:
        words = _opened(name[cut:] if len(name) > cut else name, vocabulary, glued, terse)
        while len(words) > 1 and (
            words[0] in TABLE_PREFIXES or (words[0] == "table" and name.lower().startswith("tbl"))
        ):
            words = words[1:]
        if len(words) > 1 and words[0] in HOW_OFTEN and name.lower().endswith(words[0]):
            words = words[1:]
        while len(words) > 1 and words[-1] in TABLE_ENDS:
            words = words[:-1]
        if len(words) > 1 and words[-1] in ("codes", "code") and words[-2] not in CODED_BY:
            words = words[:-1]  # a reason has a code, and is none
        opened[name] = words
    return opened


def opaque(words: Iterable[str]) -> bool:
    """Whether a person cannot say what a name means.

    >>> opaque(["db2x"]), opaque(["kpx"]), opaque(["vat", "rate"]), opaque(["status"]), opaque(["hol", "cal"])
    (True, True, False, False, True)
    """
    words = list(words)
    return any(not understood(word, last=place == len(words)) for place, word in enumerate(words, 1))


def ends_in_a_unit(words: Sequence[str]) -> bool:
    """Whether a name ends in a unit of one letter behind what is measured in it.

    >>> ends_in_a_unit(["length", "m"]), ends_in_a_unit(["series", "m"])
    (True, False)
    """
    return len(words) > 1 and not MEASURED.get(words[-1], frozenset()).isdisjoint(words[:-1])


def are_glued(names: Iterable[str]) -> bool:
    """Whether names put words together with nothing between them: few are parted by a sign or by letter case."""
    counted = [bool(re.search(r"[_ ]|[a-z][A-Z]", name)) for name in names]
    return sum(counted) <= (1 - SHARE_PARTED) * len(counted)


def known_words(names: Iterable[str]) -> frozenset[str]:
    """The words of names that part them by a sign or by letter case: what glued names of the same database hold."""
    return frozenset(
        word for name in names if "_" in name or " " in name for word in split_words(name) if len(word) >= LEAST_GLUED
    )


def _common_start(names: Sequence[str], vocabulary: frozenset[str]) -> int:
    """The length of what all names begin with and that is no word of theirs."""
    if len(names) < LEAST_PREFIXED:
        return 0
    flat = [name.lower() for name in names]
    start = _shared_start(flat)
    if len(start) < 2:
        return 0
    if all("_" in name for name in flat):
        return start.rfind("_") + 1
    if all(name != name.lower() for name in names):
        borders = [
            place for place in range(2, len(start) + 1) if all(name[place : place + 1].isupper() for name in names)
        ]
        return borders[-1] if borders else 0
    if any("_" in name or " " in name for name in flat):
        return 0
    rests = [name[len(start) :] for name in flat if len(name) > len(start)]
    whole = sum(parted(name, vocabulary) is not None for name in flat)
    parts = sum(parted(rest, vocabulary) is not None for rest in rests)
    return len(start) if parts >= SHARE_PARTED * len(names) and whole <= (1 - SHARE_PARTED) * len(names) else 0


def _shared_start(names: Sequence[str]) -> str:
    """The letters that all names begin with: those that the first and the last in their order share."""
    first, last = min(names), max(names)
    length = next(
        (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first)
    )
    return first[:length]


def _opened(name: str, vocabulary: frozenset[str], glued: bool, terse: bool) -> list[str]:
    if name.lower() in SQUARED:
        unit = SQUARED[name.lower()]
        return ["volume" if unit.startswith("cubic") else "area", "in", *unit.split()]
    if squared := POWERS.search(name):
        return [*_opened(name[: squared.start()], vocabulary, glued, terse), "in", *SQUARED[squared[1].lower()].split()]
    pieces = [piece.lower() for piece in PIECE.findall(name)] or [name.lower()]
    if DIGITS_INSIDE.fullmatch(name.lower()):
        pieces = [name.lower()]
    parts: list[str] = []
    for piece in pieces:
        found = parted(piece, vocabulary) if glued and len(piece) >= LEAST_GLUED else None
        parts += found or _glued_pair(piece) or split_words(piece)
    words: list[str] = []
    for place in reversed(range(len(parts))):
        last = len(parts) > 1 and all(part.isdigit() for part in parts[place + 1 :])
        words[:0] = _written_out(parts[place], words[0] if words else "", last, vocabulary, terse)
    words = [
        HOW_LONG.get(word, word) if words[place - 1 : place] == ["per"] else word for place, word in enumerate(words)
    ]
    while len(words) > 1 and (words[-1] in STORED_AS | {"1"} or (words[-1] == "text" and parts[-1] in STORED_AS)):
        words = words[:-1]
    if len(words) > 1 and words[-1] in LASTS and PERIODS & set(words[:-1]):
        words[-1] = LASTS[words[-1]]
    if len(words) > 1 and words[-1] in HOW_OFTEN:
        words = [words[-1], *words[:-1]]
    if "sub" in words[:-1]:
        place = words.index("sub")
        words[place : place + 2] = [f"sub{words[place + 1]}"]
    if words[-2:] == ["date", "time"]:
        words[-1:] = ["and", "time"]
    return words


def _glued_pair(word: str) -> list[str]:
    """A shortened word and what it is a number, a date or an amount of, glued together: ``fltno``; else nothing."""
    for end in GLUED_ENDS:
        if word.endswith(end) and word[: -len(end)] in ABBREVIATIONS and word not in WORDS:
            return [word[: -len(end)], end]
    return []


def _written_out(part: str, following: str, last: bool, vocabulary: frozenset[str], terse: bool) -> list[str]:
    """One word of a name as people say it; what is not known stays."""
    if terse and part in SEVERAL and (part, following) not in BEFORE:
        return [part]
    said = BEFORE.get((part, following)) or (LAST_ONLY.get(part) if last else None) or ABBREVIATIONS.get(part)
    if said is None and len(part) > SHORTEST_PLURAL and part.endswith("s") and part[:-1] in ABBREVIATIONS:
        said = f"{ABBREVIATIONS[part[:-1]]}s"
    if said is None and last and part in STORED_AS:
        return [part]
    if said is None and not understood(part, last=last):
        said = written_in_full(part, vocabulary)
    return (said or part).split()


@lru_cache(maxsize=8192)
def parted(word: str, vocabulary: frozenset[str] = frozenset()) -> tuple[str, ...] | None:
    """A glued word in the fewest words that are known; None where something of it is left over.

    >>> parted("postalcode"), parted("custid"), parted("city"), parted("sbcust")
    (('postal', 'code'), ('cust', 'id'), ('city',), None)
    """
    best: list[tuple[str, ...] | None] = [()]
    for end in range(1, len(word) + 1):
        found: tuple[str, ...] | None = None
        for start in range(max(0, end - 16), end):
            before, piece = best[start], word[start:end]
            if before is None or not _known(piece, vocabulary):
                continue
            if found is None or len(before) + 1 < len(found):
                found = (*before, piece)
        best.append(found)
    return best[-1]


def _known(piece: str, vocabulary: frozenset[str]) -> bool:
    if piece.isdigit() or piece in ("id", "str"):
        return True
    if len(piece) < 3 and piece not in ("tx", "dt", "cd"):
        return False
    return (
        piece in WORDS or piece in ABBREVIATIONS or piece in vocabulary or (piece.endswith("s") and piece[:-1] in WORDS)
    )
