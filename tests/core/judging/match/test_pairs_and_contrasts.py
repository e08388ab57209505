"""Answers that set two things beside each other: which of them is said to be what, and of which a value is told."""

import pytest

from core.judging.match import judge_match
from core.judging.match.abstention import read_answer

RIGHT, WRONG, OPEN = "correct", "incorrect", "not_judged"


@pytest.mark.parametrize(
    ("reference", "answer", "verdict"),
    [
        ("Yes", "Lena Berg is older than Pia Vogt.", RIGHT),
        ("Yes", "Pia Vogt is older than Lena Berg.", WRONG),
        ("No", "Pia Vogt is older than Lena Berg.", RIGHT),
        ("No", "Pia Vogt is the older player: she was born in 1998, Lena Berg in 2001.", RIGHT),
        ("No", "Lena Berg is the younger of the two.", RIGHT),
        ("No", "Lena Berg is not older than Pia Vogt.", RIGHT),
        ("Yes", "Of the two, Pia Vogt is older.", WRONG),
    ],
)
def test_who_is_more_of_something(reference, answer, verdict):
    judgement = judge_match("Is Lena Berg older than Pia Vogt?", [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


TABLE = "| Lot | Price |\n|---|---|\n| L-1042 | 12,500 |\n| L-1057 | 10,800 |\n"


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        (
            "Does Kiel employ more people than Bonn?",
            "No",
            "Bonn employs 340 people and Kiel 120, so Bonn has more.",
            RIGHT,
        ),
        ("Does the turnover of Alder exceed that of Birch?", "No", "Birch has the higher turnover.", RIGHT),
        ("Is milk cheaper than juice?", "Yes", "Juice is the more expensive one.", RIGHT),
        ("Were any customers responsible for more than 10% of sales?", "Yes", "It sells in more than 90 places.", OPEN),
        ("Is the contract with Lee still in force?", "No", "The contract with Lee expired in May.", RIGHT),
        ("Is the contract with Lee still in force?", "Yes", "The contract with Lee has not expired.", RIGHT),
        ("Is the licence still valid?", "Yes", "The licence expires in 2031.", OPEN),
        # lists with an entry too many, or with one set apart
        ("Which lots?", "L-1042, L-1057", TABLE, RIGHT),
        ("Which lots?", "L-1042, L-1057", TABLE + "| L-1088 | 10,200 |\n", WRONG),
        ("Which lots?", "L-1042, L-1057", TABLE + "| **Total** | 23,300 |\n", RIGHT),
        ("Which teams have 21 or more?", "HC Turm, VfL Hagen", "HC Turm (22), VfL Hagen (21), TV Rens (20)", WRONG),
        ("Where are the offices?", "Bonn, Kiel", "Bonn, Kiel, Germany", RIGHT),
        ("Which departments?", "Arms & Armour; Maps; Wine", "Wine, Maps, and Arms and Armour each have two.", RIGHT),
        ("Which stocks are low?", "Dental plaster type 4, PMMA discs", "PMMA discs and type 4 dental plaster.", RIGHT),
        ("Which were cancelled for weather?", "RX1, RX2", "RX1, while RX2 was cancelled for a technical reason.", OPEN),
        ("Which parks have a toilet?", "Oak Park, Elm", "Oak Park does. Elm has a bench but no toilet.", OPEN),
        # of what a figure is said
        (
            "What is the capacity of Galgen?",
            "4200",
            "Galgen and Hohe together hold 4,200 m3; Galgen alone 2,600.",
            WRONG,
        ),
        ("What is the capacity of Galgen and Hohe together?", "4200", "Together they hold 4,200 m3.", RIGHT),
        (
            "How many graves are in section D?",
            "1046",
            "C and D together have 1046 graves; 588 of these lie in D.",
            WRONG,
        ),
        (
            "What were the sales of the AWS segment?",
            "$80.1 billion",
            "The International segment had sales of $80.1 billion, while AWS reached $118.0 billion.",
            OPEN,
        ),
        (
            "What was the total premium?",
            "7342.50",
            "EUR 7342.5 over three invoices (2,100.00 + 4,125.00 + 1,117.50).",
            RIGHT,
        ),
        ("How many fines did Ada Lee get?", "0", "Ada Lee has never received a single fine.", RIGHT),
        ("How many terms may one president serve?", "two", "The maximum for one president is two.", RIGHT),
        ("What is the average delay in minutes?", "23.4166666667", "23 min 25 s", RIGHT),
        ("What was the debt ratio?", "2.6x", "2.63 times (net debt of €3,180m; EBITDA of €1,210m)", RIGHT),
        (
            "What was the weight at the last visit?",
            "18.6",
            "At the last visit it was 19.4 kg, up from 18.6 kg before.",
            WRONG,
        ),
        ("What were the days sales outstanding?", "61.98 days", "62 days", OPEN),
        ("What was the capital expenditure?", "1577", "1,600", WRONG),
        # which of several names is the answer
        ("Which section is the oldest?", "Section R-009", "R-009, laid in 1894.", RIGHT),
        (
            "Which section is the oldest?",
            "Section R-009",
            "Often Section R-009 is named, but R-002 is older, so R-002.",
            WRONG,
        ),
        ("Which batch was used?", "C7-88103", "It was C7-88104 (the batch before, C7-88103, was used up).", WRONG),
        ("Who leads in 2024?", "Ann Lee", "In 2023, Ann Lee led. In 2024 it was Bob Roy.", OPEN),
        ("Which route is longer, R-08 or R-15?", "R-15", "R-08, with 74 km against 69 km for R-15.", WRONG),
        (
            "Which route is longer, R-08 or R-15?",
            "R-15",
            "R-08 has 74 km and R-15 has 79 km, so R-15 is longer.",
            RIGHT,
        ),
        ("Which crane has the longer boom, K03 or K09?", "K09", "K03 and K09 are listed in the data sheets.", WRONG),
        ("Who is the manager's supervisor?", "Ann Lee", "The manager is Ann Lee, and her supervisor is Bob Roy.", OPEN),
        (
            "Who checked it most recently?",
            "Ann Lee",
            "It was checked by Ann Lee in 2019 and most recently by Bob Roy.",
            OPEN,
        ),
        ("Which pair had most projects?", "English-Dutch", "Dutch into English had most.", OPEN),
        ("Who lasted longest?", "Rey Blue", "The record is held by Rey Blue, who lasted for an hour.", RIGHT),
        ("Where do you get a cheque?", "a bank", "From a bank or credit union.", OPEN),
        ("When was it released?", "1980-08-22", "It was released on August 22, 19801. I hope that helps!", RIGHT),
        # which of two is taken
        (
            "Which hut has the higher fee, 'Kaldhytta' or 'Isfallbu'?",
            "Kaldhytta",
            "Isfallbu is dearer than Kaldhytta.",
            WRONG,
        ),
        (
            "Which hut has the higher fee, 'Kaldhytta' or 'Isfallbu'?",
            "Isfallbu",
            "Isfallbu is dearer than Kaldhytta.",
            RIGHT,
        ),
        ("Which hut has the higher fee, 'Kaldhytta' or 'Isfallbu'?", "Kaldhytta", "Kaldhytta is cheaper.", WRONG),
        (
            "Which hut has the higher fee, 'Kaldhytta' or 'Isfallbu'?",
            "Kaldhytta",
            "Kaldhytta has 56.00 and Isfallbu 33.50, so Isfallbu is more expensive.",
            WRONG,
        ),
        ("Who was born earlier, 'Ann Lee' or 'Bob Roy'?", "Ann Lee", "Ann Lee was born after Bob Roy.", WRONG),
        ("Who was born earlier, 'Ann Lee' or 'Bob Roy'?", "Ann Lee", "Lee is the older of the two.", RIGHT),
        (
            "Who was born earlier, 'Ann Lee' or 'Bob Roy'?",
            "Ann Lee",
            "Bob Roy: 1980. Ann Lee: 1971. So it is Bob Roy.",
            WRONG,
        ),
        (
            "Which ice has the greater area, 'Kald Ice' or 'Vit Ice'?",
            "Vit Ice",
            "Kald Ice, with 4.04; Vit Ice has 12.6.",
            WRONG,
        ),
        ("Who is the mentor of Luis Naupari?", "Ines Beau", "Luis Naupari was the mentor of Ines Beau.", WRONG),
        ("Who is the mentor of Luis Naupari?", "Ines Beau", "Luis Naupari mentored Ines Beau.", WRONG),
        ("Who is the mentor of Luis Naupari?", "Ines Beau", "Luis Naupari was mentored by Ines Beau.", RIGHT),
        ("What is the maximum height of Kald?", "1720", "The lowest point is 1,720 m.", WRONG),
        ("How many beds does it have?", "21", "It used to have 21 beds, now it has 30.", WRONG),
        ("Which watches?", "Surge Watch I; Surge Watch II", "Surge Watch II.", WRONG),
        # ends of a span, points of the compass, times
        ("What is the start date?", "2022-09-08", "It ran from 8 September 2022 until 22 September 2022.", RIGHT),
        ("What is the end date?", "2022-09-22", "Between 8 September 2022 and 22 September 2022.", RIGHT),
        ("What is the end date?", "2022-09-08", "It ran from 8 September 2022 until 22 September 2022.", WRONG),
        ("What is the aspect of the slope?", "N", "It faces north.", RIGHT),
        ("What is the aspect of the slope?", "N", "It faces north-east.", WRONG),
        ("What is the aspect of the slope?", "NE", "It faces north-east.", RIGHT),
        ("How long did it take?", "19:25:00", "19 h 25 min", RIGHT),
        ("When were they released on 8 July 2022?", "2022-07-08 06:50:00", "At 06:50.", RIGHT),
        ("What is the postcode?", "M14 5RL", "It is m145rl.", RIGHT),
        # rows as Python prints them, flags, letters of other alphabets
        ("Who leads?", "[('Ann Lee',)]", "Ann Lee leads.", RIGHT),
        ("Who leads?", "[('Ann Lee',), ('Bob Roy',)]", "Ann Lee leads.", WRONG),
        ("What is the average?", "[(Decimal('18.6667'),)]", "18.67", RIGHT),
        ("When did it start?", "[(datetime.date(2022, 9, 8),)]", "On 8 September 2022.", RIGHT),
        ("Which are open?", "[]", "There are three, all closed, so there is nothing to list.", RIGHT),
        ("Which are open?", "[]", "Oak Hall is open.", WRONG),
        ("berth 7 dangerous goods allowed?", "1", "dangerous_goods = TRUE for berth 7", RIGHT),
        ("EP 3 471 556 opposed yes/no", "1", "Yes", RIGHT),
        ("Which theatre rented it?", "Stadttheater Fürth", "It went to the Stadttheater Fuerth.", RIGHT),
        ("Which berths have power?", "2, 5, 6, 9", "Berths 2, 5, 6, 8 and 9.", WRONG),
        ("Which are late?", "R-2301, R-2304", "Late: R-2301, R-2304, R-2311. The last began in May.", WRONG),
        # references that are none, lists or changes
        ("Which invoices are open?", "No results", "None. All 96 invoices have been settled.", RIGHT),
        ("Which notes are listed?", "There are none.", "None. The cover lists only common stock.", RIGHT),
        ("Which notes are listed?", "There are none.", "The 4.25% Notes due 2028 are listed.", WRONG),
        (
            "Which notes are listed?",
            "These are listed:\n-1.500% Notes due 2026\n-1.750% Notes due 2030",
            "Only one: the 1.500% Notes due 2026.",
            OPEN,
        ),
        (
            "What was the margin and how did it change?",
            "3.41%, an increase of 28 basis points.",
            "It widened to 3.41% from 3.13%.",
            RIGHT,
        ),
        (
            "What was the ratio and how did it change?",
            "97.8%, up 3.7 points from 94.1% in 2021.",
            "97.8%, an improvement of 3.7 points compared with 101.5% in 2021.",
            WRONG,
        ),
        (
            "Did it disclose any events, and if so, which?",
            "Yes. It sold its 60% interest for $115 million.",
            "Yes. It acquired a 60% interest for $115 million.",
            OPEN,
        ),
    ],
)
def test_a_class_of_answers(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        ("Who designed it and what did it cost?", "It was designed by Ines Falk. The cost is not mentioned.", "partly"),
        ("What is the fare for a car and for a van?", "A car costs €38. I have no fare for a van.", "partly"),
        ("What should staff say?", "Staff should say: \"I'm sorry, I can't give out any information.\"", "answered"),
        (
            "How do I migrate?",
            '"v2" could be three different things:\n1. Gateway\n2. Agent\nTell me which.',
            "asks back",
        ),
        ("Is the contract still in force?", "The contract has not expired.", "answered"),
    ],
)
def test_what_is_declined_of_two_things(question, answer, outcome):
    assert read_answer(question, answer).outcome.value == outcome


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # who it was in another year, and what began in another one
        ("Who led it in 2021?", "Ann Lee", "Bo Ray (2019-2021) and Ann Lee (from 2022) led it.", WRONG),
        ("Who led it in 2021?", "Ann Lee", "Ann Lee (2019-2023) led it.", RIGHT),
        ("Which hosts joined in 2019?", "Kwame, Ines", "Kwame (since 2019), Ines (since 2018)", WRONG),
        # one entry too many
        ("List the genres of it.", "drama, crime", '{"genres": ["drama", "crime", "horror"]}', WRONG),
        ("Who took part in the repair?", "Ann Lee, Bo Ray", "Bo Ray and Ann Lee. Cy Orr also took part.", WRONG),
        ("Which clients cancelled?", "Lee, Ray", "Lee and Ray. Orr also cancelled, but in time.", RIGHT),
        ("Which ports does it call at?", "Kiel, Oslo", "It calls at Kiel, Oslo and, on Fridays, Bergen.", WRONG),
        ("On which weekday is it emptied?", "Tuesday", "On Mondays and Tuesdays.", WRONG),
        ("Which technician made it?", "Ewa Lis", "So it was made by Ewa Lis and Horst Kern.", OPEN),
        ("Which sold more, 'Orchard' or 'Peat'?", "Peat", "Both 'Orchard' and 'Peat' were among the best.", WRONG),
        (
            "Has the butcher an approved store?",
            "true",
            "The butcher has an approved store (approval no. KH-44).",
            RIGHT,
        ),
        # for what time, in what unit
        ("What is the inventory turnover?", "4.02", "It was turned over about 4.0 times.", RIGHT),
        ("How much feed does it get per day in kg?", "38", "It gets 38 kg of feed a week.", WRONG),
        ("How many tonnes of glass were collected?", "412.6", "412,600 kg of glass was collected.", RIGHT),
        ("What is the minimum waiting period?", "14", "You must wait two weeks.", OPEN),
        # none, owed nothing, out of stock
        ("What fine does reader 70245 owe?", "0", "Reader 70245 has a clean account: nothing to pay.", RIGHT),
        ("What is the stock of Dermasol?", "0", "Dermasol is out of stock.", RIGHT),
        ("How many rounds did the lab fail?", "0", "The lab passed every round; none were failed.", RIGHT),
        ("Do dogs travel free of charge?", "1", "Dogs are carried at no cost on all routes.", RIGHT),
        # of what a figure is said
        ("How many cases are open?", "312", "As of the export, 312 of the 1,045 cases remain open.", RIGHT),
        ("What is the risk class of roofers?", "5", "Roofers fall into risk class 5, the highest.", RIGHT),
        ("Return of the fund in 2022?", "-11.4", "The fund lost 11.4 percent in 2022.", RIGHT),
        ("What is the fee of Giro Plus?", "12.5", "Giro Plus customers pay a fee of EUR 12.50 each.", RIGHT),
        ("How many permits were issued?", "52", "Eight of 60 were refused, so 52 permits were actually issued.", RIGHT),
        ("How many hours has he logged?", "3150", "I see two figures: 3,150 and 3,510. It is one of those.", WRONG),
        # in other words or letters
        ("What is the decision on it?", "REJECTED", "The building authority turned the application down.", OPEN),
        ("What is the decision on it?", "REJECTED", "The building authority approved the application.", WRONG),
        ("Who is its curator?", "Þórunn Jónsdóttir", "Its curator is Thorunn Jonsdottir.", RIGHT),
        ("Who manages it?", "Sofia Andersson", "It is managed by Sofia Anderson.", OPEN),
        ("Who made it?", "Siemens Mobility", "The manufacturer is Bombardier.", WRONG),
        ("When does his contract expire?", "2026-06-30", "It runs until the end of June 2026 (30/06/2026).", RIGHT),
        ("Who delivers to Oslo?", "Aro", "Aro and Beka deliver in the north; in Oslo it is **Beka**.", OPEN),
        ("Which apiary made the most honey?", "Aro", "Aro 210 kg and Beka 340 kg, the best of the season.", OPEN),
    ],
)
def test_what_three_more_authors_showed(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


@pytest.mark.parametrize(
    ("question", "reference", "answer", "verdict"),
    [
        # what is taken back, and what is not
        ("What is the fee?", "50", "The fee is 50, it was actually 52.", WRONG),
        ("Who is the manager?", "Bo Ray", "The manager is Bo Ray. It is actually Ann Lee.", WRONG),
        # none of something else, at another time, under a condition
        ("What is the stock of Dermasol?", "0", "Ibumax is out of stock, Dermasol has 14.", OPEN),
        ("How much does it cost?", "0", "It must be paid in full on arrival.", OPEN),
        ("What is the balance of Lee?", "0", "Ray owes nothing, Lee owes 40 euros.", WRONG),
        ("How many cats were adopted?", "0", "None were adopted in May, 5 in June.", WRONG),
        # a label is a figure only where it is asked for
        ("How many students are in the class?", "24", "Class 7 has 24 students.", RIGHT),
        ("How many students are in the class?", "7", "Class 7 has 24 students.", WRONG),
        ("What is the line speed?", "80", "Line 5: 80 km/h", RIGHT),
        ("How many customers made returns?", "12", "The number fell by 12 to 40.", WRONG),
        # years of a life, a book, a law
        ("Who is the 2021 prize named after?", "Ann Lee", "Ann Lee (1856-1920).", RIGHT),
        ("Which film won in 2021?", "Nomadland", "Nomadland (2020) won.", RIGHT),
        ("Who led it in 2021?", "Ann Lee", "Ann Lee (after 2021) led it.", WRONG),
        ("Which hotels opened in 2019?", "Astra, Bella", "Astra (opened 2019), Bella (renovated 2022)", RIGHT),
        ("Which hosts joined in 2019?", "Kwame, Ines", "Kwame (since 2019), Ines (born 1985, since 2019)", RIGHT),
        # what is no entry of a list
        ("Which cities did she live in?", "Kiel, Oslo", "She lived in Kiel and Oslo and died in a hospital.", RIGHT),
        ("Which towns does the line serve?", "Kiel, Oslo", "Kiel and Oslo. The line also serves freight.", RIGHT),
        ("Which teams won in 2020?", "Kiel, Oslo", "Kiel and Oslo. Bergen also won in 2016.", RIGHT),
        # one figure or two
        ("How much did he pay?", "5", "He paid 5 pounds, 20 pence of it in coins.", RIGHT),
        ("Which is dearer, Ash or Oak?", "Oak", "Both Ash and Oak cost a lot, yet the winner is Oak.", RIGHT),
        ("How many are there?", "42", "Amounts differ from last year: 42 now.", RIGHT),
        # labels in bold, opposites, other people
        ("Who delivers to Oslo?", "Aro", "**Supplier**: Aro", RIGHT),
        ("What was the result of the test?", "negative", "The test came back positive for both.", WRONG),
        ("In which state is Boise?", "IDAHO", "Boise lies in Montana near the northern border.", WRONG),
        ("Who manages it?", "Martin Keller", "It is managed by Martin Heller.", WRONG),
        ("Which apiary made the most?", "Aro", "Aro (340 kg in 2022, after 360 kg the year before).", RIGHT),
    ],
)
def test_what_a_reader_of_the_rules_tried(question, reference, answer, verdict):
    judgement = judge_match(question, [reference], answer)
    assert judgement.verdict.value == verdict, judgement.reason


def test_a_year_of_a_report_is_no_figure_that_is_told():
    outcome = read_answer("What colour was the car in 2022?", "The 2022 report does not say whether it is red or blue.")
    assert outcome.outcome.declines
