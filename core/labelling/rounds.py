"""Label rounds: which cases are put to whom, how often, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from core.domain.errors import Conflict, InvalidInput
from core.domain.identity import new_id
from core.domain.labels import Criterion, LabelItem, LabelRound, Part, RoundOrigin
from core.labelling.criteria import KEEPER
from core.labelling.deal import deal, newcomer
from core.project.service import require
from core.store import labels, run_inputs, runs
from core.store.database import Store

LONGEST_NAME = 200
MOST_RATERS = 200
LARGEST_SEED = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A case that was drawn for a round; see :class:`core.domain.labels.LabelItem`."""

    case_id: str
    part: Part = Part.RANDOM
    stratum: str = ""
    probability: float = 1.0
    gold: Mapping[str, float] = field(default_factory=dict)
    explanation: str = ""


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
    """Puts cases of a run to people; the same seed gives every rater the same tasks in the same order.

    Practice cases come first, in the order given, and go to every rater. The other cases are dealt so that nobody has
    more than one case more than anybody else; `overlap` different raters see each case of the overlap, and who shares
    cases with whom is mixed. Every rater has an order of their own.

    Args:
        store: Where the run is.
        run_id: The run; its answered cases can be labelled.
        name: For people; no other round of the run has it.
        criteria: Ids, in the order they are asked.
        raters: Names; each once.
        items: The cases, each once.
        overlap: Raters a case of the overlap; no more than there are.
        overlap_share: Share of the cases in the overlap, from 0 to 1.
        repeat_share: Share of each rater's cases that come twice, from 0 to 1.
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
    made = LabelRound(
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
    _check(made, items)
    tasks = deal(made, [(one.case_id, one.part) for one in items])
    with store.write(
        actor,
        "labels.round",
        project_id=run.project_id,
        subject=made.id,
        detail={"run": run_id, "name": made.name, "cases": len(items), "raters": list(made.raters)},
    ) as connection:
        _check_name(made, labels.rounds(connection, run.project_id, run_id))
        known = {item.id: item for item in labels.criteria_of(connection, run.project_id)}
        asked = [_usable(known, criterion_id) for criterion_id in made.criteria]
        answered = set(run_inputs.answered_cases(connection, runs.get(connection, run_id)))
        if strangers := [item.case_id for item in items if item.case_id not in answered]:
            raise InvalidInput(
                f"{len(strangers)} of {len(items)} cases have no response in run {run_id}, such as {strangers[0]}.",
                "Draw from the cases that the run answered.",
            )
        _check_gold(asked, items)
        labels.put_round(connection, made)
        labels.add_items(connection, [_item(made, one) for one in items])
        labels.put_tasks(connection, tasks)
    return made


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
        made = replace(labels.round_of(connection, round_id), closed=closed)
        labels.put_round(connection, made)
    return made


def add_rater(store: Store, round_id: str, rater: str, *, actor: str) -> LabelRound:
    """Puts cases to one more rater; the others keep theirs and what they said.

    The newcomer has as many cases as the rater with the most, those that fewest raters have; practice comes in the same
    order as for the others.

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
        made = replace(old, raters=(*old.raters, name))
        _check_raters(made)
        known = {other: labels.tasks(connection, round_id, other) for other in old.raters}
        labels.put_round(connection, made)
        labels.put_tasks(connection, newcomer(made, known))
    return made


def _item(made: LabelRound, one: Drawn) -> LabelItem:
    return LabelItem(
        round_id=made.id,
        case_id=one.case_id,
        part=one.part,
        stratum=one.stratum,
        probability=one.probability,
        gold=one.gold,
        explanation=one.explanation,
    )


def _check(made: LabelRound, items: Sequence[Drawn]) -> None:
    if not made.name or len(made.name) > LONGEST_NAME:
        raise InvalidInput(
            f"The name of a round has 1 to {LONGEST_NAME} characters; this one has {len(made.name)}.", "Give a name."
        )
    if not made.criteria or len(set(made.criteria)) < len(made.criteria):
        raise InvalidInput("A round asks at least one criterion, each once.", "Choose the criteria.")
    _check_raters(made)
    ids = [one.case_id for one in items]
    if not ids or len(set(ids)) < len(ids):
        raise InvalidInput(
            f"A round has at least one case, each once; there are {len(ids)} with {len(set(ids))} ids.", "Draw anew."
        )
    if made.overlap < 1:
        raise InvalidInput(f"The overlap is {made.overlap} raters.", "Give at least 1.")
    if not 0 <= made.seed <= LARGEST_SEED:
        raise InvalidInput(f"The seed is {made.seed}.", f"Give a whole number from 0 to {LARGEST_SEED:,}.")
    for what, share in (("overlap", made.overlap_share), ("repeat", made.repeat_share)):
        if not 0.0 <= share <= 1.0:
            raise InvalidInput(f"The {what} share is {share}.", "Give a share from 0 to 1.")
    if wrong := [one for one in items if not 0.0 < one.probability <= 1.0]:
        raise InvalidInput(
            f"Case {wrong[0].case_id} has the chance {wrong[0].probability} to be drawn.",
            "Give a chance above 0 and at most 1.",
        )


def _check_name(made: LabelRound, others: Sequence[LabelRound]) -> None:
    same = next((one for one in others if one.name.casefold() == made.name.casefold()), None)
    if same is not None:
        raise Conflict(
            f"The run has a round named {same.name} already.", "Give another name, or add raters to that round."
        )


def _check_raters(made: LabelRound) -> None:
    if not made.raters or len(made.raters) > MOST_RATERS or len(set(made.raters)) < len(made.raters):
        raise InvalidInput(
            f"A round has 1 to {MOST_RATERS} raters, each once; there are {len(made.raters)} names.", "Name the raters."
        )
    if any(not rater or len(rater) > LONGEST_NAME for rater in made.raters):
        raise InvalidInput("The name of a rater is blank or too long.", f"Give 1 to {LONGEST_NAME} characters.")


def _check_gold(asked: Sequence[Criterion], items: Sequence[Drawn]) -> None:
    allowed = {criterion.id: {level.value for level in criterion.levels} for criterion in asked}
    for one in items:
        for criterion_id, value in one.gold.items():
            if value not in allowed.get(criterion_id, set()):
                raise InvalidInput(
                    f"The right answer {value:g} of practice case {one.case_id} is no level that is asked for.",
                    "Give one of the criterion's levels.",
                )


def _usable(known: Mapping[str, Criterion], criterion_id: str) -> Criterion:
    found = known.get(criterion_id)
    if found is None or found.retired:
        state = "does not exist in this project" if found is None else "is retired"
        raise InvalidInput(f"The criterion {criterion_id} {state}.", "Choose among the project's criteria.")
    return found
