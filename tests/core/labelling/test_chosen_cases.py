"""Cases that a person picked: in rounds of their own, put to every rater, never into a drawn round."""

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput
from core.domain.results.labels import Part
from core.labelling.chosen_cases import CHOSEN, add_case, rounds_for_chosen, start_round
from core.labelling.rating.tasks import tasks
from core.labelling.rounds import close_round, create_round
from core.labelling.sampling.records import Drawn
from core.store.people import labels


def started(store, run, correct, **changed):
    given = {"name": "To discuss", "criteria": [correct], "raters": ["anna", "ben"], "actor": "val", **changed}
    return start_round(store, run.id, ["c1"], **given)


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_a_picked_case_goes_to_every_rater_as_the_last_one(store, run, correct):
    made = started(store, run, correct)
    add_case(store, made.id, "c4", actor="val")
    for rater in ("anna", "ben"):
        assert [(task.case_id, task.position) for task in tasks(store, made.id, rater)] == [("c1", 0), ("c4", 1)]
    with store.read() as connection:
        items = labels.items(connection, made.id)
    assert {(item.case_id, item.part, item.stratum) for item in items} == {
        ("c1", Part.TARGETED, CHOSEN),
        ("c4", Part.TARGETED, CHOSEN),
    }


def test_a_drawn_round_takes_no_picked_case(store, run, correct):
    drawn = create_round(
        store, run.id, name="Drawn", criteria=[correct], raters=["anna"], items=[Drawn(case_id="c0")], actor="val"
    )
    with pytest.raises(InvalidInput, match="were drawn"):
        add_case(store, drawn.id, "c1", actor="val")
    assert rounds_for_chosen(store, run.project_id, run.id) == ()


def test_open_rounds_of_picked_cases_are_offered(store, run, correct):
    made = started(store, run, correct)
    assert [one.id for one in rounds_for_chosen(store, run.project_id, run.id)] == [made.id]
    close_round(store, made.id, actor="val")
    assert rounds_for_chosen(store, run.project_id, run.id) == ()
    with pytest.raises(Conflict, match="closed"):
        add_case(store, made.id, "c2", actor="val")


def test_a_case_is_in_a_round_once_and_has_a_response(store, run, correct):
    made = started(store, run, correct)
    with pytest.raises(Conflict, match="already"):
        add_case(store, made.id, "c1", actor="val")
    with pytest.raises(InvalidInput, match="no response"):
        add_case(store, made.id, "c11", actor="val")
    with pytest.raises(Forbidden):
        add_case(store, made.id, "c2", actor="stranger")
