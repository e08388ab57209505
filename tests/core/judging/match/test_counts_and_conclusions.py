"""What answers add up, count out of, label, list and conclude: classes of two more authors, in other words."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"
DESKS = "The north desk had 18 complaints and the south desk 7, so altogether there were 25."
RAIL_AND_BARGE = "It shipped 31 tonnes by rail and 27 tonnes by barge in May, which makes 58 tonnes."
VETS = "Dr. Aas vaccinated 9 puppies and Dr. Moe vaccinated 6, adding up to 15 puppies."
SURVEY = "The crew booked 13.5 hours on the hull survey of MV-04: 9 hours on the first day and 4.5 hours on the second."
BOILER = "Boiler 3: 4.2 bar right now, maximum tank pressure 6 bar."
ROOMS = "- Linde: projector\n- Ahorn: projector\n- Eiche: whiteboard\n\nThat means Linde and Ahorn have a projector."
BUILT = "The organ was built by Klais in 1931 and renovated in 2004 by Rieger."


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # a total outweighs its parts, unless one of them is asked for
        ("How many complaints were there in March?", "18", DESKS, WRONG),
        ("How many complaints were there in March?", "25", DESKS, RIGHT),
        ("How many complaints had the north desk?", "18", DESKS, RIGHT),
        (
            "How many beds does it have?",
            "120",
            "It has 120 beds in the old wing and 34 beds in the annex, 154 in all.",
            WRONG,
        ),
        ("How many tonnes did the quarry ship in May?", "58", RAIL_AND_BARGE, RIGHT),
        ("How many tonnes did the quarry ship by rail in May?", "31", RAIL_AND_BARGE, RIGHT),
        ("How many puppies were vaccinated?", "15", VETS, RIGHT),
        ("How many puppies were vaccinated?", "9", VETS, WRONG),
        (
            "How many visitors came on Monday?",
            "210",
            "On Monday 210 visitors came and on Tuesday 160, so altogether there were 370.",
            RIGHT,
        ),
        (
            "What is the voluntary excess chosen on policy 9?",
            "£250",
            "The compulsory excess is £100 and the voluntary excess is £250, giving a combined £350.",
            RIGHT,
        ),
        # a value with the parts that make it up behind it
        ("How many hours did the crew spend on the hull survey of MV-04?", "13.5", SURVEY, RIGHT),
        ("How many hours did the crew spend on the hull survey of MV-04?", "9", SURVEY, WRONG),
        (
            "How many lambs were born in spring?",
            "73",
            "73 lambs were born in spring - 41 lambs in March and 32 lambs in April.",
            RIGHT,
        ),
        # so many out of so many
        ("How many seats are taken?", "18", "18 out of 50 seats are taken.", RIGHT),
        ("How many seats are taken?", "50", "18 out of 50 seats are taken.", WRONG),
        ("How many trees were infested?", "6", "Six out of twenty trees were infested.", RIGHT),
        ("How many trees are there?", "20", "Six out of 20 trees were infested.", RIGHT),
        ("What proportion of trees was infested?", "30%", "Six out of twenty trees were infested.", RIGHT),
        # another kind of the quantity that is asked for
        ("What is the tank pressure of boiler 3?", "4.2 bar", BOILER, RIGHT),
        ("What is the tank pressure of boiler 3?", "6 bar", BOILER, OPEN),
        ("What is the maximum tank pressure?", "6 bar", BOILER, RIGHT),
        ("What is the stock level of part 8?", "126", "Part 8: 126 pieces, min. stock level: 60.", RIGHT),
        ("What is the fuel consumption of truck 8?", "34 l", "The average fuel consumption of it is 34 l.", RIGHT),
        ("What is the noise level in hall B?", "71 dB", "Hall B has 71 dB; the permitted noise level is 80 dB.", RIGHT),
        # rounded, and said to be
        ("What is the mean weight in kg?", "28.4", "They weigh around 28 kg on average.", OPEN),
        ("What is the mean weight in kg?", "28.4", "They weigh around 29 kg on average.", WRONG),
        ("What is the mean depth?", "8.7 m", "It is roughly 9 m deep.", WRONG),
        # the same in another unit, in brackets
        ("How heavy is the bell?", "450 kg", "The bell weighs about 992 pounds (450 kg).", RIGHT),
        ("How heavy is the bell?", "480 kg", "The bell weighs about 992 pounds (450 kg).", WRONG),
        ("How far from shore is the buoy?", "11 km", "The buoy is roughly 7 miles (11 km) from shore.", RIGHT),
        ("How far from shore is the buoy?", "11 km", "The buoy is 20 miles (11 km by boat) from shore.", OPEN),
        # figures of a code that is asked about
        ("What is the hazard class of tank TK 40017-2?", "3", "Tank TK 40017-2: hazard Class 3, UN 1824.", RIGHT),
        ("What is the hazard class of tank TK 40017-2?", "2", "Tank TK 40017-2: hazard Class 3, UN 1824.", WRONG),
    ],
)
def test_figures_that_are_added_up_counted_out_of_and_labelled(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


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
        ("Who built the organ renovated in 2004?", "Klais", BUILT, RIGHT),
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


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        ("How many B hoses are in stock?", "64", "There are 64 B hoses in stock.", "correct"),
        ("How many B batteries are left?", "112", "There are 64 B batteries left.", "incorrect"),
        ("What was the revenue?", "64 billion", "It was 64 b dollars.", "correct"),
        ("What is the phone number of the depot?", "01603 555 214", "+44 1603 555214", "correct"),
        ("What is the phone number of the depot?", "01603 555 214", "Call +44 (0)1603 555-214.", "correct"),
        ("What is the phone number of the depot?", "01603 555 214", "+44 1603 555241", "incorrect"),
    ],
)
def test_letters_behind_figures_and_numbers_called_from_abroad(question, reference, answer, verdict):
    assert judge_match(question, [reference], answer).verdict.value == verdict
