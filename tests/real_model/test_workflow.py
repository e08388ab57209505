"""The whole workflow through a real small model: what it cannot do has a reason, and nobody is accused for it."""

from __future__ import annotations

import pytest

from bench.real_model.prompts import PROMPTS, outcome
from bench.real_model.sample import sample_cases, sample_store
from bench.real_model.three_way import MODES, run_of
from bench.real_model.three_way import outcome as diagnosed
from bench.real_model.trials import MARK, Bench
from core.domain.errors import NothingAnswered
from core.domain.llm import PromptVariant
from core.installation import SAMPLE_DATA
from core.llm import load_prompt, open_chat
from core.sources.database import DatabaseSource
from core.testset.grounded import files
from core.testset.grounded.llm import sql_generator, text_generator
from core.testset.grounded.llm.sense import refused

pytestmark = pytest.mark.real_model

SHORT = PromptVariant.SHORT
READ = {"right", "wrong"}
REASONS = {"parse_failed", "truncated", "timeout", "api_error"}


@pytest.fixture(scope="module")
def sample(real_spec, tmp_path_factory):
    with sample_store(tmp_path_factory.mktemp("real"), real_spec, sample_cases(3, wordings=2)) as opened:
        yield opened


@pytest.fixture(scope="module")
def chat(sample, real_spec):
    return open_chat(sample.store, sample.test_set.project_id, real_spec, prompts=SHORT)


@pytest.fixture(scope="module")
def bench():
    return Bench(1)


@pytest.mark.parametrize("prompt_id", PROMPTS)
def test_each_short_prompt_gets_a_reply_or_a_reason_and_no_marker_back(chat, bench, prompt_id):
    [trial] = bench.trials(prompt_id)
    ended, said = outcome(chat, load_prompt(prompt_id, variant=SHORT), trial, f"{prompt_id} in a test")
    assert ended in READ | REASONS
    assert not MARK.search(str(said))
    if trial.form is not None and ended in READ:
        assert "Tern Rock" not in str(said), "the example of the prompt is no answer"


def test_what_it_answers_wrongly_from_the_gold_document_is_never_the_retrieval(sample, real_spec):
    for mode in MODES:
        figures = diagnosed(sample, run_of(sample, real_spec, mode, "short"))
        rows = figures["rows"]
        assert len(rows) == len(sample.cases)
        assert figures["retrieval_accused"]["num"] == 0, mode
        assert not [row for row in rows if MARK.search(row["answer"] or "")]


def test_templates_and_wordings_are_kept_or_refused_with_a_reason(chat):
    with DatabaseSource.connect(f"sqlite:///{SAMPLE_DATA / 'bank.sqlite'}") as source:
        prompt = load_prompt(sql_generator.PROMPT, variant=SHORT)
        sets = [("branch",), ("region",)]
        failure, proposed = "", ()
        try:
            proposed = sql_generator.generate_sql_templates_by_llm(chat, prompt, source, sets, per_set=2).deliveries
        except NothingAnswered as error:  # every set was asked, and no reply was more than the example
            failure = error.message
        assert [delivery.subject for delivery in proposed] == ["branch", "region"] or "copied the example" in failure
        templates = files.read_sql_templates(SAMPLE_DATA / "templates.json", dialect="sqlite")[:2]
        worded = text_generator.generate_text_templates_by_llm(
            chat,
            load_prompt(text_generator.PROMPT, variant=SHORT),
            source.schema,
            templates,
            forms={"short": ""},
            n=3,
        )
    for delivery in (*proposed, *worded.deliveries):
        assert bool(delivery.missing) == (delivery.delivered < delivery.requested)
        assert all(item.reason for item in delivery.rejected)
    by_id = {template.id: template for template in templates}
    assert [text for text in worded.texts if refused(text.text, by_id[text.sql_template_id])] == []
