"""Identifiers of eight countries among near misses: how many are found, and what is found that is none."""

import json
from collections import Counter
from pathlib import Path

import pytest

from core.safety.privacy import Entity, find_personal_data
from core.safety.privacy.entities import About
from tests.support.identifiers import identifiers

HELD_OUT = Path(__file__).parents[3] / "golden" / "identifiers_held_out.jsonl"
"""Written by another generator (Faker) in other sentences, after the rules were done."""

FRESH = HELD_OUT.with_name("identifiers_fresh.jsonl")
"""Other countries, spacings, layouts and near misses; figures at first sight are in docs/safety.md."""

IN_PROSE = HELD_OUT.with_name("identifiers_in_prose.jsonl")
"""Prose, notes and tables in five languages, with what is said of people, beside sentences of business."""


def _measured(rows):
    """Found and missed true identifiers, and findings that are none, by kind."""
    figures = Counter()
    for row in rows:
        findings = [one for one in find_personal_data(row["text"]) if one.entity is not Entity.NAME]
        right = [one for one in findings if row["true"] and one.entity == row["kind"] and one.value == row["value"]]
        figures["found" if right else "missed"] += bool(row["true"])
        figures["false"] += len(findings) - len(right)
    return figures


def test_every_generated_identifier_is_found_and_no_near_miss_is():
    samples = identifiers(seed=0, each=5)
    assert len(samples) >= 300
    assert {sample.country for sample in samples if sample.true} == {"GB", "DE", "FR", "ES", "IT", "NL", "US", "CH"}
    figures = _measured([{**vars(sample)} for sample in samples])
    assert (figures["missed"], figures["false"]) == (0, 0)
    assert figures["found"] == sum(sample.true for sample in samples) >= 120


def test_the_held_out_half_keeps_its_measured_precision_and_recall():
    rows = [json.loads(line) for line in HELD_OUT.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 432
    assert sum(row["true"] for row in rows) == 120
    figures = _measured(rows)
    # Missed: three numbers with the prefix ZZ, which no National Insurance number has, and one Italian number.
    assert figures == {"found": 116, "missed": 4, "false": 0}


def test_further_sets_in_other_sentences_keep_their_measured_precision_and_recall():
    """Four sets of two writers: a first look and its like, another writer's, and one that nothing was changed for."""
    rows = [json.loads(line) for line in FRESH.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 887
    assert sum(row["true"] for row in rows) == 439
    # False: two lists of five pairs of digits, a report's number behind "call", and letters that could be a NINO.
    assert _measured(rows) == {"found": 439, "missed": 0, "false": 4}


def test_identifiers_and_statements_in_prose_are_found_and_business_is_not():
    """Two lists; the second was written after the rules were changed for the first."""
    figures = Counter()
    for line in IN_PROSE.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        findings = [one for one in find_personal_data(row["text"]) if one.entity is not Entity.NAME]
        right = [one for one in findings if one.entity == row["kind"] and row["value"] in ("", one.value)]
        figures["found" if right else "missed" if row["kind"] else "business"] += 1
        figures["false"] += sum(one.about is About.PERSON and one not in right for one in findings)
    # False: nothing. The hotlines and addresses of firms among the sentences of business are nobody's.
    assert figures == {"found": 167, "business": 200, "false": 0}


@pytest.mark.parametrize(
    ("text", "entity"),
    [
        ("the key AKIAIOSFODNN7EXAMPLE was rotated", Entity.KEY),
        ("Authorization: eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r", Entity.KEY),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", Entity.KEY),
        ("postgresql://reader:s3cr3t-pa55@db.example.org/bank", Entity.KEY),
        ("api_key = 9f86d081884c7d659a2feaa0c55ad015", Entity.KEY),
        ("The password is Tr4ins-and-b0ats", Entity.KEY),
        ("Sort code 20-00-00, account number 55779911", Entity.ACCOUNT),
        ("routing number 021000021 account number 1234567890", Entity.ACCOUNT),
        ("Mrs Ellen Marsh was born on 4 May 1961.", Entity.BIRTH_DATE),
        ("The customer lives at 12 Harbour Lane.", Entity.HOME_ADDRESS),
        ("Mr Tom Baker has an overdraft of £1,200.", Entity.FINANCES),
        ("Customer Ada Byrne transferred EUR 900 to her sister.", Entity.FINANCES),
        ("Ms Ida Holm was diagnosed with diabetes in May.", Entity.HEALTH),
    ],
)
def test_what_is_found(text, entity):
    assert entity in {one.entity for one in find_personal_data(text)}


@pytest.mark.parametrize(
    "text",
    [
        "The password must have eight signs and is changed every year.",
        "Set api_key = <your key> in the file.",
        "postgresql://user:password@host/name",
        "Net income was $2.4 billion and the balance of cash $900 million.",
        "Branches open from 9.30 to 16.30, call first.",
        "Version 4.18.2024 of 12/03/2024 replaces build 20240312.1.",
        "Boeing 737-800, N12345, 38.8512 N 77.0402 W",
        "Customers who are diagnosed with an illness can pause their loan.",
    ],
)
def test_what_is_not_found(text):
    assert find_personal_data(text) == []
