"""Passages with answers that are true and answers that are false by one thing.

`KNOWN` was written while the rules of faithfulness were made. `FIRST_SIGHT` was written after they were finished, over
other domains, and is scored by the rules as they were then; nothing was changed for it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One true and one false answer from the same passages.

    Attributes:
        kind: What is wrong with the false one.
        passages: What was retrieved.
        true: Supported by them.
        false: Not supported by them.
    """

    kind: str
    passages: tuple[str, ...]
    true: str
    false: str


BANK = (
    "The monthly fee of the Classic account is 4.50 EUR. The monthly fee of the Premium account is 9.90 EUR.",
    "Jane Doe manages the Basel branch. Peter Roth manages the Geneva branch.",
    "Customers may close the account at any time. The bank answers within two working days.",
)
FLIGHT = (
    "The airplane departed Reno at 0915 and was destroyed when it struck terrain near Carson City. The pilot held a "
    "private certificate and had 412 hours of total flight time.",
    "The left engine lost power after the takeoff. The mechanic replaced the fuel pump before the accident flight. "
    "Visibility at the airport was 10 miles, and the wind was from the north at 12 knots.",
)
QUARTER = (
    "Net sales increased by 8% to $34.0 billion in the third quarter of 2022. Operating expenses decreased by 3% to "
    "$5.2 billion, mainly because of lower marketing costs.",
    "The company repurchased 12 million shares and did not issue any new debt. Services revenue exceeded hardware "
    "revenue in Europe.",
)
FILMS = (
    "The film Northern Lights lasts 103 minutes and is rated PG. The film Silent Harbour lasts 86 minutes and is rated "
    "R.",
    "Maria Lopez directed Northern Lights. Tom Becker wrote the script of Silent Harbour.",
)
SEA = (
    "The Baltic Sea is connected to the North Sea by the Danish straits. Its water is less salty than that of the "
    "ocean.",
    "In 1429 the King of Denmark introduced a toll on ships that passed the strait. The toll was abolished in 1857.",
)

