"""Classes of what systems usually write, in other words and domains than those in which they were met."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # "or" within a word leaves no choice
        ("What is the freight of Lou Ortiz?", "12.50", "The freight of the order of Lou Ortiz is 12.50.", RIGHT),
        ("What is the freight of Lou Ruiz?", "12.50", "It is 12.50 or 48.00.", WRONG),
        # counts in words, months by their number, times of four digits
        ("How many times was it closed?", "2", "It was closed twice, in May and in July.", RIGHT),
        ("How many times was it closed?", "3", "It was closed twice, in May and in July.", WRONG),
        ("How many leaks are open?", "1", "There is a single leak, reported as LK-2023-00718.", RIGHT),
        ("In which month was the flood?", "March", "The flood came in 03/2021.", RIGHT),
        ("In which month was the flood?", "April", "The flood came in 03/2021.", WRONG),
        ("When did it dock?", "06:35 UTC", "It docked at 0635Z.", RIGHT),
        # codes in groups and with their marks
        ("Which UN number has it?", "UN 1203", "UN1203, petrol.", RIGHT),
        ("In which weeks is it shut?", "weeks 12 and 13", "- Week 12\n- Week 13", RIGHT),
        # more than there is, and another currency
        ("Which mills have a fishway?", "Alder Mill", "Two mills have one: Alder Mill and Birch Mill.", WRONG),
        ("What is the toll?", "30 EUR", "The toll is 30 pounds.", WRONG),
        ("Between Alder and Birch, which had more visitors?", "Birch", "Birch 90, Alder 120. Alder had more.", WRONG),
        ("Who carved it?", "Henrik Vold", "It was carved by Henrike Vold.", WRONG),
        # what a question is whether it goes without
        ("Can guests fish without a permit?", "no", "Guests need a permit as well.", RIGHT),
        ("Can guests fish without a permit?", "yes", "Guests do not need a permit.", RIGHT),
        # by how much something changed
        (
            "By how much did the toll rise?",
            "1.2 million",
            "It went from 3 million to 4.2, an increase of 1.2 million.",
            RIGHT,
        ),
        # names without the word that says what they are
        ("Which ward is she on?", "Larch ward", "She is on Larch.", RIGHT),
        ("Which division will be sold?", "The Marine Coatings division", "Marine Coatings will be sold in May.", RIGHT),
        ("Which team handles it?", "Sales team", "The sales manager handles it.", WRONG),
        # moments and quarters
        ("When did the pump stop?", "2022-05-03 04:11:37", "It stopped on 3 May 2022 at 4:11 am.", RIGHT),
        ("When did the pump stop?", "2022-05-03 04:11:37", "It stopped on 3 May 2022 at 4:12 am.", WRONG),
        ("Which quarter of 2021 was the best?", "Q3 2021", "The third quarter.", RIGHT),
        ("Which quarter of 2021 was the best?", "Q3 2021", "It was Q1.", WRONG),
        # where somebody went, and came from
        ("Which depot did the tram move to?", "Harbour Road", "It was moved from Harbour Road to Mill Lane.", WRONG),
        ("Which depot did the tram move to?", "Mill Lane", "It was moved from Harbour Road to Mill Lane.", RIGHT),
        ("Which depot did the tram move from?", "Harbour Road", "It was moved from Harbour Road to Mill Lane.", RIGHT),
        # other words for a state
        ("What is the status of permit 7?", "Cancelled", "Permit 7 was voided in June.", OPEN),
        ("What is the status of permit 7?", "Cancelled", "Permit 7 is valid until June.", WRONG),
        ("Where was he treated?", "Coronary Care", "He was treated in the CCU.", OPEN),
        ("Where was he treated?", "Paediatric Intensive Care", "He was treated in the PICU.", OPEN),
        ("Is the oak table in stock?", "no", "The oak table is sold out until March.", RIGHT),
        ("Is the oak table in stock?", "yes", "The oak table is out of stock.", WRONG),
        ("Did the yield of the northern fields improve?", "yes", "The yield improved by 4%.", RIGHT),
        ("Did the yield of the northern fields improve?", "yes", "The yield of the orchards improved.", OPEN),
        # figures
        ("What is net debt, in EUR millions?", "2481.00", "Net debt stood at €2,480.7 million.", RIGHT),
        ("What is net debt, in EUR millions?", "2481.00", "Net debt stood at €2,479.7 million.", WRONG),
        ("What was the dividend of 2020?", "$0.88", "It paid $0.22 each quarter of 2020, for a total of $0.88.", RIGHT),
        ("How many staff has it?", "5,210", "It has 5,210 staff; some 900 of them are drivers.", RIGHT),
        (
            "What were the fees at 30 June, in $m?",
            "$412m",
            "- Advice fees: $290m\n- Other fees: $122m\n\nTotal fees = $290m + $122m = **$412m**.",
            RIGHT,
        ),
        (
            "What are the fees on the form? If none are shown state 0.",
            "0",
            "The form has no such line. As fees are not shown on the form, the answer is **0**.",
            RIGHT,
        ),
        ("What was growth excluding fuel?", "1.9%", "Sales excluding fuel rose by 1.9%.", RIGHT),
        ("What was growth?", "1.9%", "It was 3% excluding the 1.9% from fuel.", WRONG),
        (
            "Are there any products above 20% of sales?",
            "Yes: tents (41%), boots (27%) and packs (22%).",
            "Yes, tents with 41% and boots with 27%, and no other.",
            OPEN,
        ),
        # the first of several, and those behind it
        (
            "Which mine had the highest output?",
            "Karst",
            "1. Karst\n2. Lode\n\nLode had the highest output at 40 kt. Karst was second.",
            WRONG,
        ),
        (
            "Which mine had the highest output?",
            "Karst",
            "Karst had the highest output. In safety, Karst was second.",
            RIGHT,
        ),
        ("Where were sales highest?", "Norway", "They were highest in Chile. Peru and Norway followed.", WRONG),
        (
            "Which of the three brought in the most cash?",
            "Lending, which brought in $2.1 billion",
            "Lending brought in the most: $2,140 million. Savings used $310 million.",
            RIGHT,
        ),
        # parts of lists
        (
            "Which trees may be felled? Name any two.",
            "Oak 12 m, ash 9 m, elm 7 m (any two)",
            "Oak 12 m and elm 7 m.",
            OPEN,
        ),
        (
            "Which clerks keep keys?",
            "Ana Ruiz, Ben Okoro",
            "Ana Ruiz (vault), Ben Okoro (desk) and Lea Bach (door).",
            WRONG,
        ),
        ("What was paid out?", "$4.2 million, down 7% as stated", "It paid $4.2 million, 7% less as stated.", OPEN),
        ("Which lab grew fastest?", "Optics, up 31%", "Optics grew fastest, by 31%.", RIGHT),
        ("Which lab grew fastest?", "Optics, up 31%", "Optics: it fell by 31%.", WRONG),
        # grades, strengths, titles, short codes
        ("What grade has hall 4?", "D", "Hall 4 got a D in the last survey.", RIGHT),
        ("What grade has hall 4?", "D", "Hall 4 is in wing D and got a B.", OPEN),
        ("What is the strength of the syrup?", "120 mg/5 ml", "The syrup has 120mg per 5ml.", RIGHT),
        ("Who heard the case?", "Hon. Marta Pell", "Judge Marta Pell heard it.", RIGHT),
        ("Which broker sold it?", "Carla Voss", "C. Voss sold it.", RIGHT),
        ("What is the damage level?", "DEST", "The aircraft was destroyed.", OPEN),
        ("Which group is it in?", "Nuts/Seeds", "It is in Nuts & Seeds.", RIGHT),
        ("In which city is the plant?", "Genova", "The plant is in Genovo.", OPEN),
        # figures of the reference that need not be repeated
        (
            "What was the change in stock from 2020 to 2021?",
            "Stock rose from $8,420 million to $8,454 million, an increase of $34 million (0.4%).",
            "Stock was $8,420 million in 2020 and $8,454 million in 2021, a change of +$34 million.",
            RIGHT,
        ),
        # numbers
        ("What is the term in months of lease 8?", "24", "Lease 8 runs for 2 years.", RIGHT),
        ("What is the term in months of lease 8?", "24", "Lease 8 runs for 3 years.", WRONG),
        ("What is the term in months of lease 8?", "24", "24", RIGHT),
        ("What is the balance of card 7?", "-80.50", "Card 7 is overdrawn by $80.50.", OPEN),
        ("Which depot stores the most?", "7", "Depot 7 (Aldgate) stores the most, with 1,940 crates.", RIGHT),
        ("Which depot stores the most?", "9", "Depot 7 (Aldgate) stores the most, with 9 cranes.", WRONG),
        ("How many bonds does account 12-A hold?", "40", "Account 12-A holds 40 bonds at a cost of $99.10.", RIGHT),
        ("What fee was charged on order 88?", "0.04", "The fee was 4%.", OPEN),
        ("What is the tax rate?", "0.04", "The rate is 4%.", RIGHT),
        ("How many absences had Ines?", "3", "Ines was absent three times.", RIGHT),
        (
            "What is the total area of Rui's plots, in ha?",
            "31.5",
            "Plot 1: 20.2\nPlot 2: 11.3\n\nTotal: **31.5 ha**",
            RIGHT,
        ),
        ("How much was used?", "14 l", "It was sprayed two times, with 13 litres in all.", WRONG),
        (
            "How many days was it outstanding?",
            "44.89",
            "It was outstanding for 46.40 days, a month and a half on average.",
            WRONG,
        ),
        (
            "How much was spent on buying shares, in $bn?",
            "$3.1 billion",
            "It shows $(3,124) million, or about $3.12 billion.",
            RIGHT,
        ),
        ("Where is the well dug?", "Kenya", "It is dug in Kenya, mainly in the Kitui and Meru districts.", RIGHT),
    ],
)
def test_what_systems_usually_write(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
