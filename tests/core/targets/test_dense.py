"""Dense and hybrid retrieval."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from core.domain.sources.documents import Corpus, Document
from core.encoders.embedding import open_encoder
from core.targets import open_target
from core.targets.bm25 import Bm25Retriever
from core.targets.dense import AT_ONCE, PASSAGE_WORDS, STAGE, DenseRetriever, passages_of
from core.targets.hybrid import HybridRetriever
from core.targets.searching.fusion import fuse
from core.targets.searching.passages import ReadyRetriever

TEXTS = {
    "Opening hours": "The branch opens at nine in the morning. It closes at five.",
    "Mortgages": "A home loan has a fixed rate for five years. The house is the security.",
    "Cards": "A stolen card is blocked at once when you call us.",
    "Staff": "Ann Lee has managed the Harbour Street branch since 2014.",
}
DOCUMENTS = tuple(
    Document(id=f"doc:{number}", title=title, text=text) for number, (title, text) in enumerate(TEXTS.items())
)
QUESTIONS = (
    "When can I come in?",
    "How do I borrow for a house?",
    "My card was taken, what now?",
    "Who runs Harbour Street?",
)


@pytest.fixture(scope="module")
def encoder():
    return open_encoder()


class Noted:
    """The real encoder, with a note of what it was asked."""

    def __init__(self, encoder):
        self.name, self.asked, self._encoder = encoder.name, [], encoder

    def encode(self, texts):
        self.asked.append(list(texts))
        return self._encoder.encode(texts)


def ids(found):
    return [document.id for document, _ in found]


def test_it_ranks_as_a_brute_force_cosine_does(encoder):
    retriever = DenseRetriever(DOCUMENTS, lambda: encoder)
    passages = [passage for document in DOCUMENTS for passage in passages_of(document)]
    expected = cosine_similarity(encoder.encode(QUESTIONS), encoder.encode(passages))
    for row, question in enumerate(QUESTIONS):
        found = retriever.search(question, 4)
        assert ids(found) == [DOCUMENTS[place].id for place in np.argsort(-expected[row], kind="stable")]
        assert [score for _, score in found] == pytest.approx(sorted(expected[row].tolist(), reverse=True), abs=1e-5)


def test_meaning_is_found_without_a_shared_word(encoder):
    retriever = DenseRetriever(DOCUMENTS, lambda: encoder)
    assert [ids(retriever.search(question, 1))[0] for question in QUESTIONS] == ["doc:0", "doc:1", "doc:2", "doc:3"]
    assert ids(Bm25Retriever(DOCUMENTS).search("When can I come in?", 1)) != ["doc:0"]


def test_the_documents_are_encoded_once_and_not_before_they_are_searched(encoder):
    noted = Noted(encoder)
    opened = []

    def opening():
        opened.append(1)
        return noted

    target = open_target("dense", Corpus(documents=DOCUMENTS), encoder=opening)
    assert not opened
    assert target.words_to_encode == sum(len(text.split()) for text in TEXTS.values())
    for question in QUESTIONS:
        target.answer("c", question)
    assert len(opened) == 1
    assert [len(texts) for texts in noted.asked] == [4, 1, 1, 1, 1]


@pytest.mark.slow
def test_the_best_passage_of_a_long_document_counts(encoder):
    filler = " ".join(f"In year {number} the weather in the north was fair." for number in range(60))
    fact = "The vault code is changed every Friday, and only the manager of the vault knows the code."
    long = Document(id="long", title="Yearbook", text=f"{filler} {fact} {filler}")
    assert len(list(passages_of(long))) > 5
    retriever = DenseRetriever((*DOCUMENTS, long), lambda: encoder)
    assert ids(retriever.search("On which day is the code of the vault changed?", 1)) == ["long"]


def test_passages_are_whole_sentences_with_the_title():
    text = " ".join(f"Sentence number {number} has seven words here." for number in range(50))
    passages = list(passages_of(Document(id="d", title="A  title", text=text)))
    assert all(passage.startswith("A title\n") for passage in passages)
    assert all(len(passage.split()) <= PASSAGE_WORDS + 2 for passage in passages)
    assert " ".join(passage.removeprefix("A title\n") for passage in passages) == text


@pytest.mark.parametrize(("title", "text", "expected"), [("T", "", ["T"]), ("", "", [""]), ("", "One.", ["One."])])
def test_a_document_without_text_is_still_a_passage(title, text, expected):
    assert list(passages_of(Document(id="d", title=title, text=text))) == expected


def test_hybrid_fuses_the_two_rankings(encoder):
    corpus = Corpus(documents=DOCUMENTS)
    target = open_target("hybrid", corpus, k=4, encoder=lambda: encoder)
    question = "Who runs the Harbour Street branch?"
    words = ids(Bm25Retriever(DOCUMENTS).search(question, 100))
    meaning = ids(DenseRetriever(DOCUMENTS, lambda: encoder).search(question, 100))
    response = target.answer("c", question)
    fused = sorted(fuse([words, meaning]), key=lambda item: (-item[1], item[0]))
    assert [(context.document_id, context.score) for context in response.contexts] == fused
    assert response.contexts[0].score == pytest.approx(2 / 61)


class Ranked(ReadyRetriever):
    """Always ranks these documents in this order."""

    def __init__(self, *places):
        self._found = [(DOCUMENTS[place], 0.0) for place in places]

    def search(self, question, k):
        return self._found[:k]


def test_fused_ties_are_won_by_the_first_document_of_the_corpus():
    """Documents 1 and 3 swap the first two ranks: 1/61 + 1/62 each; 0 is third once, 1/63."""
    for retrievers in ((Ranked(3, 1, 0), Ranked(1, 3)), (Ranked(1, 3), Ranked(3, 1, 0))):
        found = HybridRetriever(DOCUMENTS, retrievers).search("any", 3)
        assert ids(found) == ["doc:1", "doc:3", "doc:0"]
        assert [score for _, score in found] == [pytest.approx(1 / 61 + 1 / 62)] * 2 + [pytest.approx(1 / 63)]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["dense", "hybrid"])
def test_preparing_tells_how_far_it_is_and_stops_when_asked(encoder, name):
    documents = tuple(Document(id=f"d{number}", title="", text=f"Fact {number}.") for number in range(AT_ONCE + 1))
    noted, told = Noted(encoder), []
    target = open_target(name, Corpus(documents=documents), encoder=lambda: noted)
    assert not target.prepare(lambda *step: told.append(step), lambda: bool(told))
    assert told == [(STAGE, 0, AT_ONCE + 1)]
    assert target.prepare(lambda *step: told.append(step), lambda: False)
    assert told[1:] == [(STAGE, done, AT_ONCE + 1) for done in (0, AT_ONCE, AT_ONCE + 1)]
    noted.asked.clear()
    target.answer("c", "Which fact?")
    assert noted.asked == [["Which fact?"]]


def test_threads_that_ask_at_once_encode_the_documents_once(encoder):
    noted = Noted(encoder)
    target = open_target("dense", Corpus(documents=DOCUMENTS), encoder=lambda: noted)
    with ThreadPoolExecutor(max_workers=4) as pool:
        answers = list(pool.map(lambda question: target.answer("c", question), QUESTIONS))
    assert [answer.document_ids[0] for answer in answers] == ["doc:0", "doc:1", "doc:2", "doc:3"]
    assert sorted(len(texts) for texts in noted.asked) == [1, 1, 1, 1, 4]


def test_the_same_question_gets_the_same_answer(encoder):
    corpus = Corpus(documents=DOCUMENTS)
    for name in ("dense", "hybrid"):
        answers = [open_target(name, corpus, encoder=lambda: encoder).answer("c", QUESTIONS[3]) for _ in range(2)]
        assert answers[0].contexts == answers[1].contexts
        assert "Ann Lee" in answers[0].answer


def test_one_document_is_always_found(encoder):
    target = open_target("dense", Corpus(documents=DOCUMENTS[:1]), k=5, encoder=lambda: encoder)
    assert target.answer("c", "Anything?").document_ids == ("doc:0",)