KNOWN = (
    Pair(
        kind="negation",
        passages=BANK,
        true="Jane Doe manages the Basel branch.",
        false="Jane Doe does not manage the Basel branch.",
    ),
    Pair(
        kind="negation",
        passages=BANK,
        true="The account may be closed by customers at any time.",
        false="Customers may never close the account at any time.",
    ),
    Pair(
        kind="owner of a number",
        passages=BANK,
        true="The Classic account has a monthly fee of 4.50 EUR.",
        false="The monthly fee of the Classic account is 9.90 EUR.",
    ),
    Pair(
        kind="numbers exchanged",
        passages=BANK,
        true="The monthly fee of the Classic account is 4.50 EUR and that of the Premium account is 9.90 EUR.",
        false="The monthly fee of the Classic account is 9.90 EUR and that of the Premium account is 4.50 EUR.",
    ),
    Pair(
        kind="another person",
        passages=BANK,
        true="The Basel branch is managed by Jane Doe.",
        false="Peter Roth manages the Basel branch.",
    ),
    Pair(
        kind="order",
        passages=BANK,
        true="The manager of the Basel branch is Jane Doe.",
        false="Basel manages Jane the branch Doe.",
    ),
    Pair(
        kind="invented name, lower case",
        passages=BANK,
        true="Jane Doe manages the Basel branch, and Peter Roth manages the Geneva branch.",
        false="Jane Doe manages the Basel branch with ursula meier.",
    ),
    Pair(
        kind="invention among copied sentences",
        passages=BANK,
        true="Jane Doe manages the Basel branch. Customers may close the account at any time. The bank answers within "
        "two working days. The monthly fee of the Classic account is 4.50 EUR.",
        false="Jane Doe manages the Basel branch. Customers may close the account at any time. The bank answers within "
        "two working days. The monthly fee of the Classic account is 4.50 EUR. Every customer also receives a free "
        "yacht with a captain.",
    ),
    Pair(
        kind="number in words",
        passages=BANK,
        true="The bank answers within 2 working days.",
        false="The bank answers within five working days.",
    ),
    Pair(
        kind="place",
        passages=FLIGHT,
        true="The airplane departed Reno at 0915.",
        false="The airplane departed Carson City at 0915.",
    ),
    Pair(
        kind="opposite",
        passages=FLIGHT,
        true="After the takeoff, the left engine lost power.",
        false="The left engine lost power before the takeoff.",
    ),
    Pair(
        kind="opposite",
        passages=FLIGHT,
        true="Before the accident flight, the mechanic replaced the fuel pump.",
        false="The mechanic replaced the fuel pump after the accident flight.",
    ),
    Pair(
        kind="invented number",
        passages=FLIGHT,
        true="The pilot had 412 hours of total flight time and held a private certificate.",
        false="The pilot had 1,412 hours of total flight time and held a private certificate.",
    ),
    Pair(
        kind="number of another fact",
        passages=FLIGHT,
        true="The wind was from the north at 12 knots.",
        false="The wind was from the north at 10 knots.",
    ),
    Pair(
        kind="direction",
        passages=QUARTER,
        true="In the third quarter of 2022 net sales increased by 8% to $34.0 billion.",
        false="Net sales decreased by 8% to $34.0 billion in the third quarter of 2022.",
    ),
    Pair(
        kind="owner of a number",
        passages=QUARTER,
        true="Operating expenses decreased by 3% to $5.2 billion.",
        false="Operating expenses decreased by 8% to $5.2 billion.",
    ),
    Pair(
        kind="negation taken away",
        passages=QUARTER,
        true="The company did not issue any new debt.",
        false="The company repurchased 12 million shares and issued new debt.",
    ),
    Pair(
        kind="order",
        passages=QUARTER,
        true="In Europe, services revenue exceeded hardware revenue.",
        false="Hardware revenue exceeded services revenue in Europe.",
    ),
    Pair(
        kind="owner of a number",
        passages=FILMS,
        true="Northern Lights lasts 103 minutes and Silent Harbour 86 minutes.",
        false="Silent Harbour lasts 103 minutes.",
    ),
    Pair(
        kind="another person",
        passages=FILMS,
        true="Northern Lights was directed by Maria Lopez.",
        false="Tom Becker directed Northern Lights.",
    ),
    Pair(
        kind="comparison",
        passages=SEA,
        true="The water of the Baltic Sea is less salty than that of the ocean.",
        false="Its water is more salty than that of the ocean.",
    ),
    Pair(
        kind="date of another fact",
        passages=SEA,
        true="The toll on ships was introduced by the King of Denmark in 1429.",
        false="In 1857 the King of Denmark introduced a toll on ships that passed the strait.",
    ),
)

LEAFLET = (
    "Take one tablet of Veradol twice a day with food. Do not take more than four tablets in 24 hours. Children under "
    "12 must not take Veradol.",
    "Common side effects are headache and nausea. In a trial with 640 patients, 18% of those on Veradol and 7% of "
    "those on placebo reported a headache. Store the tablets below 25 degrees.",
)
UNIVERSITY = (
    "The library is open from 8 am to 10 pm on weekdays and from 10 am to 6 pm on Saturdays. Undergraduates may borrow "
    "up to 15 books for four weeks; doctoral students may borrow 40 books for twelve weeks.",
    "Professor Lindqvist teaches Statistics in the autumn term, and Dr Okafor teaches Genetics in the spring term. The "
    "examination fee is not refunded after the registration deadline.",
)
TELECOM = (
    "The Home 100 plan offers 100 Mbit/s for 29 euros a month. The Home 500 plan offers 500 Mbit/s for 45 euros a "
    "month. Both plans have a minimum term of 24 months.",
    "A technician from Nordlink repaired the cable on 3 March 2021, two days after the storm damaged it. Calls to "
    "Switzerland are free of charge, whereas calls to Norway cost 9 cents a minute.",
)
MUSEUM = (
    "The museum was founded in 1897 by the painter Elsa Brandt and moved to its present building in 1931. It owns "
    "14,000 drawings and 2,300 paintings.",
    "The Rembrandt room is on the second floor and the Vermeer room on the third floor. Visitors are not allowed to "
    "take photographs in either room. Admission is reduced for students but not for groups.",
)
STAFF = (
    "Employees receive 25 days of annual leave; part-time employees receive it in proportion to their hours. Unused "
    "leave expires at the end of March of the following year.",
    "Sick leave of more than three days requires a medical certificate. The works council must approve overtime before "
    "it begins. Managers approve travel expenses above 500 francs.",
)
RIVER = (
    "The Orla rises in the Hartwald at 820 metres and flows north for 212 kilometres to the Brenn. The largest town on "
    "its banks is Talheim, with 63,000 inhabitants.",
    "A dam built in 1964 supplies Talheim with electricity. Salmon returned to the river after the paper mill at Grund "
    "closed in 1998. The water level was higher in 2021 than in 2018.",
)

