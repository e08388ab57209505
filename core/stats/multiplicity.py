"""Several tests at once."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.errors import InvalidInput


def holm(p_values: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's step-down adjustment: the chance of any false rejection stays at the level, however the tests depend.

    With the p-values in order, the k-th of m becomes max over j <= k of min(1, (m - j + 1) p_j).

    Args:
        p_values: One per test; None where a test could not be made, which is no test and is not counted.

    Returns:
        The adjusted p-values, in the order given.

    Raises:
        InvalidInput: A value outside 0 to 1.

    Reference:
        S. Holm (1979), A simple sequentially rejective multiple test procedure.

    >>> holm([0.01, 0.04, None, 0.03])
    (0.03, 0.06, None, 0.06)
    """
    made = sorted((value, index) for index, value in enumerate(p_values) if value is not None)
    wrong = next((value for value, _ in made if not 0.0 <= value <= 1.0), None)
    if wrong is not None:
        raise InvalidInput(f"{wrong} is not a p-value.", "It lies between 0 and 1.")
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (value, index) in enumerate(made):
        highest = max(highest, min(1.0, (len(made) - rank) * value))
        adjusted[index] = highest
    return tuple(adjusted)
