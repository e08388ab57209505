"""Label rounds: which rater labels which cases, how often, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from core.audit.sending import sign_off
from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.results.labels import Criterion, LabelItem, LabelRound, RoundOrigin
from core.labelling.criteria import KEEPER
from core.labelling.sampling.deal import deal, newcomer
from core.labelling.sampling.records import Drawn
from core.project.service import require
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs
from core.store.results.cases import run_inputs
from core.text.display.visible import require_visible

LONGEST_NAME = 200
MOST_RATERS = 200
LARGEST_SEED = 2**63 - 1


def create_round(
    store: Store,
    run_id: str,
    *,
    name: str,
    criteria: Sequence[str],
    raters: Sequence[str],
    items: Sequence[Drawn],
    overlap: int = 2,
    overlap_share: float = 1.0,
    repeat_share: float = 0.0,
    show_reference: bool = True,
    seed: int = 0,
    design: Mapping[str, object] | None = None,
    origin: RoundOrigin = RoundOrigin.PEOPLE,
    actor: str,
) -> LabelRound:
    """Assigns cases of a run to raters; the same seed gives every rater the same tasks in the same order.

    Practice cases come first, in the order given, and go to every rater. The other cases are dealt so that loads differ
    by one case at most; `overlap` different raters label each case of the overlap, in varying combinations. Every rater
    has an order of their own.

    Args:
        store: Where the run is.
        run_id: The run; its answered cases can be labelled.
        name: A name that no other round of the run has.
        criteria: Ids, in the order in which raters answer them.
        raters: Names; each once.
        items: The cases, each once.
        overlap: Raters a case of the overlap; no more than there are.
        overlap_share: Share of the cases in the overlap, from 0 to 1.
        repeat_share: Share of each rater's cases that are repeated, from 0 to 1.
        show_reference: Whether raters see the reference answer.
        seed: Of the deal and the orders.
        design: How the cases were drawn.
        origin: People, unless the labels come from a file or a simulation.
        actor: Who.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: There is no case, criterion or rater, one is named twice, a case has no response, a criterion is
            retired or another project's, or a number is out of range.
        Conflict: The run has a round of that name, in whatever letter case.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
    require(store, run.project_id, actor, KEEPER)
    label_round = LabelRound(
        id=new_id("rnd"),
        project_id=run.project_id,
        run_id=run_id,
        name=name.strip(),
        criteria=tuple(criteria),
        raters=tuple(rater.strip() for rater in raters),
        origin=RoundOrigin(origin),
        overlap=min(overlap, len(raters)),
        overlap_share=overlap_share,
        repeat_share=repeat_share,
        show_reference=show_reference,
        seed=seed,
        design=dict(design or {}),
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        created_by=actor,
    )
    _check(label_round, items)
    tasks = deal(label_round, [(item.case_id, item.part) for item in items])
    with store.write(
        actor,
        "labels.round",
        project_id=run.project_id,
        subject=label_round.id,
        detail={"run": run_id, "name": label_round.name, "cases": len(items), "raters": list(label_round.raters)},
    ) as connection:
        _check_name(label_round, labels.rounds(connection, run.project_id, run_id))
        criteria_by_id = {item.id: item for item in labels.criteria_of(connection, run.project_id)}
        asked_criteria = [_usable(criteria_by_id, criterion_id) for criterion_id in label_round.criteria]
        answered_ids = set(run_inputs.answered_cases(connection, runs.get(connection, run_id)))
        if strangers := [item.case_id for item in items if item.case_id not in answered_ids]:
            raise InvalidInput(
                f"{len(strangers)} of {len(items)} cases have no response in run {run_id}, such as {strangers[0]}.",
                "Draw from the cases that the run answered.",
            )
        _check_gold(asked_criteria, items)
        labels.put_round(connection, label_round)
        labels.add_items(connection, [_item(label_round, item) for item in items])
        labels.put_tasks(connection, tasks)
    return label_round


def list_rounds(store: Store, project_id: str, run_id: str | None = None) -> tuple[LabelRound, ...]:
    """The rounds of a project, or of one of its runs, newest first."""
    with store.read() as connection:
        return tuple(labels.rounds(connection, project_id, run_id))


def get_round(store: Store, round_id: str) -> LabelRound:
    """The round of that id.

    Raises:
        NotFound: There is none.
    """
    with store.read() as connection:
        return labels.round_of(connection, round_id)


def close_round(store: Store, round_id: str, *, actor: str, closed: bool = True) -> LabelRound:
    """Ends a round, or opens it again; its labels stay either way.

    Raises:
        NotFound: There is no such round.
        Forbidden: The actor is no validator of the project.
    """
    project_id = get_round(store, round_id).project_id
    require(store, project_id, actor, KEEPER)
    action = "labels.close" if closed else "labels.open"
    with store.write(actor, action, project_id=project_id, subject=round_id) as connection:
        changed = replace(labels.round_of(connection, round_id), closed=closed)
        labels.put_round(connection, changed)
    if closed:
        sign_off(store, actor, action)
    return changed


