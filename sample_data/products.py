"""Pages about accounts, loans, cards and service fees."""

from __future__ import annotations

from sample_data.defects import stated
from sample_data.entities import ACCOUNT_PRODUCTS, Row
from sample_data.pages import Block, Bullets, Grid, Heading, Page, Paragraph, day, guidance, percent, pick, pounds, slug

KINDS = {
    "current account": "a current account product",
    "savings": "a savings product",
    "business account": "a product for businesses",
    "mortgage": "a mortgage",
    "personal loan": "a personal loan",
    "business loan": "a business loan",
}

ACCOUNT_NOTES = {
    1: "For wages in and bills out, with a card and a free overdraft buffer for the first few days of a month.",
    2: "For money that can wait: withdrawals need notice, and in return the rate is better than instant savings.",
    3: "For children and teenagers, opened by a parent or guardian and handed over on the eighteenth birthday.",
    4: "For a steady habit: one standing order a month, and a missed payment is forgiven twice a year.",
    5: "For a lump sum that is not needed soon: the rate is fixed from the start and does not move.",
    6: "For anyone enrolled at a college or university, with gentle overdraft terms while the course lasts.",
    7: "For savings that must stay within reach: withdrawals are paid at once, at any counter or in the app.",
    8: "For sole traders and companies, with a relationship manager and a link to the common bookkeeping programs.",
    9: "For the years after a degree; the student terms taper off instead of ending overnight.",
    10: "For savers who want tax-free interest and can live without moving the money every month.",
    11: "For farms and hotels whose income comes in one season and must stretch over the others.",
    12: "For customers with larger balances, who get a banker of their own and travel cover with the account.",
    13: "For churches, clubs and charities: two signatures are standard, and the treasurer can change each year.",
    14: "For patient savers: a quarter of a year's notice, or an immediate withdrawal with loss of interest.",
}
ACCOUNT_RULES = (
    "Deposits are protected within the limits of the national guarantee scheme.",
    "Statements arrive online every month, and on paper for those who ask.",
    "A joint account can be opened by two adults with the same address or by a married couple.",
    "Switching from another provider takes seven working days and moves all regular payments.",
    "The account can be closed at any time by post, in the app or at a counter.",
    "Interest is worked out daily and credited once the tax year is over.",
)
INTEREST = (
    "The interest rate of the {name} account is {rate} gross a year.",
    "The {name} account pays an interest rate of {rate} gross a year.",
    "On the whole balance, the interest rate of the {name} account is {rate}.",
)
INTEREST_UNKNOWN = "The interest rate of the {name} account is agreed in person with the banker in charge."
DEPOSIT = (
    "The minimum deposit for the {name} account is {amount}.",
    "To open the {name} account, the minimum deposit is {amount}.",
    "The {name} account asks for a minimum deposit of {amount}.",
)
DEPOSIT_UNKNOWN = (
    "The minimum deposit for the {name} account is waived for registered charities and agreed with others."
)

LOAN_NOTES = {
    1: "It is meant for households that buy a home of their own and can bring a tenth of the price.",
    2: "It pays for kitchens, roofs and windows, and the builder can be paid in stages.",
    3: "It covers cars old and recent, vans and motorcycles from a licensed dealer.",
    4: "It helps farms to buy land, stock and machinery, with instalments that follow the harvest.",
    5: "It closes the gap between buying one property and selling another.",
    6: "It gives shopkeepers and market traders working money ahead of the busy season.",
    7: "It finances offices, workshops and shops, owned by the borrower or let to others.",
    8: "It pays for insulation, heat pumps and solar panels fitted by a certified installer.",
    9: "It finances yachts, narrowboats and working vessels; a survey is needed above a certain age.",
    10: "It spreads the price of machines and vans over their useful life, and the bank owns them until then.",
    11: "It gathers scattered debts into one instalment, after a talk with the money advice desk.",
}
LOAN_RULES = (
    "Applications are decided within five working days once all documents are in.",
    "A missed instalment is noted, and the customer is called ahead of any reminder.",
    "Life cover is recommended but never a condition.",
    "Instalments begin in the month after the money is paid.",
    "Customers have a fortnight to change their mind after signing.",
)
MAXIMUM = (
    "The maximum amount of the {name} is {amount}.",
    "The {name} has a maximum amount of {amount}.",
    "For one borrower, the maximum amount of the {name} is {amount}.",
)
TERM = (
    "The maximum term of the {name} is {term}.",
    "It must be repaid in time: the {name} has a maximum term of {term}.",
    "The {name} runs for a maximum term of {term}.",
)
EARLY = (
    "The early repayment fee of the {name} is {amount}.",
    "Customers who pay off the {name} ahead of time are charged an early repayment fee of {amount}.",
)
EARLY_UNKNOWN = (
    "An early repayment fee of the {name} is set out in the formal offer.",
    "For the early repayment fee of the {name}, see the schedule that comes with the agreement.",
    "Whether an early repayment fee is due on the {name} is explained when the offer is signed.",
)

