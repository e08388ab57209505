"""What the checks measured, counted against their limits."""

from __future__ import annotations

from core.domain.testset.question_drafts import DraftStatus, QuestionDraft
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.measures import check_counts, measures
from core.testset.corpus.selection.selecting import Check, Limits


def draft(name, **found):
    status = DraftStatus.TURNED_DOWN if found.get("failed") else DraftStatus.DRAFT
    return QuestionDraft(
        id=name,
        batch_id="b",
        kind=QuestionKind.SIMPLE,
        text=name,
        reference="1",
        made_by="r",
        topic=0,
        status=status,
        **found,
    )


DRAFTS = (
    draft("good", similarity=0.8, copied=0.2, nearest=0.5, answered=True, known=False),
    draft("far", similarity=0.1, copied=0.3, failed="similarity"),
    draft("twin", similarity=0.7, copied=0.2, nearest=0.97, failed="duplicate"),
    draft("copied", copied=0.95, failed="copy"),
    draft("unknown", similarity=0.6, copied=0.1, answered=False, failed="answerable"),
    draft("no reply", similarity=0.6, copied=0.1),
    draft("nothing", failed="support"),
    draft("out of scope"),
)


def test_each_value_stands_on_its_side_of_the_limit():
    similar, copied, nearest = measures(DRAFTS, Limits())
    assert (similar.check, similar.limit, similar.too_high) == (Check.SIMILARITY, 0.3, False)
    assert (similar.passed, similar.turned_down, similar.unmeasured) == ((0.8, 0.7, 0.6, 0.6), (0.1,), 3)
    assert (copied.turned_down, copied.n, copied.unmeasured) == ((0.95,), 6, 2)
    assert (nearest.passed, nearest.turned_down, nearest.unmeasured) == ((0.5,), (0.97,), 6)


def test_a_question_is_looked_at_until_the_first_check_that_it_fails():
    found = {count.check: (count.looked_at, count.passed, count.turned_down) for count in check_counts(DRAFTS)}
    assert found == {
        Check.FORM: (8, 8, 0),
        Check.WORDING: (8, 8, 0),
        Check.SUPPORT: (8, 7, 1),
        Check.ANSWER: (7, 7, 0),
        Check.GIVEN_AWAY: (7, 7, 0),
        Check.LANGUAGE: (7, 7, 0),
        Check.READING: (7, 7, 0),
        Check.COPY: (6, 5, 1),
        Check.SIMILARITY: (5, 4, 1),
        Check.DUPLICATE: (5, 4, 1),
        Check.ANSWERABLE: (2, 1, 1),
        Check.KNOWN: (1, 1, 0),
    }


def test_without_questions_nothing_is_measured():
    assert [measure.n for measure in measures((), Limits())] == [0, 0, 0]
    assert {count.looked_at for count in check_counts(())} == {0}
