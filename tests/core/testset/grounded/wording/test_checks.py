import pytest

from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.testset.grounded.wording.checks import check_text_template

SQL = SqlTemplate(
    id="sql_1",
    sql="SELECT opened_on FROM branches WHERE name = '[branches.name]' AND city = '[branches.city]'",
)
GOOD = "Opening date of branch '[branches.name]' in '[branches.city]'"


def checked(text, form="short", template=SQL, **given):
    return check_text_template(
        TextTemplate(id="t", sql_template_id=template.id, form=form, text=text), template, **given
    )


def failed(text, **given):
    return {check.name: check for check in checked(text, **given).checks if not check.passed}


def sibling(text, id="other"):
    return TextTemplate(id=id, sql_template_id=SQL.id, form="short", text=text)


def test_a_good_wording_passes_every_check():
    found = checked(GOOD, siblings=[sibling("When did it open?")], example_answers=["1 May 1990"])
    assert [check.name for check in found.checks] == [
        "same_placeholders",
        "length",
        "plain_words",
        "distinct",
        "answer_hidden",
        "quoted",
    ]
    assert all(check.passed and not check.remedy and check.message for check in found.checks)
    assert found.approvable


def test_a_missing_and_an_extra_placeholder_are_named():
    check = failed("Opening date of branch '[branches.name]' and '[Client.Name]'")["same_placeholders"]
    assert check.blocking
    assert check.message == ("The wording lacks [branches.city] and has [Client.Name], which the SQL template has not.")
    assert check.remedy


def test_letter_case_and_repetition_of_a_placeholder_do_not_matter():
    assert not failed("Did branch '[Branches.Name]' of '[branches.CITY]' open before '[branches.name]'?")


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_wording_cannot_be_approved(text):
    found = failed(text)
    assert {"same_placeholders", "length"} <= set(found)
    assert found["length"].message == "0 words; short wordings have 1 to 15."
    assert found["length"].remedy == "Add context."


@pytest.mark.parametrize(
    ("form", "words", "passed"),
    [("short", 15, True), ("short", 16, False), ("long", 29, False), ("long", 30, True), ("my own", 1, True)],
)
def test_length_counts_a_placeholder_as_one_word(form, words, passed):
    """n words = n - 2 fillers and two placeholders, whose names are not counted."""
    text = " ".join(["word"] * (words - 2) + ["'[branches.name]'", "'[branches.city]'"][: min(words, 2)])
    check = next(check for check in checked(text, form=form).checks if check.name == "length")
    assert check.passed is passed
    assert bool(check.remedy) is not passed


@pytest.mark.parametrize("word", ["database", "Tables", "column", "query", "QUERIES", "sql"])
def test_words_of_a_database_are_found(word):
    check = failed(f"{GOOD} in the {word}")["plain_words"]
    assert not check.blocking, "recorded sets speak so; a person may let it pass"
    assert check.message == f"Speaks of {word.lower()}."


def test_words_inside_placeholders_and_longer_words_are_not_meant():
    template = SqlTemplate(id="s", sql="SELECT a FROM items WHERE name = '[table.query]'")
    assert "plain_words" not in failed("Uncomfortable vegetables of '[table.query]'", template=template)


def test_a_table_of_a_restaurant_may_be_called_a_table():
    template = SqlTemplate(id="s", sql="SELECT seats FROM restaurantTables WHERE name = '[restaurantTables.name]'")
    assert not failed("Seats of table '[restaurantTables.name]'", template=template)
    assert failed("Query the seats of table '[restaurantTables.name]'", template=template)["plain_words"]


@pytest.mark.parametrize(
    "twin",
    [GOOD, GOOD.upper(), GOOD.replace(" ", "  "), f"{GOOD}?", f" {GOOD.replace(' in ', ' in: ')} "],
)
def test_a_wording_that_differs_in_case_blanks_and_punctuation_only_is_a_repetition(twin):
    assert failed(GOOD, siblings=[sibling(twin)])["distinct"].blocking


@pytest.mark.parametrize(
    ("answer", "hidden"),
    [("1 May 1990", False), ("1 may 1990", False), ("2 May 1990", True), ("May 19", True), ("", True), ("...", True)],
)
def test_an_example_answer_in_the_wording_is_found_word_by_word(answer, hidden):
    assert ("answer_hidden" not in failed(f"{GOOD}, is it 1 May 1990?", example_answers=["x y z", answer])) is hidden


def test_a_placeholder_named_like_the_answer_gives_nothing_away():
    assert not failed(GOOD, example_answers=["branches", "name", "city"])


def test_a_placeholder_without_quotes_is_a_warning_only():
    found = checked("Opening date of branch [branches.name] in '[branches.city]'")
    check = next(check for check in found.checks if not check.passed)
    assert (check.name, check.blocking) == ("quoted", False)
    assert check.message == "[branches.name] stands without quotes."
    assert found.approvable


@pytest.mark.parametrize(
    "text",
    [
        "Age of '[branches.name] [branches.city]'",
        'Age of "[branches.name]" in "[branches.city]"',
        "Age of ‘[branches.name]’ in “[branches.city]”",
    ],
)
def test_any_kind_of_quotes_and_names_of_two_parts_are_quoted(text):
    assert not failed(text)


def test_what_stands_between_two_quoted_names_is_not_quoted():
    assert "quoted" in failed("Is '[branches.name]' of [branches.city] the branch 'x'?")


def test_another_length_is_a_warning_and_an_empty_wording_is_refused():
    """28 of the 30 long wordings recorded with GRAMMAR's Aurp data have fewer than 30 words; they can be used."""
    few = next(check for check in checked("manager of '[Branch.Name]'", form="long").checks if check.name == "length")
    none = next(check for check in checked("", form="long").checks if check.name == "length")
    assert (few.passed, few.blocking, few.remedy) == (False, False, "Add context.")
    assert (none.passed, none.blocking) == (False, True)
