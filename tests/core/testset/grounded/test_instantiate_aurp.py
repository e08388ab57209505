"""The recorded questions and answers of Aurp come out of its database and templates as the same set."""

from collections import Counter

import pytest

from core.interchange.grammar import answer_rows, read_questions, read_sql_templates, read_text_templates
from core.sources.database import DatabaseSource
from core.testset.grounded.instantiate import instantiate
from tests.support.shared_data import shared

FORMS = ("short", "long")
KEPT = {"short": [2] * 10, "long": [1] * 5 + [3] * 5}
"""Wordings that the unbalanced recordings keep of each SQL template, in file order: always the first ones."""


@pytest.fixture(scope="module")
def aurp():
    folder = shared("grammar-aurp")
    with DatabaseSource.connect(f"sqlite:///{folder / 'aurp.sqlite'}") as source:
        templates = read_sql_templates(
            folder / "SQLTemplateGenerator/sql_templates.json",
            with_ids=folder / "SQLTemplateGenerator/sql_templates_with_ids.json",
        )
        texts = {
            form: read_text_templates(folder / f"TextTemplateGenerator/{form}.json", form, templates) for form in FORMS
        }
        yield folder, source, templates, texts


def recorded(folder, name):
    """Pairs such as ``("[('Maldives',)]", "Get 'Blue Horizon Hotels' location details")``."""
    return [
        (answer, question)
        for template in read_questions(folder / f"QADataGenerator/{name}.json")
        for answer, questions in template
        for question in questions
    ]


def asked(cases, form):
    """Our cases as pairs of the same kind; an SQL NULL is ``[(None,)]``."""
    return [
        (str([(case.reference_answers[0] if case.reference_answers else None,)]), case.question)
        for case in cases
        if case.form == form
    ]


def test_the_balanced_set_is_the_recorded_one(aurp):
    """10 SQL templates, 157 queries (2 x 10 clients, 3 x 29 employees, 5 x 10 projects), 3 wordings each: 471."""
    folder, source, templates, texts = aurp
    made = instantiate(source, templates, texts["short"] + texts["long"], keep_null=True)
    assert made.counts == {
        "sql_templates": 10,
        "sql_queries": 157,
        "text_templates": {"short": 30, "long": 30},
        "questions": {"short": 471, "long": 471},
    }
    assert not any(made.drops.values())
    for form in FORMS:
        expected = recorded(folder, form)
        assert len(expected) == 471
        assert Counter(asked(made.cases, form)) == Counter(expected)


def test_the_unbalanced_set_is_the_recorded_one(aurp):
    """Short: 157 x 2 = 314. Long: 107 x 1 + 50 x 3 = 257."""
    folder, source, templates, texts = aurp
    kept = [
        text
        for form in FORMS
        for template, count in zip(templates, KEPT[form], strict=True)
        for text in [text for text in texts[form] if text.sql_template_id == template.id][:count]
    ]
    made = instantiate(source, templates, kept, balanced=False, keep_null=True)
    assert made.counts["questions"] == {"short": 314, "long": 257}
    assert made.counts["text_templates"] == {"short": 20, "long": 20}
    for form in FORMS:
        expected = recorded(folder, f"{form}_unbalanced")
        assert Counter(asked(made.cases, form)) == Counter(expected)


@pytest.mark.parametrize("form", FORMS)
def test_gold_ids_are_the_columns_after_the_answer(aurp, form):
    """``[('Maldives', 'Blue Horizon Hotels')]`` is the answer and the id of the client's document."""
    folder, source, templates, texts = aurp
    made = instantiate(source, templates, texts[form], keep_null=True)
    expected = {question: answer_rows(answer) for answer, question in recorded(folder, f"{form}_with_ids")}
    assert len(made.cases) == len(expected)
    for case in made.cases:
        rows = expected[case.question]
        assert {gold.partition(":")[2] for gold in case.gold_document_ids} == {str(row[1]) for row in rows}
        assert {gold.partition(":")[0] for gold in case.gold_document_ids} == {case.tables[0].lower()}


def test_a_new_test_set_leaves_out_the_null_answer(aurp):
    """One employee has no supervisor: 156 queries, 468 questions in each form."""
    _, source, templates, texts = aurp
    made = instantiate(source, templates, texts["short"] + texts["long"])
    assert made.counts["sql_queries"] == 156
    assert made.counts["questions"] == {"short": 468, "long": 468}
    assert {reason: count for reason, count in made.drops.items() if count} == {"null answer": 1}
    assert all(case.reference_answers for case in made.cases)


def test_trailing_blanks_of_the_wordings_are_kept(aurp):
    folder, source, templates, texts = aurp
    trailing = [text for text in texts["long"] if text.text != text.text.rstrip()]
    assert trailing
    made = instantiate(source, templates, trailing, balanced=False, keep_null=True)
    questions = {question for _, question in recorded(folder, "long")}
    assert all(case.question.endswith(" ") and case.question in questions for case in made.cases)


def test_the_same_inputs_give_the_same_cases_in_the_same_order(aurp):
    _, source, templates, texts = aurp
    first, again = (instantiate(source, templates, texts["short"], limit=60, seed=3) for _ in range(2))
    assert first == again
    other = instantiate(source, templates, texts["short"], limit=60, seed=4)
    assert other.cases != first.cases
    assert len(first.cases) == len(other.cases) == 60
    # Whole facts are sampled: each has its three wordings.
    assert set(Counter(case.group_id for case in first.cases).values()) == {3}
