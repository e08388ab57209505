"""Cells and fields that are asked for in the words of their table, where no sentence could hold its heads."""

from __future__ import annotations

import re

import pytest

from core.domain.testset.questions import QuestionKind
from core.testset.corpus.making_up import Sparing
from core.testset.corpus.questions.rules import QuestionRules
from tests.support.questions.asked_by_rules import asked, chunk, looked_up

ROOMS = """Table: 4. Rooms (pounds per hour)
| Room | Charity / school | Commercial (v) | Remarks |
| --- | --- | --- | --- |
| Main hall | 12.00 | 27.00 | not Thursdays |
| Studio [3] | 11.00 | 29.50 | see note |
"""
FORM = """Table: INCIDENT REPORT (rev. 7)
| Report no. | IR-24-031 | Branch | Great Pelling |
| --- | --- | --- | --- |
| Date | 24 June 2024 | Time | 11.10 am |
| C2. First aid by | Marta Lisowska | C4. Ambulance? | No |
"""
BUDGET = """Table: Revenue budget, period 5
| Head | Original | Revised |
| --- | --- | --- |
| Employees | 3842 | 3871 |
| Premises | 1106 | 1171 |
"""
LEAD = 'According to "Schedule of charges", '


def of_page(text, title="Schedule of charges", document="charges.md"):
    return looked_up(chunk(text, document, (title,)), titles={document: title})


def test_a_cell_is_asked_for_by_the_title_the_row_and_the_head_of_its_table():
    where = 'what figure does the table "Rooms (pounds per hour)" show for'
    assert of_page(f"# Schedule of charges\n\n{ROOMS}") == {
        f'{LEAD}{where} "Main hall" under "Charity / school"?': "12.00",
        f'{LEAD}{where} "Main hall" under "Commercial (v)"?': "27.00",
        f'{LEAD}{where} "Studio" under "Charity / school"?': "11.00",
        f'{LEAD}{where} "Studio" under "Commercial (v)"?': "29.50",
    }


def test_a_table_gives_two_look_ups_and_each_cell_is_asked_for_openly_or_whether_it_is_so():
    page = chunk(f"# Schedule of charges\n\n{ROOMS}", "charges.md", ("Schedule of charges",))
    rules = QuestionRules([page], {"charges.md": "Schedule of charges"})
    whether = [one.text for one in rules.candidates(QuestionKind.YES_NO, [page.id])]
    shape = re.compile(r'.*, does the table "Rooms \(pounds per hour\)" show [\d.]+ for ".+" under ".+"\?')
    assert whether
    assert all(shape.fullmatch(text) for text in whether)
    sparing = Sparing(rules)
    first = list(sparing.candidates(QuestionKind.TABLE, [page.id]))[:1]
    sparing.settle(first)
    then = list(sparing.candidates(QuestionKind.YES_NO, [page.id]))
    cell = first[0].text.partition(" show for ")[2]
    assert len(then) == 1
    assert cell not in then[0].text
    sparing.settle(then)
    assert list(sparing.candidates(QuestionKind.TABLE, [page.id])) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{ROOMS}\n\nSomething else.\n\n{ROOMS}",
        ROOMS.replace("Studio [3]", "Main hall"),
        ROOMS.replace("(pounds per hour)", "prices"),
        ROOMS.replace("Charity / school", "Remark").replace("Commercial (v)", "Note"),
        ROOMS.replace("Main hall", 'Main “hall"').replace("Studio [3]", "Studio 3"),
    ],
    ids=["two tables of a title", "two rows of a name", "prices in what", "prose", "quotes and raised marks"],
)
def test_a_cell_that_has_two_readings_or_no_unit_is_left_out(text):
    assert of_page(f"# Schedule of charges\n\n{text}") == {}


def test_the_unit_of_all_figures_of_a_document_is_said():
    pages = (
        chunk("All amounts in £000. Prepared by R. Baig.", "budget.xlsx"),
        chunk(BUDGET, "budget.xlsx", ("Budget",), 1),
    )
    looked = looked_up(*pages, titles={"budget.xlsx": "budget"})
    table = 'what figure does the table "Revenue budget, period 5" show for'
    assert looked[f'According to "budget.xlsx", {table} "Premises" under "Revised", in thousands of pounds?'] == "1171"
    assert looked_up(pages[1], titles={"budget.xlsx": "budget"}) == {}


def test_two_fields_on_a_line_of_a_form_are_fields_of_its_number():
    forms = [
        chunk(FORM.replace("031", number), f"{number}.docx", ("INCIDENT REPORT (rev. 7)",)) for number in ("031", "034")
    ]
    looked = looked_up(*forms, titles={one.document_id: "INCIDENT REPORT (rev. 7)" for one in forms})
    assert looked['According to report IR-24-031, what is entered under "First aid by"?'] == "Marta Lisowska"
    assert looked['According to report IR-24-034, what is entered under "Branch"?'] == "Great Pelling"
    assert not any("IR-24" in answer or "Ambulance" in text for text, answer in looked.items())


