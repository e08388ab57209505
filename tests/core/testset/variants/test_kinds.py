"""What each kind makes of a question, and that it leaves alone what it may not touch."""

import random
from dataclasses import replace

import pytest

from core.domain.errors import InvalidInput
from core.domain.testset.cases import TestCase
from core.domain.testset.variants import Expected, Lineage
from core.testset.variants.making import Recipe, make_variants
from core.testset.variants.meaning import changed_meaning
from core.testset.variants.registry import find_kinds, list_kinds
from core.testset.variants.spans import names, plain_words
from core.testset.variants.spec import Draft, Ground, Skip

QUESTION = "When did the branch 'Harbour Street' open?"
CASES = [
    TestCase(
        case_id=f"c{number}",
        question=f"What is the opening date of the branch '{street}'?",
        reference_answers=(date,),
        group_id=f"g{number}",
        sql_template_id="opened",
        sql_params={"street": street},
        gold_document_ids=(f"Branch:{number}",),
        attributes={"topic": "Branches"},
    )
    for number, (street, date) in enumerate(
        [("Harbour Street", "3 May 2014"), ("Mill Lane", "9 June 2011"), ("Castle Road", "1 July 2009")]
    )
]


def drafts(kind, question, *, ground=None, reference="3 May 2014", times=20, **fields):
    """What a kind makes of a question from several seeds."""
    (found,) = find_kinds([kind])
    case = TestCase(case_id="c", question=question, reference_answers=(reference,), **fields)
    return [found.make(case, random.Random(seed), ground or Ground()) for seed in range(times)]


@pytest.mark.parametrize(
    ("question", "protected"),
    [
        (QUESTION, ("'Harbour Street'",)),
        ("What was Apple's revenue in Q3 2023?", ("Apple's", "Q3", "2023")),
        ("Genre of track 'Mangueira'", ("'Mangueira'",)),
        ("Berlin has how many airports?", ("Berlin",)),
        ("Shipped date of order 10248", ("10248",)),
        ("What does I.B.M. report?", ("I.B.M",)),
    ],
)
def test_names_numbers_and_values_are_protected(question, protected):
    assert names(question) == protected


def test_without_capitals_only_everyday_words_are_surely_no_names():
    assert [word.text for word in plain_words("who has played chad dimera on days of our lives")] == [
        "who",
        "has",
        "played",
        "on",
        "of",
        "our",
        "lives",
    ]


@pytest.mark.parametrize(
    ("parent", "variant", "lost"),
    [
        ("Fee of card 'A'?", "fee of card 'A'", ""),
        ("Fee of card 'A'?", "Fee of card 'B'?", "a quoted value changed"),
        ("Fee in 2023?", "Fee in 2024?", "a number changed"),
        ("Fee in Leeds?", "Fee in Leds?", "a name changed"),
        ("Which cards have no fee?", "Which cards have fee?", "a negation changed"),
        ("Which fee is higher?", "Which fee is?", "a comparison changed"),
        ("What was due this month?", "What was due this time?", "a date changed"),
        ("The two cards?", "The cards?", "a number word changed"),
    ],
)
def test_what_of_the_meaning_is_lost(parent, variant, lost):
    assert changed_meaning(parent, variant) == lost


def test_spelling_touches_neither_values_nor_meaning_and_makes_no_other_word():
    for draft in drafts("spelling", QUESTION, ground=Ground(rate=1.0), times=60):
        assert isinstance(draft, Draft)
        assert draft.question != QUESTION
        assert changed_meaning(QUESTION, draft.question) == ""
        assert "from" not in draft.question.split()


AROUND = (
    ("Could you tell me", "?"),
    ("Do you happen to know", "?"),
    ("I would like to know", "."),
    ("I need to know", "."),
)


@pytest.mark.parametrize(
    ("kind", "question", "variants"),
    [
        ("clause_order", "What was revenue in Q2 2023?", {"In Q2 2023, what was revenue?"}),
        ("clause_order", "In Q2 2023, what was revenue?", {"What was revenue in Q2 2023?"}),
        (
            "clause_order",
            "What is the opening date of the branch 'A'?",
            {"For the branch 'A', what is the opening date?"},
        ),
        ("other_form", "Who is the manager of branch 'A'?", {"Tell me who the manager of branch 'A' is."}),
        ("other_form", "Look up opening date of branch 'A'", {"What is the opening date of branch 'A'?"}),
        ("other_form", "Look up series of book 'A'", {"What is the series of book 'A'?"}),
        ("other_form", "Find out what the fee of the card 'A' is.", {"What is the fee of the card 'A'?"}),
        ("other_form", "May I ask who the manager of 'A' is?", {"Tell me who the manager of 'A' is."}),
        ("clause_order", "Look up fee of card 'A'", {"Card 'A': fee"}),
        (
            "paraphrase",
            "Tell me what the fee of card 'A' is.",
            {f"{lead} what the fee of card 'A' is{end}" for lead, end in AROUND},
        ),
        ("ambiguous", "What is the fee of the card 'Gold'?", {"What is the fee of the card?"}),
        ("ambiguous", "What was Apple's revenue in Q3 2023?", {"What was Apple's revenue?"}),
        ("repeat", QUESTION, {QUESTION}),
    ],
)
def test_rules(kind, question, variants):
    assert {draft.question for draft in drafts(kind, question)} == variants


