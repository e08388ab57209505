"""Facts from ordinary sentences: several in one, pronouns, conditions, duties, dated records."""

from __future__ import annotations

import pytest

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import QuestionKind
from core.testset.corpus.questions.rules import QuestionRules
from core.testset.corpus.reading.clauses.grammar import parsed
from core.testset.corpus.reading.clauses.splitting import Part, parts_of


def asked(text, title="L-846DL", others=(), kind=QuestionKind.SIMPLE, section=""):
    pages = ((title, text), *others)
    chunks = [
        Chunk(
            id=f"c{place}",
            document_id=f"d{place}",
            position=0,
            text=f"# {name}\n\n{words}",
            section=(section or name,),
            page=None,
            start=0,
            end=len(words),
        )
        for place, (name, words) in enumerate(pages)
    ]
    titles = {f"d{place}": name for place, (name, _) in enumerate(pages)}
    return {question.text: question.reference for question in QuestionRules(chunks, titles).candidates(kind, ["c0"])}


BOUGHT = "L-846DL is a van of the depot. It was bought on 3 May 2019 for 24,500 EUR and has driven 81,000 km since."


def test_each_fact_of_one_sentence_is_asked_for_with_the_page_for_it():
    questions = asked(BOUGHT)
    assert questions["When was L-846DL bought?"] == "3 May 2019"
    assert questions["How much was L-846DL bought for?"] == "24,500 EUR"
    assert questions["How many km has L-846DL driven?"] == "81,000 km"


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("The payload is 700 kg.", "What is the payload of L-846DL?", "700 kg"),
        ("Its regular driver is Anna Holub, who lives in Graz.", "Who is the regular driver of L-846DL?", "Anna Holub"),
        ("It must be inspected before 3 May 2027.", "Before which date must L-846DL be inspected?", "3 May 2027"),
        (
            "If the balance falls below 500 EUR, a fee of 5 EUR is charged.",
            "For L-846DL, what fee is charged if the balance falls below 500 EUR?",
            "5 EUR",
        ),
        (
            "Requests must be answered within 10 working days of receipt.",
            "For L-846DL, within how many working days of receipt must requests be answered?",
            "10 working days",
        ),
        (
            "If the amount exceeds 90,000 EUR, the approval of the duty officer is required.",
            "For L-846DL, whose approval is required if the amount exceeds 90,000 EUR?",
            "the duty officer",
        ),
    ],
)
def test_sentences_of_pages_are_read(sentence, question, answer):
    questions = asked(f"L-846DL is a van of the depot. {sentence}")
    assert questions.get(question) == answer, questions


@pytest.mark.parametrize(
    "sentence",
    [
        "It was probably bought on 3 May 2019.",
        "It was not bought on 3 May 2019.",
        "He bought it on 3 May 2019.",
        "The garage is old. The garage was sold on 3 May 2019.",
        "It was built in Graz and toured Italy in 2019.",
        "It was hired to carry guests on 3 May 2019.",
        "The report was sent from 3 May 2019 to 5 May 2019.",
        "Was it bought on 3 May 2019?",
    ],
)
def test_what_is_hedged_or_points_elsewhere_is_left_alone(sentence):

    assert "3 May 2019" not in asked(f"L-846DL is a van of the depot. {sentence}").values()


def test_it_is_not_the_page_after_another_subject():
    text = "L-846DL is a van of the depot. The workshop opened in 1990. It was sold on 3 May 2019."
    assert "3 May 2019" not in asked(text).values()


def test_a_title_that_no_sentence_says_is_quoted():
    questions = asked("Requests must be answered within 10 working days.", title="Night Desk Rota")
    assert list(questions) == [
        'According to "Night Desk Rota", within how many working days must requests be answered?'
    ]


def test_a_row_that_begins_with_a_day_belongs_to_what_its_page_is_about():
    rows = "| Date | Cost |\n| --- | --- |\n| 20 May 2022 | 250 EUR |\n| 27 May 2022 | 300 EUR |"
    questions = asked(
        f"L-846DL is a van of the depot.\n\n## Repairs\n\n{rows}", kind=QuestionKind.TABLE, section="Repairs"
    )
    assert questions["What was the cost of the repair of L-846DL on 20 May 2022?"] == "250 EUR"


def test_a_day_alone_names_no_record():
    rows = "| Date | Cost |\n| --- | --- |\n| 20 May 2022 | 250 EUR |\n| 27 May 2022 | 300 EUR |"
    assert asked(rows, title="notes_2022.5", kind=QuestionKind.TABLE) == {}


def test_a_name_of_a_file_is_no_subject():
    assert asked("VmSize: 131168 kB\n\nVmPeak: 131200 kB", title="procfs.5") == {}


def test_what_another_page_has_and_this_one_lacks_is_out_of_scope_only_with_its_own_name():
    others = tuple(
        (name, f"{name} is a van of the depot. It was bought on 4 May 2019 for {price} EUR. It carries up to 800 kg.")
        for name, price in (("W-111AA", "20,000"), ("W-222BB", "21,000"))
    )
    written = asked(BOUGHT, others=others, kind=QuestionKind.OUT_OF_SCOPE)
    assert written
    assert all("W-111AA" not in question and "W-222BB" not in question for question in written)


@pytest.mark.parametrize(
    "sentence",
    [
        "Includes towel or blanket costs up to £30 within the visit.",  # a footnote
        "Keep visitor records for three years from the date of the visit.",  # an order
        "Record held by Front Desk for 4 years.",  # "is" is left out
        "Gutters cleaned by Spoutwise every six months.",
        "Stretcher set at 06:05 beside the gate.",
        "Sprinklers fitted August 2023 in the yard.",
    ],
)
def test_what_is_no_whole_sentence_is_no_clause(sentence):
    assert [parsed(part) for part in parts_of(sentence) if parsed(part) is not None] == []


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Fees must be paid within 12 days.", "Fees"),
        ("Claim forms cost 4 EUR.", "Claim forms"),
        ("Sales increased by 5% in 2023.", "Sales"),
        ("Talgarth Booster supplied 3 megalitres in 2023.", "Talgarth Booster"),
        ("The record was held by the office for 4 years.", "The record"),
        ("Report forms are kept for two years.", "Report forms"),
        ("Talgarth bought 300 meters in 2021.", "Talgarth"),
    ],
)
def test_a_whole_sentence_is_a_clause(sentence, subject):
    assert [clause.subject for part in parts_of(sentence) if (clause := parsed(part))] == [subject]


def test_what_belongs_to_the_second_verb_alone_is_not_asked_of_the_first():
    """Platelets are shaken every 20 minutes; they do not travel every 20 minutes."""
    rules = "Platelets travel without cooling packs and must be shaken every 20 minutes."
    questions = asked(rules, title="Transport rules")
    assert questions == {'According to "Transport rules", how often must platelets be shaken?': "every 20 minutes"}


def test_a_verb_that_is_not_known_before_the_conjunction_leaves_no_subject():
    part = Part(words="Blimps zorb nightly and must be shaken every 20 minutes")
    assert parsed(part) is None


def test_by_whom_stands_first_where_something_else_stands_behind():
    history = "The Sennet Valley Blood Service was founded in 1961 by Dr Agnes Tolland."
    questions = asked(history, title="History")
    assert questions["By whom was the Sennet Valley Blood Service founded in 1961?"] == "Dr Agnes Tolland"
    assert not any(question.endswith("by?") for question in questions)