CARD_NOTES = {
    1: "It is the everyday card of the bank, and works in shops, online and at cash machines.",
    2: "It is a plain credit card for customers who want a simple limit and one monthly bill.",
    3: "It earns points at grocers, bookshops and railway stations, paid out as vouchers every spring.",
    4: "It lets customers bring a balance from another lender and pay it down in peace.",
    5: "It is made for trips abroad, with lounge visits and a replacement card by courier.",
    6: "It goes to directors and drivers, with a limit for each person and one bill for the company.",
    7: "It is the card for student life, with a low contactless limit and spending alerts switched on.",
    8: "It is made of metal, comes with a concierge line, and is offered by invitation.",
}
ANNUAL = (
    "The annual fee of the {name} card is {amount}.",
    "The {name} card has an annual fee of {amount}.",
    "Holders of the {name} card pay an annual fee of {amount}.",
)
ANNUAL_UNKNOWN = "The annual fee of the {name} card is shown in the app as soon as the card is ordered."
BELONGS = (
    "The account product that comes with the {name} card is {product}.",
    "The {name} card is issued with one account product, {product}.",
)

FEE_NOTES = {
    2: "A copy downloaded in the app is free of charge.",
    5: "The parcel is sealed by the customer, weighed, and opened only in the presence of both.",
    7: "The certificate shows balances and interest at the time of death, signed by two officers.",
    8: "Auditors file their standard form, and the bank responds within ten working days.",
    11: "Coin must be sorted by value; mixed bags are sent back at the customer's cost.",
    13: "Deeds are kept in the county store and arrive by courier, never by ordinary post.",
}
AMOUNT = (
    "The amount of the {name} service fee is {amount}.",
    "For the {name} fee, the amount is {amount} each time.",
    "The {name} fee has a fixed amount of {amount}.",
)
EFFECTIVE = (
    "The effective date of the {name} fee is {date}.",
    "The {name} fee has {date} as its effective date.",
)
TERSE_EFFECTIVE = "The effective date of the {name} fee is {date}."


def account(row: Row, suffix: str) -> Page:
    """The page of one account product."""
    key, name = row["account_product_id"], row["name"]
    rate = stated("account_product", key, "interest_rate", row["interest_rate"])
    deposit = stated("account_product", key, "minimum_deposit", row["minimum_deposit"])
    interest = (
        INTEREST_UNKNOWN.format(name=name) if rate is None else pick(INTEREST, key, name=name, rate=percent(rate))
    )
    opening = (
        DEPOSIT_UNKNOWN.format(name=name)
        if deposit is None
        else pick(DEPOSIT, key + 1, name=name, amount=pounds(deposit))
    )
    return Page(
        id=f"account_product:{key}",
        path=f"accounts/{slug(name)}{suffix}",
        title=f"{name} account",
        owner="Savings and payments",
        updated=f"2025-08-{key + 6:02d}",
        blocks=(
            Paragraph(text=ACCOUNT_NOTES[key]),
            Heading(text="Rate and opening"),
            Paragraph(text=f"{interest} {opening}"),
            Heading(text="Good to know"),
            Bullets(items=tuple(pick(ACCOUNT_RULES, key + step) for step in range(3))),
            Paragraph(
                text=f"The {name} account is {KINDS[row['category']]} and was launched in "
                f"{day(row['launch_date']).split(' ', 1)[1]}."
                + (f" It is kept for {pounds(row['monthly_fee'])} a month." if row["monthly_fee"] else "")
            ),
            *guidance(key),
        ),
    )


