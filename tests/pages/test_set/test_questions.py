"""The Questions page: written, reviewed, listed; and the test set of those approved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core import jobs
from core.domain.testset.question_drafts import DraftStatus
from core.domain.testset.questions import QuestionKind
from core.sources.corpora import connect_corpus
from core.testset.corpus.drafting import KIND, write_batch
from core.testset.corpus.questions.plan import QuestionPlan
from core.testset.corpus.questions.review import edit_question
from core.testset.corpus.reading.facts import FactRule
from core.testset.corpus.selection.selecting import Limits
from pages.test_set.questions.review import MADE_BY
from tests.pages.clicks import as_viewer, captions, keys, metrics
from tests.support.documents.library import Library, write_documents
from tests.support.small_bank import ACTOR, said

PLAN = QuestionPlan(
    questions=10,
    kinds={QuestionKind.SIMPLE: 3, QuestionKind.YES_NO: 1, QuestionKind.OUT_OF_SCOPE: 1},
    limits=Limits(similarity=0.2),
)


@pytest.fixture
def library(store, project, tmp_path):
    """The empty project with ten short documents and their two topics."""
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    made = Library(store, project.id)
    made.put_topics(lambda chunk: int("branch" in chunk.section[0]))
    return made


@pytest.fixture
def written(library):
    """The same with questions to review."""
    write_batch(library.store, library.project_id, PLAN, actor=ACTOR, batch_id="job_1")
    return library


def opened(open_page, library, **query):
    app = open_page("questions", project=library.project_id, **query)
    assert not app.exception
    return app


@pytest.mark.slow
def test_it_says_what_comes_first(open_page, store, project, tmp_path):
    assert "No documents are loaded." in said(open_page("questions", project=project.id))
    connect_corpus(store, project.id, write_documents(tmp_path / "documents"), actor=ACTOR)
    app = open_page("questions", project=project.id)
    assert "No topics were found" in said(app)
    assert "go_topics" in keys(app)


def test_the_form_divides_the_questions_and_starts_a_worker(open_page, library):
    app = opened(open_page, library)
    shares = next(frame.value for frame in app.dataframe if "Questions" in frame.value)
    assert dict(zip(shares["Stratum"], shares["Questions"], strict=True)) == {"Topic A": 36, "Topic B": 24}
    app.number_input(key="questions_n").set_value(8).run()
    app.button(key="write").click().run()
    (job,) = jobs.list_jobs(library.store, library.project_id)
    assert (job.kind, job.params["questions"]) == (KIND, 8)
    jobs.stop(library.store, job.id, ACTOR)


def test_topics_and_kinds_with_fewer_questions_are_named(open_page, library):
    plan = replace(PLAN, kinds={QuestionKind.SIMPLE: 1, QuestionKind.TREND: 1, QuestionKind.MULTI_HOP: 1})
    write_batch(library.store, library.project_id, plan, actor=ACTOR, batch_id="job_1")
    app = opened(open_page, library)
    text = said(app)
    assert "Kinds with fewer questions than requested" in text
    assert "Trend: 0 of 5 (the passages gave none)" in text
    assert "Multi-hop: none (needs a model)" in text


@pytest.mark.slow
def test_a_model_is_not_asked_without_consent(open_page, library):
    app = opened(open_page, library)
    app.segmented_control(key="question_writer").set_value("llm").run()
    app.text_input(key="questions_url").set_value("http://127.0.0.1:9/v1")
    app.text_input(key="questions_model").set_value("m").run()
    assert app.button(key="write").disabled
    app.checkbox[0].check().run()
    assert not app.button(key="write").disabled
    app.text_input(key="questions_url").set_value("http://127.0.0.1:10/v1").run()
    assert app.button(key="write").disabled, "nobody agreed to send them to another address"


@pytest.mark.slow
def test_what_a_model_will_take_is_shown_before_it_is_asked(open_page, library):
    app = opened(open_page, library)
    app.segmented_control(key="question_writer").set_value("llm").run()
    app.text_input(key="questions_url").set_value("http://127.0.0.1:9/v1")
    app.text_input(key="questions_model").set_value("m").run()
    assert not app.exception
    parts = next(frame.value for frame in app.dataframe if "Tokens sent" in frame.value)
    assert list(parts["Purpose"]) == [
        "Facts of passages",
        "Questions from documents",
        "Answers to new questions",
        "Answers without passages",
    ]
    assert any("model calls" in item.value and "cost unknown" in item.value for item in app.markdown)
    app.number_input(key="questions_budget_calls").set_value(7)
    app.checkbox[0].check().run()
    app.button(key="write").click().run()
    (job,) = jobs.list_jobs(library.store, library.project_id)
    assert job.params["budget_calls"] == 7
    jobs.stop(library.store, job.id, ACTOR)


@pytest.mark.slow
def test_a_model_can_answer_what_rules_write(open_page, library):
    app = opened(open_page, library)
    assert "Nothing leaves this machine" in captions(app)
    app.toggle(key="questions_check").set_value(True).run()
    assert "Nothing leaves this machine" not in captions(app)
    assert app.button(key="write").disabled
    app.text_input(key="checker_url").set_value("http://127.0.0.1:9/v1")
    app.text_input(key="checker_model").set_value("m").run()
    assert app.button(key="write").disabled, "nobody agreed yet"
    app.checkbox[0].check().run()
    app.button(key="write").click().run()
    (job,) = jobs.list_jobs(library.store, library.project_id)
    assert (job.params["model"], job.params["checker"]) == ("", "m@http://127.0.0.1:9/v1")
    jobs.stop(library.store, job.id, ACTOR)


@pytest.mark.slow
def test_every_check_is_shown_with_its_limit_and_counts(open_page, written):
    app = opened(open_page, written, view="checks")
    counts = next(frame.value for frame in app.dataframe if "Limit" in frame.value).set_index("Check")
    every = written.drafts()
    down = [draft for draft in every if draft.failed == "similarity"]
    near = counts.loc["It is near its passage"]
    assert (near["Limit"], near["Turned down"]) == ("0.20 at least", len(down))
    assert near["Examined"] == sum(draft.similarity is not None for draft in every) > 0
    assert counts.loc["A model answers it from its passages", "Examined"] == 0
    assert "No model answered these questions" in said(app)
    assert f"{len(every)} questions examined" in captions(app)


@pytest.mark.slow
def test_one_question_after_the_other_is_decided(open_page, written):
    first, second, *_ = written.drafts(status=DraftStatus.DRAFT)
    app = opened(open_page, written)
    assert first.text in [item.value for item in app.text]
    assert any(first.support[0].text in item.value for item in app.text)
    app.button(key=f"approve_{first.id}").click().run()
    assert not app.exception
    app.button(key=f"reject_{second.id}").click().run()
    statuses = {draft.id: draft.status for draft in written.drafts()}
    assert (statuses[first.id], statuses[second.id]) == (DraftStatus.APPROVED, DraftStatus.REJECTED)


@pytest.mark.slow
def test_a_question_is_edited_and_a_wrong_answer_refused_without_losing_the_words(open_page, written):
    draft = next(d for d in written.drafts(status=DraftStatus.DRAFT) if d.kind is QuestionKind.SIMPLE)
    app = opened(open_page, written, kind="simple")
    app.button(key=f"edit_{draft.id}").click().run()
    app.text_area(key=f"text_{draft.id}").set_value("How much is it?")
    app.text_input(key=f"reference_{draft.id}").set_value("nothing")
    app.button(key=f"save_{draft.id}").click().run()
    assert "do not state" in app.error[0].value
    assert app.text_area(key=f"text_{draft.id}").value == "How much is it?"
    app.text_input(key=f"reference_{draft.id}").set_value(draft.reference)
    app.button(key=f"save_{draft.id}").click().run()
    edited = next(d for d in written.drafts() if d.id == draft.id)
    assert (edited.text, edited.original_text) == ("How much is it?", draft.text)


@pytest.mark.slow
def test_an_edit_never_replaces_unseen_what_somebody_else_saved_meanwhile(open_page, written):
    draft = next(d for d in written.drafts(status=DraftStatus.DRAFT) if d.kind is QuestionKind.SIMPLE)
    app = opened(open_page, written, kind="simple")
    app.button(key=f"edit_{draft.id}").click().run()
    theirs = {"text": "What does it cost?", "reference": draft.reference, "actor": ACTOR, "seen": draft}
    edit_question(written.store, written.project_id, draft.id, **theirs)
    app.text_area(key=f"text_{draft.id}").set_value("How much is it?")
    app.button(key=f"save_{draft.id}").click().run()
    assert "changed this question meanwhile" in app.error[0].value
    assert "What does it cost?" in app.error[0].value
    assert app.text_area(key=f"text_{draft.id}").value == "How much is it?", "what was typed stays"
    assert next(d for d in written.drafts() if d.id == draft.id).text == "What does it cost?"
    app.button(key=f"save_{draft.id}").click().run()  # now it is replaced knowingly
    assert next(d for d in written.drafts() if d.id == draft.id).text == "How much is it?"


@pytest.mark.slow
def test_the_list_tells_why_questions_were_turned_down(open_page, written):
    write_batch(
        written.store,
        written.project_id,
        replace(PLAN, limits=Limits(similarity=1.0)),
        actor=ACTOR,
        batch_id="job_2",
    )
    down = written.drafts(status=DraftStatus.TURNED_DOWN)
    assert down
    app = opened(open_page, written, view="list", status="turned_down")
    frame = app.dataframe[0].value
    assert len(frame) == len(down)
    assert all(frame["Why"].str.len() > 0)


@pytest.mark.slow
def test_what_is_shown_is_approved_at_once_and_makes_a_test_set(open_page, written):
    app = opened(open_page, written, view="list", kind="simple")
    waiting = [d for d in written.drafts(status=DraftStatus.DRAFT) if d.kind is QuestionKind.SIMPLE]
    app.button(key="approve_all").click().run()
    assert not app.exception
    approved = written.drafts(status=DraftStatus.APPROVED)
    assert {draft.id for draft in approved} == {draft.id for draft in waiting}
    page = open_page("test_set", project=written.project_id)
    assert not page.exception
    page.button(key="build").click().run()
    assert not page.exception
    assert metrics(page)["Questions"] == f"{len(approved)}"
    assert metrics(page)["From documents"] == f"{len(approved)}"


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        {"place": "999"},
        {"kind": "zzz", "topic": "--1"},
        {"view": "list", "case": "q_none", "status": "odd"},
        {"view": "write", "job": "job_none"},
        {"view": "list", "search": "<b>*$"},
    ],
)
def test_a_link_that_names_nothing_does_no_harm(open_page, written, query):
    app = opened(open_page, written, **query)
    assert "to review" in captions(app)


def test_who_may_only_look_decides_nothing(open_page, store, written, project, monkeypatch):
    app = as_viewer(opened(open_page, written), store, project, monkeypatch)
    assert not app.exception
    assert not any(key.startswith(("approve", "reject", "edit", "write")) for key in keys(app))
    assert "to review" in captions(app)


@pytest.mark.parametrize("rule", FactRule)
def test_no_rule_is_told_to_be_a_model(rule):
    assert MADE_BY[rule].startswith("by rules")
