"""Cases by the topic of what holds their answers."""

import pytest

from core.store.database import Store
from core.weakness.service.data import attributes_key
from core.weakness.service.places import case_places
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url
from tests.support.weakness.case_tables import attribute_infos, case_table
from tests.support.weakness.failing_map import failing_map


@pytest.fixture
def store(tmp_path):
    with Store.open(blank_url(tmp_path / "data")) as opened:
        yield opened


def without_topics_of_their_own(store, run):
    """Cases of a test set that says nothing of topics."""
    with store.write(ACTOR, "test.change", project_id=run.project_id) as connection:
        connection.exec_driver_sql("UPDATE cases SET attributes = '{}'")


def named(attribute):
    return [attribute.levels[code] if code >= 0 else None for code in attribute.codes.tolist()]


def test_topics_are_those_of_the_map(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    own = case_table(store, run.id, "verdict", attributes=("topic",)).attribute("topic")
    without_topics_of_their_own(store, run)
    table = case_table(store, run.id, "verdict", attributes=("topic",))
    assert named(table.attribute("topic")) == named(case_places(store, run.id).topic)
    assert table.attribute("topic").levels != own.levels
    assert "Cards" in table.attribute("topic").levels
    info = attribute_infos(store, run.id)[0]
    assert (info.name, info.source, info.covered, info.outcome) == ("topic", "documents", 64, False)


def test_without_topics_there_is_no_such_attribute(store, tmp_path):
    run = failing_map(store, tmp_path / "documents", with_topics=False)
    without_topics_of_their_own(store, run)
    assert "topic" not in {info.name for info in attribute_infos(store, run.id)}


def test_what_was_read_holds_until_topics_change(store, tmp_path):
    run = failing_map(store, tmp_path / "documents")
    key = attributes_key(store, run.id)
    assert attributes_key(store, run.id) == key
    with store.write(ACTOR, "test.rename", project_id=run.project_id) as connection:
        connection.exec_driver_sql("UPDATE topics SET name = 'Plastic' WHERE name = 'Cards'")
    assert attributes_key(store, run.id) != key
