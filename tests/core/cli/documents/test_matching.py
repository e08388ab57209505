"""The command on records and documents whose ids differ: what it shows, what it stores, what it refuses."""

import json

import pytest

from core.domain.sources.document_mappings import Way
from core.knowledge.matching.service import belonging
from core.settings import settings
from core.store.database import Store
from core.testset.gold_fit import gold_fit
from tests.support.bank_cases import MANAGERS, bank_cases, write_case_file
from tests.support.documents.named_documents import shop_project


@pytest.fixture
def shop(cli, tmp_path):
    """A project of twelve products whose documents are named product-01.md to product-11.md, and its test set."""
    with Store.open(settings().database_url) as store:
        project, test_set = shop_project(store, tmp_path, "number", range(1, 12))
        yield store, project, test_set


def test_the_ways_are_counted_and_nothing_is_stored(cli, shop):
    store, project, test_set = shop
    document = cli("match", "--project", project.name, "--json").json
    assert (document["tables"], document["chosen"], document["stored"]) == (["products"], None, None)
    assert document["now"] == {"way": "exact", "records": 12, "matched": 0, "unclear": 0, "unmatched": 12}
    ways = {row["way"]: row for row in document["ways"]}
    assert list(ways) == [str(way) for way in Way]
    assert (ways["pattern"]["matched"], ways["pattern"]["rules"]) == (11, {"products": "{table}-{key:02}"})
    preview = document["preview"]
    assert (preview["way"], preview["matched"], preview["records"]) == ("pattern", 11, 12)
    assert preview["matches"]["products:1"] == ["product-01.md"]
    assert preview["no_document"] == {"products:12": "no document fits it"}
    assert gold_fit(store, test_set.id).none


def test_a_person_reads_the_same(cli, shop):
    said = cli("match", "--project", shop[1].id).out
    assert "Now 0 of 12 records have a document (products), by the same id, nothing is chosen." in said
    assert "pattern       11 of 12, 0 not clear  products: {table}-{key:02}" in said
    assert "    products:1 -> product-01.md" in said
    assert "    products:12: no document fits it" in said
    assert "Nothing is stored; add --choose" in said


def test_a_way_is_stored_and_withdrawn(cli, shop):
    store, project, test_set = shop
    document = cli("match", "--project", project.id, "--choose", "--json").json
    assert (document["stored"]["way"], document["stored"]["matched"]) == ("pattern", 11)
    assert gold_fit(store, test_set.id).missing == ("products:12",)
    assert belonging(store, project.id).chosen.id == document["stored"]["id"]
    again = cli("match", "--project", project.id)
    assert "Now 11 of 12 records have a document (products), by pattern, chosen by" in again.out
    withdrawn = cli("match", "--project", project.id, "--way", "exact", "--choose", "--json").json
    assert withdrawn["chosen"]["way"] == "pattern"
    assert withdrawn["stored"]["matched"] == 0
    assert gold_fit(store, test_set.id).none


def test_a_rule_of_ones_own_is_tried_and_stored(cli, shop):
    project = shop[1].id
    tried = cli("match", "--project", project, "--way", "pattern", "--rule", "products={table}_{key}", "--json").json
    assert (tried["preview"]["matched"], tried["preview"]["rules"]) == (0, {"products": "{table}_{key}"})
    left_out = cli("match", "--project", project, "--way", "pattern", "--rule", "products=", "--json").json
    assert (left_out["preview"]["rules"], left_out["preview"]["matched"]) == ({}, 0)
    stored = cli("match", "--project", project, "--rule", "PRODUCTS={table}-0{key}", "--choose", "--json").json
    assert stored["stored"]["rules"] == {"products": "{table}-0{key}"}
    assert stored["stored"]["matched"] == 9  # product-01 to product-09


def test_a_gate_on_the_number_of_matched_records(cli, shop):
    assert cli("match", "--project", shop[1].id, "--fail-under", "preview.matched=11").code == 0
    assert cli("match", "--project", shop[1].id, "--fail-under", "preview.matched=12").code == 1


@pytest.mark.slow
def test_the_folder_of_a_run_is_matched_by_gold_ids_alone(cli, tmp_path):
    cases = write_case_file(tmp_path / "cases.jsonl")
    recording = tmp_path / "answers.jsonl"
    rows = [{"question": case.question, "answer": "Nobody."} for case in bank_cases()]
    recording.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "pages").mkdir()
    for number, city in enumerate(MANAGERS, start=1):
        page = f"{city} Branch, a branch of the bank. The manager is {MANAGERS[city]}.\n"
        (tmp_path / "pages" / f"branch_{number}.md").write_text(page)
    target = f"recorded:{recording}"
    made = cli("evaluate", "--testset", cases, "--corpus", "pages", "--target", target, "--out", "out", "--json")
    assert made.code == 0, made.err
    assert cli("match", "--run", "out", "--choose", "--json").json["stored"]["matched"] == 6
    diagnosed = cli("diagnose", "--run", "out", "--json").json
    assert diagnosed["dangling_ids"] == {"rows": 0, "ids": 0}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Name one project or one run"),
        (("--project", "none"), "There is no project 'none'"),
        (("--project", "Shop", "--run", "out"), "Name one project or one run"),
        (("--project", "{}", "--way", "typo"), "--way cannot be 'typo'"),
        (("--project", "{}", "--rule", "products"), "--rule 'products' is not TABLE=RULE"),
        (("--project", "{}", "--way", "exact", "--rule", "products=a"), "has no rule"),
        (("--project", "{}", "--way", "pattern", "--rule", "none={key}"), "no records of a table none"),
        (("--project", "{}", "--way", "pattern", "--rule", "products=page"), "cannot be used"),
        (("--project", "{}", "--way", "front_matter", "--choose"), "No record gets a document"),
    ],
)
def test_what_cannot_be_is_refused(refused, shop, arguments, says):
    assert says in refused("match", *(part.replace("{}", shop[1].id) if part == "{}" else part for part in arguments))


def test_a_project_without_documents_is_refused(cli, refused):
    project = json.loads(cli("projects", "new", "Empty", "--json").out)["id"]
    assert "no records or no documents" in refused("match", "--project", project)
