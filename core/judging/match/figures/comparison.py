"""When two figures are the same: scale, unit, percent, sign, and the precision of the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext

from core.judging.match.readers.figures.numbers import Number
from core.judging.match.readers.figures.units import same_currency
from core.judging.match.settings import DEFAULT, MatchSettings

MANY_DECIMALS = 6
"""Decimals of a reference that was computed and never rounded."""
SAME_SHARE = Decimal("0.000001")
HUNDRED = Decimal(100)
KEPT_DIGITS = 3
"""A figure rounded by the answer counts where so many significant digits are left."""
WIDEST_WHOLE = Decimal("0.05")
"""How far a finer answer may be from a reference of a few whole digits, as a share of it ("$2 billion")."""
_MEASURES = frozenset({"m", "m^2", "l"})
"""Lengths, areas and volumes have no direction: a drop of 842 m is a rise of 842 m."""
WIDEST_ROUNDED = Decimal("0.001")
"""How far an amount in millions or billions may be from the reference that it rounds, however few its digits."""
LEAST_WHOLE = Decimal(1_000)
"""From which on an amount written with two zeros behind the point is one of whole units."""
_CONVERTED = frozenset({"m", "m^2", "l", "g", "km/h", "l/h", "w", "pa", "celsius", "fahrenheit"})
"""Dimensions with units of which neither is a round number of the other: feet and metres."""
WIDEST_CONVERTED = Decimal("0.01")
"""How far a figure in another such unit may be from the reference, once both are rounded as they are."""
MONEY_FORMAT = Decimal("0.005")
"""How far a finer answer may be from a reference whose last decimal is a 0 that a format may have added ("8.70")."""


CONVERTED = "(converted)"
"""Ends the reason of a figure that is the reference's in another unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scales:
    """In which scale bare figures are given.

    Attributes:
        question: Scales that the question asks for ("in USD millions").
        answer: Scales that the answer states for its bare figures.
        percent: Whether the question or the reference asks for a percentage.
        outflow: Whether the question asks what was paid or spent, which a cash flow statement gives as a minus.
        direction: -1, 0 or 1, as :func:`core.judging.match.figures.direction.asked_direction` says.
    """

    question: tuple[Decimal, ...] = ()
    answer: tuple[Decimal, ...] = ()
    percent: bool = False
    direction: int = 0
    outflow: bool = False


@dataclass(frozen=True, slots=True)
class _Value:
    value: Decimal
    step: Decimal
    note: str = ""


def compare_figures(
    reference: Number,
    number: Number,
    scales: Scales | None = None,
    *,
    settings: MatchSettings = DEFAULT,
    signs: tuple[int, int] = (0, 0),
) -> tuple[str, str]:
    """How a figure compares with the reference, and a sentence that says so.

    Equal values are the same whatever their spelling. A unit or currency that one side leaves out is not held against
    it; one that differs is. A bare reference has the scale that the question asks for. 4.5% and 0.045 are the same
    number. An answer that is more precise than the reference is rounded to the reference's digits; one that is less
    precise counts where three significant digits are left.

    Args:
        reference: The figure wanted.
        number: The figure stated.
        scales: What question and answer say about scales and percent.
        settings: The tolerance of the project.
        signs: What the words beside the reference and beside the figure say: -1 falls, 1 rises, 0 neither.

    Returns:
        ("same" | "less precise" | "currency" | "unit" | "bound" | "other value", reason).
    """
    scales = scales or Scales()
    shown, wanted = number.text.strip(), reference.text.strip()
    with localcontext() as context:
        context.prec = 100
        if reference.currency and number.currency and not same_currency(reference.currency, number.currency):
            differs = f"{shown} is in another currency than {wanted}."
            same = _closest(reference, number, scales, settings)[0] == "same"
            return ("currency", differs) if same else ("other value", differs)
        number = _in_degrees_of(reference, number)
        dimensions = _dimension(reference), _dimension(number)
        if all(dimensions) and dimensions[0] != dimensions[1] and not (reference.currency and number.also):
            differs = f"{shown} has another unit than {wanted}."
            return ("unit", differs) if reference.plain == number.plain else ("other value", differs)
        outcome, note = _closest(reference, number, scales, settings)
        if outcome == "same" and not _same_sign(reference, number, scales, signs):
            return "other value", f"The answer says {shown} in the other direction than {wanted}."
    if outcome == "same" and number.sign_of_bound and not reference.sign_of_bound:
        return "bound", f"The answer gives {shown} as a bound, not as the value."
    if outcome == "same":
        return "same", f"number: {wanted} = {shown}" + (f" ({note})" if note else "")
    if outcome == "less precise":
        return outcome, f"{shown} is {wanted} rounded; the reference is more precise."
    if outcome == "unit":
        return outcome, f"{shown} is in another scale than {wanted}."
    return "other value", f"The answer says {shown}, the reference is {wanted}."


