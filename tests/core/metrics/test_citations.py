"""Marks of citation: what is one, what is content, and that no metric takes them for words or numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.results.responses import Context
from core.encoders.embedding import open_encoder
from core.judging.match.abstention import abstains
from core.metrics import Models, Sample, find_metric, score_samples
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part
from core.text.citations import cited_sentences, without_marks
from core.text.sentences import split_sentences

PLAIN = "The fee is 5. It is due monthly."
NAMES = (
    "faithfulness",
    "groundedness",
    "groundedness_weighted",
    "lexical_precision",
    "completeness",
    "answer_relevancy",
    "context_relevancy",
    "embedding_similarity",
    "wasserstein",
    "sentence_recall",
    "sentence_precision",
    "answered",
    "normalised_match",
)


def scored(answer, passage=PLAIN, names=NAMES, reference=PLAIN):
    sample = Sample(
        case_id="c",
        question="What is the fee?",
        answer=answer,
        contexts=(Context(document_id="d", text=passage),),
        references=(reference,),
    )
    (found,) = score_samples([sample], [find_metric(name) for name in names], Models(encoder=open_encoder()))
    return sample, {score.metric: score for score in found}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("The fee is 5 [4].", "The fee is 5."),
        ("The fee is 5 [1]. It is due [1][2].", "The fee is 5. It is due."),
        ("The fee is 5.[1] It is due[2].", "The fee is 5. It is due."),
        ("The fee is 5 [1, 3], due [2-4]; or [2–4] not [1], [2].", "The fee is 5, due; or not."),
        ("The fee is 5 [^1].", "The fee is 5."),
        (
            "On the basis of [2], as per [1], in line with [3] it is 5.",
            "On the basis of, as per, in line with it is 5.",
        ),
        ("N/A [2]", "N/A"),
        ("[1] The fee is 5.", "The fee is 5."),
        ("As stated in [1], according to [2] and [3], it is 5.", "As stated in, according to and, it is 5."),
        ("月费是5[2]。", "月费是5。"),
    ],
)
def test_what_is_a_mark(text, left):
    assert without_marks(text) == left


@pytest.mark.parametrize(
    "text",
    [
        "The report of [2024] is here.",
        "See [2024].",
        "The fee is [45].",
        "It costs [4] EUR.",
        "A value in [1, 10] is fine.",
        "scores[1] = 5",
        "x[1]",
        "items[0].",
        "The fee [sic] is 5 [see below].",
        "[1]",
        "[1] [2]",
        "(1) The fee is 5.",
        "",
    ],
)
def test_what_is_content(text):
    assert without_marks(text) == text


@pytest.mark.parametrize(
    "marked",
    ["The fee is 5 [1]. It is due monthly [1][2].", "[3] The fee is 5.[1, 3]\n\nIt is due monthly [2-4].\n\n[5]"],
)
def test_no_metric_looks_at_marks(marked):
    """Neither in the answer, nor in the passages, nor in the reference."""
    _, plain = scored(PLAIN)
    for arguments in ({"answer": marked}, {"answer": PLAIN, "passage": marked}, {"answer": PLAIN, "reference": marked}):
        _, found = scored(**arguments)
        if "\n" in marked:
            found.pop("normalised_match")  # a line of marks only is a line of the text
        assert {name: score.value for name, score in found.items()} == pytest.approx(
            {name: plain[name].value for name in found}, abs=1e-9
        ), arguments
    assert plain["faithfulness"].value == pytest.approx(1.0, abs=1e-6)


def test_places_are_those_of_the_original_text():
    sample, found = scored("The fee is 5 [1]. It is due monthly [1][2].")
    first, second = read_sentences(found["groundedness"].detail)
    assert words_at(sample, Part.ANSWER, first.at) == "The fee is 5 [1]."
    assert words_at(sample, Part.ANSWER, second.at) == "It is due monthly [1][2]."


def test_an_invented_number_beside_a_mark_is_still_missing():
    _, found = scored("The fee is 7 [1].")
    assert found["faithfulness"].detail["missing"] == [{"kind": "number", "text": "7"}]


def test_the_reference_implementations_of_token_f1_and_rouge_see_every_word():
    """They stay as published: five of the six words of the answer are the reference's, and 1 is a word to them."""
    _, found = scored("It is due every month [1].", names=["token_f1", "rouge_l"], reference="It is due every month.")
    assert [found[name].value for name in ("token_f1", "rouge_l")] == pytest.approx([2 * 5 / 11] * 2)


def test_declining_with_a_mark_declines():
    assert abstains("Who?", "Unknown [1].")
    assert abstains("Who?", "I do not know [1]. The documents do not say [2, 3].")
    assert not abstains("Who?", "Ann Lee [1].")


def test_sentences_of_marks_only_are_left_out_unless_there_is_no_other():
    for text, left in (("The fee is 5.\n\n[1][2]", ["The fee is 5."]), ("[1]\n\n[2]", ["[1]", "[2]"]), ("", [])):
        assert [words for words, _ in cited_sentences(split_sentences(text))] == left


@given(st.text(alphabet="ab is 15[],-. ^\n【】", max_size=40))
def test_nothing_but_marks_is_taken_away(text):
    left = without_marks(text)
    assert [c for c in left if c.isalpha()] == [c for c in text if c.isalpha()]
    assert left or not text.strip()


@pytest.mark.parametrize("text", [" " * 50_000 + "[1", "[" * 50_000, "[1" + " " * 50_000, "[1" + ", 1" * 30_000])
def test_a_long_text_without_a_whole_mark_keeps_its_words(text):
    # How long it takes is measured in bench/bench_long_inputs.py; what is not linear takes minutes here.
    assert without_marks(text).strip() == text.strip()
