"""Conditions on a judgement, as GroUSE writes them: ``==5``, ``>=3``, ``<=2``, ``==None``."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.judge_tests import Judged
from core.domain.status import Status

GRADES: Final = (1.0, 2.0, 3.0, 4.0, 5.0)
BINARY: Final = (0.0, 1.0)
SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of claims can have any value from 0 to 1; these show what a condition accepts."""

VALUES: Final[Mapping[str, tuple[float, ...]]] = {
    "answer_relevancy": GRADES,
    "completeness": GRADES,
    "faithfulness": BINARY,
    "usefulness": BINARY,
    "positive_acceptance": BINARY,
    "negative_rejection": BINARY,
    "verdict": BINARY,
    "claim_faithfulness": SHARES,
    "claim_correctness": SHARES,
    "claim_coverage": SHARES,
    "ragas_fact": SHARES,
    "same_answer": BINARY,
}
"""The values each metric can have besides null."""

_OPERATORS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_WRITTEN: Final = re.compile(r"(==|!=|>=|<=|>|<)\s*(None|null|[+-]?\d+(?:\.\d+)?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What a judgement must be.

    Attributes:
        sign: ``==``, ``!=``, ``>=``, ``<=``, ``>`` or ``<``.
        bound: The value it is compared with; None for null, with ``==`` and ``!=`` only.
    """

    sign: str
    bound: float | None

    def __str__(self) -> str:
        return f"{self.sign}{'None' if self.bound is None else f'{self.bound:g}'}"

    def holds(self, judged: Judged) -> bool | None:
        """Whether a judgement fulfils it; None where there is no judgement, since a failure is neither.

        >>> from core.domain.status import Status
        >>> failed = Judged(metric="usefulness", value=None, status=Status.PARSE_FAILED)
        >>> parse("==None").holds(failed), parse(">=3").holds(failed)
        (None, None)
        """
        if judged.status is Status.NULL_JUDGEMENT:
            return self.accepts(None)
        return self.accepts(judged.value) if judged.status is Status.SCORED and judged.value is not None else None

    def accepts(self, value: float | None) -> bool:
        """Whether a value, or null, fulfils it; null is neither above nor below any value."""
        if self.bound is None or value is None:
            same = self.bound is None and value is None
            return same if self.sign == "==" else (not same and self.sign == "!=")
        return _OPERATORS[self.sign](value, self.bound)


def is_value(metric: str, value: float) -> bool:
    """Whether a metric can have a value.

    >>> is_value("claim_coverage", 0.33), is_value("completeness", 2.5)
    (True, False)
    """
    return 0.0 <= value <= 1.0 if VALUES[metric] is SHARES else value in VALUES[metric]


def parse(text: str) -> Condition:
    """Reads a condition.

    >>> parse("== None"), parse(">=3").bound
    (Condition(sign='==', bound=None), 3.0)

    Raises:
        InvalidInput: It is none.
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        raise InvalidInput(f"{text!r} is no condition.", "Write one such as ==5, >=3, <=2, !=1 or ==None.")
    sign, bound = match[1], match[2]
    if bound in ("None", "null"):
        if sign not in ("==", "!="):
            raise InvalidInput(f"The condition {text!r} orders null.", "Use ==None or !=None; null has no order.")
        return Condition(sign=sign, bound=None)
    return Condition(sign=sign, bound=float(bound))


def checked(metric: str, text: str) -> Condition:
    """A condition on a metric that some judgement can fulfil and some other can break.

    Raises:
        InvalidInput: The metric is unknown, or the condition is none, or holds for every judgement or for none.
    """
    if metric not in VALUES:
        raise InvalidInput(
            f"There is a condition on {metric!r}, which no judge gives.", f"Use one of: {', '.join(VALUES)}."
        )
    condition = parse(text)
    outcomes = {condition.accepts(value) for value in (None, *VALUES[metric])}
    if len(outcomes) == 1:
        always = outcomes.pop()
        raise InvalidInput(
            f"The condition {condition} on {metric} {'always holds' if always else 'never holds'}.",
            f"{metric} is null or one of {', '.join(f'{value:g}' for value in VALUES[metric])}.",
        )
    return condition
