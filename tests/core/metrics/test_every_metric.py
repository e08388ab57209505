"""What holds for every metric there is: a complete spec, its range, never an exception, the same value again."""

import json
import re

import pytest

from core.domain.results.responses import Context
from core.domain.status import Status
from core.encoders.embedding import open_encoder
from core.metrics import Models, Need, Sample, find_metric, list_metrics, score_samples

SPECS = list_metrics()
TEXT = {Need.ENCODER, Need.NLI}
RETRIEVED = {Need.CONTEXTS, Need.DOCUMENT_IDS, Need.CHUNK_IDS}

BASEL = "The Basel branch opened in 2014. Jane Doe manages it."
CHINESE = "巴塞尔分行于2014年开业。简·多伊是经理。"
ARABIC = "افتتح فرع بازل في عام 2014. جين دو هي المديرة."
LONG = "The " + "very " * 3000 + "long sentence ends."


def passages(*texts):
    return tuple(
        Context(document_id=f"d{place}", chunk_id=f"d{place}:0", text=text) for place, text in enumerate(texts)
    )


def sample(case_id, **changes):
    return Sample(
        **{
            "case_id": case_id,
            "question": "Who manages the Basel branch? When did it open?",
            "answer": BASEL,
            "contexts": passages(BASEL, "The Geneva branch has a vault."),
            "references": ("Jane Doe. It opened in 2014.", "Jane Doe manages it since 2014."),
            "gold_document_ids": ("d0", "d9"),
            "gold_chunk_ids": ("d0:0", "d9:1"),
            "answerable": True,
            **changes,
        }
    )


def everywhere(case_id, text):
    return sample(case_id, question=text, answer=text, contexts=passages(text), references=(text,))


SAMPLES = [
    sample("usual"),
    sample("empty answer", answer=""),
    sample("blank answer", answer=" \n "),
    sample("failed", answer=None, error="HTTP 500"),
    sample("abstention", answer="I could not find this in the documents.", answerable=False),
    sample("told abstention", abstained=True),
    sample("nothing retrieved", contexts=()),
    sample("not known what was retrieved", contexts=None),
    sample("blank passages", contexts=passages("", "  ")),
    sample("one blank passage", contexts=passages(" ", BASEL)),
    sample("no ids", contexts=(Context(document_id="", text=BASEL),)),
    sample("no gold", gold_document_ids=None, gold_chunk_ids=None, answerable=None),
    sample("no reference", references=()),
    sample("blank reference", references=(" ", "Jane Doe.")),
    sample("no question", question=""),
    sample("nothing", question="", answer=None, contexts=None, references=()),
    everywhere("one sentence", "Jane Doe manages it."),
    everywhere("identical texts", BASEL),
    everywhere("long sentence", LONG),
    everywhere("long word", "a" * 10_000),
    everywhere("Chinese", CHINESE),
    everywhere("Arabic", ARABIC),
    sample("Chinese answer", answer=CHINESE),
    sample("Arabic answer", answer=ARABIC),
    everywhere("emoji", "🎉"),
    sample("emoji answer", answer="🎉🎉 👍🏽"),
    everywhere("NUL", "\x00"),
    sample("NUL within", answer="Jane\x00Doe manages it."),
    everywhere("marks only", "--- ... ***"),
    everywhere("table", "| branch | opened |\n|---|---|\n| Basel | 2014 |"),
    everywhere("line breaks", "Jane Doe\r\nmanages\u2028it.\n\n\n- one\n- two"),
]
EXACT = {"groundedness", "completeness", "context_relevancy", "embedding_similarity"}


@pytest.fixture(scope="module")
def models():
    return Models(encoder=open_encoder())


@pytest.fixture(scope="module")
def metrics():
    names = [spec.name for spec in SPECS] + [f"{spec.name}@3" for spec in SPECS if spec.at_k]
    return [find_metric(name) for name in names]


@pytest.fixture(scope="module")
def scores(models, metrics):
    return [score for batch in score_samples(SAMPLES, metrics, models) for score in batch]


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_a_spec_says_everything(spec):
    assert re.fullmatch(r"[a-z0-9_]+", spec.name)
    assert spec.title == spec.title.strip() != spec.title.lower()
    assert spec.unit == spec.unit.strip() != ""
    assert spec.question.endswith("?")
    for text in (spec.question, spec.equation, spec.source, *spec.edges.values()):
        assert len(text) > 10, text
        assert text == text.strip(), text
        assert not re.search(r"[\n!]|  |TODO", text), text
    assert spec.version >= 1
    assert spec.needs
    assert len(set(spec.needs + spec.uses)) == len(spec.needs + spec.uses)
    assert spec.low is None or spec.high is None or spec.low < spec.high


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_a_spec_states_the_rule_for_every_odd_input_it_can_meet(spec):
    needs = set(spec.needs)
    expected = set()
    if Need.ANSWER in needs:
        expected |= {"empty answer", "abstention"}
    if needs & RETRIEVED:
        expected |= {"empty contexts"}
    if needs & TEXT:
        expected |= {"one sentence", "identical texts", "longer than the model", "other scripts", "emoji"}
    assert expected <= set(spec.edges), sorted(expected - set(spec.edges))
    assert all(rule.endswith(".") for rule in spec.edges.values())


def test_titles_are_told_apart():
    titles = [spec.title for spec in SPECS]
    assert len(set(titles)) == len(titles)


@pytest.mark.slow
def test_each_sample_has_a_score_or_a_reason_by_every_metric(scores, metrics):
    assert len(scores) == len(SAMPLES) * len(metrics)
    for score in scores:
        if score.status is Status.SCORED:
            assert isinstance(score.value, float), (score.case_id, score.metric)
        else:
            assert score.value is None
            assert score.detail["reason"].endswith("."), (score.case_id, score.metric)


def test_every_value_keeps_the_range_of_its_spec(scores):
    for score in scores:
        spec = find_metric(score.metric).spec
        if score.value is not None:
            assert spec.low is None or score.value >= spec.low, (score.case_id, score.metric, score.value)
            assert spec.high is None or score.value <= spec.high, (score.case_id, score.metric, score.value)


def test_evidence_is_plain_json(scores):
    for score in scores:
        assert json.loads(json.dumps(dict(score.detail), allow_nan=False)) == score.detail, (
            score.case_id,
            score.metric,
        )


@pytest.mark.slow
def test_a_second_run_gives_the_same_bits(scores, models, metrics):
    assert [score for batch in score_samples(SAMPLES, metrics, models) for score in batch] == scores


@pytest.mark.parametrize("batch", [pytest.param(1, marks=pytest.mark.slow), 7])
def test_a_value_does_not_depend_on_what_is_scored_with_it(batch, scores, models, metrics):
    again = [score for some in score_samples(SAMPLES, metrics, models, batch=batch) for score in some]
    for one, other in zip(scores, again, strict=True):
        assert (one.case_id, one.metric, one.status) == (other.case_id, other.metric, other.status)
        assert other.value == (None if one.value is None else pytest.approx(one.value, abs=1e-6)), one


def test_identical_texts_are_perfect_in_every_script(scores):
    found = {(score.case_id, score.metric): score for score in scores}
    for case_id in ("one sentence", "identical texts", "long sentence", "long word", "Chinese", "Arabic", "emoji"):
        for name in EXACT:
            assert found[case_id, name].value == pytest.approx(1.0, abs=1e-9), (case_id, name)
        assert found[case_id, "wasserstein"].value == pytest.approx(0.0, abs=1e-9), case_id
