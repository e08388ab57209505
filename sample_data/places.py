"""Pages about regions, branches, advisers and cash machines."""

from __future__ import annotations

from sample_data.defects import stated
from sample_data.entities import ACCOUNT_PRODUCTS, BRANCH_PRODUCTS, BRANCHES, REGIONS, Row
from sample_data.pages import Block, Bullets, Grid, Heading, Page, Paragraph, day, guidance, pick, pounds, slug

REGION_NOTES = {
    1: "Sheep farmers, quarry firms and two generations of weavers made this the bank's home ground.",
    2: "Fishing, boat building and the ferry trade set the rhythm here, and counters are busiest when the fleet is in.",
    3: "Orchards, creameries and light engineering share the valley floor.",
    4: "Commuters, start-ups and a large polytechnic keep the counters young and the mortgage desk full.",
    5: "Arable farms on heavy soil, grain merchants and a long tradition of auction days shape the business.",
}

BRANCH_NOTES = {
    1: "The counter hall keeps the brass tide clock by which ship's agents set their watches.",
    2: "The bank began here above a chandler's shop, and its oldest ledger lies in the glass case by the stairs.",
    3: "The water wheel in the courtyard turns on market days, and school parties come to see it.",
    4: "Two floods have reached the third stair; the vault was raised after the second one.",
    5: "The building was a corn exchange and keeps its long gallery, now used for evening talks on home buying.",
    6: "Business customers have a separate entrance on the arcade side with its own reception.",
    7: "The terrace was built for salt merchants, and the strongroom door is theirs.",
    8: "It is the smallest full branch, and in winter the lifeboat crew meets on its upper floor.",
    9: "On auction days the counter opens early so that farmers can bank their cheques before the sale.",
    10: "Designed without a cash desk, it added one after two years to please the shopkeepers.",
    11: "A former loom shed, it has saw-tooth roof lights and lights no lamps until tea time.",
    12: "The glass front looks onto the old gas lanterns that gave the place its name.",
    13: "Graziers paid their tolls on this site, and the stone trough beside the door is listed.",
}

ACCESS = (
    "There is a ramp to the side door, and a hearing loop at the main counter.",
    "The entrance is level with the pavement, and a lift reaches the interview suites.",
    "Two steps lead to the main door; ring the bell on the left for the portable ramp.",
    "A quiet corner can be booked, and large-print forms are kept at the reception.",
)
PARKING = (
    "The council car park behind the library is free for half an hour.",
    "Visitors are welcome to the spaces marked with a lark in the yard.",
    "There is no parking outside; the bus stop is across the road.",
    "Bicycles can be locked in the passage, which is covered by a camera.",
)
HOURS = (
    (("Monday to Thursday", "9.30 to 16.30"), ("Friday", "9.30 to 17.30"), ("Saturday", "closed")),
    (("Monday to Friday", "9.00 to 16.00"), ("Saturday", "9.30 to 12.30")),
    (("Monday to Friday", "10.00 to 17.00"), ("Saturday", "closed")),
)

OPENING = (
    "The opening date of the {name} branch is {date}.",
    "The {name} branch has {date} as its official opening date.",
    "The company register gives {date} as the opening date of the {name} branch.",
    "For anniversaries, the opening date of the {name} branch is {date}.",
)
OPENING_UNKNOWN = "The opening date of the {name} branch is being checked with the county archive."
OFFERED = (
    "The {name} branch has offered the {product} account since {date}.",
    "The {product} account has been offered at the {name} branch since {date}.",
    "At the {name} branch, the {product} account has been offered since {date}.",
)
WORKS_AT = (
    "{name} works at the {branch} branch.",
    "{name} is an adviser of the {branch} branch.",
    "The adviser {name} sees customers at the {branch} branch.",
)
SPECIALISM = (
    "The specialism of {name} is {what}.",
    "{name} has {what} as a specialism.",
    "The registered specialism of the adviser {name} is {what}.",
)
SPECIALISM_UNKNOWN = "The specialism of {name} will be added after the autumn examinations."
DIRECTOR = (
    "The managing director of the {name} region is {who}.",
    "{who} is the managing director of the {name} region.",
)
WITHDRAWAL = (
    "The withdrawal limit of the {name} ATM is {limit} for each card.",
    "For each card, the withdrawal limit of the {name} ATM is {limit}.",
    "The {name} ATM has a daily withdrawal limit of {limit}.",
)
WITHDRAWAL_UNKNOWN = "The withdrawal limit of the {name} ATM depends on the card and is shown on its screen."

