"""The rows of Larkmoor Bank that have pages: written by hand, so that names are distinct and facts are credible.

Every name carries words that no other name and no common sentence uses; amounts and dates asked about occur once.
All of it is invented: no branch, person, product or telephone number here exists (01632 is reserved for fiction).
"""

from __future__ import annotations

from typing import Any

Row = dict[str, Any]


def _rows(columns: str, *values: tuple[Any, ...]) -> tuple[Row, ...]:
    names = columns.split()
    return tuple({names[0]: key, **dict(zip(names[1:], row, strict=True))} for key, row in enumerate(values, start=1))


REGIONS = _rows(
    "region_id name managing_director head_office_town established_year",
    ("Northern Dales", "Philippa Strand", "Larkmoor", 1871),
    ("Harbour Coast", "Desmond Achterberg", "Port Ellery", 1888),
    ("Western Vale", "Rosalind Pike", "Calderwick", 1904),
    ("Capital Fringe", "Yusuf Demirel", "Ashgrove", 1926),
    ("Lowland Marches", "Henrietta Voss", "Thornbeck", 1953),
    ("Isles and Sounds", "Alasdair Quennell", "Sulasker", 2025),
)

BRANCHES = _rows(
    "branch_id name region_id town street_address opening_date phone_number safe_deposit_boxes",
    ("Tidewater Quay", 2, "Port Ellery", "4 Tidewater Quay", "1912-05-06", "01632 960112", 140),
    ("Candlemaker Row", 1, "Larkmoor", "21 Candlemaker Row", "1871-10-02", "01632 960101", 260),
    ("Fulling Mill", 3, "Calderwick", "9 Fulling Mill Lane", "1934-03-19", "01632 960134", 85),
    ("Sheepwash Bridge", 1, "Hollinside", "2 Sheepwash Bridge", "1958-11-10", "01632 960158", 48),
    ("Penhallow Cross", 3, "Penhallow", "17 Penhallow Cross", "1966-07-04", "01632 960166", 62),
    ("Ironmonger Gate", 4, "Ashgrove", "88 Ironmonger Gate", "1927-01-24", "01632 960127", 190),
    ("Saltpan Terrace", 2, "Greywater", "5 Saltpan Terrace", "1949-09-12", "01632 960149", 54),
    ("Marram Point", 2, "Marram", "1 Marram Point", "1973-06-18", "01632 960173", 36),
    ("Thistlewood Parade", 5, "Thornbeck", "33 Thistlewood Parade", "1981-02-23", "01632 960181", 72),
    ("Kestrel Rise", 4, "Ashgrove", "140 Kestrel Rise", "1998-04-27", "01632 960198", 44),
    ("Weaver's Yard", 3, "Calderwick", "12 Weaver's Yard", "2004-08-30", "01632 960104", 30),
    ("Lantern Square", 4, "Elmstead", "6 Lantern Square", "2011-12-05", "01632 960111", 118),
    ("Drovers Green", 5, "Upper Drovers", "3 Drovers Green", "1962-10-15", "01632 960162", 57),
    ("Abbotsford Mews", 6, "Sulasker", "8 Abbotsford Mews", "2025-06-09", "01632 960125", 24),
)

ADVISERS = _rows(
    "adviser_id full_name branch_id specialism languages joined_on",
    ("Ottilie Rose Brackenbury", 2, "probate and estates", "English, French", "2009-01-05"),
    ("Tobias Emeka Nwosu", 6, "commercial property", "English, Igbo", "2014-09-15"),
    ("Marguerite Anne Holloway", 1, "marine mortgages", "English", "2003-04-14"),
    ("Ravindra Pal Kulkarni", 12, "importers and exporters", "English, Marathi, Hindi", "2016-02-29"),
    ("Gwendolen Ffion Prosser", 3, "agricultural tenancies", "English, Welsh", "2011-07-11"),
    ("Caspian Joel Whitlock", 10, "student budgeting", "English", "2021-08-23"),
    ("Beatrix Ilse Zimmermann", 6, "expatriate banking", "English, German", "2018-05-14"),
    ("Leopold Finn Garrity", 9, "farm succession", "English, Irish", "2007-10-01"),
    ("Soraya Mina Tehrani", 12, "charities and trusts", "English, Farsi", "2013-03-18"),
    ("Hamish Rory Dalgleish", 4, "renewable energy", "English, Scots", "2019-11-25"),
    ("Clementine Faye Osgood", 5, "retirement income", "English, Italian", "2005-06-20"),
    ("Matthias Owen Lindqvist", 7, "fishing vessels", "English, Swedish", "2012-02-13"),
    ("Perpetua June Ashdown", 8, "equity release", "English", "2017-09-04"),
    ("Fergus Iain Macrimmon", 14, "crofting grants", "English, Gaelic", "2025-05-12"),
)

