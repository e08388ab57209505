"""Warnings and refusals."""

import numpy as np
import pytest

from core.calibration import checks
from core.calibration.probability.improvement import before_and_after
from core.domain.errors import InsufficientData, InvalidInput
from core.domain.estimates import Estimate


def codes(found):
    return [one.code for one in found]


def sizes(**changes):
    given = {"n": 30, "clusters": 30, "alpha": 0.1, "tested": 30, "groups": {}, "needed": 30, "random": 100}
    return checks.check_sizes(**(given | changes))


def test_sizes():
    assert codes(sizes()) == []
    assert codes(sizes(n=8)) == ["too_few"]
    assert codes(sizes(n=9, clusters=9)) == []
    assert codes(sizes(alpha=0.01)) == ["too_few"]
    assert codes(sizes(clusters=5)) == ["few_clusters"]
    assert codes(sizes(groups={"b": (8, 8), "c": (0, 0)})) == ["too_few_in_group"]
    assert codes(sizes(tested=29)) == ["small_test"]
    (found,) = sizes(n=8, needed=30, random=26)
    assert "9 are needed" in found.text
    assert "cannot promise 90%" in found.text
    assert "Label 4 more" in found.remedy


def test_a_promise_close_to_one_is_not_rounded_up_to_it():
    (found,) = sizes(n=120, alpha=0.001)
    # ceil(0.999 (n + 1)) <= n from n = 999 on.
    assert found.text.startswith("120 labels cannot promise 99.9%: 999 are needed")


def test_groups_without_a_quantile_of_their_own_are_named_with_their_sources():
    (found,) = sizes(groups={"b": (8, 8), "c": (0, 0)})
    assert "fewer than 9 labels have no promise of their own: b (8), c (0)." in found.text
    (found,) = sizes(groups={"b": (20, 4), "c": (3, 3)})
    assert (
        "fewer than 9 labelled sources have no promise of their own: b (20 of 4 sources), c (3 of 3 sources)."
        in found.text
    )


def test_undecided_cases_are_told():
    assert checks.check_undecided(0, 400) == ()
    (found,) = checks.check_undecided(68, 400)
    assert (found.code, found.remedy) == ("undecided", "Adjudicate them.")
    assert found.text.startswith("68 of 400 rated cases have no combined label (tie, cannot judge); the promise covers")


def test_sets_that_are_all_full_are_told():
    assert checks.check_full(99, 100, method="aps") == ()
    assert checks.check_full(0, 0, method="aps") == ()
    (found,) = checks.check_full(100, 100, method="aps")
    assert (found.code, "Use LAC" in found.remedy) == ("full_sets", True)
    (found,) = checks.check_full(100, 100, method="lac")
    assert "larger alpha" in found.remedy


@pytest.mark.parametrize(
    ("alpha", "code"),
    [
        (None, "agreement_unknown"),
        (Estimate(value=None, low=None, high=None, n=9, method="every rating is the same"), "agreement_unknown"),
        (Estimate(value=0.666, low=0.4, high=0.8, n=50), "agreement_low"),
        (Estimate(value=0.3, low=0.01, high=0.5, n=50), "agreement_low"),
    ],
)
def test_agreement_that_is_warned_of(alpha, code):
    assert codes(checks.check_agreement(alpha)) == [code]


def test_agreement_that_is_enough_and_that_is_refused():
    assert checks.check_agreement(Estimate(value=0.667, low=0.5, high=0.8, n=50)) == ()
    for low in (0.0, -0.2):
        bad = Estimate(value=0.3, low=low, high=0.6, n=50)
        with pytest.raises(InvalidInput, match=r"0\.30 on 50 cases") as caught:
            checks.check_agreement(bad)
        assert "insist" in caught.value.hint
        assert codes(checks.check_agreement(bad, insist=True)) == ["agreement_insisted"]


def test_useless_labels_and_scores():
    score = np.arange(4.0)[:, None]
    with pytest.raises(InsufficientData):
        checks.refuse_useless(score[:0], [], levels=2)
    with pytest.raises(InvalidInput, match="one level"):
        checks.refuse_useless(score, [1, 1, 1, 1], levels=2)
    with pytest.raises(InvalidInput, match="level 0, 2"):
        checks.refuse_useless(score, [1, 3, 1, 3], levels=4)
    with pytest.raises(InvalidInput, match="the same score"):
        checks.refuse_useless(np.ones((4, 2)), [0, 1, 0, 1], levels=2)
    checks.refuse_useless(score, [0, 1, 0, 1], levels=2)


def test_directions():
    score, label = np.linspace(0, 1, 40), np.repeat([0, 1], 20)
    noise = np.tile([0.0, 1.0], 20)
    table = np.stack([score, -score, noise, np.ones(40)], axis=1)
    found = checks.check_scores(table, label, np.arange(40), ["good", "turned", "noise", "flat"])
    assert [(one.code, one.text.split()[0]) for one in found] == [
        ("wrong_direction", "turned"),
        ("unrelated", "noise"),
        ("constant_score", "flat"),
    ]


def test_ties():
    assert checks.check_ties(np.arange(10.0)) == ()
    assert codes(checks.check_ties([0.1] * 5 + [0.2] * 5)) == ["ties"]
    assert "2 different values" in checks.check_ties([0.1] * 5 + [0.2] * 5)[0].text
    assert checks.check_ties([0.1]) == ()


def test_unscored_and_weights():
    assert checks.check_unscored(10, 10, 0) == ()
    assert "3 of 10 cases have no score, 1 of them labelled" in checks.check_unscored(7, 10, 1)[0].text
    assert checks.check_weights(targeted=0, weighted=False) == checks.check_weights(targeted=3, weighted=True) == ()
    assert codes(checks.check_weights(targeted=3, weighted=False)) == ["no_weights"]


def test_a_calibration_that_makes_it_worse_is_told():
    truth = np.tile([0, 1], 50)
    good, bad = np.where(truth == 1, 0.9, 0.1), np.full(100, 0.5)
    for before, after, expected in ((good, bad, ["worse"]), (bad, good, []), (good, good, [])):
        brier = before_and_after(before, after, truth, range(100), resamples=50)[1]
        assert codes(checks.check_gain(brier)) == expected


def test_every_warning_says_what_to_do():
    found = [
        *sizes(n=3, tested=3),
        *sizes(clusters=3, groups={"a": (1, 1)}),
        *checks.check_agreement(None),
        *checks.check_ties([0.0, 0.0, 0.0]),
        *checks.check_unscored(1, 2, 1),
        *checks.check_weights(targeted=1, weighted=False),
    ]
    assert all(one.code and one.text.endswith(".") and one.remedy.endswith(".") for one in found)
