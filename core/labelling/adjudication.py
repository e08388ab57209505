"""Adjudication: a second look decides cases on which raters disagree, with a reason, and can be withdrawn."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.errors import DecisionChanged, InvalidInput, NotFound
from core.domain.results.labels import Adjudication, Criterion, Label
from core.domain.sources.projects import Role
from core.labelling.one_label import last_said, one_label, with_levels
from core.labelling.rating.answers import as_level
from core.project.service import require
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs
from core.store.results.cases import run_inputs

JUDGE = Role.VALIDATOR
"""The role that may decide."""

LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A case on which raters disagree.

    Attributes:
        labels: The first label of every rater, sorted by rater.
        value: The level that the rule derives from them without a second look, None where it gives none.
        why: How the rule arrives at it.
        spread: Highest level given minus lowest.
        decided: The adjudication, None before there is one.
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
    """Cases on which raters disagree or that they could not judge: undecided ones first, then the widest spread.

    Raises:
        NotFound: There is no such run or criterion.
        InvalidInput: The criterion is a comment.
    """
    with store.read() as connection:
        criterion = with_levels(labels.criterion(connection, criterion_id))
        run = runs.get(connection, run_id)
        order, _ = run_inputs.groups(connection, run.test_set_id)
        run_labels = labels.of_run(connection, run_id, criterion_id)
        adjudications = labels.adjudications_of(connection, run_id, criterion_id)
    labels_by_case = last_said(label for label in run_labels if label.occurrence == 0)
    disputes = []
    for case_id in order:
        case_labels, adjudication = labels_by_case.get(case_id, ()), adjudications.get(case_id)
        levels = [label.value for label in case_labels if label.value is not None]
        unclear = len(case_labels) - len(levels)
        if adjudication is None and len(set(levels)) < 2 and not unclear:
            continue
        value, rule_text = one_label(criterion, levels, cannot_judge=unclear)
        disputes.append(
            Dispute(
                case_id=case_id,
                labels=case_labels,
                value=value,
                why=rule_text,
                spread=max(levels) - min(levels) if levels else 0.0,
                decided=adjudication,
            )
        )
    # What the rule leaves open comes before what it settles.
    return tuple(sorted(disputes, key=lambda dispute: (not dispute.open, dispute.value is not None, -dispute.spread)))


def adjudicate(
    store: Store,
    run_id: str,
    case_id: str,
    criterion_id: str,
    *,
    value: float | None,
    reason: str,
    actor: str,
    seen: str | None = None,
) -> Adjudication:
    """Decides the level of a case under a criterion; an earlier decision is replaced and stays in the audit trail.

    Where two people have the case open at once, `seen` tells whether the decision that would be replaced is the one
    this person looked at; without it the last to decide wins.

    Args:
        store: Where the run is.
        run_id: The run.
        case_id: A case of the run with at least one label under the criterion.
        criterion_id: The criterion.
        value: One of its levels, None where the case cannot be judged.
        reason: Why.
        actor: Who decides.
        seen: When the decision that the person had in view was made, empty for none; None where nobody looked.

    Returns:
        The decision that holds.

    Raises:
        NotFound: There is no such run or criterion, or nobody labelled the case.
        Forbidden: The actor is no validator of the project.
        DecisionChanged: The decision is not the one that was seen, and says something else.
        InvalidInput: The criterion is a comment, the value is no level, or the reason is blank or too long.
    """
    stated_reason = reason.strip()
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, JUDGE)
    if not stated_reason or len(stated_reason) > LONGEST_REASON:
        raise InvalidInput(
            f"A decision has a reason of 1 to {LONGEST_REASON:,} characters; this one has {len(stated_reason):,}.",
            "State why you decided the case as you did.",
        )
    detail: dict[str, object] = {"case": case_id, "criterion": criterion_id, "value": value, "reason": stated_reason}
    with store.write(actor, "label.adjudicate", project_id=run.project_id, subject=run_id, detail=detail) as connection:
        runs.get(connection, run_id)
        criterion = with_levels(labels.criterion(connection, criterion_id))
        adjudication = Adjudication(
            run_id=run_id,
            case_id=case_id,
            criterion_id=criterion_id,
            value=None if value is None else as_level(criterion, value),
            reason=stated_reason,
            actor=actor,
            at=datetime.now(UTC).isoformat(timespec="microseconds"),
        )
        if not labels.of_run(connection, run_id, criterion_id, [case_id]):
            raise NotFound(f"Nobody labelled case {case_id} under {criterion.name}.", "Label it first.")
        stored = labels.adjudications_of(connection, run_id, criterion_id).get(case_id)
        if stored is None or (stored.value, stored.reason) != (adjudication.value, adjudication.reason):
            _as_seen(stored, seen, case_id, criterion)
        labels.put_adjudication(connection, adjudication)
    return adjudication


def withdraw(
    store: Store, run_id: str, case_id: str, criterion_id: str, *, actor: str, seen: str | None = None
) -> Adjudication:
    """Withdraws a decision: the raters' labels count again, and the audit trail keeps what was decided.

    Args:
        store: Where the run is.
        run_id: The run.
        case_id: A case that was decided.
        criterion_id: The criterion.
        actor: Who withdraws it, the person who decided or another.
        seen: When the decision that the person had in view was made; None where nobody looked.

    Returns:
        The withdrawn decision.

    Raises:
        NotFound: There is no such run or criterion, or nobody decided the case.
        Forbidden: The actor is no validator of the project.
        DecisionChanged: The decision is another than the one that was seen.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, JUDGE)
    detail: dict[str, object] = {"case": case_id, "criterion": criterion_id}
    with store.write(actor, "label.withdraw", project_id=run.project_id, subject=run_id, detail=detail) as connection:
        runs.get(connection, run_id)
        criterion = labels.criterion(connection, criterion_id)
        adjudication = labels.adjudications_of(connection, run_id, criterion_id).get(case_id)
        if adjudication is None:
            raise NotFound(
                f"Nobody decided case {case_id} under {criterion.name}.",
                "There is no decision to withdraw; reload the page.",
            )
        _as_seen(adjudication, seen, case_id, criterion)
        # Read in the write, so that the trail has the decision that was removed and no earlier one.
        detail |= {"value": adjudication.value, "reason": adjudication.reason, "decided_by": adjudication.actor}
        labels.remove_adjudication(connection, adjudication)
    return adjudication


def _as_seen(stored: Adjudication | None, seen: str | None, case_id: str, criterion: Criterion) -> None:
    """Refuses to act on a decision that the person has not seen.

    Raises:
        DecisionChanged: It was made, changed or withdrawn since.
    """
    if seen is None or seen == ("" if stored is None else stored.at):
        return
    if stored is None:
        happened = f"The decision on case {case_id} under {criterion.name} was withdrawn"
    else:
        happened = f"{stored.actor} decided case {case_id} under {criterion.name}"
    raise DecisionChanged(f"{happened} meanwhile.", "Look at what is stored now, then keep it or replace it.")