ACCOUNT_PRODUCTS = _rows(
    "account_product_id name category interest_rate minimum_deposit monthly_fee launch_date",
    ("Skylark Everyday", "current account", 0.35, 15, 0, "2015-02-02"),
    ("Bramble Notice Saver", "savings", 3.15, 550, 0, "2018-06-11"),
    ("Heron Junior Saver", "savings", 4.05, 5, 0, "2012-09-03"),
    ("Marigold Monthly Saver", "savings", 5.25, 35, 0, "2019-01-14"),
    ("Oakapple Fixed Bond", "savings", 4.65, 2250, 0, "2020-03-09"),
    ("Lapwing Student", "current account", 1.1, 20, 0, "2016-08-22"),
    ("Foxglove Easy Access", "savings", 2.45, 75, 0, "2014-05-06"),
    ("Copperfield Enterprise", "business account", 0.6, 650, 7, "2017-10-16"),
    ("Cornflower Graduate", "current account", 1.35, 45, 0, "2016-08-23"),
    ("Windfall Cash Reserve", "savings", 3.85, 1150, 0, "2021-04-06"),
    ("Harvestgate Seasonal Income", "business account", 2.95, 3400, 0, "2013-07-29"),
    ("Teasel Premier", "current account", 1.75, 6200, 18, "2010-11-08"),
    ("Burdock Charity Treasurer", "business account", 1.55, 115, 0, "2011-03-21"),
    ("Gorse Ninety Day", "savings", 3.55, 825, 0, "2022-02-14"),
)

LOAN_PRODUCTS = _rows(
    "loan_product_id name category representative_rate maximum_amount maximum_term early_repayment_fee",
    ("Hearthstone First Mortgage", "mortgage", 4.79, 640000, "35 years", 1975),
    ("Millrace Renovation Loan", "personal loan", 7.2, 48500, "84 months", 285),
    ("Tollgate Vehicle Loan", "personal loan", 6.9, 36000, "60 months", 165),
    ("Ploughshare Farm Loan", "business loan", 6.35, 275000, "15 years", 1420),
    ("Beacon Bridging Facility", "mortgage", 9.4, 820000, "18 months", 2650),
    ("Larder Trader Loan", "business loan", 8.15, 62500, "72 months", 310),
    ("Keystone Commercial Mortgage", "mortgage", 5.85, 1450000, "25 years", 3875),
    ("Glasshouse Energy Loan", "personal loan", 5.1, 22750, "10 years", 95),
    ("Gannet Boat Finance", "personal loan", 7.65, 92000, "12 years", 735),
    ("Cobbler Equipment Lease", "business loan", 8.7, 118000, "54 months", 455),
    ("Stepping Stone Consolidation", "personal loan", 9.95, 28400, "66 months", 225),
)

CARD_PRODUCTS = _rows(
    "card_product_id name account_product_id annual_fee contactless_limit foreign_usage_rate",
    ("Juniper Debit", 1, 6, 100, 2.75),
    ("Sorrel Classic Credit", None, 27, 100, 2.95),
    ("Kingfisher Rewards", None, 84, 100, 2.65),
    ("Pewter Balance Transfer", None, 39, 100, 2.99),
    ("Saffron Voyager", None, 58, 100, 0.25),
    ("Basalt Corporate", 8, 96, 150, 1.95),
    ("Caraway Campus", 6, 9, 50, 2.85),
    ("Obsidian Signature", 12, 210, 150, 0.5),
)