def test_rows_of_a_file_are_called_by_the_names_behind_their_codes():
    text = "\n".join(
        [
            "Code: OC; Branch: Orton Central; Manager: Denise Aldous; Floor area (sq m): 2140; Public PCs: 34",
            "Code: GP; Branch: Great Pelling; Manager: Priya Nambiar; Floor area (sq m): 780; Public PCs: 14",
        ]
    )
    page, titles = chunk(text, "branches.csv"), {"branches.csv": "branches"}
    managers = asked(QuestionKind.TABLE, page, titles=titles)
    assert managers['According to "branches", who is the manager of Great Pelling?'] == "Priya Nambiar"
    looked = looked_up(page, titles=titles)
    file = 'According to "branches.csv", what figure does the file show for "Orton Central" under'
    assert looked[f'{file} "Public PCs"?'] == "34"
    assert looked[f'{file} "Floor area (sq m)"?'] == "2140"


def test_codes_of_a_database_are_codes_too():
    text = "\n".join(
        [
            "site_code: MIL; name: Millrace House; donations: 56; total_ml: 26080",
            "site_code: OAK; name: Oakfold Rooms; donations: 53; total_ml: 24630",
        ]
    )
    looked = looked_up(chunk(text, "donations.csv"), titles={"donations.csv": "donations"})
    file = 'According to "donations.csv", what figure does the file show for "Oakfold Rooms" under'
    assert looked[f'{file} "donations"?'] == "53"
    assert not any('"MIL"' in text or '"OAK"' in text for text in looked)


def test_filings_and_records_of_events_are_not_asked_about_so():
    filing = f"ARDEN PLC\n(Exact name of registrant as specified in its charter)\n\n{BUDGET}"
    assert looked_up(chunk(filing, "10-q.pdf"), titles={"10-q.pdf": "Form 10-Q of Arden plc"}) == {}


DESK = """QUESTIONS WE GET ASKED AT THE DESK

Q. How many books can I have?
A. Adults 15, children 20. DVDs count towards that,
   and no more than 4 of them at once.

Q. Can I renew it?
A. Yes, four times on the website or at any branch.

Q. May I bring my dog in?
A. Assistance dogs everywhere; see the notice at the door.

Q. What are the fines?
A. Adults pay 25p a day for each item, up to a top of nine pounds for that item.
"""


def test_a_page_of_questions_and_answers_is_asked_its_own_questions():
    questions = asked(QuestionKind.SIMPLE, chunk(DESK, "faq.txt"), titles={"faq.txt": "faq"})
    lead = 'According to "Questions We Get Asked at the Desk", '
    answer = "Adults 15, children 20. DVDs count towards that, and no more than 4 of them at once."
    assert questions == {
        f"{lead}how many books can I have?": answer
    }  # not: the last, which the next passage may go on with


def test_a_postscript_is_no_name():
    page = chunk("P.S. Jos Catterall retires from the Board in June 2025.", "mail.eml")
    assert list(asked(QuestionKind.SIMPLE, page, titles={"mail.eml": "Tea"})) == [
        "When does Jos Catterall retire from the Board?"
    ]


ORDERS = """Table: Work orders (number)
| Region | Kind | Orders |
| --- | --- | --- |
| West | Install | 138 |
| | Fault | 251 |
| East | Install | 97 |
| All | | 486 |
"""


def test_a_cell_that_goes_on_over_several_rows_names_none_of_them():
    looked = looked_up(chunk(ORDERS, "orders.md", ("Orders of May",)), titles={"orders.md": "Orders of May"})
    assert not any("West" in text for text in looked)
    assert any('"East" under "Orders"' in text for text in looked)


LEVELS = """Table: When to wake whom
| Role | Sev 1 | Sev 2 | Sev 3 |
| --- | --- | --- | --- |
| Head of Operations a | 1 h | 2 h | never |
| Duty manager b | 15 min | 1 h | next morning |
"""


def test_a_unit_of_one_letter_stays_and_a_raised_letter_goes():
    looked = looked_up(chunk(LEVELS, "on-call.md", ("On call",)), titles={"on-call.md": "On call, Q3 2025"})
    assert {text.split(" for ")[1]: answer for text, answer in looked.items() if "Head" in text} == {
        '"Head of Operations" under "Sev 1"?': "1 h",
        '"Head of Operations" under "Sev 2"?': "2 h",
    }


GRADES = """Table: Model grades
| Grade | Defaults, % | Test |
| --- | --- | --- |
| A | 0.3 | PASS |
| B | 1.9 | FAIL |
"""


