"""Numbers in text: separators, decimals, signs, magnitudes, currencies, units, percent, ordinals, number words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import partial
from itertools import islice

from core.judging.match.readers.figures.compounds import MAY_BE_COMPOUND, compounds, unit_name
from core.judging.match.readers.figures.fractions import MAY_BE_FRACTION, Fraction, find_fractions
from core.judging.match.readers.figures.number_words import SCALES, WORDS_PATTERN, value_of_words
from core.judging.match.readers.figures.units import CURRENCIES, MAGNITUDES, SHORT_MAGNITUDES, UNITS

MAX_DIGITS = 60
"""A longer run of digits is an identifier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number in a text.

    Attributes:
        value: In the base unit of its dimension where `unit` has one (5 km is 5000 with unit "m"); percent stays
            percent (4.5% is 4.5).
        plain: The value in the unit as written (5 km is 5).
        unit: Dimension or "%", or empty.
        currency: Code or shared symbol, or empty.
        text: As written.
        decimals: Digits after the decimal mark, as written.
        scaled: Whether a magnitude ("million") or an exponent follows the digits.
        also: Other values the spelling may mean (``1.250`` is 1.25, and 1250 to a German).
        word: Whether it is written in words.
        ordinal: "3rd", "third".
        sign_of_bound: ">" or "<" where it is said to be more, less, at least or at most; else empty.
        scale: What a magnitude or an exponent multiplies the digits by.
    """

    value: Decimal
    text: str
    start: int
    end: int
    plain: Decimal
    unit: str = ""
    currency: str = ""
    decimals: int = 0
    scaled: bool = False
    also: tuple[Decimal, ...] = ()
    word: bool = False
    ordinal: bool = False
    sign_of_bound: str = ""
    scale: Decimal = Decimal(1)

    @property
    def step(self) -> Decimal:
        """The unit of the last digit as written: 0.1 million is 100,000 for "4.5 million", 0.01 for "4.50"."""
        return self.scale.scaleb(-self.decimals)


def _alternatives(names: list[str]) -> str:
    return "|".join(
        re.escape(name).replace(r"\ ", "[ ]") for name in sorted(names, key=lambda name: (-len(name), name))
    )


_CURRENCY = _alternatives(list(CURRENCIES))
_MAGNITUDE = _alternatives([*MAGNITUDES, *SHORT_MAGNITUDES])
_UNIT = _alternatives(list(UNITS))
_COUNTED_IN_BILLIONS = "dollars|euros|pounds|francs|rupees|shares|units|tokens|parameters|users|records|rows"
"""What stands behind "64 b" where it is 64 billion; "64 B hoses" are hoses of a kind."""

NUMBER = re.compile(
    rf"""
    (?:(?<![^\W\d_]) (?P<before>{_CURRENCY}) [ ]?)?
    (?P<sign>(?<![\w)%])[-+])?
    (?:(?P<after_sign>[€$£¥₹])[ ]?)?
    (?<![\w.,']) (?P<digits>
        \d{{1,3}} (?:[ ]\d{{3}})+ (?!\d) (?:[.,]\d{{1,2}}(?!\d))?
      | \d+ (?:[.,']\d+)*
      | \.\d+
    )
    (?:e(?P<exponent>[-+]?\d{{1,2}})(?!\w))?
    (?:
        (?P<ordinal>st|nd|rd|th)(?!\w)
      | (?:[ -]?(?P<magnitude>{_MAGNITUDE})(?![\w^]|/[sh]\b)(?!(?<=[ ]b)[ ](?!{_COUNTED_IN_BILLIONS})[a-z]+s\b))?
        (?:[ -]?(?P<unit>{_CURRENCY}|{_UNIT})(?![\w$]))?
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)

MINUS = re.compile(r"(?:\bminus|\bnegative) (?:[€$£] ?)?$")
BOUND = re.compile(
    r"(?:(?P<more>more than|(?<!turned )(?<!turn )(?<!divided )over"
    r"|above|at least|exceeds?|exceeding|(?:greater|larger|bigger|higher|longer"
    r"|older|heavier) than|upwards of|not less than|>=?|≥)"
    r"|(?P<less>(?:less|smaller|lower|shorter|younger|lighter) than|under|below|at most"
    r"|(?<!adds )(?<!add )(?<!added )(?<!adding )(?<!sums )(?<!sum )(?<!comes )(?<!goes )(?<!rises )(?<!climbs )up to"
    r"|fewer than"
    r"|no more than|<=?|≤)) ?(?:[€$£] ?)?$"
)
MORE_AFTER = re.compile(r"\+|(?: or (?:more|above|over)\b)")
LESS_AFTER = re.compile(r" or (?:less|fewer|below|under)\b")


def find_numbers(text: str, limit: int | None = None) -> tuple[Number, ...]:
    """Every number in a text, in order.

    Digits inside words (``A320``, ``Q3``), versions and addresses (``3.5.2``, ``192.168.1.1``), times and dates with
    separators are no numbers. A comma before exactly three digits parts thousands, before another number of digits
    it is the decimal mark.

    Args:
        text: Best normalised (:func:`core.judging.match.readers.texts.normalise.normalise_text`), so that offsets are
            into that.
        limit: Stop after so many.

    >>> numbers = find_numbers("1,250,000 or 1.250.000 or 1'250'000 or 1 250 000 or 1.25 million")
    >>> [str(number.value) for number in numbers]
    ['1250000', '1250000', '1250000', '1250000', '1250000.00']
    >>> [(str(number.value), number.currency) for number in find_numbers("eur 1,200 and 3 usd, 4,5%")]
    [('1200', 'EUR'), ('3', 'USD'), ('4.5', '')]
    """
    return tuple(islice(iter_numbers(text), limit))


def iter_numbers(text: str) -> Iterator[Number]:
    """:func:`find_numbers`, one at a time: digits and words in order of appearance, "4 min 51 s" as one."""
    return compounds(_each(text), text, partial(_together, text)) if MAY_BE_COMPOUND.search(text) else _each(text)


def _together(text: str, former: Number, number: Number) -> Number:
    """Two parts of one quantity, counted in the unit of the last one: "4 min 51 s"."""
    factor = UNITS[unit_name(number.text)][1]
    value = former.value + number.value
    return replace(number, value=value, plain=value / factor, text=text[former.start : number.end], start=former.start)


def _each(text: str) -> Iterator[Number]:
    digits = _in_digits(text)
    words = _with_fractions(text) if MAY_BE_FRACTION.search(text) else _in_words(text)
    next_digits, next_words = next(digits, None), next(words, None)
    end = 0
    while next_digits is not None or next_words is not None:
        if next_words is None or (
            next_digits is not None and (next_digits.start, -next_digits.end) <= (next_words.start, -next_words.end)
        ):
            assert next_digits is not None  # noqa: S101 - one of the two is there
            number, next_digits = next_digits, next(digits, None)
        else:
            number, next_words = next_words, next(words, None)
        if number.start >= end:
            end = number.end
            yield number


def parse_number(text: str) -> Number | None:
    """The number that a text is, and nothing else; None where it is something else.

    >>> parse_number("€1,200").value, parse_number("1,200 people")
    (Decimal('1200'), None)
    """
    number = next(iter_numbers(text), None)
    whole = text.strip()
    if number is None or number.sign_of_bound:
        return None
    rest = (text[: number.start] + text[number.end :]).strip().removesuffix(".")
    return number if not rest or (rest in {"minus", "negative"} and whole.endswith(number.text)) else None


def _in_digits(text: str) -> Iterator[Number]:
    for match in NUMBER.finditer(text):
        # a date or a time with separators, an identifier
        start, end = match.start("digits"), match.end("digits")
        if _part_of_longer(text, start, end, signed=bool(match["sign"])):
            continue
        yield from _read(text, match)


def _part_of_longer(text: str, start: int, end: int, *, signed: bool) -> bool:
    after = text[end : end + 2]
    if after[:1] in {":", "/"} and after[1:2].isdigit():
        return True
    before = text[max(0, start - 2) : start]
    if before[1:] in {":", "/"} and before[:1].isalnum():
        return True
    if end - start > MAX_DIGITS:
        return True
    # 2023-04-01, 12-345-67 and A-12: three parts or more, or parts of a word
    if HYPHENATED.match(text, end) or (not signed and HYPHEN_BEFORE.search(before)):
        return True
    if before[1:] == "-" and before[:1].isdigit():
        return bool(HYPHEN_AFTER.match(text, end)) or bool(TWO_BEFORE.search(text[max(0, start - 24) : start]))
    return False


HYPHENATED = re.compile(r"-\d{1,20}-\d")
HYPHEN_AFTER = re.compile(r"-\d")
HYPHEN_BEFORE = re.compile(r"[^\W\d_]-$")
TWO_BEFORE = re.compile(r"\d-\d{1,20}-$")


def _read(text: str, match: re.Match[str]) -> Iterator[Number]:
    digits = match["digits"]
    values = _values(digits)
    start, end = match.start(), match.end()
    if not values:
        # "1,2,3" is a list of numbers, "3.5.2" no number
        if "." not in digits and "'" not in digits and "," in digits:
            place = match.start("digits")
            for part in digits.split(","):
                yield Number(value=Decimal(part), plain=Decimal(part), text=part, start=place, end=place + len(part))
                place += len(part) + 1
        return
    unit_name = (match["unit"] or "").casefold()
    currency = CURRENCIES.get((match["before"] or match["after_sign"] or "").casefold(), "")
    unit, factor = "", Decimal(1)
    if unit_name in CURRENCIES and not (currency and unit_name in UNITS):
        currency = currency or CURRENCIES[unit_name]
    elif unit_name:
        unit, factor = UNITS[unit_name]
    scale, other_scale, unit, factor = _scale((match["magnitude"] or "").casefold(), currency, unit, factor)
    sign = -1 if match["sign"] == "-" or MINUS.search(text[max(0, start - 12) : start].casefold()) else 1
    power = Decimal(10) ** int(match["exponent"]) if match["exponent"] else Decimal(1)
    with localcontext() as context:
        context.prec = 100
        plain = values[0] * sign * power * scale
        readings = [value * sign * power * scale * factor for value in values]
        if other_scale is not None:
            readings.append(values[0] * sign * power * other_scale)
    yield Number(
        value=readings[0],
        plain=plain,
        text=text[start:end],
        start=start,
        end=end,
        unit=unit,
        currency=currency,
        decimals=_decimals(values[0]),
        scaled=scale != 1 or power != 1,
        also=tuple(readings[1:]),
        ordinal=bool(match["ordinal"]),
        sign_of_bound=_bound(text, start, end),
        scale=scale * power,
    )


def _scale(name: str, currency: str, unit: str, factor: Decimal) -> tuple[Decimal, Decimal | None, str, Decimal]:
    """Magnitude, another possible magnitude, unit and its factor: ``5 m`` is five metres, ``€5 m`` five million."""
    if not name:
        return Decimal(1), None, unit, factor
    if name in MAGNITUDES:
        return MAGNITUDES[name], None, unit, factor
    if currency or unit or name not in UNITS:
        return SHORT_MAGNITUDES[name], None, unit, factor
    own_unit, own_factor = UNITS[name]
    return Decimal(1), SHORT_MAGNITUDES[name], own_unit, own_factor


def _bound(text: str, start: int, end: int) -> str:
    before = BOUND.search(text[max(0, start - 24) : start].casefold())
    if before:
        return ">" if before["more"] else "<"
    if MORE_AFTER.match(text, end):
        return ">"
    return "<" if LESS_AFTER.match(text, end) else ""


def _values(digits: str) -> tuple[Decimal, ...]:
    """What a run of digits and separators may mean, the usual reading first; empty where it is no number."""
    digits = digits.replace(" ", "")
    if digits.startswith("."):
        return (Decimal("0" + digits),)
    marks = [character for character in digits if character in ".,'"]
    if not marks:
        return (Decimal(digits),)
    kinds = set(marks)
    last = marks[-1]
    whole, _, fraction = digits.rpartition(last)
    if len(kinds) == 1 and len(marks) == 1:
        return _one_mark(last, whole, fraction)
    if len(kinds) == 1:
        return (Decimal(digits.replace(last, "")),) if _grouped(digits.split(last)) else ()
    # the last mark is the decimal mark when it stands once and the others part thousands
    others = kinds - {last}
    if last == "'" or marks.count(last) != 1 or len(others) != 1:
        return ()
    mark = others.pop()
    return (Decimal(whole.replace(mark, "") + "." + fraction),) if _grouped(whole.split(mark)) else ()


def _one_mark(mark: str, whole: str, fraction: str) -> tuple[Decimal, ...]:
    thousands = len(fraction) == 3 and len(whole) <= 3 and not whole.startswith("0")
    if mark == "'":
        return (Decimal(whole + fraction),) if thousands else ()
    decimal = Decimal(f"{whole}.{fraction}")
    if not thousands:
        return (decimal,)
    return (Decimal(whole + fraction),) if mark == "," else (decimal, Decimal(whole + fraction))


def _grouped(parts: list[str]) -> bool:
    """Groups of three, or the Indian groups of two before a last group of three."""
    first, middle, last = parts[0], parts[1:-1], parts[-1]
    if len(last) != 3 or not 1 <= len(first) <= 3 or (first.startswith("0") and len(first) > 1):
        return False
    return all(len(part) == 3 for part in middle) or (len(first) <= 2 and all(len(part) == 2 for part in middle))


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


IN_WORDS = re.compile(
    rf"(?<![\w'-])(?:an?[ ](?=(?:{'|'.join(SCALES)})\b))?(?:{WORDS_PATTERN})"
    rf"(?:[ -](?:and )?(?:{WORDS_PATTERN}))*(?![\w'])"
    rf"(?:[ -](?P<unit>{_CURRENCY}|{_UNIT})(?!\w))?",
    re.IGNORECASE,
)


def _in_words(text: str) -> Iterator[Number]:
    for match in IN_WORDS.finditer(text):
        name = match["unit"] or ""
        words = text[match.start() : match.start("unit") if name else match.end()].strip(" -")
        number = value_of_words(words)
        if number is None:
            continue
        value, ordinal = number
        unit, factor = UNITS.get(name.casefold(), ("", Decimal(1)))
        yield Number(
            value=value * factor,
            plain=value,
            text=match[0],
            start=match.start(),
            end=match.end(),
            unit=unit,
            currency=CURRENCIES.get(name.casefold(), "") if not unit else "",
            word=True,
            ordinal=ordinal,
            sign_of_bound=_bound(text, match.start(), match.end()),
        )


def _with_fractions(text: str) -> Iterator[Number]:
    """Numbers in words and fractions of them, in order: "two and a half percent", "a quarter of", "one in four"."""
    taken = [_fraction(text, fraction) for fraction in find_fractions(text, rf"{_CURRENCY}|{_UNIT}")]
    rest = [
        number
        for number in _in_words(text)
        if not any(part.start < number.end and number.start < part.end for part in taken)
    ]
    yield from sorted([*taken, *rest], key=lambda number: number.start)


def _fraction(text: str, fraction: Fraction) -> Number:
    unit, factor = UNITS.get(fraction.unit, ("", Decimal(1)))
    negative = MINUS.search(text[max(0, fraction.start - 12) : fraction.start].casefold())
    value = -fraction.value if negative else fraction.value
    return Number(
        value=value * factor,
        plain=value,
        text=text[fraction.start : fraction.end],
        start=fraction.start,
        end=fraction.end,
        unit=unit,
        currency=CURRENCIES.get(fraction.unit, "") if not unit else "",
        decimals=_decimals(value),
        word=True,
        sign_of_bound=_bound(text, fraction.start, fraction.end),
    )
