"""What cases can be grouped by: their form and their own attributes, excluded cases left out."""

from core.domain.testset.cases import TestCase
from core.store.results.cases import attributes
from core.store.testset import testsets
from tests.support.stores import with_run


def test_attributes_come_in_the_order_of_the_test_set(store):
    with_run(store, 2)
    more = [
        TestCase(case_id="x", question="?", attributes={"topic": "loans", "form": "own"}),
        TestCase(case_id="y", question="?", form="short", attributes={"topic": "cards"}),
    ]
    with store.write("anna", "prepare") as connection:
        testsets.put_cases(connection, "ts_1", more)
        testsets.exclude(connection, "ts_1", "c1", "odd")
    with store.read() as connection:
        assert attributes.attributes(connection, "ts_1") == [
            {"form": "long"},
            {"topic": "loans", "form": "own"},
            {"form": "short", "topic": "cards"},
        ]