def test_a_row_of_one_letter_is_called_by_its_head():
    looked = looked_up(chunk(GRADES, "model.md", ("Validation",)), titles={"model.md": "Validation of the scorecard"})
    table = 'According to "Validation of the scorecard", what figure does the table "Model grades" show for'
    assert looked[f'{table} grade "A" under "Defaults, %"?'] == "0.3"
    nameless = GRADES.replace("| Grade |", "| |")
    assert looked_up(chunk(nameless, "model.md", ("Validation",)), titles={"model.md": "Validation"}) == {}


MANDATES = """Table: Mandates
| Role | Secured | Agreements |
| --- | --- | --- |
| Underwriter | 150 | 12 |
| Head of Credit | 300 | 31 |
"""


def test_an_amount_has_the_unit_that_its_document_gives_and_a_count_none():
    text = f"Limits in GBP thousand.\n\n{MANDATES}"
    looked = looked_up(chunk(text, "credit.md", ("Credit policy",)), titles={"credit.md": "Credit policy"})
    table = 'According to "Credit policy", what figure does the table "Mandates" show for "Underwriter" under'
    assert looked[f'{table} "Secured", in thousands of pounds?'] == "150"
    assert looked[f'{table} "Agreements"?'] == "12"
    bare = looked_up(chunk(MANDATES, "credit.md", ("Credit policy",)), titles={"credit.md": "Credit policy"})
    assert not any("Secured" in text for text in bare)


def test_one_cell_above_all_columns_of_a_form_says_which_part_it_is():
    part = FORM.replace(
        "| Report no.",
        "| A Particulars | A Particulars | A Particulars | A Particulars |\n| --- | --- | --- | --- |\n| Report no.",
    )
    part = part.replace("Great Pelling |\n| --- | --- | --- | --- |", "Great Pelling |")
    forms = [chunk(part.replace("031", number), f"{number}.docx") for number in ("031", "034")]
    looked = looked_up(*forms, titles={one.document_id: "INCIDENT REPORT (rev. 7)" for one in forms})
    assert looked['According to report IR-24-031, what is entered under "First aid by"?'] == "Marta Lisowska"
    assert not any("Particulars" in text for text in looked)


@pytest.mark.parametrize("title", ["Asset Committee", "WENDLESHAM COUNTY COUNCIL"])
def test_a_paper_is_not_called_by_who_issues_it(title):
    looked = looked_up(chunk(GRADES, "ARVC minutes May.docx", (title,)), titles={"ARVC minutes May.docx": title})
    assert looked
    assert all("ARVC minutes May" in text for text in looked)


LOSS = """WENDLE & FOSSE MUTUAL                     FORM LR-2
Claim ref.      M-25-01187              Class            Motor, private car
Policy no.      WF/PC/208814            Cover            Comprehensive
Insured         Mr Jory Tregenza        Excess           £300
Place           Fosse Cross             Mileage          61,240
                roundabout, exit 3
===============================================================
The van in front  stopped dead   for no reason.
"""


def test_a_form_that_blanks_hold_in_columns_has_fields():
    looked = looked_up(chunk(LOSS, "LR-M-25-01187.txt"), titles={"LR-M-25-01187.txt": "LR-M-25-01187"})
    lead = 'According to "LR-M-25-01187.txt", what is entered under'
    assert looked[f'{lead} "Insured"?'] == "Mr Jory Tregenza"
    assert looked[f'{lead} "Excess"?'] == "£300"
    assert looked[f'{lead} "Mileage"?'] == "61,240"
    assert not any("Place" in text or "van" in text for text in looked)


HEADLESS = """Table: Accident report
| A1 Ref. | AF/24/098 | A2 Depot | Northmoor |
| --- | --- | --- | --- |
| A3 Date | 18 July 2024 | A4 Place | Mill Lane |
| A5 Injured person | Raymond Lisle | A6 Injury | Broken wrist |
| Days lost | 61 | | |
"""


def test_a_form_with_numbered_labels_is_no_table():
    looked = looked_up(chunk(HEADLESS, "HS-3 Northmoor.docx", ("Accident report",)), titles={"HS-3 Northmoor.docx": ""})
    assert not any("show for" in text for text in looked)
    assert looked['According to "HS-3 Northmoor.docx", what is entered under "Injured person"?'] == "Raymond Lisle"


def test_a_head_that_is_no_noun_is_not_asked_for():
    rows = ["| Vehicle | In service |", "| --- | --- |", "| Comet Max | 2 March 2021 |", "| Rover Duo | 5 May 2020 |"]
    fleet = "\n".join(rows)
    written = asked(QuestionKind.TABLE, chunk(f"# Fleet list 2024\n\n{fleet}"), titles={"doc-1.md": "Fleet list 2024"})
    assert not any("in service" in text for text in written)
