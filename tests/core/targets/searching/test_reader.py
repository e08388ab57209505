"""The extractive reader: the right line, or an honest abstention."""

import pytest

from core.domain.sources.documents import Document
from core.targets.searching.reader import ABSTENTION, read_answer

BRANCH = Document(
    id="branch:3",
    title="Harbour Street branch",
    text="""# Harbour Street branch

The branch opened on 3 May 2014 in a former customs house. It is managed by Jane Doe, who joined in 2009.

## Contact

- Telephone: 0555 010 203
- E-mail address: harbour@bank.example

## Counters

| Counter | Clerk | Opens |
| --- | --- | --- |
| Foreign exchange | Ravi Patel | 09:30 |
| Business | Ana Silva | 10:00 |
""",
)
CUSTOMER = Document(
    id="customer:8",
    title="Customer page",
    text="Tom Brown banks at Harbour Street. He holds a savings account. His credit limit is 2,500 euros.",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("manager of 'Harbour Street'", "It is managed by Jane Doe, who joined in 2009."),
        ("Who is the manager of 'Harbour Street'?", "It is managed by Jane Doe, who joined in 2009."),
        ("opening date of 'Harbour Street'", "The branch opened on 3 May 2014 in a former customs house."),
        ("When did “Harbour Street” open?", "The branch opened on 3 May 2014 in a former customs house."),
        ('phone number of "Harbour Street"', "Telephone: 0555 010 203"),
        ("What is the e-mail address of the branch 'Harbour Street'?", "E-mail address: harbour@bank.example"),
        ("clerk of the counter 'Business' at 'Harbour Street'", "Business, Clerk: Ana Silva"),
        ("When does the counter 'Foreign exchange' open?", "Foreign exchange, Opens: 09:30"),
        (
            "Good morning, I am currently going through our records and I would be grateful if you could kindly look "
            "up for me, whenever you have a moment, the telephone of the branch that is known to everybody by the name "
            "of 'Harbour Street', thank you.",
            "Telephone: 0555 010 203",
        ),
        (
            "I would like to ask you, if you would be so kind, to tell me the person who is the manager of the one "
            "particular branch that we all know under the name 'Harbour Street', as I need this for a letter.",
            "It is managed by Jane Doe, who joined in 2009.",
        ),
    ],
)
def test_finds_the_one_line(question, answer):
    reading = read_answer(question, [BRANCH])
    assert (reading.text, reading.abstained, reading.document_id) == (answer, False, "branch:3")


@pytest.mark.parametrize(
    "question",
    [
        "manager of 'Hill Road'",  # another subject
        "manager of 'Harbour's End'",  # shares a word with the subject, and is somebody else
        "manager of 'Harbour Street' and 'Hill Road'",  # one of two subjects is missing
        "rental cost of 'Harbour Street'",  # the property is nowhere
        "the branch 'Harbour Street'",  # only words of the title
        "",
    ],
)
def test_abstains(question):
    reading = read_answer(question, [BRANCH])
    assert (reading.text, reading.abstained, reading.document_id, reading.score) == (ABSTENTION, True, "", 0.0)


def test_no_document_no_answer():
    assert read_answer("manager of 'Harbour Street'", []).abstained


def test_the_first_words_of_a_text_are_its_subject_and_later_words_are_not():
    assert read_answer("credit limit of 'Tom Brown'", [CUSTOMER]).text == "His credit limit is 2,500 euros."
    assert read_answer("credit limit of 'Harbour Street'", [CUSTOMER]).abstained


def test_a_subject_that_is_not_the_title_stands_by_the_answer_or_just_before_it():
    page = Document(id="x", title="News", text="News of May. Tom Brown came. He has an account. He has a loan.")
    assert read_answer("account of 'Tom Brown'", [page]).text == "He has an account."
    assert read_answer("loan of 'Tom Brown'", [page]).abstained  # two sentences away it may be somebody else's


def test_a_mention_elsewhere_does_not_answer_for_the_subject():
    assert read_answer("manager of 'Harbour Street'", [CUSTOMER]).abstained


def test_the_document_about_the_subject_wins_whatever_its_rank():
    assert read_answer("manager of 'Harbour Street'", [CUSTOMER, BRANCH]).document_id == "branch:3"


def test_the_earlier_document_wins_ties():
    twin = Document(id="branch:4", title=BRANCH.title, text=BRANCH.text)
    assert read_answer("manager of 'Harbour Street'", [twin, BRANCH]).document_id == "branch:4"


def test_a_subject_with_odd_characters_is_text_like_any_other():
    page = Document(id="x", title="O'Brien' OR 1=1 --", text="Its manager is [Artist.Name].")
    assert read_answer("manager of 'O'Brien' OR 1=1 --'", [page]).text == "Its manager is [Artist.Name]."


def test_words_that_say_what_the_subject_is_are_not_what_is_asked():
    text = "The Hearth loan is a mortgage, a loan product of the lending desk. It has a term of 35 years."
    page = Document(id="x", title="Hearth", text=text)
    for question in (
        "maximum term of the loan product 'Hearth'",
        "the loan product named 'Hearth' has which maximum term?",
    ):
        assert read_answer(question, [page]).text == "It has a term of 35 years."


def test_rows_of_a_csv_answer_field_by_field():
    page = Document(
        id="fees.csv",
        title="fees",
        text="Service: Card replacement; Fee: 12.50; Channel: branch\nService: Cash advance; Fee: 4.00; Channel: any",
        format="csv",
    )
    assert read_answer("fee of 'Cash advance'", [page]).text == "Cash advance, Fee: 4.00"


def test_is_deterministic():
    first = [read_answer("manager of 'Harbour Street'", [CUSTOMER, BRANCH]) for _ in range(3)]
    assert first[0] == first[1] == first[2]
