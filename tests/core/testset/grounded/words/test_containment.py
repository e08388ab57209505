import pytest

from core.testset.grounded.words.containment import contains_words


@pytest.mark.parametrize(
    ("text", "answer", "contained"),
    [
        ("client of 'Blue Lagoon Resort'", "blue lagoon", True),
        ("client of 'Blue Lagoon Resort'", "Blue Resort", False),
        ("room 13", "3", False),
        ("fee of 12.50 in May", "12.50", True),
        ("STRASSE in Bern", "Straße", True),
        ("anything", "--", False),
        ("", "a", False),
        ("short", "a longer answer", False),
    ],
)
def test_answers_are_found_as_whole_words(text, answer, contained):
    assert contains_words(text, answer) is contained