FIRST_SIGHT = (
    Pair(
        kind="negation taken away",
        passages=LEAFLET,
        true="Children under 12 must not take Veradol.",
        false="Children under 12 may take Veradol.",
    ),
    Pair(
        kind="number of another fact",
        passages=LEAFLET,
        true="A headache was reported by 18% of the patients on Veradol.",
        false="A headache was reported by 7% of the patients on Veradol.",
    ),
    Pair(
        kind="opposite",
        passages=LEAFLET,
        true="The tablets should be stored below 25 degrees.",
        false="The tablets should be stored above 25 degrees.",
    ),
    Pair(
        kind="invented number",
        passages=LEAFLET,
        true="You should take one tablet of Veradol twice a day with food.",
        false="You should take three tablets of Veradol twice a day with food.",
    ),
    Pair(
        kind="hours of another day",
        passages=UNIVERSITY,
        true="On Saturdays the library is open from 10 am to 6 pm.",
        false="On Saturdays the library is open from 8 am to 10 pm.",
    ),
    Pair(
        kind="owner of a number",
        passages=UNIVERSITY,
        true="Undergraduates may borrow up to 15 books for four weeks.",
        false="Undergraduates may borrow up to 40 books for twelve weeks.",
    ),
    Pair(
        kind="another person",
        passages=UNIVERSITY,
        true="Statistics is taught by Professor Lindqvist in the autumn term.",
        false="Dr Okafor teaches Statistics in the autumn term.",
    ),
    Pair(
        kind="negation taken away",
        passages=UNIVERSITY,
        true="After the registration deadline the examination fee is not refunded.",
        false="The examination fee is refunded after the registration deadline.",
    ),
    Pair(
        kind="owner of a number",
        passages=TELECOM,
        true="For 45 euros a month the Home 500 plan offers 500 Mbit/s.",
        false="The Home 500 plan offers 500 Mbit/s for 29 euros a month.",
    ),
    Pair(
        kind="invented number",
        passages=TELECOM,
        true="Both plans have a minimum term of 24 months.",
        false="Both plans have a minimum term of 12 months.",
    ),
    Pair(
        kind="order of events",
        passages=TELECOM,
        true="Two days after the storm damaged the cable, a technician from Nordlink repaired it.",
        false="A technician from Nordlink repaired the cable two days before the storm damaged it.",
    ),
    Pair(
        kind="owner of a fact",
        passages=TELECOM,
        true="Calls to Norway cost 9 cents a minute, whereas calls to Switzerland are free of charge.",
        false="Calls to Norway are free of charge, whereas calls to Switzerland cost 9 cents a minute.",
    ),
    Pair(
        kind="date of another fact",
        passages=MUSEUM,
        true="The painter Elsa Brandt founded the museum in 1897.",
        false="The painter Elsa Brandt founded the museum in 1931.",
    ),
    Pair(
        kind="numbers exchanged",
        passages=MUSEUM,
        true="The museum owns 14,000 drawings and 2,300 paintings.",
        false="The museum owns 2,300 drawings and 14,000 paintings.",
    ),
    Pair(
        kind="place of another thing",
        passages=MUSEUM,
        true="The Vermeer room is on the third floor.",
        false="The Vermeer room is on the second floor.",
    ),
    Pair(
        kind="negation taken away",
        passages=MUSEUM,
        true="Visitors are not allowed to take photographs in the Rembrandt room.",
        false="Visitors are allowed to take photographs in the Rembrandt room.",
    ),
    Pair(
        kind="order of events",
        passages=STAFF,
        true="Overtime must be approved by the works council before it begins.",
        false="The works council must approve overtime after it begins.",
    ),
    Pair(
        kind="opposite",
        passages=STAFF,
        true="Sick leave of more than three days requires a medical certificate.",
        false="Sick leave of less than three days requires a medical certificate.",
    ),
    Pair(
        kind="another office",
        passages=STAFF,
        true="Travel expenses above 500 francs are approved by managers.",
        false="The works council approves travel expenses above 500 francs.",
    ),
    Pair(
        kind="invention among copied sentences",
        passages=STAFF,
        true="Employees receive 25 days of annual leave. Unused leave expires at the end of March of the following "
        "year. Managers approve travel expenses above 500 francs.",
        false="Employees receive 25 days of annual leave. Unused leave expires at the end of March of the following "
        "year. Managers approve travel expenses above 500 francs. Everybody may keep a pony in the garage.",
    ),
    Pair(
        kind="direction",
        passages=RIVER,
        true="The Orla flows north for 212 kilometres.",
        false="The Orla flows south for 212 kilometres.",
    ),
    Pair(
        kind="years exchanged",
        passages=RIVER,
        true="The water level was lower in 2018 than in 2021.",
        false="The water level was higher in 2018 than in 2021.",
    ),
    Pair(
        kind="order of events",
        passages=RIVER,
        true="After the paper mill at Grund closed in 1998, salmon returned to the river.",
        false="Salmon returned to the river before the paper mill at Grund closed in 1998.",
    ),
    Pair(
        kind="invented name, lower case",
        passages=RIVER,
        true="A dam built in 1964 supplies Talheim with electricity.",
        false="A dam built in 1964 by konrad vetterli supplies Talheim with electricity.",
    ),
)

