"""What the models of a panel say of a sample: one of them, or several put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

from core.domain.status import Status
from core.metrics.judges import Ensemble, Panel
from core.metrics.spec import Measured, Outcome, Unscored

if TYPE_CHECKING:
    from core.llm import ChatModel


def by_panel(panel: Panel, judge: Callable[[ChatModel], Outcome]) -> Outcome:
    """What the judges of a panel say together.

    A value needs more than half of the judges, and so does a null: a judge that fails counts for neither. The mean is
    over the judges that give a value; the majority is the value that more than half of all judges give. The detail
    holds what each of them says, and the spread: the greatest value less the least one.

    Args:
        panel: The judges.
        judge: What one of them says.

    Returns:
        That of the only judge; of several, the value, ``null_judgement``, or ``not_judged`` where they have no
        majority. Where all fail alike, their status.
    """
    outcomes = {model.spec: judge(model) for model in panel.judges}
    if len(outcomes) == 1:
        return next(iter(outcomes.values()))
    return together(outcomes, panel.ensemble)


def together(outcomes: Mapping[str, Outcome], ensemble: Ensemble) -> Outcome:
    """One outcome of several judges' outcomes; see `by_panel`.

    >>> two = {"a": Measured(value=5.0), "b": Measured(value=3.0)}
    >>> together(two, Ensemble.MEAN).value, together(two, Ensemble.MAJORITY).status
    (4.0, <Status.NOT_JUDGED: 'not_judged'>)
    """
    values = [outcome.value for outcome in outcomes.values() if isinstance(outcome, Measured)]
    unscored = [outcome for outcome in outcomes.values() if isinstance(outcome, Unscored)]
    nulls = sum(outcome.status is Status.NULL_JUDGEMENT for outcome in unscored)
    planned = len(outcomes)
    detail: dict[str, object] = {
        "judges": [_said(name, outcome) for name, outcome in outcomes.items()],
        "spread": max(values) - min(values) if values else None,
        "agree": (len(values) == planned and len(set(values)) == 1) or nulls == planned,
    }
    if 2 * nulls > planned:
        said = f"{nulls} of {planned} judges say that it cannot be evaluated."
        return Unscored(status=Status.NULL_JUDGEMENT, reason=said, detail=detail)
    if 2 * len(values) > planned:
        value = fmean(values) if ensemble is Ensemble.MEAN else _majority(values, planned)
        if value is not None:
            return Measured(value=value, detail=detail)
        each = ", ".join(f"{value:g}" for value in values)
        said = f"No value has a majority of the judges: {each}."
        return Unscored(status=Status.NOT_JUDGED, reason=said, detail=detail)
    if not values and len({outcome.status for outcome in unscored}) == 1:
        return Unscored(status=unscored[0].status, reason=unscored[0].reason, detail=detail)
    failed = planned - nulls - len(values)
    said = f"{len(values)} of {planned} judges give a value, {nulls} say null, {failed} failed: there is no majority."
    return Unscored(status=Status.NOT_JUDGED, reason=said, detail=detail)


def _majority(values: Sequence[float], planned: int) -> float | None:
    value, votes = Counter(values).most_common(1)[0]
    return value if 2 * votes > planned else None


def _said(name: str, outcome: Outcome) -> dict[str, object]:
    """One judge's part as it is stored: its value or reason, with its own detail."""
    if isinstance(outcome, Measured):
        return {"judge": name, "value": outcome.value, "status": Status.SCORED.value, **outcome.detail}
    return {"judge": name, "value": None, "status": outcome.status.value, "reason": outcome.reason, **outcome.detail}