def _closest(reference: Number, number: Number, scales: Scales, settings: MatchSettings) -> tuple[str, str]:
    """The best outcome over all readings of both, with a note on what made them the same; signs are left out."""
    best, best_note = "other value", ""
    for expected, stated in _pairs(reference, number, scales):
        outcome, note = _outcome(expected, stated, reference, number, settings)
        if outcome == "same":
            notes = [text for text in (stated.note or expected.note, note) if text]
            return "same", ", ".join(notes)
        if outcome == "less precise":
            best, best_note = outcome, note
    return best, best_note


def _pairs(reference: Number, number: Number, scales: Scales) -> Sequence[tuple[_Value, _Value]]:
    """The values that may be compared, both without sign and in one unit."""
    expected, stated = abs(reference.plain), abs(number.plain)
    plain = _Value(expected, reference.step), _Value(stated, number.step)
    pairs: list[tuple[_Value, _Value]] = []
    if reference.unit and reference.unit == number.unit:
        # one dimension: compared in its base unit
        factors = [abs(side.value / side.plain) if side.plain else Decimal(1) for side in (reference, number)]
        return [
            (
                _Value(abs(reference.value), reference.step * factors[0]),
                _Value(abs(number.value), number.step * factors[1]),
            )
        ]
    bare_reference = not reference.scaled and reference.unit != "%" and not reference.ordinal
    bare_number = not number.scaled and number.unit != "%" and not number.ordinal
    asked = scales.question if bare_reference else ()
    for scale in asked:
        scaled = _Value(expected * scale, reference.step * scale)
        pairs.append((scaled, plain[1]))
        if bare_number:
            pairs.extend(
                (scaled, _Value(stated * other, number.step * other, _scale_note(other))) for other in scales.answer
            )
        pairs.extend((scaled, _Value(abs(value), number.step, "in one of its readings")) for value in number.also)
    # a figure whose scale the question fixes is not the same number in another scale
    fixed = bool(asked) and number.scaled and expected % min(asked) != 0
    if not fixed:
        pairs.append(plain)
    if not _other_scale(reference, number):
        pairs.extend((plain[0], _Value(abs(value), number.step, "in one of its readings")) for value in number.also)
    if bare_number and (reference.scaled or reference.currency or not bare_reference):
        pairs.extend(
            (plain[0], _Value(stated * scale, number.step * scale, _scale_note(scale)))
            for scale in dict.fromkeys((*scales.answer, *scales.question))
            if reference.scaled or scale in scales.answer
        )
    if bare_number and not reference.scaled and scales.answer and not asked:
        pairs.extend(
            (plain[0], _Value(stated * scale, number.step * scale, _scale_note(scale))) for scale in scales.answer
        )
    pairs.extend(_fractions(reference, number, scales, plain))
    return pairs


