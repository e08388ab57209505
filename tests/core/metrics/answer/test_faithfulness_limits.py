"""What faithfulness cannot see without an NLI model, measured: the numbers the spec and the README state.

Each answer is false or means nothing, and keeps a high score. A change that lowers one of them is an improvement; then
the figure here, in the spec and in the README changes with it.
"""

import pytest

from core.domain.results.responses import Context
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metric, score_samples
from tests.support.tiny_nli import OverlapNli

PASSAGES = (
    "The monthly fee of the Classic account is 4.50 EUR. The monthly fee of the Premium account is 9.90 EUR.",
    "Jane Doe manages the Basel branch. Peter Roth manages the Geneva branch.",
    "Customers may close the account at any time. The bank answers within two working days.",
)
TRUE = "Jane Doe manages the Basel branch."
COPIED = (
    f"{TRUE} Customers may close the account at any time. The bank answers within two working days. The monthly fee of "
    "the Classic account is 4.50 EUR."
)
INVENTED = "Every customer also receives a free yacht with a captain."


def scored(answer, name="faithfulness", nli=None):
    contexts = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(PASSAGES))
    sample = Sample(case_id="c", question="Tell me about it.", answer=answer, contexts=contexts)
    ((found,),) = score_samples([sample], [find_metric(name)], Models(encoder=open_encoder("minilm"), nli=nli))
    return found


@pytest.mark.parametrize(
    ("what", "answer", "value"),
    [
        ("nothing is wrong", TRUE, 1.0),
        ("an exact negation", "Jane Doe does not manage the Basel branch.", 0.884),
        ("a negation by one word", "Customers may never close the account at any time.", 0.842),
        ("the fee of another account", "The monthly fee of the Classic account is 9.90 EUR.", 0.984),
        ("another person of the passages", "Peter Roth manages the Basel branch.", 0.895),
        ("the words in an order that means nothing", "Basel manages Jane the branch Doe.", 0.987),
        ("an invented name in lower case", "Jane Doe manages the Basel branch with ursula meier.", 0.834),
        ("an invention among four copied sentences", f"{COPIED} {INVENTED}", 0.846),
    ],
)
def test_what_it_cannot_see(what, answer, value):
    found = scored(answer)
    assert found.value == pytest.approx(value, abs=0.01), what
    assert "missing" not in found.detail, what


def test_what_it_sees_instead():
    """A number or a capitalised name that occurs nowhere, and the sentence that was invented, each by its own value."""
    assert scored("The monthly fee of the Classic account is 7.30 EUR.").value == pytest.approx(0.854, abs=0.01)
    assert scored("Jane Doe manages the Basel branch with Ursula Meier.").value == pytest.approx(0.767, abs=0.01)
    assert scored(INVENTED).value == pytest.approx(0.364, abs=0.01)
    diluted = scored(f"{COPIED} {INVENTED}")
    assert diluted.detail["worst"] == 4
    assert diluted.detail["sentences"][4]["value"] == pytest.approx(0.364, abs=0.01)


def test_groundedness_sees_neither_number():
    """One of another account, and one that occurs nowhere: to similarity they are the same."""
    other, nowhere = (
        scored(f"The monthly fee of the Classic account is {fee} EUR.", "groundedness").value
        for fee in ("9.90", "7.30")
    )
    assert other == pytest.approx(0.959, abs=0.01)
    assert nowhere == pytest.approx(0.969, abs=0.01)


def test_with_an_nli_model_the_fifth_part_tells():
    """The share 0.4 of 1.4 is the model's; what it says of a pair is as good as the model."""
    assert "entailment" in scored(TRUE, nli=OverlapNli()).detail["parts"]
