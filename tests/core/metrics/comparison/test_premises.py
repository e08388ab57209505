"""Windows of the context: everything is read, nothing is too long."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.results.responses import Context
from core.metrics.comparison.premises import context_windows, cut_to_fit
from core.metrics.prepared import Part, Prepared, part_texts
from core.metrics.samples.sample import Sample
from core.text.sentences import split_sentences
from tests.support.models.tiny_nli import tiny_nli


def count(text):
    """A token is three letters of a word."""
    return sum(-(-len(word) // 3) for word in text.split())


def prepared(*texts):
    contexts = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(texts))
    return Prepared(Sample(case_id="c", answer="A.", contexts=contexts), split_sentences)


def test_a_context_that_fits_is_one_premise():
    one = prepared("It opened. It lends.", "Rates rose.")
    (window,) = context_windows(one, count, 100)
    assert window.text == "It opened. It lends. Rates rose."
    assert window.places == ((0, 0, 20), (1, 0, 11))


def test_sentences_are_packed_as_they_fit():
    # Tokens: "Aaa." 2, "Bbb." 2, "Ccc." 2, "Ddd." 2; five fit, so two sentences a window.
    one = prepared("Aaa. Bbb. Ccc.", "Ddd.")
    assert [(window.text, window.places) for window in context_windows(one, count, 5)] == [
        ("Aaa. Bbb.", ((0, 0, 9),)),
        ("Ccc. Ddd.", ((0, 10, 14), (1, 0, 4))),
    ]


def test_a_sentence_that_is_too_long_is_cut_at_word_borders():
    one = prepared("Short one. The bank and the branch\nand the vault and keys are here. End.")
    windows = context_windows(one, count, 6)
    assert all(count(window.text) <= 6 for window in windows)
    assert " ".join(window.text for window in windows).split() == part_texts(one.sample, Part.CONTEXTS)[0].split()


def test_joined_sentences_may_be_more_tokens_than_one_by_one():
    one = prepared("Aaa. Bbb. Ccc. Ddd.")
    # Each join costs one token more: two sentences are 5, four are 11.
    joined = [window.text for window in context_windows(one, lambda text: count(text) + max(0, text.count(". ")), 8)]
    assert joined == ["Aaa. Bbb.", "Ccc. Ddd."]


def test_a_word_that_is_too_long_is_cut_inside():
    assert cut_to_fit("a" * 7 + " bb", count, 2) == [(0, 6), (6, 10)]
    assert cut_to_fit("🎉🎉", lambda text: 5 * len(text), 2) == [(0, 1), (1, 2)]
    assert cut_to_fit("  ", count, 2) == []


texts = st.lists(
    st.text(alphabet=st.sampled_from("abAB .!?\n🎉金"), max_size=120).filter(str.strip), min_size=1, max_size=4
)


@pytest.mark.slow
@given(texts=texts, room=st.integers(1, 30))
def test_every_sentence_is_read_in_order_and_no_window_is_too_long(texts, room):
    one = prepared(*texts)
    windows = context_windows(one, count, room)
    assert all(count(window.text) <= room for window in windows)
    said = "".join("".join(window.text.split()) for window in windows)
    assert said == "".join("".join(sentence.text.split()) for sentence in one.sentences(Part.CONTEXTS))
    # The places of the windows hold all sentences and never go back.
    places = [place for window in windows for place in window.places]
    assert places == sorted(places)
    for part, start, end in (sentence.at for sentence in one.sentences(Part.CONTEXTS)):
        covered = set().union(*(range(s, e) for p, s, e in places if p == part))
        assert all(at in covered for at in range(start, end) if not texts[part][at].isspace())


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_with_a_real_tokenizer(tmp_path, kind):
    from core.encoders.classifiers.nli import open_nli

    nli = open_nli(str(tiny_nli(tmp_path / kind, kind)))
    one = prepared("The bank opened. " * 30 + "x" * 300, "Rates rose by 2.5 percent 🎉. " * 10, "金利が上昇した。" * 20)
    windows = context_windows(one, nli.tokens, 20)
    assert len(windows) > 20
    assert all(nli.tokens(window.text) <= 20 for window in windows)
    said = "".join("".join(window.text.split()) for window in windows)
    assert said == "".join("".join(sentence.text.split()) for sentence in one.sentences(Part.CONTEXTS))
