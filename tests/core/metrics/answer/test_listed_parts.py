"""Listed parts: partial credit where a reference is a list."""

import pytest

from core.domain.status import Status
from core.metrics import Sample
from tests.support.models.scripted_encoder import score_of

TEAM = "Ann Lee; Bo Ray; Cy Moe"


def score(answer, *references, question="Who are the managers of the region 'North'?"):
    sample = Sample(case_id="c", question=question, answer=answer, references=references)
    return score_of("listed_parts", sample, {})


@pytest.mark.parametrize(
    ("answer", "share"),
    [
        ("They are Ann Lee, Bo Ray and Cy Moe.", 1.0),
        ("Cy Moe; Ann Lee; Bo Ray", 1.0),
        ("Ann Lee and Bo Ray.", 2 / 3),
        ("Only Cy Moe.", 1 / 3),
        ("Dee Fox.", 0.0),
        ("I do not know.", 0.0),
        ("", 0.0),
    ],
)
def test_the_share_of_the_parts_that_are_stated(answer, share):
    assert score(answer, TEAM).value == pytest.approx(share)


def test_the_reason_names_what_is_missing():
    found = score("Ann Lee and Bo Ray.", TEAM)
    assert found.detail["rule"] == "partial list"
    assert "2 of 3 parts are stated; missing" in found.detail["reason"]
    assert "Cy Moe" in found.detail["reason"]


@pytest.mark.parametrize("reference", ["Ann Lee", "42", "2020-01-02", "yes"])
def test_a_reference_of_one_part_has_no_share(reference):
    found = score("Ann Lee", reference)
    assert (found.value, found.status) == (None, Status.NOT_APPLICABLE)
