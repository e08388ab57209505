"""What a value is said of: the clause it stands in, beside the clauses that have what the question names."""

import pytest

from core.judging.match import judge_match
from core.judging.match.figures.binding import other_names_in
from core.judging.match.figures.clauses import asked_words, clauses
from core.judging.match.figures.two_clauses import names_alone, of_other_things, says_both
from core.judging.match.values import Hit


def hit(text, value, rule="number"):
    start = text.index(value)
    return Hit(rule=rule, start=start, end=start + len(value), reason="")


def test_clauses_know_what_is_asked_and_what_is_named_besides():
    text = "chai has 17 units in stock, chang 39."
    first, second = clauses(text, 0, len(text), asked_words("how many units of chang are in stock?"))
    assert (first.asked, first.foreign) == (frozenset({"stock"}), frozenset({"chai"}))
    assert (second.asked, second.foreign) == (frozenset({"chang"}), frozenset())


@pytest.mark.parametrize(
    ("question", "reference", "right", "wrong"),
    [
        (
            "How many units of Chang are in stock?",
            "17",
            "Chai has 39 units in stock, Chang 17, Aniseed Syrup 13.",
            "Chai has 17 units in stock, Chang 39, Aniseed Syrup 13.",
        ),
        (
            "How many units of Chang are in stock?",
            "17",
            "Its price is 19 each; 17 units in stock.",
            "There are 40 of it on order and the reorder level is 17.",
        ),
        (
            "When did the Harbour branch open?",
            "2019-03-04",
            "Opened on 4 March 2019, renovated on 12 June 2022.",
            "Renovated on 4 March 2019; opened on 1 June 2001.",
        ),
        (
            "When does the visitor permit expire?",
            "31 December 2024",
            "It is valid until 31 December 2024.",
            "Your permit was issued on 31 December 2024 and is valid for one year.",
        ),
        (
            "Who is the manager of the Geneva branch?",
            "Claire Dubois",
            "Marc Weber manages Lausanne; Geneva is managed by Claire Dubois.",
            "Claire Dubois manages Lausanne; Geneva is managed by Marc Weber.",
        ),
        (
            "Who won the women's singles in 2021?",
            "Ashleigh Barty",
            "Naomi Osaka won in 2019, Ashleigh Barty in 2021.",
            "Ashleigh Barty won in 2019, Naomi Osaka in 2021.",
        ),
    ],
)
def test_another_owner_or_property_is_not_accepted(question, reference, right, wrong):
    assert judge_match(question, [reference], right).verdict.value == "correct"
    assert judge_match(question, [reference], wrong).verdict.value != "correct"


def test_two_values_of_the_same_thing():
    text = "the fee is 30 euros. to be precise, the fee is 60 euros."
    assert says_both(11, 47, text, "what is the fee?")
    assert not says_both(47, 11, text, "what is the fee?")
    assert not says_both(11, 47, text.replace("the fee is 60", "it is not 60"), "what is the fee?")


def test_a_value_of_other_things():
    text = "the report names 5 witnesses."
    assert of_other_things(hit(text, "5"), text, "how many were aboard?")
    assert not of_other_things(hit(text, "5"), text, "how many witnesses are there?")


def test_names_alone():
    assert names_alone(34, 9, "chai has 39 units in stock, chang 17.", "how many units of chang are in stock?")
    assert not names_alone(9, 34, "chai has 39 units in stock, chang 17.", "how many units of chang are in stock?")


def test_other_names():
    assert other_names_in("Bob Roy beat Ann Lee in the final.", "who won?", "ann lee") == frozenset({"bob", "roy"})
