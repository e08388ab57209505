"""The second look: somebody decides what raters could not agree on, with a reason, and may withdraw the decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.errors import InvalidInput, NotFound
from core.domain.labels import Adjudication, Label
from core.domain.projects import Role
from core.labelling.answers import as_level
from core.labelling.one_label import last_said, one_label, with_levels
from core.project.service import require
from core.store import labels, run_inputs, runs
from core.store.database import Store

JUDGE = Role.VALIDATOR
"""The role that may decide."""

LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A case that raters see differently.

    Attributes:
        labels: Of every rater, first times only, by rater.
        value: What the rule makes of them without a second look, None where it gives none.
        why: How.
        spread: Highest level given minus lowest.
        decided: The second look, None before it.
    """

    case_id: str
    labels: tuple[Label, ...]
    value: float | None
    why: str
    spread: float
    decided: Adjudication | None = None

    @property
    def open(self) -> bool:
        """Whether nobody has decided yet."""
        return self.decided is None


def disputed(store: Store, run_id: str, criterion_id: str) -> tuple[Dispute, ...]:
    """Cases whose raters differ or could not judge, those that wait for a decision first, the widest apart first.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The criterion is a comment.
    """
    with store.read() as connection:
        criterion = with_levels(labels.criterion(connection, criterion_id))
        run = runs.get(connection, run_id)
        order, _ = run_inputs.groups(connection, run.test_set_id)
        found = labels.of_run(connection, run_id, criterion_id)
        looks = labels.adjudications_of(connection, run_id, criterion_id)
    said_of = last_said(label for label in found if label.occurrence == 0)
    made = []
    for case_id in order:
        said, look = said_of.get(case_id, ()), looks.get(case_id)
        levels = [label.value for label in said if label.value is not None]
        unclear = len(said) - len(levels)
        if look is None and len(set(levels)) < 2 and not unclear:
            continue
        value, why = one_label(criterion, levels, cannot_judge=unclear)
        made.append(
            Dispute(
                case_id=case_id,
                labels=said,
                value=value,
                why=why,
                spread=max(levels) - min(levels) if levels else 0.0,
                decided=look,
            )
        )
    # What the rule leaves open comes before what it settles.
    return tuple(sorted(made, key=lambda one: (not one.open, one.value is not None, -one.spread)))


def adjudicate(
    store: Store, run_id: str, case_id: str, criterion_id: str, *, value: float | None, reason: str, actor: str
) -> Adjudication:
    """Decides what a case is under a criterion; an earlier decision is replaced and stays in the audit trail.

    Args:
        store: Where the run is.
        run_id: The run.
        case_id: A case of the run with at least one label under the criterion.
        criterion_id: The criterion.
        value: One of its levels, None where the case cannot be judged.
        reason: Why.
        actor: Who decides.

    Raises:
        NotFound: There is no such run or criterion, or nobody labelled the case.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The criterion is a comment, the value is no level, or the reason is blank or too long.
    """
    said = reason.strip()
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, JUDGE)
    if not said or len(said) > LONGEST_REASON:
        raise InvalidInput(
            f"A decision has a reason of 1 to {LONGEST_REASON:,} characters; this one has {len(said):,}.",
            "Say why the case is what you decide it to be.",
        )
    detail: dict[str, object] = {"case": case_id, "criterion": criterion_id, "value": value, "reason": said}
    with store.write(actor, "label.adjudicate", project_id=run.project_id, subject=run_id, detail=detail) as connection:
        runs.get(connection, run_id)
        criterion = with_levels(labels.criterion(connection, criterion_id))
        made = Adjudication(
            run_id=run_id,
            case_id=case_id,
            criterion_id=criterion_id,
            value=None if value is None else as_level(criterion, value),
            reason=said,
            actor=actor,
            at=datetime.now(UTC).isoformat(timespec="microseconds"),
        )
        if not labels.of_run(connection, run_id, criterion_id, [case_id]):
            raise NotFound(f"Nobody labelled case {case_id} under {criterion.name}.", "Label it first.")
        labels.put_adjudication(connection, made)
    return made


def withdraw(store: Store, run_id: str, case_id: str, criterion_id: str, *, actor: str) -> Adjudication:
    """Takes a decision back: what the raters said counts again, and the audit trail keeps what was decided.

    Args:
        store: Where the run is.
        run_id: The run.
        case_id: A case that was decided.
        criterion_id: The criterion.
        actor: Who takes it back, the one who decided or another.

    Returns:
        The decision that was.

    Raises:
        NotFound: There is no such run or criterion, or nobody decided the case.
        Forbidden: The actor is no validator of the project.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, JUDGE)
    detail: dict[str, object] = {"case": case_id, "criterion": criterion_id}
    with store.write(actor, "label.withdraw", project_id=run.project_id, subject=run_id, detail=detail) as connection:
        runs.get(connection, run_id)
        criterion = labels.criterion(connection, criterion_id)
        old = labels.adjudications_of(connection, run_id, criterion_id).get(case_id)
        if old is None:
            raise NotFound(
                f"Nobody decided case {case_id} under {criterion.name}.", "There is nothing to withdraw; look again."
            )
        # Read in the write, so that the trail has the decision that was removed and no earlier one.
        detail |= {"value": old.value, "reason": old.reason, "decided_by": old.actor}
        labels.remove_adjudication(connection, old)
    return old