ADVISER_NOTES = (
    "Meetings can be held in person, by telephone or by video, and cost nothing.",
    "Ahead of a meeting, customers receive a short checklist of the documents to bring.",
    "Evening appointments are possible on Thursdays.",
    "An interpreter is arranged for customers who say so when they book.",
)
ATM_PLACES = {
    1: "The machine stands beside the trolley shelter and is lit all night.",
    3: "It faces the ticket barrier, next to the flower stall.",
    5: "It is set into the wall by the reception and can be reached in a wheelchair.",
    7: "The machine is under the awning and is closed when the harbour wall is shut for storms.",
    9: "It stands in the southbound building, between the bakery and the shower rooms.",
    12: "The machine is behind the security check, so only passengers can reach it.",
}


def regions() -> list[Page]:
    """One page per region that has one."""
    return [_region(row) for row in REGIONS if row["region_id"] in REGION_NOTES]


def branches() -> list[Page]:
    """One page per branch that has one."""
    return [_branch(row) for row in BRANCHES if row["branch_id"] in BRANCH_NOTES]


def _region(row: Row) -> Page:
    key, name = row["region_id"], row["name"]
    towns = sorted({branch["town"] for branch in BRANCHES if branch["region_id"] == key})
    sentence = pick(DIRECTOR, key, name=name, who=row["managing_director"])
    return Page(
        id=f"region:{key}",
        path=f"regions/{slug(name)}.md",
        title=f"{name} region",
        owner="Network office",
        updated=f"2025-0{key + 2}-14",
        blocks=(
            Paragraph(text=f"{REGION_NOTES[key]} {sentence}"),
            Heading(text="Offices"),
            Paragraph(
                text=f"The {name} region was founded in {row['established_year']} and is run from "
                f"{row['head_office_town']}. "
                f"Its counters are in {_listed(towns)}. The regional credit committee meets on the second Tuesday "
                "of the "
                "month, and its agenda closes four working days earlier."
            ),
            Heading(text="How the region is run"),
            Bullets(
                items=(
                    "Decisions on lending above a counter's own authority go to the regional credit committee.",
                    "Staff rotas, training and premises belong to the regional operations manager.",
                    "Press enquiries go to head office and are never answered by a counter.",
                )
            ),
            *guidance(key),
        ),
    )


def _branch(row: Row) -> Page:
    key, name = row["branch_id"], row["name"]
    region = next(region["name"] for region in REGIONS if region["region_id"] == row["region_id"])
    opened = stated("branch", key, "opening_date", row["opening_date"])
    opening = pick(OPENING, key, name=name, date=day(opened)) if opened else OPENING_UNKNOWN.format(name=name)
    offers = tuple(
        pick(OFFERED, number + key, name=name, product=_product_name(product), date=day(since))
        for number, (branch, product, since) in enumerate(BRANCH_PRODUCTS)
        if branch == key
    )
    return Page(
        id=f"branch:{key}",
        path=f"branches/{slug(name)}.md",
        title=f"{name} branch",
        owner="Network office",
        updated=f"2025-{key % 9 + 1:02d}-{key + 7:02d}",
        blocks=(
            Paragraph(
                text=f"The {name} branch in {row['town']} belongs to the {region} region. {BRANCH_NOTES[key]} {opening}"
            ),
            Heading(text="Accounts at this branch"),
            Paragraph(
                text=f"Every product can be applied for online. These two are handled in person at the {name} "
                "branch, "
                "with an account manager at the desk."
            ),
            Bullets(items=offers),
            Heading(text="Visiting"),
            Paragraph(
                text=f"The address is {row['street_address']}, {row['town']}, and the telephone number is "
                f"{row['phone_number']}. {pick(ACCESS, key)} {pick(PARKING, key + key // 4)} The vault has "
                f"{row['safe_deposit_boxes']} lockers for valuables."
            ),
            Grid(header=("Day", "Counter"), rows=HOURS[key % len(HOURS)]),
            *guidance(key),
        ),
    )


