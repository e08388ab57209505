"""The audit trail on the command line."""

import json

import pytest

from core.project.service import create_project
from core.settings import settings
from core.store.database import Store
from tests.support.evidence import behind


@pytest.fixture
def store(cli):
    with Store.open(settings().database_url) as opened:
        create_project(opened, "Bank", "local")
        yield opened


def test_a_store_is_verified_and_its_head_anchored(cli, store, tmp_path):
    document = cli("audit", "verify", "--json").json
    assert (document["ok"], document["entries"], document["rows"], document["broken"]) == (True, 1, 2, [])
    anchored = cli("audit", "anchor", str(tmp_path / "heads"), "--json").json
    assert (anchored["seq"], anchored["hash"]) == (1, document["head"]["hash"])
    assert "Everything is as it was written." in cli("audit", "verify", "--anchors", str(tmp_path / "heads")).out


def test_what_was_changed_ends_with_1_and_names_it(cli, store):
    behind(store, "UPDATE projects SET name = 'Other'")
    outcome = cli("audit", "verify")
    assert outcome.code == 1
    assert 'name was "Bank", is "Other"' in outcome.out
    outcome = cli("audit", "verify", "--json")
    assert outcome.code == 1
    assert [problem["table"] for problem in json.loads(outcome.out)["broken"]] == ["projects"]


def test_a_place_that_fails_ends_with_1(cli, store, tmp_path):
    outcome = cli("audit", "anchor", str(tmp_path / "no" / "folder"))
    assert outcome.code == 1
    assert "not sent to" in outcome.out


def test_bad_input_ends_with_2(refused, store, tmp_path):
    assert "no place to anchor to" in refused("audit", "anchor")
    assert "cannot be read" in refused("audit", "verify", "--anchors", str(tmp_path / "none"))


def test_a_keyed_trail_says_that_the_key_is_missing(cli, store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", "a key of the operator's own")
    create_project(store, "Other bank", "local")
    assert cli("audit", "verify").code == 0
    monkeypatch.delenv("PLUMBLINE_AUDIT_KEY")
    outcome = cli("audit", "verify")
    assert outcome.code == 1
    assert "1 entries are sealed with a key that was not given" in outcome.out


def test_the_key_is_changed_by_a_command(cli, store, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", "the key of the year before")
    create_project(store, "Second", "local")
    monkeypatch.setenv("PLUMBLINE_AUDIT_KEY", "the key of this year")
    outcome = cli("audit", "rekey")
    assert outcome.code == 2
    assert "which is not given" in outcome.err
    monkeypatch.setenv("PLUMBLINE_AUDIT_EARLIER_KEYS", "another of long ago; the key of the year before")
    document = cli("audit", "rekey", "--json").json
    assert sorted(document) == ["from", "to"]
    create_project(store, "Third", "local")
    assert cli("audit", "verify", "--json").json["ok"]
    monkeypatch.delenv("PLUMBLINE_AUDIT_EARLIER_KEYS")
    outcome = cli("audit", "verify")
    assert outcome.code == 1
    assert "2 entries are sealed with a key that was not given" in outcome.out
