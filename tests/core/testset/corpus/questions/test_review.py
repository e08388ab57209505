"""Review of questions from documents, and the test set of those approved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.domain.errors import Conflict, Forbidden, InvalidInput, NotFound
from core.domain.sources.projects import Role
from core.domain.testset.question_drafts import DraftStatus, QuestionBatch, QuestionDraft
from core.domain.testset.questions import QuestionKind, Support
from core.domain.testset.templates import TemplateStatus
from core.project.service import ensure_member
from core.sources.corpora import corpus_chunks
from core.sources.service import connect_database
from core.store.testset import question_drafts, testsets
from core.store.trail import audit
from core.testset.corpus.questions.review import discard_open_questions, edit_question, set_question_status
from core.testset.service import build_test_set, freeze_test_set
from core.testset.templates.review import propose_sql_templates, propose_text_templates, set_sql_status, set_text_status
from core.testset.versions import next_version
from tests.support.small_bank import ACTOR, write_bank


@pytest.fixture
def written(library):
    """Three questions: two of cards, one that no document answers."""
    source, chunks = corpus_chunks(library.store, library.project_id, actor=ACTOR)
    made = []
    for place, chunk in enumerate([chunk for chunk in chunks if "card" in chunk.section[0]][:2]):
        start = chunk.text.index("The annual fee")
        end = chunk.text.index(".", start) + 1
        quote = chunk.text[start:end]
        made.append(
            QuestionDraft(
                id=f"q_{place}",
                batch_id="b_1",
                kind=QuestionKind.SIMPLE,
                text=f"What does {chunk.section[0]} cost?",
                reference=quote.split(" is ")[1].rstrip("."),
                made_by="property",
                topic=0,
                status=DraftStatus.DRAFT,
                support=(Support(chunk_id=chunk.id, document_id=chunk.document_id, start=start, end=end, text=quote),),
            )
        )
    far = QuestionDraft(
        id="q_far",
        batch_id="b_1",
        kind=QuestionKind.OUT_OF_SCOPE,
        text="How many legs has a lobster?",
        reference="",
        made_by="far",
        topic=1,
        status=DraftStatus.TURNED_DOWN,
        failed="duplicate",
        reason="It repeats another.",
    )
    batch = QuestionBatch(
        id="b_1",
        project_id=library.project_id,
        source_id=source.id,
        topics_id="tm_1",
        created_at="2026-01-01",
        plan={"budget": 3},
        delivered=({"stratum": "Topic A", "requested": 3},),
    )
    with library.store.write(ACTOR, "test.questions", project_id=library.project_id) as connection:
        assert question_drafts.put_batch(connection, batch, [*made, far]) == 3
    return [*made, far]


def decide(library, ids, status, **options):
    return set_question_status(library.store, library.project_id, ids, status, actor=ACTOR, **options)


def edit(library, draft, **change):
    words = {"text": draft.text, "reference": draft.reference, **change}
    return edit_question(library.store, library.project_id, draft.id, actor=ACTOR, seen=draft, **words)


def get(library, draft_id):
    with library.store.read() as connection:
        return question_drafts.get(connection, library.project_id, draft_id)


def test_what_is_stored_reads_back_as_it_was(library, written):
    assert library.drafts() == written
    (batch,) = library.batches()
    assert batch.plan == {"budget": 3}
    assert batch.delivered == ({"stratum": "Topic A", "requested": 3},)
    assert library.drafts(kind=QuestionKind.SIMPLE, topic=0, limit=1, offset=1) == [written[1]]
    with library.store.read() as connection:
        assert question_drafts.counts(connection, library.project_id) == {
            DraftStatus.DRAFT: 2,
            DraftStatus.APPROVED: 0,
            DraftStatus.REJECTED: 0,
            DraftStatus.TURNED_DOWN: 1,
        }


def test_several_are_approved_at_once_with_who_and_when(library, written):
    assert decide(library, ["q_0", "q_1", "q_0"], DraftStatus.APPROVED, note=" fine ") == 2
    found = get(library, "q_0")
    assert (found.status, found.decided_by, found.note) == (DraftStatus.APPROVED, ACTOR, "fine")
    assert found.decided_at
    assert decide(library, ["q_0"], DraftStatus.APPROVED) == 0  # it is already
    with library.store.read() as connection:
        last = audit.entries(connection, library.project_id)[0]
    assert last.action == "question.approved"


def test_a_person_may_overrule_the_checks_and_the_reason_stays(library, written):
    decide(library, ["q_far"], DraftStatus.APPROVED)
    found = get(library, "q_far")
    assert (found.status, found.failed) == (DraftStatus.APPROVED, "duplicate")


def test_all_are_decided_or_none(library, written):
    with pytest.raises(NotFound, match="q_9"):
        decide(library, ["q_0", "q_9"], DraftStatus.APPROVED)
    assert get(library, "q_0").status is DraftStatus.DRAFT
    with pytest.raises(InvalidInput, match="Only the checks"):
        decide(library, ["q_0"], DraftStatus.TURNED_DOWN)


def test_an_edit_keeps_what_was_written_first_and_needs_a_new_approval(library, written):
    decide(library, ["q_0"], DraftStatus.APPROVED)
    once = edit(library, get(library, "q_0"), text=" What does it cost a year? ")
    twice = edit(library, once, text="How much is it a year?")
    assert (twice.text, twice.status) == ("How much is it a year?", DraftStatus.DRAFT)
    assert (twice.original_text, twice.original_reference) == (written[0].text, written[0].reference)
    assert twice.edited
    assert get(library, "q_0") == twice


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"text": " "}, "blank"),
        ({"reference": "£1"}, "do not state"),
        ({"reference": ""}, "no reference"),
        ({"text": "x" * 2_001}, "2,001 characters"),
    ],
)
def test_an_edit_that_makes_no_test_is_refused_and_nothing_is_lost(library, written, change, message):
    with pytest.raises(InvalidInput, match=message):
        edit(library, written[0], **change)
    assert get(library, "q_0") == written[0]


def test_options_stay_in_the_question_and_the_answer_is_one_of_them(library, written):
    choice = replace(
        written[0],
        kind=QuestionKind.MULTIPLE_CHOICE,
        options=(written[0].reference, "£1"),
        text=f"Which?\nA) {written[0].reference}\nB) £1",
    )
    with pytest.raises(InvalidInput, match="'£1' is no longer"):
        edit(library, choice, text=f"Which?\nA) {written[0].reference}")
    with pytest.raises(InvalidInput, match="none of the options"):
        edit(library, choice, reference="£2")


def test_a_question_somebody_else_changed_meanwhile_is_not_overwritten(library, written):
    edit(library, written[0], text="First?")
    with pytest.raises(Conflict, match=ACTOR):
        edit(library, written[0], text="Second?")
    assert get(library, "q_0").text == "First?"


def test_what_nobody_decided_on_can_be_discarded(library, written):
    decide(library, ["q_0"], DraftStatus.APPROVED)
    assert discard_open_questions(library.store, library.project_id, actor=ACTOR) == 2
    assert [draft.id for draft in library.drafts()] == ["q_0"]


def test_who_may_only_read_decides_nothing(library, written):
    ensure_member(library.store, library.project_id, "reader", Role.VIEWER, actor=ACTOR)
    with pytest.raises(Forbidden):
        set_question_status(library.store, library.project_id, ["q_0"], DraftStatus.APPROVED, actor="reader")
    with pytest.raises(Forbidden):
        discard_open_questions(library.store, library.project_id, actor="reader")


def build(library, **options):
    return build_test_set(library.store, library.project_id, actor=ACTOR, name="Documents", **options)


def test_only_approved_questions_enter_the_test_set_and_it_freezes(library, written):
    decide(library, ["q_0", "q_far"], DraftStatus.APPROVED)
    made = build(library, grounded=False, documents=True)
    assert made.counts == {"document_questions": {"Simple": 1, "Out of scope": 1}}
    with library.store.read() as connection:
        cases = testsets.cases(connection, made.id)
    assert [case.case_id for case in cases] == ["q_0", "q_far"]
    assert cases[0].attributes["topic"] == "Topic A"
    assert cases[0].attributes["document"].endswith("card")
    assert cases[0].gold_chunk_ids == (written[0].support[0].chunk_id,)
    assert cases[1].attributes["answerable"] == "no"
    frozen = freeze_test_set(library.store, made.id, actor=ACTOR)
    decide(library, ["q_0"], DraftStatus.REJECTED)
    with library.store.read() as connection:
        assert testsets.cases(connection, made.id) == cases
    assert frozen.content_hash == freeze_hash(library)


def test_a_limit_holds_for_questions_from_documents(library, written):
    decide(library, ["q_0", "q_1", "q_far"], DraftStatus.APPROVED)
    made = build(library, grounded=False, documents=True, limit=2, seed=3)
    with library.store.read() as connection:
        drawn = testsets.cases(connection, made.id)
    assert len(drawn) == sum(made.counts["document_questions"].values()) == 2
    assert (made.options["limit"], made.options["seed"], made.drops) == (2, 3, {"over the limit": 1})
    again = next_version(library.store, made, actor=ACTOR)
    with library.store.read() as connection:
        assert testsets.cases(connection, again.id) == drawn
    assert build(library, grounded=False, documents=True, limit=3).drops == {}


def test_a_limit_holds_for_templates_and_documents_together(library, written, tmp_path):
    store, project_id = library.store, library.project_id
    connect_database(store, project_id, f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}", actor=ACTOR)
    sql = propose_sql_templates(store, project_id, actor=ACTOR)
    set_sql_status(store, project_id, [one.id for one in sql], TemplateStatus.APPROVED, actor=ACTOR)
    texts = propose_text_templates(store, project_id, forms=("short", "long"), n=1, actor=ACTOR).texts
    set_text_status(store, project_id, [text.id for text in texts], TemplateStatus.APPROVED, actor=ACTOR)
    decide(library, ["q_0", "q_1", "q_far"], DraftStatus.APPROVED)
    made = build(library, documents=True, limit=9)
    with store.read() as connection:
        assert testsets.count(connection, made.id) == 9  # three from documents, three facts in two forms
    assert made.options["limit"] == 9
    with pytest.raises(InvalidInput, match="leaves none for templates: 3 questions from documents"):
        build(library, documents=True, limit=3)


def freeze_hash(library):
    """The same questions approved again give the same content."""
    decide(library, ["q_0"], DraftStatus.APPROVED)
    again = build(library, grounded=False, documents=True)
    return freeze_test_set(library.store, again.id, actor=ACTOR).content_hash


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"grounded": False}, "would be empty"),
        ({"grounded": False, "documents": True}, "No question from documents is approved"),
    ],
)
def test_a_test_set_of_nothing_is_refused(library, written, options, message):
    with pytest.raises(InvalidInput, match=message):
        build(library, **options)