def adviser(row: Row, *, terse: bool, suffix: str) -> Page:
    """The page of one adviser."""
    key, name = row["adviser_id"], row["full_name"]
    branch = next(branch["name"] for branch in BRANCHES if branch["branch_id"] == row["branch_id"])
    specialism = stated("adviser", key, "specialism", row["specialism"])
    works = pick(WORKS_AT, key, name=name, branch=branch)
    special = (
        pick(SPECIALISM, key // 2, name=name, what=specialism) if specialism else SPECIALISM_UNKNOWN.format(name=name)
    )
    blocks: tuple[Block, ...]
    if terse:
        blocks = (
            Paragraph(
                text=" ".join(
                    (WORKS_AT[1].format(name=name, branch=branch), SPECIALISM[0].format(name=name, what=specialism))
                )
            ),
            Paragraph(text=f"Languages: {row['languages']}. Joined on {day(row['joined_on'])}, by transfer."),
        )
    else:
        blocks = (
            Paragraph(text=f"{works} {special}"),
            Heading(text="Meetings"),
            Paragraph(
                text=f"{name} speaks {_listed(str(row['languages']).split(', '))} and joined the bank on "
                f"{day(row['joined_on'])}. {pick(ADVISER_NOTES, key)} {pick(ADVISER_NOTES, key + 1)}"
            ),
            Paragraph(
                text="An adviser explains and recommends but does not decide on credit. The decision is taken by an "
                "underwriter who has not met the customer, and its reasons are given on paper."
            ),
            *guidance(key + 2),
        )
    return Page(
        id=f"adviser:{key}",
        path=f"advisers/{slug(name)}{suffix}",
        title=name,
        owner="People team",
        updated=f"2025-07-{key + 3:02d}",
        blocks=blocks,
    )


def atm(row: Row, *, terse: bool, suffix: str) -> Page:
    """The page of one cash machine."""
    key, name = row["atm_id"], row["name"]
    limit = stated("atm", key, "withdrawal_limit", row["withdrawal_limit"])
    sentence = (
        WITHDRAWAL_UNKNOWN.format(name=name)
        if limit is None
        else pick(WITHDRAWAL, key // 2, name=name, limit=pounds(limit))
    )
    blocks: tuple[Block, ...]
    if suffix == ".csv":
        blocks = (
            Grid(
                header=("ATM", "The withdrawal limit of the ATM is", "Installed on", "Town", "Note"),
                rows=(
                    (
                        name,
                        pounds(limit),
                        day(row["installed_on"]),
                        row["town"],
                        "Coins are not dispensed, and cheques are not accepted.",
                    ),
                ),
            ),
        )
    elif terse:
        plain = WITHDRAWAL[0].format(name=name, limit=pounds(limit))
        blocks = (
            Paragraph(
                text=f"{plain} Installed {day(row['installed_on'])} in {row['town']}. Coins are not "
                "dispensed, and cheques are not accepted."
            ),
        )
    else:
        blocks = (
            Paragraph(text=f"{ATM_PLACES[key]} {sentence}"),
            Heading(text="Service"),
            Paragraph(
                text=f"The {name} machine in {row['town']} has been in service since {day(row['installed_on'])}. It "
                "is filled "
                "on weekday mornings and before public holidays. It dispenses banknotes of ten and twenty pounds, "
                "prints "
                "balances, and changes the PIN of the bank's own cards."
            ),
            Bullets(
                items=(
                    "A card that was kept by the machine is destroyed after two working days.",
                    "Report a fault on the number printed above the screen; the duty team answers at night too.",
                    "Cash left in the slot for half a minute is drawn back and credited within hours.",
                )
            ),
            *guidance(key + 4),
        )
    return Page(
        id=f"atm:{key}",
        path=f"cash-machines/{slug(name)}{suffix}",
        title=f"{name} ATM",
        owner="Cash services",
        updated=f"2025-05-{key + 9:02d}",
        blocks=blocks,
    )


def _product_name(key: int) -> str:
    return str(next(row["name"] for row in ACCOUNT_PRODUCTS if row["account_product_id"] == key))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
