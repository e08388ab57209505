"""The similarity metrics on real sentences with the default encoder."""

import pytest

from core.domain.results.responses import Context
from core.encoders.embedding import open_encoder
from core.metrics import Models, Sample, find_metrics, score_samples
from core.metrics.evidence import read_plan, read_sentences, words_at
from core.metrics.prepared import Part

NAMES = (
    "context_relevancy",
    "context_relevancy_weighted",
    "context_relevancy_min",
    "groundedness",
    "groundedness_weighted",
    "completeness",
    "completeness_weighted",
    "wasserstein",
    "wasserstein_average",
    "answer_relevancy",
    "answer_relevancy_weighted",
    "embedding_similarity",
    "sentence_recall",
    "sentence_precision",
)

PASSAGES = (
    "The Basel branch opened on 3 May 2014. Its manager is Jane Doe, who came from the Zurich branch.",
    "Safe deposit boxes cost 120 francs a year. They can be rented at every branch with a vault.",
)
ANSWERED = Sample(
    case_id="answered",
    question="Who manages the Basel branch? When did it open?",
    answer="Jane Doe manages the Basel branch. It opened in May 2014. Penguins live in Antarctica.",
    contexts=tuple(Context(document_id=f"d{place}", text=text) for place, text in enumerate(PASSAGES)),
    references=("Jane Doe is the manager of the Basel branch. The branch opened on 3 May 2014.",),
)


def scored(*samples):
    models = Models(encoder=open_encoder())
    rows = [score for batch in score_samples(samples, find_metrics(NAMES), models) for score in batch]
    return {(score.case_id, score.metric): score for score in rows}


def changed(case_id, **changes):
    fields = {name: getattr(ANSWERED, name) for name in ("question", "answer", "contexts", "references")}
    return Sample(case_id=case_id, **{**fields, **changes})


def test_the_invented_sentence_is_the_least_grounded_and_least_relevant():
    found = scored(ANSWERED)
    for name in ("groundedness", "groundedness_weighted", "answer_relevancy", "embedding_similarity"):
        detail = found["answered", name].detail
        rows = read_sentences(detail)
        assert words_at(ANSWERED, Part.ANSWER, rows[detail["worst"]].at) == "Penguins live in Antarctica.", name
    rows = read_sentences(found["answered", "groundedness"].detail)
    assert words_at(ANSWERED, Part.CONTEXTS, rows[1].best) == "The Basel branch opened on 3 May 2014."
    assert rows[2].value < 0.3 < 0.6 < rows[0].value


def test_each_metric_tells_a_good_answer_from_a_bad_one():
    found = scored(
        changed("good", answer="Jane Doe manages the Basel branch. It opened in May 2014."),
        changed("bad", answer="Penguins live in Antarctica. They eat fish."),
    )
    for name in ("groundedness", "completeness", "completeness_weighted", "answer_relevancy", "embedding_similarity"):
        assert found["good", name].value > found["bad", name].value + 0.2, name
    for name in ("wasserstein", "wasserstein_average"):
        assert found["good", name].value < found["bad", name].value - 0.1, name


def test_each_metric_tells_good_passages_from_bad_ones():
    penguins = (Context(document_id="p", text="Penguins live in Antarctica. They eat fish."),)
    found = scored(changed("good"), changed("bad", contexts=penguins))
    for name in ("context_relevancy", "context_relevancy_weighted", "context_relevancy_min"):
        assert found["good", name].value > found["bad", name].value + 0.2, name
    assert [found[case, "sentence_recall"].value for case in ("good", "bad")] == [1.0, 0.0]
    # The two sentences on the Basel branch serve the reference, the two on deposit boxes do not.
    assert [found[case, "sentence_precision"].value for case in ("good", "bad")] == [0.5, 0.0]


def test_weights_by_relevance_spare_an_answer_that_leaves_out_what_nobody_asked():
    found = scored(changed("short", answer="Jane Doe manages the Basel branch. It opened in May 2014."))
    assert found["short", "completeness_weighted"].value > found["short", "completeness"].value + 0.05
    weights = [row.weight for row in read_sentences(found["short", "completeness_weighted"].detail)]
    assert min(weights[:2]) > max(weights[2:])


def test_the_plan_moves_each_passage_sentence_to_its_answer_sentence():
    passage = "Its manager is Jane Doe. Safe deposit boxes cost 120 francs a year."
    one = changed(
        "plan",
        answer="A safe deposit box is 120 francs yearly. Jane Doe is manager of the branch.",
        contexts=(Context(document_id="d", text=passage),),
    )
    plan = read_plan(scored(one)["plan", "wasserstein"].detail)
    assert {
        (words_at(one, Part.CONTEXTS, flow.source), words_at(one, Part.ANSWER, flow.to), flow.mass) for flow in plan
    } == {
        ("Its manager is Jane Doe.", "Jane Doe is manager of the branch.", 0.5),
        ("Safe deposit boxes cost 120 francs a year.", "A safe deposit box is 120 francs yearly.", 0.5),
    }


@pytest.mark.slow
def test_the_end_of_a_sentence_longer_than_the_model_still_counts():
    start = "The report lists " + ", ".join(["bonds, shares, funds and loans"] * 120)
    passages = (Context(document_id="d", text=f"{start}, and that is all."),)
    ends = ("and the Basel branch is managed by Jane Doe", "and penguins live in Antarctica")
    found = scored(*(changed(end, answer=f"{start}, {end}.", contexts=passages) for end in ends))
    one, other = (found[end, "groundedness"].value for end in ends)
    assert abs(one - other) > 1e-4


@pytest.mark.parametrize(
    ("near", "far"),
    [
        ("巴塞尔分行于2014年开业。", "企鹅吃鱼。"),
        ("Die Filiale in Basel wurde im Mai 2014 eröffnet.", "Pinguine fressen Fisch."),
        ("🎉", "The penguins of Antarctica eat fish."),
    ],
)
def test_other_scripts_and_emoji_are_scored_like_any_text(near, far):
    passages = (Context(document_id="d", text=near),)
    found = scored(changed("near", answer=near, contexts=passages), changed("far", answer=far, contexts=passages))
    assert found["near", "groundedness"].value == pytest.approx(1.0, abs=1e-9)
    assert found["far", "groundedness"].value < 0.9
