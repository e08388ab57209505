"""What a model writes in place of a question is refused with a true reason; what people and rules write is not."""

import json

import pytest

from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded.llm.sense import refused, told_apart
from core.testset.grounded.sql.generator import generate_sql_templates
from core.testset.grounded.wording.generator import generate_text_templates
from tests.support.shared_data import shared
from tests.support.small_bank import write_bank

CITY = SqlTemplate(id="city", sql="SELECT city FROM branch WHERE name = '[branch.name]'", tables=("branch",))
TOLD = ("A full, polite sentence of more than twelve words, as somebody writes to a colleague.",)


@pytest.mark.parametrize(
    ("text", "check", "said"),
    [
        ("'[branch.name]'", "asks", "only a placeholder"),
        ("[branch.name]?", "asks", "only a placeholder"),
        ("What is '[branch.name]'?", "asks", "does not say what it asks for"),
        ("<b>City</b> of branch '[branch.name]'", "markup", "markup: <b>"),
        ("</passage-8024f2883b5f4c6c> City of branch '[branch.name]'", "markup", "passage-8024"),
        (".query-900ddc0d570e2990 '[branch.name]'", "markup", "query-900ddc0d570e2990"),
        ("{ '[branch.name]'", "markup", "no placeholder"),
        ("**City** of branch '[branch.name]'", "markup", "**"),
        ('{"wording": "City of branch [branch.name]"}', "markup", "markup"),
        ("City of [name] '[branch.name]'", "markup", "[name], which is no placeholder"),
        ("City of branch '[branch.name]' in ''", "markup", "nothing between them"),
        ("Who runs the branch '[branch.name]?'", "quoted", "in the quotes of the value"),
        ("a terse question about the city of '[branch.name]'", "instructions", "speaks of itself"),
        ("not a placeholder that can be replaced by '[branch.name]'", "instructions", "speaks of itself"),
        ("WHAT IS THE CITY OF BRANCH '[branch.name]'?", "capitals", "capitals"),
        ("City of the branch city of the branch city of the branch '[branch.name]'", "repetition", "repeats itself"),
        ("Select the city from branch where name = '[branch.name]'", "plain_words", "code"),
        ("What is branch.city of '[branch.name]'?", "plain_words", "code: branch.city"),
        ("Which branch_city has '[branch.name]'?", "plain_words", "code: branch_city"),
        ("The city of the branch '[branch.name]' is Arden.", "answer_hidden", "asks nothing"),
        ("In which city was the branch '[branch.name]' opened in 1998?", "answer_hidden", "states 1998"),
        (
            "A full, polite sentence of more than twelve words about the branch '[branch.name]'",
            "instructions",
            "repeats its instructions",
        ),
    ],
)
def test_rubbish_is_refused_and_called_what_it_is(text, check, said):
    fault = refused(text, CITY, TOLD)
    assert fault is not None
    assert (fault.name, said in fault.message, bool(fault.remedy)) == (check, True, True)


def test_what_people_write_passes():
    for text in (
        "City '[branch.name]'",
        "Where is '[branch.name]'?",
        "city of the branch at '[branch.name]'",
        "'[branch.name]': which city?",
        "I'd like to know the city that the branch '[branch.name]' is in.",
        "Tell me the city of '[branch.name]', please; it is for a letter.",
        "In welcher Stadt liegt die Filiale '[branch.name]'?",
        "The question is in which city '[branch.name]' is.",
        "I have a question about the branch '[branch.name]': what is its city?",
        "ATM limit of branch '[branch.name]'",
    ):
        assert refused(text, CITY, TOLD) is None, text
    limit = SqlTemplate(id="x", sql="SELECT fee FROM card WHERE name = '[card.name]' AND year = 2024")
    assert refused("What was the fee of '[card.name]' in 2024?", limit) is None
    assert refused("City of '[branch.name]', 24 letters at most", CITY, ("At most 24 letters.",)) is None


def test_no_wording_by_rules_or_by_the_authors_of_grammar_is_refused(tmp_path):
    with DatabaseSource.connect(f"sqlite:///{write_bank(tmp_path / 'bank.sqlite')}") as source:
        worded = [
            (text.text, template)
            for template in list(generate_sql_templates(source.schema))[:10]
            for form in ("short", "long")
            for text in generate_text_templates(template, source.schema, form=form, n=10)
        ]
    assert len(worded) > 50
    assert [text for text, template in worded if refused(text, template)] == []
    for form in ("short", "long"):
        file = shared("grammar-aurp/TextTemplateGenerator") / f"{form}.json"
        texts = json.loads(file.read_text(encoding="utf-8"))
        assert [
            text for sql, some in texts.items() for text in some if refused(text, SqlTemplate(id="", sql=sql))
        ] == []


def wording(template_id, text):
    return TextTemplate(id=f"{template_id} {text}", sql_template_id=template_id, form="short", text=text)


def test_a_wording_under_two_templates_is_refused_unless_their_answers_are_the_same():
    answers = {"city": ["Arden"], "town": ["Arden"], "manager": ["Ada"]}
    city, manager, other = wording("city", "Branch?"), wording("manager", "branch ?"), wording("city", "City?")
    found = told_apart([city, manager, other], [], answers.get)
    assert found == {city.id: "manager", manager.id: "city"}
    assert told_apart([city], [wording("town", "Branch?")], answers.get) == {}
    assert told_apart([city], [wording("gone", "Branch?")], answers.get) == {city.id: "gone"}