SERVICE_FEES = _rows(
    "service_fee_id name amount effective_date charged_to",
    ("Stopped Cheque Recall", 12.4, "2024-03-01", "personal and business accounts"),
    ("Duplicate Statement Reprint", 6.75, "2024-03-04", "personal and business accounts"),
    ("Overseas Draft Issue", 23.6, "2023-10-02", "personal and business accounts"),
    ("Unpaid Direct Debit", 8.2, "2024-07-15", "personal current accounts"),
    ("Sealed Parcel Custody", 41.5, "2022-01-17", "holders of a custody agreement"),
    ("Foreign Banknote Order", 4.85, "2024-05-20", "personal accounts"),
    ("Probate Balance Certificate", 17.3, "2023-02-06", "executors and administrators"),
    ("Audit Letter Confirmation", 33.9, "2023-04-11", "business accounts"),
    ("Lost Passbook Replacement", 11.15, "2021-11-08", "holders of a passbook"),
    ("Night Safe Wallet", 2.95, "2022-09-26", "business accounts"),
    ("Coin Bagging Collection", 19.45, "2024-08-12", "business accounts"),
    ("Dormant Balance Tracing", 14.7, "2023-06-19", "former customers"),
    ("Title Deed Retrieval", 52.8, "2022-05-30", "mortgage customers"),
    ("Treasury Gilt Transfer", 29.65, "2025-08-04", "premier customers"),
)

ATMS = _rows(
    "atm_id name town branch_id withdrawal_limit installed_on",
    ("Ropewalk Retail Park", "Port Ellery", 1, 340, "2016-03-08"),
    ("Ellery Ferry Terminal", "Port Ellery", 1, 260, "2019-05-21"),
    ("Larkmoor Railway Concourse", "Larkmoor", 2, 480, "2014-10-14"),
    ("Cattle Market Arcade", "Thornbeck", 9, 320, "2017-02-07"),
    ("Infirmary Main Entrance", "Ashgrove", 6, 220, "2018-09-18"),
    ("Polytechnic Library Foyer", "Ashgrove", 10, 180, "2020-01-28"),
    ("Regatta Marina Office", "Greywater", 7, 380, "2021-06-15"),
    ("Bandstand Leisure Pavilion", "Elmstead", 12, 240, "2015-11-24"),
    ("Turnpike Motorway Services", "Calderwick", 3, 520, "2013-04-16"),
    ("Observatory Hill Kiosk", "Larkmoor", 2, 160, "2022-08-09"),
    ("Cider Press Shop", "Penhallow", 5, 280, "2012-07-03"),
    ("Aerodrome Departure Lounge", "Ashgrove", 6, 460, "2023-03-28"),
)

BRANCH_PRODUCTS: tuple[tuple[int, int, str], ...] = (
    (1, 1, "2015-02-16"),
    (1, 8, "2017-11-13"),
    (2, 12, "2010-11-22"),
    (2, 5, "2020-03-23"),
    (3, 11, "2013-08-12"),
    (3, 2, "2018-07-02"),
    (4, 7, "2014-06-03"),
    (4, 13, "2011-04-18"),
    (5, 3, "2012-10-08"),
    (5, 4, "2019-02-11"),
    (6, 8, "2018-01-08"),
    (6, 10, "2021-04-26"),
    (7, 2, "2018-08-06"),
    (7, 1, "2015-03-30"),
    (8, 14, "2022-03-07"),
    (8, 7, "2014-07-21"),
    (9, 11, "2013-09-09"),
    (9, 13, "2011-05-23"),
    (10, 6, "2016-09-05"),
    (10, 9, "2016-10-10"),
    (11, 4, "2019-03-25"),
    (11, 3, "2012-11-19"),
    (12, 12, "2012-01-16"),
    (12, 10, "2021-05-17"),
    (13, 5, "2020-06-22"),
    (13, 14, "2022-04-25"),
    (14, 1, "2025-06-16"),
    (14, 7, "2025-07-07"),
)
"""Branch, account product, offered since."""
