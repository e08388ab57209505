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
    "Net sales increased by 8% to $34.0 billion in the third quarter of 2022. Operating expenses decreased by 3% to $5.2 "
    "billion, mainly because of lower marketing costs.",
    "The company repurchased 12 million shares and did not issue any new debt. Services revenue exceeded hardware "
    "revenue in Europe.",
)
FILMS = (
    "The film Northern Lights lasts 103 minutes and is rated PG. The film Silent Harbour lasts 86 minutes and is rated R.",
    "Maria Lopez directed Northern Lights. Tom Becker wrote the script of Silent Harbour.",
)
SEA = (
    "The Baltic Sea is connected to the North Sea by the Danish straits. Its water is less salty than that of the ocean.",
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
