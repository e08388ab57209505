"""The detail of an entry, found by what was done to what."""

import json

from core.store.database import Store
from core.store.trail import audit_details
from tests.support.stores import sqlite_url


def test_the_newest_entry_of_the_action_on_the_subject(tmp_path):
    with Store.open(sqlite_url(tmp_path)) as store:
        for number, subject in enumerate(["a", "b", "a"]):
            with store.write("anna", "thing.make", subject=subject, detail={"number": number, "names": ["x"]}):
                pass
        with store.write("anna", "thing.break", subject="a", detail={"number": 9}):
            pass
        with store.read() as connection:
            assert audit_details.latest(connection, "thing.make", "a") == {"number": 2, "names": ["x"]}
            assert audit_details.latest(connection, "thing.make", "c") is None


def test_every_entry_of_an_action_on_a_thing_is_read_newest_first(tmp_path):
    with Store.open(sqlite_url(tmp_path)) as store:
        for number, subject in enumerate("aab"):
            with store.write("anna", "thing.make", project_id="p", subject=subject, detail={"number": number}):
                pass
        with store.read() as connection:
            entries = audit_details.of_subject(connection, "p", "thing.make", "a")
            assert [json.loads(entry.detail)["number"] for entry in entries] == [1, 0]
            assert audit_details.of_subject(connection, "other", "thing.make", "a") == []