def add_rater(store: Store, round_id: str, rater: str, *, actor: str) -> LabelRound:
    """Assigns cases to one more rater; the others keep their cases and labels.

    The newcomer has as many cases as the rater with the most, chosen from those with the fewest raters; practice comes
    in the same order as for the others.

    Raises:
        NotFound: There is no such round.
        Forbidden: The actor is no validator of the project.
        InvalidInput: The name is blank or too long.
        Conflict: The round has that rater, or is closed.
    """
    name = rater.strip()
    before = get_round(store, round_id)
    require(store, before.project_id, actor, KEEPER)
    with store.write(
        actor, "labels.rater", project_id=before.project_id, subject=round_id, detail={"rater": name}
    ) as connection:
        old = labels.round_of(connection, round_id)
        if old.closed:
            raise Conflict(f"Round {old.name} is closed.", "Open it again first.")
        if name in old.raters:
            raise Conflict(f"{name} is a rater of {old.name} already.", "Give another name.")
        changed = replace(old, raters=(*old.raters, name))
        _check_raters(changed)
        tasks_by_rater = {existing: labels.tasks(connection, round_id, existing) for existing in old.raters}
        labels.put_round(connection, changed)
        labels.put_tasks(connection, newcomer(changed, tasks_by_rater))
    return changed


def _item(label_round: LabelRound, case: Drawn) -> LabelItem:
    return LabelItem(
        round_id=label_round.id,
        case_id=case.case_id,
        part=case.part,
        stratum=case.stratum,
        probability=case.probability,
        gold=case.gold,
        explanation=case.explanation,
    )


def _check(label_round: LabelRound, items: Sequence[Drawn]) -> None:
    if not label_round.name or len(label_round.name) > LONGEST_NAME:
        raise InvalidInput(
            f"The name of a round has 1 to {LONGEST_NAME} characters; this one has {len(label_round.name):,}.",
            "Give a name.",
        )
    require_visible(label_round.name, "a round")
    if not label_round.criteria or len(set(label_round.criteria)) < len(label_round.criteria):
        raise InvalidInput("A round has at least one criterion, each once.", "Choose the criteria.")
    _check_raters(label_round)
    ids = [item.case_id for item in items]
    if not ids or len(set(ids)) < len(ids):
        raise InvalidInput(
            f"A round has at least one case, each once; there are {len(ids)} with {len(set(ids))} ids.",
            "Draw the cases again.",
        )
    if label_round.overlap < 1:
        raise InvalidInput(f"The overlap is {label_round.overlap} raters.", "Give at least 1.")
    if not 0 <= label_round.seed <= LARGEST_SEED:
        raise InvalidInput(f"The seed is {label_round.seed}.", f"Give a whole number from 0 to {LARGEST_SEED:,}.")
    for name, share in (("overlap", label_round.overlap_share), ("repeat", label_round.repeat_share)):
        if not 0.0 <= share <= 1.0:
            raise InvalidInput(f"The {name} share is {share}.", "Give a share from 0 to 1.")
    if wrong := [item for item in items if not 0.0 < item.probability <= 1.0]:
        raise InvalidInput(
            f"Case {wrong[0].case_id} has the chance {wrong[0].probability} to be drawn.",
            "Give a chance above 0 and at most 1.",
        )


def _check_name(label_round: LabelRound, existing: Sequence[LabelRound]) -> None:
    namesake = next((other for other in existing if other.name.casefold() == label_round.name.casefold()), None)
    if namesake is not None:
        raise Conflict(
            f"The run has a round named {namesake.name} already.", "Give another name, or add raters to that round."
        )


def _check_raters(label_round: LabelRound) -> None:
    if (
        not label_round.raters
        or len(label_round.raters) > MOST_RATERS
        or len(set(label_round.raters)) < len(label_round.raters)
    ):
        raise InvalidInput(
            f"A round has 1 to {MOST_RATERS} raters, each once; there are {len(label_round.raters)} names.",
            "Name the raters.",
        )
    if any(not rater or len(rater) > LONGEST_NAME for rater in label_round.raters):
        raise InvalidInput("The name of a rater is blank or too long.", f"Give 1 to {LONGEST_NAME} characters.")
    for rater in label_round.raters:
        require_visible(rater, "a rater")


def _check_gold(asked_criteria: Sequence[Criterion], items: Sequence[Drawn]) -> None:
    allowed = {criterion.id: {level.value for level in criterion.levels} for criterion in asked_criteria}
    for item in items:
        for criterion_id, value in item.gold.items():
            if value not in allowed.get(criterion_id, set()):
                raise InvalidInput(
                    f"The right answer {value:g} of practice case {item.case_id} is not a level of its criterion.",
                    "Give one of the criterion's levels.",
                )


def _usable(criteria_by_id: Mapping[str, Criterion], criterion_id: str) -> Criterion:
    criterion = criteria_by_id.get(criterion_id)
    if criterion is None or criterion.retired:
        state = "does not exist in this project" if criterion is None else "is retired"
        raise InvalidInput(f"The criterion {criterion_id} {state}.", "Choose among the project's criteria.")
    return criterion