COUNCIL = (
    "The town council of Aldbrook has 31 members, of whom 17 are women. Mayor Ruth Castell was elected in 2019 with "
    "54% of the vote; her rival Simon Hart received 46%.",
    "The swimming pool is closed on Mondays and opens at 7 am on the other days. A season ticket costs 80 pounds for "
    "adults and 45 pounds for children. Dogs are not admitted to the park after sunset.",
)
SHIP = (
    "The ferry Aurora carries 900 passengers and 210 cars between Lund and Marstal. The ferry Borealis carries 400 "
    "passengers and no cars.",
    "Captain Ida Noren commands the Aurora. The crossing takes 95 minutes in summer and 110 minutes in winter. The "
    "Aurora was built after the Borealis was sold.",
)

SECOND_SIGHT = (
    Pair(
        kind="owner of a number",
        passages=COUNCIL,
        true="Ruth Castell was elected mayor in 2019 with 54% of the vote.",
        false="Mayor Ruth Castell was elected in 2019 with 46% of the vote.",
    ),
    Pair(
        kind="number of another fact",
        passages=COUNCIL,
        true="The town council of Aldbrook has 31 members.",
        false="The town council of Aldbrook has 17 members.",
    ),
    Pair(
        kind="opposite",
        passages=COUNCIL,
        true="On Mondays the swimming pool is closed.",
        false="The swimming pool is open on Mondays.",
    ),
    Pair(
        kind="owner of a number",
        passages=COUNCIL,
        true="For adults a season ticket costs 80 pounds.",
        false="A season ticket costs 45 pounds for adults.",
    ),
    Pair(
        kind="negation taken away",
        passages=COUNCIL,
        true="After sunset, dogs are not admitted to the park.",
        false="Dogs are admitted to the park after sunset.",
    ),
    Pair(
        kind="opposite",
        passages=COUNCIL,
        true="Dogs are not admitted to the park after sunset.",
        false="Dogs are not admitted to the park before sunset.",
    ),
    Pair(
        kind="owner of a number",
        passages=SHIP,
        true="The Aurora carries 900 passengers and 210 cars.",
        false="The ferry Borealis carries 900 passengers.",
    ),
    Pair(
        kind="another ship",
        passages=SHIP,
        true="The Aurora is commanded by Captain Ida Noren.",
        false="Captain Ida Noren commands the Borealis.",
    ),
    Pair(
        kind="season",
        passages=SHIP,
        true="In winter the crossing takes 110 minutes.",
        false="The crossing takes 110 minutes in summer.",
    ),
    Pair(
        kind="negation taken away",
        passages=SHIP,
        true="The ferry Borealis carries 400 passengers and no cars.",
        false="The ferry Borealis carries 400 passengers and cars.",
    ),
    Pair(
        kind="order of events",
        passages=SHIP,
        true="After the Borealis was sold, the Aurora was built.",
        false="The Aurora was built before the Borealis was sold.",
    ),
    Pair(
        kind="another ship",
        passages=SHIP,
        true="The Aurora was built after the Borealis was sold.",
        false="The Borealis was built after the Aurora was sold.",
    ),
)