def _other_scale(reference: Number, number: Number) -> bool:
    """Whether both have the same digits in another magnitude: "23.198 million" is no way to write 23.198 billion."""
    if not (reference.scaled and number.scaled) or reference.scale == number.scale:
        return False
    return abs(reference.plain) / reference.scale == abs(number.plain) / number.scale


def _fractions(
    reference: Number, number: Number, scales: Scales, plain: tuple[_Value, _Value]
) -> list[tuple[_Value, _Value]]:
    """0.045 beside 4.5%."""
    expected, stated = plain
    if reference.unit == "%" and not _dimension(number) and not number.scaled and expected.value <= 2000:
        return [(expected, _Value(stated.value * HUNDRED, stated.step * HUNDRED, "as a fraction"))]
    if number.unit == "%" and not _dimension(reference) and not reference.scaled:
        # where the question asks for percent, a plain 0.045 is 0.045%
        if scales.percent and expected.value <= 1:
            return []
        if expected.value <= 1 or (reference.decimals and expected.value < 20):
            return [(_Value(expected.value * HUNDRED, expected.step * HUNDRED, "as a fraction"), stated)]
    return []


def _outcome(
    expected: _Value, stated: _Value, reference: Number, number: Number, settings: MatchSettings
) -> tuple[str, str]:
    a, b = expected.value, stated.value
    if a == b:
        return "same", ""
    if not a or not b:
        return "other value", ""
    difference = abs(a - b)
    if settings.tolerance and difference <= settings.tolerance * a and not reference.ordinal:
        return "same", f"within the tolerance of {settings.shown_tolerance}"
    if reference.decimals >= MANY_DECIMALS and difference <= a * SAME_SHARE:
        return "same", "but for the last digits"
    if scales_fit := _in_format(expected, stated, reference):
        return "same", scales_fit
    if _is_converted(expected, stated, reference, number):
        return "same", CONVERTED.strip("()")
    if stated.step < expected.step:
        if _finer(expected, stated, reference):
            return "same", "rounded to the reference's digits"
        return "other value", ""
    if stated.step == expected.step and not _whole_zeros(number):
        return "other value", ""
    return _coarser(expected, stated, reference, number)


def _in_degrees_of(reference: Number, number: Number) -> Number:
    """A temperature in the degrees of the reference."""
    if (reference.unit, number.unit) == ("celsius", "fahrenheit"):
        degrees = (number.plain - 32) * 5 / 9
    elif (reference.unit, number.unit) == ("fahrenheit", "celsius"):
        degrees = number.plain * 9 / 5 + 32
    else:
        return number
    return replace(number, unit=reference.unit, value=degrees)


def _is_otherwise_measured(reference: Number, number: Number) -> bool:
    """Whether two figures of one dimension are in different units of it."""
    if reference.unit not in _CONVERTED | {"wh"} or reference.unit != number.unit:
        return False
    if not (reference.plain and number.plain):
        return False
    return reference.value / reference.plain != number.value / number.plain


def _is_converted(expected: _Value, stated: _Value, reference: Number, number: Number) -> bool:
    """Whether an answer has the reference in another unit, as exactly as both are rounded: 31 mph for 50 km/h."""
    if reference.unit != number.unit or reference.unit not in _CONVERTED or not (reference.plain and number.plain):
        return False
    ratio = (reference.value / reference.plain) / (number.value / number.plain)
    if not ratio.normalize().as_tuple().digits[1:]:
        return False
    difference = abs(expected.value - stated.value)
    step = stated.step * (Decimal(10) ** _zeros(number) if _whole_zeros(number) else 1)
    return difference <= WIDEST_CONVERTED * expected.value and difference * 2 <= expected.step + step


def _in_format(expected: _Value, stated: _Value, reference: Number) -> str:
    """What an amount written in full with two decimals is once rounded to whole: 1,615.9 million for 1616.00."""
    whole = expected.step * HUNDRED
    is_whole = reference.decimals == 2 and _last_digit(reference) == 0 and _last_digit(reference, 1) == 0
    if not is_whole or expected.value < LEAST_WHOLE * whole or not expected.step < stated.step < whole:
        return ""
    return "rounded to whole" if abs(expected.value - stated.value) * 2 <= whole else ""


