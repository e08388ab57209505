"""Is another value on a page the reference in another form? Then it contradicts nothing."""

import pytest

from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.fact import Fact
from core.judging.facts.forms import doubted, may_be_same

PAIRS_OF_ONE = [
    ("USA", "United States"),
    ("EUR", "euros"),
    ("Jane Doe", "J. Doe"),
    ("Jane A. Doe", "Doe, Jane"),
    ("Acme Ltd", "Acme Limited"),
    ("BMW AG", "BMW"),
    ("IBM", "International Business Machines"),
    ("Sales Rep", "Sales Representative"),
    ("St. Louis", "Saint Louis"),
    ("Jan", "January"),
    ("F", "female"),
    ("Rue de l'Abbaye 59", "59 rue de l'Abbaye"),
    ("Main St. 5", "5 Main Street"),
    ("24 - 12 oz bottles", "24 bottles of 12 oz"),
    ("555-1234", "5551234"),
    ("+1 555 123 4567", "(555) 123-4567"),
    ("12345.67", "12,346"),
    ("1234567", "1.23 million"),
    ("in_progress", "in progress"),
    ("Trailers,Cuts", "Cuts, Trailers"),
    ("read; write; delete", "read, write and delete"),
]
PAIRS_OF_TWO = [
    ("USA", "Canada"),
    ("EUR", "dollars"),
    ("Jane Doe", "T. Doe"),
    ("Jane Doe", "Jane Roe"),
    ("Acme Ltd", "Apex Ltd"),
    ("Sales Rep", "Sales Manager"),
    ("Jan", "February"),
    ("M", "female"),
    ("Main St. 5", "6 Main Street"),
    ("24 - 12 oz bottles", "12 - 24 oz bottles"),
    ("5551234", "555-1243"),
    ("12345.67", "12,446"),
    ("12.50", "1250.0"),
    ("T2P 2T3", "T2P 5G3"),
    ("North Korea", "South Korea"),
    ("urban", "suburban"),
    ("20", "200"),
    ("2014-05-03", "4 May 2016"),
    ("Trailers,Cuts,Songs", "Trailers and Cuts"),
    ("read; write", "read; write; delete"),
]


@pytest.mark.parametrize(("value", "other"), PAIRS_OF_ONE)
def test_two_forms_of_one_value_may_be_the_same(value, other):
    assert may_be_same(value, other)
    assert may_be_same(other, value)


@pytest.mark.parametrize(("value", "other"), PAIRS_OF_TWO)
def test_two_values_are_not_one(value, other):
    assert not may_be_same(value, other)
    assert not may_be_same(other, value)


@pytest.mark.parametrize(
    ("value", "other", "same"),
    [
        ("90", "1.5 hours", True),
        ("1250", "$12.50", True),
        ("36", "3 years", True),
        ("90", "2 hours", False),
        ("90 kg", "1.5 hours", False),
        ("0", "0 hours", True),
    ],
)
def test_a_bare_number_may_be_one_in_another_measure(value, other, same):
    assert may_be_same(value, other) is same


def contradicted(other):
    return FactFinding(
        evidence=FactEvidence.CONTRADICTED, document_id="a", passage="p", document_ids=("a",), other_value=other
    )


def test_a_contradiction_by_another_form_is_undecided_and_keeps_what_a_person_has_to_compare():
    fact = Fact.of(["USA"], ["Chai"], ["country of 'Chai'"])
    found = doubted(fact, contradicted("United States"))
    assert found.evidence is FactEvidence.UNDECIDED
    assert (found.document_id, found.passage, found.other_value) == ("a", "p", "United States")
    assert found.document_ids == ()


def test_a_contradiction_by_another_value_stays_and_so_does_what_was_not_contradicted():
    fact = Fact.of(["USA"], ["Chai"], ["country of 'Chai'"])
    assert doubted(fact, contradicted("Canada")) == contradicted("Canada")
    absent = FactFinding(evidence=FactEvidence.ABSENT)
    assert doubted(fact, absent) is absent
