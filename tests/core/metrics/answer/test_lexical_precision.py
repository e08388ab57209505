"""Lexical precision: content words of the answer that occur in the passages, sentence by sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from core.domain.results.responses import Context
from core.domain.status import Status
from core.metrics import Sample
from core.metrics.comparison.lexical import lookup_words
from core.metrics.evidence import read_sentences, words_at
from core.metrics.prepared import Part
from tests.support.models.scripted_encoder import score_of
from tests.support.shared_data import shared


def score(answer, *texts, **fields):
    return score_of("lexical_precision", sample(answer, *texts, **fields), {})


def sample(answer, *texts, **fields):
    contexts = tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(texts))
    return Sample(**{"case_id": "c", "answer": answer, "contexts": contexts, **fields})


BASEL = "The Basel branch opened in 2014. It is managed by Jane Doe."


def test_the_share_of_content_words_by_stem():
    # Content words: basel, branches, opening, 2014, manager, ann, lee = 7. In the passage by stem: basel, branch,
    # open, 2014, manage = 5. Unfound: ann, lee.
    found = score("Basel branches: opening in 2014, the manager is Ann Lee.", BASEL)
    assert found.value == pytest.approx(5 / 7)
    assert found.detail["unfound"] == ["ann", "lee"]
    assert found.detail["words"] == 7


def test_each_sentence_has_the_share_of_its_own_words():
    # 1: basel, opened, 2014: 3 of 3. 2: it, is: no content word. 3: ann, lee, managed, ann: 1 of 4. All: 4 of 7.
    found = score("Basel opened in 2014. So it is. Ann Lee managed Ann.", BASEL)
    rows = read_sentences(found.detail)
    assert [row.value for row in rows] == [1.0, None, 0.25]
    assert [row.weight for row in rows] == [pytest.approx(3 / 7, abs=1e-6), 0.0, pytest.approx(4 / 7, abs=1e-6)]
    assert rows[1].note == "no content words"
    assert found.detail["worst"] == 2
    assert words_at(sample("Basel opened in 2014. So it is. Ann Lee managed Ann."), Part.ANSWER, rows[2].at) == (
        "Ann Lee managed Ann."
    )
    assert found.value == pytest.approx(4 / 7)
    assert found.detail["unfound"] == ["ann", "lee"]


def test_numbers_are_looked_up_whole():
    assert score("4.50", "The fee is 4.5 or 50.").value == 0.0
    assert score("4.50", "The fee is (4.50).").value == 1.0


def test_an_answer_of_function_words_is_looked_up_with_all_its_words():
    assert score("No.", "No fee is due.").value == 1.0
    assert score("No.", "A fee is due.").value == 0.0


@pytest.mark.parametrize(
    "text", [BASEL, "東京支店は2014年に開業した。", "Привет, мир!", "افتتح فرع بازل", "🎉", "...", "No."]
)
def test_identical_texts_are_perfect(text):
    found = score(text, text)
    assert found.value == 1.0
    assert found.detail["unfound"] == []


def test_scripts_without_blanks_are_looked_up_by_pairs_of_characters():
    assert lookup_words("2014年に開業") == ["2014", "年に", "に開", "開業"]
    # 東京, 京支, 支店 against 大京, 京支, 支社: one of three.
    assert score("東京支店", "大京支社").value == pytest.approx(1 / 3)


def test_nothing_retrieved_has_none_of_the_words():
    found = score("Jane Doe manages it.")
    assert found.value == 0.0
    assert found.detail["rule"] == "nothing retrieved"
    assert score("Jane Doe manages it.", "🎉").value == 0.0


def test_what_is_missing_has_no_value():
    assert score("Jane Doe.", contexts=None).status is Status.MISSING_INPUT
    assert score("Jane Doe.", "", " ").status is Status.MISSING_INPUT
    assert score(None, BASEL).status is Status.MISSING_INPUT
    empty = score("  ", BASEL)
    assert empty.status is Status.NOT_APPLICABLE
    assert empty.detail["reason"] == "The answer is empty."


def test_an_abstention_is_computed_and_marked():
    found = score("I could not find the manager.", BASEL)
    # find, manager; only manager by stem.
    assert found.value == 0.5
    assert found.detail["abstained"] is True


def test_the_evidence_is_bounded():
    found = score(" ".join(f"word{place}" for place in range(200)), BASEL)
    assert found.value == 0.0
    assert len(found.detail["unfound"]) == 50
    assert found.detail["words"] == 200


WORDS = st.lists(
    st.sampled_from(["basel", "branch", "fee", "opened", "2014", "the", "is", "no"]), min_size=1, max_size=9
)
TEXTS = st.lists(WORDS.map(" ".join), min_size=1, max_size=4)


@pytest.mark.slow
@given(WORDS.map(" ".join), TEXTS, WORDS.map(" ".join))
def test_another_passage_never_lowers_it_and_their_order_does_not_matter(answer, texts, another):
    found = score(answer, *texts).value
    assert 0.0 <= found <= 1.0
    assert score(answer, *reversed(texts)).value == found
    assert score(answer, *texts, another).value >= found
    assert score(answer, *texts, answer).value == 1.0
    assert score(answer, "zebra").value == 0.0


@pytest.mark.slow
@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_has_a_value_in_range_or_a_reason(answer, text):
    found = score(answer, text)
    assert found.detail["reason"] if found.value is None else 0.0 <= found.value <= 1.0


@pytest.mark.slow
def test_it_goes_with_human_faithfulness():
    data = json.loads(shared("mtrag/reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    tasks = {task["task_id"]: task for task in data["tasks"]}
    texts = {document["document_id"]: document["text"] for document in data["documents"]}
    ours, human = [], []
    for row in data["evaluations"]:
        known = tasks[row["task_id"]]["contexts"]
        if row["model_id"] == "reference" or not known:
            continue
        ours.append(score(row["model_response"], *(texts[context["document_id"]] for context in known)).value)
        raters = row["annotations"]["faithfulness"].values()
        human.append(sum(float(rater["value"]) for rater in raters) / len(raters))
    assert len(ours) == 300
    # .703; without stems .710, distinct words .707, all tokens .684, with the bare words of an earlier trial .692.
    assert spearmanr(ours, human).statistic == pytest.approx(0.70, abs=0.02)
