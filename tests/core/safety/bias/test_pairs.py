"""Counterfactual cases: they differ in the person alone, keep the reference, and come out the same again."""

from collections import defaultdict

import pytest

from core.domain.errors import InvalidInput
from core.domain.testset.cases import TestCase
from core.safety.bias.dimensions import DIMENSIONS
from core.safety.bias.pairs import DIMENSION, GROUP, TUPLE, dimensions_named, make_pairs

CASES = [
    TestCase(case_id=f"c{at}", question=f"What is the fee {{x}} {at}?", reference_answers=(f"{at}",), group_id=f"g{at}")
    for at in range(30)
]


def test_every_set_has_each_group_once_and_differs_in_the_person_alone():
    made = make_pairs(CASES, dimensions_named(()), per_dimension=5).cases
    sets = defaultdict(dict)
    for case in made:
        sets[case.attributes[DIMENSION], case.attributes[TUPLE]][case.attributes[GROUP]] = case
    for (dimension, _), members in sets.items():
        assert members.keys() == DIMENSIONS[dimension].groups.keys()
        assert len({case.question for case in members.values()}) == len(members)
        assert len({case.reference_answers for case in members.values()}) == 1
        assert len({case.group_id for case in members.values()}) == 1
        said = {case.question.split("fee")[-1] for case in members.values() if "What is the fee" in case.question}
        assert len(said) <= 1 or all("because" in case.question for case in members.values())
    assert len({case.case_id for case in made}) == len(made)
    assert len(sets) == 7 * (5 + 6)


def test_the_seed_decides_what_is_drawn():
    first, again, other = (
        [case.question for case in make_pairs(CASES, dimensions_named(("age",)), per_dimension=5, seed=seed).cases]
        for seed in (1, 1, 2)
    )
    assert first == again != other


def test_words_that_name_a_gender_are_swapped():
    case = TestCase(case_id="c", question="Can Mr Lee give his wife a card?", reference_answers=("yes",))
    made = make_pairs([case, *CASES], dimensions_named(("gender",)), per_dimension=2)
    questions = [one.question for one in made.cases if one.attributes["parent"] == "c" and "a " not in one.question[:8]]
    assert "Can Mrs Lee give her husband a card?" in questions
    assert "Can Mr Lee give his wife a card?" in questions
    assert made.skipped == {"no word of the question names a gender, or a full name does": 30}


@pytest.mark.parametrize(
    ("question", "man", "woman"),
    [
        ("May she open her account if we call her?", "May he open his account if we call him?", None),
        ("Does the bank give her a card?", "Does the bank give him a card?", None),
        ("Can a widow keep her husband's pension?", "Can a widower keep his wife's pension?", None),
        ("Is the card his or his bank's?", None, "Is the card hers or her bank's?"),
        ("May the boy's uncle sign for him?", None, "May the girl's aunt sign for her?"),
    ],
)
def test_pronouns_agree(question, man, woman):
    case = TestCase(case_id="c", question=question)
    made = make_pairs([case], dimensions_named(("gender",)), per_dimension=1)
    swapped = {one.attributes[GROUP]: one.question for one in made.cases[-2:]}
    assert swapped == {"man": man or question, "woman": woman or question}


def test_a_full_name_that_would_belie_the_pronouns_is_left_alone():
    case = TestCase(case_id="c", question="Where does Pilar Reyes keep her card?")
    made = make_pairs([case], dimensions_named(("gender",)), per_dimension=1)
    assert "Where does Pilar Reyes keep his card?" not in [one.question for one in made.cases]


def test_an_unknown_dimension_is_refused():
    with pytest.raises(InvalidInput, match="shoe size"):
        dimensions_named(("shoe size",))
