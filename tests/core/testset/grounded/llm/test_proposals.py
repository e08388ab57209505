"""Why fewer proposals were kept than requested, as it was."""

import pytest

from core.testset.grounded.llm.proposals import Delivery, Rejected


def rejected(*rounds, check="names"):
    return tuple(Rejected(text="x", check=check, reason="y", round=number) for number in rounds)


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        ({"requested": 2, "delivered": 2, "rejected": rejected(1)}, ""),
        ({"requested": 2}, "the model proposed no more"),
        # Two proposed, both refused: nothing else is missing.
        ({"requested": 2, "rejected": rejected(1, 1)}, "2 failed the check names"),
        # The refused one was replaced, so that is not why the third is missing.
        (
            {"requested": 3, "delivered": 2, "rejected": rejected(1), "replaced": 1},
            "1 failed the check names; 1 of them was replaced; the model proposed no more",
        ),
        # A replacement that fails is missing once and failed twice.
        ({"requested": 2, "delivered": 1, "rejected": rejected(1, 2)}, "2 failed the check names"),
        ({"requested": 5, "delivered": 1, "duplicates": 2}, "2 repeated another one; the model proposed no more"),
        (
            {"requested": 1, "duplicates": 2, "surplus": 3},
            "2 repeated another one; 3 beyond the number asked for were not looked at",
        ),
        # The second call failed; the first one's proposals are counted all the same.
        (
            {"requested": 2, "rejected": rejected(1), "failure": "It timed out."},
            "1 failed the check names; It timed out.",
        ),
    ],
)
def test_the_reasons_for_few_proposals_are_those(outcome, why):
    assert Delivery(subject="branch", **outcome).missing == why
