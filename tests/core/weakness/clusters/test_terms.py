"""Words that failing questions share."""

import numpy as np

from core.weakness.clusters.terms import common_terms


def test_words_that_all_questions_say_tell_nothing():
    questions = [f"What is the fee of account {name}?" for name in "abcdefgh"]
    questions += [f"What is the penalty fee of account {name}?" for name in "abcd"]
    found = common_terms(questions, np.arange(8, 12), np.arange(8))
    assert [term.text for term in found] == ["penalty fee"]


def test_a_word_of_one_question_of_many_is_no_common_word():
    questions = ["Where is Arden?", "Where is Belmont?", "When was it built?"]
    assert common_terms(questions, np.array([0, 1]), np.array([2])) == ()


def test_without_failing_questions_or_words_there_is_none():
    assert common_terms(["a", "b"], np.empty(0, dtype=np.int64), np.arange(2)) == ()
    assert common_terms(["1", "2", "3"], np.arange(2), np.array([2])) == ()
