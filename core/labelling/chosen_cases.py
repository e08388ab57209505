"""Cases that a person picked while reading answers, put to raters: in rounds of their own.

A drawn round keeps the chance of each case to be drawn, on which promises rest; a case that somebody picked because of
its answer would spoil it. So picked cases are in rounds whose design says so, and a picked case counts for itself only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from core.domain.errors import Conflict, InvalidInput
from core.domain.results.labels import LabelItem, LabelRound, LabelTask, Part, RoundOrigin
from core.labelling.criteria import KEEPER
from core.labelling.rounds import create_round, get_round, list_rounds
from core.labelling.sampling.records import Drawn
from core.project.service import require
from core.store.database import Store
from core.store.people import labels
from core.store.results import runs
from core.store.results.cases import run_inputs

CHOSEN: Final = "chosen"
"""Kind of a design and stratum of its cases: picked by a person, not drawn."""


def rounds_for_chosen(store: Store, project_id: str, run_id: str) -> tuple[LabelRound, ...]:
    """The open rounds of picked cases of a run, newest first; a case can be added to each."""
    return tuple(
        label_round
        for label_round in list_rounds(store, project_id, run_id)
        if not label_round.closed and _of_chosen(label_round)
    )


def start_round(
    store: Store,
    run_id: str,
    case_ids: Sequence[str],
    *,
    name: str,
    criteria: Sequence[str],
    raters: Sequence[str],
    actor: str,
) -> LabelRound:
    """Opens a round of picked cases; every rater labels each of them.

    Raises:
        NotFound: There is no such run.
        Forbidden: The actor is no validator of the project.
        InvalidInput: As for :func:`core.labelling.rounds.create_round`.
        Conflict: The run has a round of that name.
    """
    return create_round(
        store,
        run_id,
        name=name,
        criteria=criteria,
        raters=raters,
        items=[Drawn(case_id=case_id, part=Part.TARGETED, stratum=CHOSEN) for case_id in case_ids],
        overlap=max(1, len(raters)),
        design={"kind": CHOSEN},
        actor=actor,
    )


def add_case(store: Store, round_id: str, case_id: str, *, actor: str) -> LabelRound:
    """Puts one more case to every rater of a round of picked cases, as the last of each.

    Raises:
        NotFound: There is no such round.
        Forbidden: The actor is no validator of the project.
        Conflict: The round is closed, or has the case.
        InvalidInput: The round's cases were drawn, or the run has no response to the case.
    """
    before = get_round(store, round_id)
    require(store, before.project_id, actor, KEEPER)
    if not _of_chosen(before):
        raise InvalidInput(
            f"The cases of {before.name} were drawn, and what follows from its labels rests on how.",
            "Add the case to a round of picked cases, or start one.",
        )
    with store.write(
        actor, "labels.case", project_id=before.project_id, subject=round_id, detail={"case": case_id}
    ) as connection:
        label_round = labels.round_of(connection, round_id)
        if label_round.closed:
            raise Conflict(f"Round {label_round.name} is closed.", "Open it again on the Label page.")
        if any(item.case_id == case_id for item in labels.items(connection, round_id)):
            raise Conflict(f"Round {label_round.name} has this case already.", "Choose another round.")
        if case_id not in run_inputs.answered_cases(connection, runs.get(connection, label_round.run_id)):
            raise InvalidInput(f"The run has no response to the case {case_id}.", "Ask the failed cases again first.")
        labels.add_items(
            connection, [LabelItem(round_id=round_id, case_id=case_id, part=Part.TARGETED, stratum=CHOSEN)]
        )
        tasks = []
        for rater in label_round.raters:
            positions = [task.position for task in labels.tasks(connection, round_id, rater)]
            tasks.append(
                LabelTask(
                    round_id=round_id,
                    rater=rater,
                    case_id=case_id,
                    position=max(positions, default=-1) + 1,
                    part=Part.TARGETED,
                )
            )
        labels.put_tasks(connection, tasks)
    return label_round


def _of_chosen(label_round: LabelRound) -> bool:
    return label_round.origin is RoundOrigin.PEOPLE and label_round.design.get("kind") == CHOSEN