def test_a_directive_to_say_something_becomes_one_request_of_a_chat():
    for draft in drafts("colloquial", "Say what the fee of card 'A' is."):
        assert "what the fee of card 'A' is?" in draft.question
        assert not draft.question.startswith("hey, need this")


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("other_form", "What was the tax rate, and how does it compare?"),
        ("clause_order", "Why?"),
        ("ambiguous", "who is considered the 'father' of the minicomputer"),
        ("unfamiliar_near", "Apple or Intel?"),
        ("grammar", "Why?"),
        ("clause_order", "Quick question: what is the fee of card 'A'?"),
        ("other_form", "Find out if the practice is open."),
    ],
)
def test_what_has_no_variant_says_why(kind, question):
    for draft in drafts(kind, question):
        assert isinstance(draft, Skip)
        assert draft.reason


def test_a_wrong_value_is_that_of_another_case_of_the_template():
    made = make_variants(CASES, Recipe(kinds=("contradiction", "distractor", "poisoned_passage")))
    for case in made.cases:
        lineage = Lineage.of(case.attributes)
        assert lineage.misled_by in {other.reference_answers[0] for other in CASES}
        assert lineage.misled_by not in case.reference_answers
        assert lineage.misled_by in (lineage.planted_passage or case.question)
        assert bool(lineage.planted_passage) == (lineage.variant == "poisoned_passage")


def test_no_value_of_the_question_itself_is_planted_as_its_wrong_answer():
    people = [("Ann", "Bea"), ("Bea", "Cy"), ("Cy", "Ann")]
    cases = [
        TestCase(
            case_id=f"m{name}",
            question=f"Who is the manager of '{name}'?",
            reference_answers=(manager,),
            group_id=name,
            sql_template_id="manager",
        )
        for name, manager in people
    ]
    made = make_variants(cases, Recipe(kinds=("contradiction", "poisoned_passage")))
    assert made.cases
    for case in made.cases:
        lineage = Lineage.of(case.attributes)
        assert lineage.misled_by not in lineage.parent_question


def test_every_kind_keeps_its_lineage_and_says_what_is_right():
    every = [spec.name for spec in list_kinds()]
    made = make_variants(CASES, Recipe(kinds=tuple(every), repeats=2))
    assert sum(made.made.values()) == len(made.cases)
    specs = {spec.name: spec for spec in list_kinds()}
    for case in made.cases:
        lineage = Lineage.of(case.attributes)
        parent = next(other for other in CASES if other.case_id == lineage.parent)
        assert lineage.parent_question == parent.question
        assert lineage.expected == specs[lineage.variant].expected
        assert case.group_id == parent.group_id
        assert case.attributes["topic"] == "Branches"
        answerable = lineage.expected in (Expected.SAME_ANSWER, Expected.CORRECTED_OR_DECLINED)
        assert case.reference_answers == (parent.reference_answers if answerable else ())
        if specs[lineage.variant].keeps_meaning:
            assert changed_meaning(parent.question, case.question) == ""
    assert len({case.case_id for case in made.cases}) == len(made.cases)
    repeats = [case for case in made.cases if case.attributes["variant"] == "repeat"]
    assert [case.attributes["draw"] for case in repeats] == ["1", "2"] * 3


def test_the_same_recipe_gives_the_same_variants_and_another_seed_others():
    recipe = Recipe(kinds=("spelling", "preamble"), seed=3)
    assert make_variants(CASES, recipe).cases == make_variants(CASES, recipe).cases
    assert make_variants(CASES, recipe).cases != make_variants(CASES, replace(recipe, seed=4)).cases


def test_n_cases_of_each_kind_are_drawn_and_a_case_that_does_not_fit_is_replaced():
    unfit = [replace(CASES[0], case_id=f"u{number}", question="Why?", sql_template_id="") for number in range(5)]
    made = make_variants([*unfit, *CASES], Recipe(kinds=("clause_order",), n=3))
    assert made.made == {"clause_order": 3}
    assert sum(made.skipped["clause_order"].values()) <= 5


def test_other_languages_are_skipped_unless_a_kind_is_free_of_language():
    german = TestCase(case_id="d", question="Wie hoch ist die jährliche Gebühr der Karte für neue Kunden?")
    made = make_variants([german], Recipe(kinds=("spelling", "case_punctuation")))
    assert made.made == {"spelling": 0, "case_punctuation": 1}
    assert made.skipped["spelling"] == {"the question is not English (de)": 1}


def test_a_model_rewords_and_what_it_loses_is_skipped():
    worded = {"c0": "On which date did 'Harbour Street' open?", "c1": "When did it open?", "c2": None}
    made = make_variants(CASES, Recipe(kinds=("paraphrase",)), reword=lambda case: worded[case.case_id])
    assert [case.question for case in made.cases] == ["On which date did 'Harbour Street' open?"]
    assert made.skipped["paraphrase"] == {
        "a quoted value changed, so that the answer might too": 1,
        "the model gave no usable wording": 1,
    }


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (Recipe(kinds=("shouting",)), "There is no kind of variant 'shouting'"),
        (Recipe(kinds=()), "No kind of variant is named"),
        (Recipe(kinds=("spelling",), n=0), "n is 0"),
        (Recipe(kinds=("spelling",), rate=2.0), "The rate of spelling mistakes is 2"),
        (Recipe(kinds=("repeat",), repeats=0), "0 is not a number of repeats"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(recipe, message):
    with pytest.raises(InvalidInput, match=message):
        make_variants(CASES, recipe)


def test_variants_have_no_variants():
    made = make_variants(CASES, Recipe(kinds=("preamble",)))
    with pytest.raises(InvalidInput, match="each is a variant already"):
        make_variants(made.cases, Recipe(kinds=("preamble",)))