def loan(row: Row, suffix: str) -> Page:
    """The page of one loan product."""
    key, name = row["loan_product_id"], row["name"]
    most = stated("loan_product", key, "maximum_amount", row["maximum_amount"])
    fee = stated("loan_product", key, "early_repayment_fee", row["early_repayment_fee"])
    early = pick(EARLY_UNKNOWN, key, name=name) if fee is None else pick(EARLY, key // 3, name=name, amount=pounds(fee))
    return Page(
        id=f"loan_product:{key}",
        path=f"loans/{slug(name)}{suffix}",
        title=str(name),
        owner="Lending",
        updated=f"2025-06-{key + 8:02d}",
        blocks=(
            Paragraph(
                text=f"The {name} is {KINDS[row['category']]}, a loan product of the lending desk. {LOAN_NOTES[key]}"
            ),
            Heading(text="Terms"),
            Paragraph(
                text=f"{pick(MAXIMUM, key, name=name, amount=pounds(most))} "
                f"{pick(TERM, key + 1, name=name, term=row['maximum_term'])} {early}"
            ),
            Paragraph(
                text=f"The representative rate is {percent(row['representative_rate'])} a year. {pick(LOAN_RULES, key)}"
            ),
            Heading(text="Applying"),
            Bullets(items=(pick(LOAN_RULES, key + 1), pick(LOAN_RULES, key + 2))),
            *guidance(key + 1),
        ),
    )


def card(row: Row, suffix: str) -> Page:
    """The page of one card."""
    key, name = row["card_product_id"], row["name"]
    fee = stated("card_product", key, "annual_fee", row["annual_fee"])
    annual = ANNUAL_UNKNOWN.format(name=name) if fee is None else pick(ANNUAL, key, name=name, amount=pounds(fee))
    product = next((a["name"] for a in ACCOUNT_PRODUCTS if a["account_product_id"] == row["account_product_id"]), None)
    belongs = f" {pick(BELONGS, key // 2, name=name, product=product)}" if product else ""
    return Page(
        id=f"card_product:{key}",
        path=f"cards/{slug(name)}{suffix}",
        title=f"{name} card",
        owner="Cards",
        updated=f"2025-04-{key + 11:02d}",
        blocks=(
            Paragraph(text=f"{CARD_NOTES[key]} {annual}{belongs}"),
            Heading(text="Limits and charges"),
            Grid(
                header=("Item", "Value"),
                rows=(
                    ("Contactless limit for each payment", pounds(row["contactless_limit"])),
                    ("Charge on payments in another currency", percent(row["foreign_usage_rate"])),
                    ("Replacement of a lost card", "free of charge"),
                ),
            ),
            Paragraph(
                text="A lost or stolen card can be blocked in the app at any hour. A replacement of the same card "
                "product is "
                "posted within two working days, and the PIN stays as it was."
            ),
            *guidance(key + 3),
        ),
    )


def service_fee(row: Row, *, terse: bool, suffix: str) -> Page:
    """The page of one entry of the tariff."""
    key, name = row["service_fee_id"], row["name"]
    amount = stated("service_fee", key, "amount", row["amount"])
    date = day(row["effective_date"])
    sentence = pick(AMOUNT, key // 2, name=name, amount=pounds(amount))
    since = pick(EFFECTIVE, key // 2, name=name, date=date)
    blocks: tuple[Block, ...]
    if terse:
        blocks = (
            Paragraph(
                text=f"{AMOUNT[0].format(name=name, amount=pounds(amount))} "
                f"{TERSE_EFFECTIVE.format(name=name, date=date)}"
            ),
            Paragraph(text=f"Charged to {row['charged_to']}, once for each request."),
        )
    else:
        blocks = (
            Paragraph(text=f"{sentence} {since} {FEE_NOTES[key]}"),
            Heading(text="Who pays"),
            Paragraph(
                text=f"This service fee is charged to {row['charged_to']}. It is taken from the account on the day "
                "of the "
                "service is rendered, and shown on the statement by name. A counter manager can waive it once a "
                "year for hardship."
            ),
            *guidance(key + 5),
        )
    return Page(
        id=f"service_fee:{key}",
        path=f"tariff/{slug(name)}{suffix}",
        title=f"{name} fee",
        owner="Tariff desk",
        updated=f"2025-03-{key + 10:02d}",
        blocks=blocks,
    )
