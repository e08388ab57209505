"""Numbers that carry their n."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion:
    """A share with its numerator, denominator and 95% interval.

    Attributes:
        num: Numerator.
        den: Denominator.
        low: Lower end of the interval, None when `den` is 0.
        high: Upper end of the interval, None when `den` is 0.
        method: How the interval was computed.
        clusters: Number of independent clusters, where cases share a source.
        weighted: The share where cases have weights, because they were drawn with different probabilities; `num` and
            `den` count cases.
    """

    num: int
    den: int
    low: float | None = None
    high: float | None = None
    method: str = ""
    clusters: int | None = None
    weighted: float | None = None

    @property
    def value(self) -> float | None:
        """`num / den` or the weighted share, None when there is nothing to divide by."""
        if self.weighted is not None:
            return self.weighted
        return self.num / self.den if self.den else None

    def as_json(self) -> dict[str, object]:
        """The command line's form of a proportion."""
        fields: dict[str, object] = {
            "num": self.num,
            "den": self.den,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "method": self.method,
        }
        return fields if self.clusters is None else {**fields, "clusters": self.clusters}


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Any other number with its interval and n; `value` is None with too little data."""

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str = ""

    def as_json(self) -> dict[str, object]:
        """The command line's form of an estimate."""
        return {"value": self.value, "low": self.low, "high": self.high, "n": self.n, "method": self.method}
