"""Document ids and blanks of the recorded Aurp questions; that they are the same set is in `test_instantiate.py`."""

import pytest

from core.sources.database import DatabaseSource
from core.testset.grounded.files import read_sql_templates, read_text_templates
from core.testset.grounded.instantiate import instantiate
from tests.support.questions.question_files import answer_rows, read_questions
from tests.support.shared_data import shared

FORMS = ("short", "long")


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


def test_trailing_blanks_of_the_wordings_are_kept(aurp):
    folder, source, templates, texts = aurp
    trailing = [text for text in texts["long"] if text.text != text.text.rstrip()]
    assert trailing
    made = instantiate(source, templates, trailing, balanced=False, keep_null=True)
    questions = {question for _, question in recorded(folder, "long")}
    assert all(case.question.endswith(" ") and case.question in questions for case in made.cases)
