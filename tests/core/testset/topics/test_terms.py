import math

import numpy as np
import pytest

from core.domain.sources.topics import Term
from core.testset.topics.terms import coherence, count_words, examples, topic_terms


def test_weights_are_those_of_the_equation():
    words = count_words(["loan loan", "loan branch", "branch card"])
    terms = topic_terms(words, np.array([0, 0, 1]))

    # words and pairs: topic 0 says loan 3, branch 1, "loan loan" 1, "loan branch" 1: 6 in all; topic 1 branch 1,
    # card 1, "branch card" 1: 3. The mean is 4.5; loan: 3/6 * log(1 + 4.5/3)
    assert terms[0][0].text == "loan"
    assert terms[0][0].weight == pytest.approx(3 / 6 * math.log(1 + 4.5 / 3))
    # card: 1/3 * log(1 + 4.5/1); the pair "branch card" weighs the same and holds card
    assert [term.text for term in terms[1]] == ["branch card"]


def test_a_word_and_a_pair_with_it_are_not_both_named():
    texts = ["cash machine fee", "cash machine limit", "loan", "loan"]
    named = [term.text for term in topic_terms(count_words(texts), np.array([0, 0, 1, 1]))[0]]

    assert "cash machine" in named
    assert "cash" not in named
    assert "machine" not in named


def test_figures_and_stop_words_name_nothing():
    words = count_words(["the 4711 and of 12 cards’ 2026", "l'hôtel -x- e-mail"])

    assert words.names.tolist() == ["cards", "e-mail", "l'hôtel", "l'hôtel e-mail"]


def test_texts_without_words_have_no_terms():
    words = count_words(["1 2 3", "the"])
    labels = np.array([0, 1])

    assert topic_terms(words, labels) == {0: (), 1: ()}
    assert coherence(words, labels, {0: (), 1: ()}) == {}
    assert examples(words, labels, ["a", "b"]) == {0: ("a",), 1: ("b",)}


def test_coherence_is_npmi():
    # a in 2 of 4, b in 2 of 4, together in 1: pmi = log(.25 / .25) = 0
    words = count_words(["alpha beta", "alpha", "beta", "gamma"])
    labels = np.array([0, 0, 0, 0])
    terms = {0: (Term(text="alpha", weight=1), Term(text="beta", weight=1))}
    assert coherence(words, labels, terms)[0] == pytest.approx(0)

    # together in every second text and never alone: log(.5 / .25) / -log(.5) = 1
    words = count_words(["alpha beta", "alpha beta", "gamma", "gamma"])
    assert coherence(words, labels, terms)[0] == pytest.approx(1)

    # never together
    words = count_words(["alpha", "beta", "gamma", "gamma"])
    assert coherence(words, labels, terms)[0] == -1


def test_examples_are_the_chunks_that_say_the_words():
    texts = ["loan", "loan rate loan rate", "weather", "branch", "branch"]
    found = examples(count_words(texts), np.array([0, 0, 0, 1, 1]), list("abcde"), most=2)

    assert set(found[0]) == {"a", "b"}
