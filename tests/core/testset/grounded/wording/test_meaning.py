"""What a template means, in the phrases that the frames use; and all of the sample bank put into words."""

from pathlib import Path

import pytest

from core.sources.database import DatabaseSource
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.checks import check_text_template
from core.testset.grounded.wording.generator import count_words, generate_text_templates
from core.testset.grounded.wording.meaning import Meaning, without_articles

SAMPLE = Path(__file__).parents[5] / "sample_data" / "bank.sqlite"


def meaning(subject: str) -> Meaning:
    return Meaning(
        answer="a", plural=False, subject=subject, joined="of", clause="", question="", free_clause="", free_question=""
    )


@pytest.mark.parametrize(
    ("subject", "terse", "named"),
    [
        ("the branch '[branch.name]'", "branch '[branch.name]'", "the branch called '[branch.name]'"),
        ("the manager of the branch '[b.name]'", "manager of branch '[b.name]'", None),
        ("the account '[account.iban]'", "account '[account.iban]'", "the account '[account.iban]'"),
        ("the person '[p.first] [p.last]'", "person '[p.first] [p.last]'", "the person '[p.first] [p.last]'"),
    ],
)
def test_a_subject_with_and_without_articles_and_by_its_name(subject, terse, named):
    found = meaning(subject)
    assert found.terse == terse
    if named is not None:
        assert found.named == named


def test_articles_inside_a_value_stay():
    assert without_articles("the play 'the [Play.the Name]' of the year") == "play 'the [Play.the Name]' of year"


@pytest.mark.slow
def test_every_template_of_the_sample_bank_is_worded_in_both_forms():
    with DatabaseSource.connect(f"sqlite:///{SAMPLE}") as source:
        schema = source.schema
    templates = generate_sql_templates(schema, limit=100)
    assert len(templates) >= 40
    for template in templates:
        short = generate_text_templates(template, schema, form="short", n=3)
        long = generate_text_templates(template, schema, form="long", n=3)
        assert (len(short), len(long)) == (3, 3), template.sql
        for text in (*short, *long):
            others = [other for other in (*short, *long) if other.id != text.id]
            failed = [check.message for check in check_text_template(text, template, others).checks if not check.passed]
            assert failed == [], text.text
            assert set(text.placeholders) == set(template.placeholders)
            words = count_words(text.text)
            assert words <= 20 if text.form == "short" else words >= 30
