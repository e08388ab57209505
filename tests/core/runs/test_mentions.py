"""Records without a document of their own, named in retrieved passages all the same."""

import pytest

from core.domain.testset.cases import TestCase
from core.runs.mentions import Mention, mentions

DONOR = "Donor D-4289, Yusuf Crowther, has blood group A+."


def case(**kinds) -> TestCase:
    return TestCase(case_id="c", question="?", **kinds)


@pytest.mark.parametrize(
    ("passages", "ranks"),
    [
        ([DONOR], (1,)),
        (["Millrace House.", DONOR, DONOR], (2, 3)),
        (["Donor D-42890.", "Donor AD-4289."], ()),
        ([], ()),
    ],
)
def test_a_key_is_looked_for_as_a_whole(passages, ranks):
    expected = Mention(gold_id="donor:D-4289", name="D-4289", ranks=ranks)
    assert mentions(case(), ["donor:D-4289"], passages) == (expected,)


def test_a_number_as_key_is_no_name():
    assert mentions(case(), ["donation:11"], ["It has 11 beds."]) == (Mention(gold_id="donation:11"),)


def test_what_a_look_up_calls_its_only_record_by_is_one():
    looked_up = case(
        sql_params={"p0": "Cryoprecipitate", "p1": "2024-11-19"},
        gold_document_ids=("donation:11",),
    )
    texts = ["Cryoprecipitate is frozen.", "On 19 November 2024 a unit of cryoprecipitate was given."]
    assert mentions(looked_up, ["donation:11"], texts) == (
        Mention(gold_id="donation:11", name="Cryoprecipitate, 2024-11-19", ranks=(2,)),
    )


@pytest.mark.parametrize(
    "kinds",
    [
        {"gold_document_ids": ("staff:3", "site:7")},
        {"gold_document_ids": ("staff:3",), "attributes": {"operation": "extreme"}},
    ],
)
def test_the_values_of_another_question_are_not(kinds):
    """With a second record, or where the first of many is asked for, they may belong to another one."""
    asked = case(sql_params={"p0": "Millrace House"}, **kinds)
    assert mentions(asked, ["staff:3"], ["Millrace House."]) == (Mention(gold_id="staff:3"),)
