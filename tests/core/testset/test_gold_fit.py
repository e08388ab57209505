"""Gold ids of a test set that name documents, and what is said where they do not."""

import pytest

from core.domain.testset.cases import TestSet
from core.testset.gold_fit import GoldFit, gold_fit
from core.testset.service import exclude_case
from tests.support.bank_cases import bank_project
from tests.support.documents.named_documents import shop_project
from tests.support.small_bank import ACTOR


def test_ids_are_counted_once_and_excluded_cases_do_not_count(store, tmp_path):
    _, test_set = shop_project(store, tmp_path, "number")
    assert (gold_fit(store, test_set.id).ids, len(gold_fit(store, test_set.id).missing)) == (12, 12)
    exclude_case(store, test_set.id, "p1", "doubtful", actor=ACTOR)
    assert gold_fit(store, test_set.id).missing[0] == "products:2"


def test_two_forms_of_a_question_ask_for_one_id(store, tmp_path):
    _, test_set = bank_project(store, tmp_path)[:2]
    assert isinstance(test_set, TestSet)
    fit = gold_fit(store, test_set.id)
    assert (fit.ids, fit.missing) == (6, ("branch:6",))
    assert not fit.poor
    assert fit.sentence == "1 of 6 gold ids names no document, such as branch:6."


@pytest.mark.parametrize(
    ("ids", "missing", "poor", "none"), [(10, 10, True, True), (10, 9, True, False), (10, 8, False, False)]
)
def test_below_a_fifth_ids_and_documents_hardly_belong_together(ids, missing, poor, none):
    fit = GoldFit(ids=ids, missing=tuple(f"a:{number}" for number in range(missing)))
    assert (fit.poor, fit.none) == (poor, none)


def test_what_is_said():
    assert GoldFit(ids=3, missing=()).sentence == ""
    assert GoldFit(ids=2, missing=("a:1", "a:2")).sentence == (
        "No gold id of the test set names a document (2 ids, such as a:1, a:2): document recall and precision will "
        "have no value."
    )