def _finer(expected: _Value, stated: _Value, reference: Number) -> bool:
    """Whether an answer with more digits is the reference once rounded to the reference's digits."""
    difference = abs(expected.value - stated.value)
    share = difference / expected.value
    if reference.word or reference.ordinal:
        return False
    if not reference.decimals:
        derived = reference.unit == "%" or reference.currency or reference.scaled or expected.value >= HUNDRED
        if not derived or (reference.unit != "%" and share > WIDEST_WHOLE):
            return False
    elif reference.decimals == 2 and _last_digit(reference) == 0 and share <= MONEY_FORMAT:
        # "8.70" and "1577.00" may be 8.7 and 1577 in a format with two decimals
        coarse = expected.step * (HUNDRED if _last_digit(reference, 1) == 0 else 10)
        if stated.step < coarse and difference * 2 <= coarse + stated.step:
            return True
    return difference * 2 <= expected.step + stated.step


def _last_digit(number: Number, place: int = 0) -> int:
    digits = int((abs(number.plain) / number.step).to_integral_value())
    return int(digits // 10**place % 10)


def _coarser(expected: _Value, stated: _Value, reference: Number, number: Number) -> tuple[str, str]:
    """Whether an answer with fewer digits is the reference, correctly rounded."""
    a, b = expected.value, stated.value
    step = stated.step
    if _whole_zeros(number):
        step = max(step, Decimal(1).scaleb(int(b.normalize().as_tuple().exponent)))
    if abs(a - b) > step or abs(a - b) > a / 20 or step <= expected.step:
        return "other value", ""
    ways = {(a / step).quantize(Decimal(1), rounding=way) * step for way in (ROUND_HALF_UP, ROUND_HALF_EVEN)}
    if b not in ways:
        return "other value", ""
    kept = len(str(int(b / step)))
    rounded = number.decimals or number.scaled or number.unit == "%" or _is_otherwise_measured(reference, number)
    if number.scaled and not number.unit and abs(a - b) <= a * WIDEST_ROUNDED:
        return "same", f"rounded to {kept} digits"
    if rounded and (kept >= KEPT_DIGITS or (number.decimals >= 2 and reference.decimals > 2 and not number.scaled)):
        shown = f"{number.decimals} decimals" if number.decimals and not number.scaled else f"{kept} digits"
        return "same", f"rounded to {shown}"
    return "less precise", ""


def _whole_zeros(number: Number) -> bool:
    """Whether the digits in front of zeros may be all that is meant: 4,500,000 for 4,512,000."""
    return not number.decimals and not number.plain % 10


def _zeros(number: Number) -> int:
    """How many zeros a whole figure ends with."""
    return int(number.plain.normalize().as_tuple().exponent)


def _dimension(number: Number) -> str:
    return "currency" if number.currency else number.unit


def _scale_note(scale: Decimal) -> str:
    names = {3: "thousands", 6: "millions", 9: "billions", 12: "trillions"}
    return f"the answer's figures are in {names.get(scale.adjusted(), str(scale))}"


def _same_sign(reference: Number, number: Number, scales: Scales, signs: tuple[int, int]) -> bool:
    """Whether both go the same way, by their signs or by the words beside them."""
    by_words, stated_words = signs
    if reference.unit in _MEASURES and reference.plain > 0 and number.plain > 0:
        return True
    if scales.outflow and not by_words and reference.plain > 0:
        return True
    expected = -1 if reference.plain < 0 else by_words or scales.direction
    stated = -1 if number.plain < 0 else stated_words
    if reference.plain < 0:
        return stated < 0
    if expected < 0:
        return stated <= 0
    return stated >= 0 if expected > 0 else number.plain >= 0
