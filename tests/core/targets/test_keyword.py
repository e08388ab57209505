"""The recorded keyword retrieval, exactly."""

import json

import pytest

from core.domain.sources.documents import Document
from core.sources.corpus import load_corpus
from core.targets import open_target
from core.targets.keyword import KeywordRetriever, keyword_tokens
from tests.support.shared_data import shared


def documents(*texts):
    return [Document(id=str(place), title="", text=text) for place, text in enumerate(texts)]


def found(texts, question, k):
    return [(document.id, score) for document, score in KeywordRetriever(documents(*texts)).search(question, k)]


@pytest.mark.parametrize(
    ("name", "rows"),
    [("short", 314), ("short_balanced", 471), ("long", 257), ("long_balanced", 471)],
)
def test_every_recorded_top_id_comes_out(name, rows):
    folder = shared("grammar-aurp")
    target = open_target("keyword", load_corpus(folder / "documents.json"))
    recorded = json.loads((folder / "eval_results" / f"results_{name}.json").read_text(encoding="utf-8"))
    assert len(recorded) == rows
    for row in recorded:
        assert list(target.answer("", row["query"]).document_ids) == row["retrieved_document_ids"]


def test_tokens_keep_case_and_punctuation_and_split_the_possessive():
    assert keyword_tokens("Jane's Jane’s jane, (x)") == {"'s", "’s", "Jane", "jane", ",", "(", ")", "x"}


def test_score_is_the_number_of_shared_distinct_tokens():
    # {the, manager, of, x} against {the, the, manager} shares 2, against {manager, of, x, .} shares 3
    assert found(["the the manager", "manager of x."], "the manager of x", 2) == [("1", 3.0), ("0", 2.0)]


def test_letter_case_counts():
    assert found(["Manager", "manager"], "manager", 1) == [("1", 1.0)]


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_first_document_wins_ties(k):
    assert [name for name, _ in found(["a b", "b a", "a b c"], "a b", k)] == ["0", "1", "2"][:k]


def test_nothing_shared_still_returns_k_documents_like_the_reference():
    assert found(["a", "b"], "z", 1) == [("0", 0.0)]


def test_k_beyond_the_corpus_returns_all_of_it():
    assert len(found(["a", "b"], "a", 9)) == 2


def test_agrees_with_the_definition_written_out():
    texts = [f"w{i % 7} w{i % 5} 's {i}," for i in range(60)]
    for question in ("w1 w3 's", "w6 59 ,", "nothing", "w0 w0 w4, (w2)"):
        scores = [len(keyword_tokens(text) & keyword_tokens(question)) for text in texts]
        expected = sorted(range(60), key=lambda place: (-scores[place], place))[:10]
        assert found(texts, question, 10) == [(str(place), float(scores[place])) for place in expected]


@pytest.mark.slow
def test_ten_thousand_documents_are_searched_from_an_index():
    # How long it takes is measured in bench/bench_targets.py.
    retriever = KeywordRetriever(
        documents(*(f"the branch number {i} of the bank, opened in {i}." for i in range(10_000)))
    )
    for place in range(100):
        assert retriever.search(f"the branch number {place + 3000} of the bank?", 1)[0][0].id == str(place + 3000)
