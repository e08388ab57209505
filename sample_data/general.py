"""Pages that belong to no row: policies, calendars, guides, an outdated page and one with personal data."""

from __future__ import annotations

from sample_data.defects import PERSONAL, PERSONAL_PATH, STALE_PATH, STALE_PHONE, STALE_UPDATED
from sample_data.pages import Block, Bullets, Grid, Heading, Page, Paragraph

HOLIDAYS = (
    ("2025-12-25", "Christmas Day", "closed"),
    ("2025-12-26", "Boxing Day", "closed"),
    ("2026-01-01", "New Year's Day", "closed"),
    ("2026-04-03", "Good Friday", "closed"),
    ("2026-04-06", "Easter Monday", "closed"),
    ("2026-05-04", "Early May holiday", "closed"),
    ("2026-05-25", "Spring holiday", "closed"),
    ("2026-08-31", "Summer holiday", "closed"),
    ("2026-12-24", "Christmas Eve", "counters close at noon"),
)


def general() -> list[Page]:
    """Every page that is not written from a row."""
    return [
        _page(
            "policies/complaints.docx",
            "Complaints policy",
            "Customer relations",
            "A complaint is any expression of dissatisfaction, spoken or written, whether or not the word is used.",
            Heading(text="Time limits"),
            Bullets(
                items=(
                    "Acknowledge a complaint within two working days.",
                    "Give a full reply within twenty working days, or say why it takes longer.",
                    "Tell the customer about the ombudsman in every final letter.",
                )
            ),
            Heading(text="Redress"),
            Paragraph(
                text="A counter manager can pay up to fifty pounds without asking anybody. Larger sums go to "
                "customer "
                "relations, with a note of what went wrong and how it will be prevented."
            ),
        ),
        _page(
            PERSONAL_PATH,
            "Complaint case review: a delayed transfer",
            "Customer relations",
            "This case is used in the training of new complaint handlers. Names and numbers should have been replaced.",
            Heading(text="What happened"),
            Paragraph(
                text=f"On a Friday afternoon {PERSONAL['name']} asked for her savings to be moved to account "
                f"{PERSONAL['iban']}. The transfer was entered with two digits exchanged and came back on the "
                "Tuesday."
            ),
            Paragraph(
                text=f"She could be reached on {PERSONAL['phone']} and at {PERSONAL['email']}, and nobody "
                "called her "
                "until she wrote a second time."
            ),
            Heading(text="What we learned"),
            Bullets(
                items=(
                    "Read the account number back to the customer, in groups of four.",
                    "A returned transfer is followed by a telephone call on the same day.",
                )
            ),
        ),
        _page(
            "policies/data-protection.md",
            "Data protection at the counter",
            "Data protection officer",
            "Personal data is collected for a purpose, kept no longer than that purpose needs, and shown to nobody "
            "else.",
            Bullets(
                items=(
                    "Lock the screen when you leave the desk.",
                    "Do not read account numbers aloud in the hall.",
                    "Send requests for access to the data protection officer on the day they arrive.",
                    "Training examples must not contain a real name, number or address.",
                )
            ),
        ),
        _page(
            "policies/fraud-and-scams.md",
            "Fraud and scams",
            "Financial crime",
            "Most losses begin with a call that sounds urgent. Slow the customer down and ask open questions.",
            Heading(text="Signs"),
            Bullets(
                items=(
                    "The customer has been told to lie about the reason for a payment.",
                    "Somebody is waiting on the telephone or outside.",
                    "The payee was added within the hour.",
                )
            ),
            Paragraph(
                text="Invoke the banking protocol by calling the police from the back office, and stay with "
                "the customer."
            ),
        ),
        _page(
            "policies/responsible-lending.pdf",
            "Responsible lending principles",
            "Credit risk",
            "We lend what can be repaid without hardship, and we say no early and kindly.",
            Bullets(
                items=(
                    "Income is verified from payslips or tax returns.",
                    "Spending is taken from statements and not from an estimate.",
                    "A refusal is explained in words the applicant understands.",
                )
            ),
            Paragraph(text="Vulnerable customers are offered a second conversation on another day before they sign."),
        ),
        _page(
            "policies/accessibility.html",
            "Accessibility of counters and letters",
            "Network office",
            "Every customer should be able to bank with us in the way that suits them.",
            Bullets(
                items=(
                    "Letters can be had in large print, in Braille and as audio.",
                    "Sign language interpreters are booked through the network office.",
                    "Assistance dogs are welcome everywhere.",
                )
            ),
        ),
        _page(
            "guides/opening-hours.md",
            "Opening hours and cash deliveries",
            "Network office",
            "Standard counter times are printed at each entrance. Local exceptions need the consent of the network "
            "office.",
            Grid(
                header=("Counter type", "Weekdays", "Weekend"),
                rows=(
                    ("Full counter", "six and a half hours or more", "Saturday morning where there is demand"),
                    ("Advice only", "by appointment", "by appointment"),
                    ("Mobile counter", "according to its timetable", "none"),
                ),
            ),
        ),
        Page(
            id="",
            path="guides/holiday-calendar.csv",
            title="Holiday calendar",
            blocks=(Grid(header=("day", "holiday", "counters"), rows=HOLIDAYS),),
        ),
        _page(
            "guides/glossary.html",
            "Glossary of banking terms",
            "Knowledge desk",
            "Short explanations for new colleagues.",
            Grid(
                header=("Term", "Meaning"),
                rows=(
                    ("Arrears", "Instalments that are due and have not been paid."),
                    ("Base rate", "The rate at which the central bank lends."),
                    ("Collateral", "What the bank may sell when a debt is not paid."),
                    ("Gross", "Before tax is taken off."),
                    ("Mandate", "The list of people who may sign for an account."),
                    ("Notice", "The time between asking for money and getting it."),
                    ("Sort code", "Six digits that tell which office holds an account."),
                ),
            ),
        ),
        _page(
            "guides/bereavement.md",
            "When a customer has died",
            "Customer relations",
            "Offer a seat and a quiet room first. The forms can wait.",
            Bullets(
                items=(
                    "Take a copy of the death certificate and hand the original back at once.",
                    "Stop cards and standing orders, but pay funeral invoices from the balance.",
                    "Give the family one name and one direct number.",
                )
            ),
        ),
        _page(
            "guides/power-of-attorney.docx",
            "Power of attorney",
            "Legal",
            "An attorney acts for a customer who cannot or does not want to act alone.",
            Paragraph(
                text="See the sealed deed, check every page for the stamp, and register it before the first "
                "transaction. "
                "An attorney may not change the mandate or make gifts beyond small seasonal ones."
            ),
        ),
        _page(
            "guides/writing-to-customers.md",
            "Writing to customers",
            "Knowledge desk",
            "Write as you would speak to a neighbour whom you respect.",
            Bullets(
                items=(
                    "One idea in a sentence.",
                    "Say what the customer should do, and by when.",
                    "Avoid Latin, initials and apologies that do not apologise.",
                )
            ),
        ),
        _page(
            "guides/switching-service.md",
            "Moving an account to Larkmoor Bank",
            "Savings and payments",
            "The switch is free, takes a working week, and is covered by a guarantee.",
            Paragraph(
                text="Payments that still arrive at the old account are sent on for three years. Should "
                "anything go "
                "wrong, we refund charges and interest on both sides."
            ),
        ),
        _stale(),
    ]


def _page(path: str, title: str, owner: str, first: str, *blocks: Block) -> Page:
    return Page(
        id="",
        path=path,
        title=title,
        owner=owner,
        updated=f"2025-{len(title) % 8 + 1:02d}-{len(first) % 27 + 1:02d}",
        blocks=(Paragraph(text=first), *blocks),
    )


def _stale() -> Page:
    return Page(
        id="",
        path=STALE_PATH,
        title="Contact sheet of 2019: Ironmonger Gate",
        owner="Network office",
        updated=STALE_UPDATED,
        blocks=(
            Paragraph(
                text=f"Telephone number of the Ironmonger Gate branch: {STALE_PHONE}. The fax is no longer in use. "
                "Valid from February 2019 and to be replaced when the exchange in Ashgrove is renewed."
            ),
            Paragraph(
                text="Deliveries come to the loading bay in the arcade between seven and eight in the morning. The "
                "key to the "
                "shutter hangs in the porter's lodge, and the alarm code is changed on the first of each month."
            ),
            Paragraph(
                text="Engineers sign the guest book at the lodge, wear their badge in plain sight, and are "
                "accompanied at "
                "all times by a member of staff with clearance for the strongroom corridor."
            ),
        ),
    )
