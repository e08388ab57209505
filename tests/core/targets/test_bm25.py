"""BM25: sound, quiet and deterministic."""

import pytest

from core.domain.sources.documents import Corpus, Document
from core.targets import open_target
from core.targets.bm25 import Bm25Retriever


def documents(*texts):
    return [Document(id=str(place), title="", text=text) for place, text in enumerate(texts)]


def ids(retriever, question, k=3):
    return [document.id for document, _ in retriever.search(question, k)]


def test_a_rare_word_weighs_more_than_a_common_one():
    texts = ["branch bank branch", "branch with a vault", "branch bank", "branch bank fees"]
    assert ids(Bm25Retriever(documents(*texts)), "branch vault", 1) == ["1"]


def test_letter_case_and_function_words_do_not_count():
    retriever = Bm25Retriever(documents("Who is it of the", "HARBOUR street"))
    assert ids(retriever, "Who is the Harbour of it") == ["1"]


def test_titles_are_searched():
    page = Document(id="t", title="Harbour Street", text="Jane leads it.")
    assert ids(Bm25Retriever([*documents("Hill Road"), page]), "harbour") == ["t"]


def test_documents_without_a_word_of_the_question_are_not_retrieved():
    retriever = Bm25Retriever(documents("harbour", "hill"))
    assert ids(retriever, "harbour") == ["0"]
    assert ids(retriever, "unheard of") == []


def test_the_first_document_wins_ties_and_scores_do_not_change():
    retriever = Bm25Retriever(documents("a vault", "a vault", "a vault", "a door"))
    assert ids(retriever, "vault", 2) == ["0", "1"]
    assert retriever.search("vault", 2) == retriever.search("vault", 2)


def test_score_follows_the_formula():
    # N = 2, n = 1: ln(1 + (2 - 1 + 0.5) / (1 + 0.5)) = ln 2 = 0.6931; both texts have length 1 = average, so
    # tf part = 1 / (1 + 1.5 * (1 - 0.75 + 0.75)) = 1 / 2.5 = 0.4 (Lucene leaves out k1 + 1): 0.6931 * 0.4 = 0.2773
    [(_, score)] = Bm25Retriever(documents("vault", "door")).search("vault", 1)
    assert score == pytest.approx(0.2773, abs=1e-4)


def test_texts_of_function_words_only():
    assert Bm25Retriever(documents("the of", "and")).search("the", 3) == []


def test_nothing_is_printed(capfd):
    corpus = Corpus(documents=tuple(documents("The vault is open.", "The door is closed.")))
    response = open_target("bm25", corpus, k=2).answer("c1", "Is the vault open?")
    assert response.document_ids == ("0",)
    assert capfd.readouterr() == ("", "")
