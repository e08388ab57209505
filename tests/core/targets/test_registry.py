"""Targets are found by name, and a wrong spec says what to write."""

import pytest

from core.domain.errors import InvalidInput
from core.domain.sources.documents import Corpus, Document
from core.targets import list_targets, open_target
from core.targets.protocol import TargetSpec
from core.targets.registry import register
from core.targets.searching.reader import ABSTENTION

CORPUS = Corpus(
    documents=(
        Document(id="branch:1", title="Hill Road branch", text="Hill Road opened in 2001."),
        Document(id="branch:2", title="Harbour Street branch", text="Harbour Street opened in 2014."),
    )
)


def test_the_built_in_ones_are_listed_in_plain_words():
    specs = {spec.name: spec for spec in list_targets()}
    assert {"keyword", "bm25", "recorded"} <= set(specs)
    assert list(specs) == sorted(specs)
    assert specs["recorded"].usage == "recorded:FILE"
    assert [specs[name].needs_corpus for name in ("keyword", "bm25", "recorded")] == [True, True, False]
    assert all(spec.question.endswith("?") and spec.title for spec in specs.values())


@pytest.mark.parametrize(("name", "default_k"), [("keyword", 1), ("bm25", 3)])
def test_a_built_in_target_answers_with_its_contexts(name, default_k):
    target = open_target(name, CORPUS)
    assert target.k == default_k
    response = target.answer("c1", "When did 'Harbour Street' open?")
    assert (response.case_id, response.answer, response.abstained) == ("c1", "Harbour Street opened in 2014.", False)
    best = response.contexts[0]
    assert (best.document_id, best.text) == ("branch:2", "Harbour Street opened in 2014.")
    assert best.score > 0
    assert response.latency_s >= 0
    assert response.error == ""


def test_an_abstention_is_told():
    response = open_target("bm25", CORPUS, k=1).answer("c1", "Who manages 'Harbour Street'?")
    assert (response.answer, response.abstained, len(response.contexts)) == (ABSTENTION, True, 1)


def test_nothing_retrieved_is_an_abstention():
    response = open_target("bm25", CORPUS).answer("c1", "'Unheard'?")
    assert (response.answer, response.contexts) == (ABSTENTION, ())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("dense9", "no target 'dense9'"),
        ("", "no target ''"),
        ("recorded", "is incomplete"),
        ("recorded:", "is incomplete"),
        ("keyword:x", "an argument too many"),
    ],
)
def test_a_wrong_spec_says_what_to_write(spec, message):
    with pytest.raises(InvalidInput, match=message) as caught:
        open_target(spec, CORPUS)
    assert "recorded:FILE" in caught.value.hint or "Write" in caught.value.hint


@pytest.mark.parametrize("k", [0, -1, 101, 1.5])
def test_k_out_of_range(k):
    with pytest.raises(InvalidInput, match="k is"):
        open_target("keyword", CORPUS, k=k)


@pytest.mark.parametrize("corpus", [None, Corpus(documents=())])
def test_no_documents(corpus):
    with pytest.raises(InvalidInput, match="there are none"):
        open_target("bm25", corpus)


def test_a_name_is_taken_once():
    list_targets()
    with pytest.raises(ValueError, match="two targets"):
        register(TargetSpec(name="keyword", title="", question="", needs_corpus=True))(lambda argument, corpus, k: None)
