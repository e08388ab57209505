"""What answers deny, list and conclude: classes of two more authors, in other words."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"
ROOMS = "- Linde: projector\n- Ahorn: projector\n- Eiche: whiteboard\n\nThat means Linde and Ahorn have a projector."
BUILT = "The organ was built by Klais in 1931 and renovated in 2004 by Rieger."


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # compounds with "no-" deny nothing
        ("Who ran the pump?", "Ida Holm", "Ida Holm ran it, a no-nonsense engineer.", RIGHT),
        ("Who ran the pump?", "Ida Holm", "Ida Holm ran it. No, wait, Per Lund did.", WRONG),
        ("What is the capital?", "Lyon", "Lyon - no, it is Paris.", WRONG),
        ("How many no-shows were there?", "41", "There were 41 no-shows.", RIGHT),
        ("Does the policy grant a no-claims bonus?", "Yes", "The policy grants a no-claims bonus of 20%.", RIGHT),
        ("Is the port closed to drones?", "Yes", "The port is a no-fly zone, so it is closed to drones.", RIGHT),
        ("Is the ferry running?", "Yes", "No—it was cancelled.", WRONG),
        # what was done with the thing besides is no other act
        (
            "Who wrote the opera performed in Graz?",
            "Lena Voss",
            "The opera in Graz was written by Lena Voss and performed in May.",
            RIGHT,
        ),
        ("Who renovated the organ built in 1931?", "Klais", BUILT, WRONG),
        ("Where was the treaty signed?", "Bern", "The treaty was drafted in Bern and signed in Oslo.", WRONG),
        # what a list comes to
        ("Which rooms have a projector?", "Linde, Ahorn", ROOMS, RIGHT),
        ("Which rooms have a projector?", "Linde, Ahorn", ROOMS.replace("and Ahorn", ", Ahorn and Eiche"), WRONG),
        ("Which rooms have a projector?", "Linde, Ahorn", ROOMS.split("\n\n", maxsplit=1)[0], WRONG),
        # entries too many
        (
            "Which wards are closed?",
            "Ash, Birch",
            "The Ash ward, the Birch ward, and the Cedar ward are closed.",
            WRONG,
        ),
        (
            "Which wards are closed?",
            "Ash, Birch",
            "The Ash ward and the Birch ward are closed, not the Cedar ward.",
            RIGHT,
        ),
        ("Which lines run at night?", "Red, Blue", "The Red line, the Blue line and also the Green line do.", WRONG),
        ("Which crews won?", "Aro, Beka", "Aro, Beka and Civa at the regatta.", WRONG),
        ("Which crews won?", "Aro, Beka", "Aro and Beka at the regatta and in the cup.", RIGHT),
        ("Where are the depots?", "Lyon, Lille", "In Lyon, Lille and nowhere else in France.", RIGHT),
        # what is conceded in front of a statement
        (
            "Which tenant pays most?",
            "Falk KG",
            "While I can't check the whole rent roll, the overview suggests that Falk KG pays most.",
            OPEN,
        ),
        ("Which tenant pays most?", "Falk KG", "Although I can't verify it, Falk KG pays most.", WRONG),
        # languages that go by the people who speak them
        ("In which language is the label printed?", "Slovenian", "The label is in Slovene.", RIGHT),
        ("In which language is the label printed?", "Slovenian", "The label is in Slovak.", WRONG),
        ("What is the skipper's nationality?", "Slovene", "The skipper is Slovenian.", RIGHT),
        ("What is the skipper's nationality?", "Icelandic", "The skipper is an Icelander.", RIGHT),
    ],
)
def test_words_that_deny_nothing_lists_and_what_they_come_to(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
