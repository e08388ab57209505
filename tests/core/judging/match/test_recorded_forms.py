"""Classes that five authors of recorded answers showed, in other words and domains than theirs."""

import pytest

from core.judging.match import judge_match

RIGHT, OPEN, WRONG = "correct", "not_judged", "incorrect"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # entries behind stars, and between others
        ("Which tools are on loan?", "Saw, Drill", "On loan:\n\n* Saw\n* Drill\n* Plane", WRONG),
        ("Which tools are on loan?", "Saw, Drill", "On loan:\n\n* Saw\n* Drill", RIGHT),
        ("Which routes are closed?", "North Loop, Ridge, Mill", "North Loop, Gorge, Ridge and Mill are closed.", WRONG),
        ("Which routes are closed?", "North Loop, Ridge, Mill", "North Loop, Ridge and Mill are closed.", RIGHT),
        ("What is composted?", "leaves, straw", "Leaves, straw and kitchen waste such as peel.", WRONG),
        # bounds where a capacity is asked for
        ("What is the capacity of hall 4?", "260", "Hall 4 can hold up to 260 people.", RIGHT),
        # four digits that are no year
        ("How many seats has the arena?", "1850", "The arena has 1850 seats and 40 boxes.", RIGHT),
        ("What is the yearly harvest of the estate, in tonnes?", "1375", "It harvests 1,375 t a year.", RIGHT),
        ("What is the tank volume of truck 8, in litres?", "1625", "1,625 litres", RIGHT),
        ("What is the stock of lime, in kg?", "2400", "2.4 tonnes", RIGHT),
        ("What is the stock of lime, in kg?", "2400", "24 tonnes", WRONG),
        ("When was the tower built?", "1375", "The tower was built in 1375.", RIGHT),
        # codes in groups, telephone numbers from within, postal codes with their country
        ("What is the customs code?", "8504 40 90", "The code is 85044090.", RIGHT),
        ("What is the customs code?", "8504 40 90", "The code is 85044080.", WRONG),
        ("What is her telephone number?", "+43 512 55 10 27", "Call 0512 551027.", RIGHT),
        ("What is her telephone number?", "+43 512 55 10 27", "Call 0512 551028.", WRONG),
        ("What is the address?", "Kai 2, 28195 Bremen", "Kai 2, D-28195 Bremen", RIGHT),
        # names in part
        ("Which firm built it?", "Alvestad Bygg A.S.", "It was built by Alvestad Bygg.", RIGHT),
        ("Which firm built it?", "Kerimov Enerji Ltd", "It was built by Kerimov.", OPEN),
        ("Which firm built it?", "Kerimov Enerji Ltd", "It was built by Kerimov Su Ltd.", WRONG),
        ("Who signed the permit?", "Leila Haddad", "Inspector Haddad signed it.", OPEN),
        ("Who signed the permit?", "Leila Haddad", "Omar Haddad signed it.", WRONG),
        ("Which engine was overhauled?", "Mot 12", "Motor no. 12 was overhauled.", OPEN),
        # rounded, in another scale, broken down, and a part of it
        ("What did it cost on average?", "PEN 28,314", "It cost about PEN 28,300.", RIGHT),
        ("How many tonnes were shipped?", "2713.8", "Roughly 2,714 tonnes were shipped.", RIGHT),
        ("How many trees were felled?", "1,307", "Around 1,300 trees (exactly: 1,307).", RIGHT),
        ("How many calls came in?", "512", "A total of 512 calls came in: 300 by day and 212 by night.", RIGHT),
        ("How many calls came in by night?", "212", "Of 512 calls, 300 came by day and 212 by night.", RIGHT),
        ("How many boats are insured?", "18", "18 of the 25 boats are insured.", RIGHT),
        ("How many boats has the club?", "18", "It insures 18 of its 25 boats.", WRONG),
        ("How many lamps were replaced on the pier?", "140", "140 lamps (each 35 W) were replaced on the pier.", RIGHT),
        ("What is the climb of the lift?", "615 m", "From 900 m to 1,515 m, a drop of 615 metres.", RIGHT),
        ("At what temperature is it kept?", "-40 °C", "It is kept at minus 40 degrees Celsius.", RIGHT),
        # who has more
        ("Which mill produced more, Aro or Beka?", "Beka", "Aro produced more: 90 t against 70 t at Beka.", WRONG),
        ("Which mill produced more, Aro or Beka?", "Aro", "Aro produced more: 90 t against 70 t at Beka.", RIGHT),
        # ends that are facts, and nothing of what is asked
        ("When does the lease of unit 3 end?", "2026-09-30", "The lease ends on 30th September 2026.", RIGHT),
        ("Which beds were closed in May?", "none", "No beds were closed in May. All 22 were in use.", RIGHT),
        ("Which beds were closed in May?", "none", "Beds 4 and 7 were closed in May.", WRONG),
        ("Which rooms were closed in May?", "none", "I looked through May: no room with damage was recorded.", OPEN),
        # directions
        (
            "What was the effect of the dollar on growth?",
            "It reduced growth by 3 percentage points.",
            "The stronger dollar cut about three percentage points from growth.",
            RIGHT,
        ),
        # what is put in bold
        ("What is the margin?", "2.4%", "120 / 5,000 = 0.024, in percent **24.0%**.", OPEN),
        (
            "How many shops did it have at the end of 2021?",
            "310",
            "At the end of 2020 it had 290 shops. In 2021 it opened 32 and closed 12, which leaves a total of **310**.",
            RIGHT,
        ),
        (
            "What is net debt at the end of 2022, in billions?",
            "$2.61",
            "Net debt (in thousands): $2,612,480\n\nThat is $2,612,480 thousand, or **$2.61 billion**.",
            RIGHT,
        ),
    ],
)
def test_the_verdict(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason
