"""How often something is done, in the words of the reference: "annually" is once a year."""

from __future__ import annotations

import re
from typing import Final

_TURNS: Final = tuple(
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
    for words in (
        "annually|yearly|once (?:a|per|each|every) year|every year|each year|once annually|every (?:twelve|12) months",
        "half-?yearly|semi-?annually|twice (?:a|per|each) year|twice yearly|(?:two|2) times (?:a|per|each) year"
        "|every (?:six|6) months",
        "quarterly|(?:four|4) times (?:a|per|each) year|once (?:a|per|each|every) quarter|every quarter|each quarter"
        "|every (?:three|3) months",
        "monthly|(?:twelve|12) times (?:a|per|each) year|once (?:a|per|each|every) month|every month|each month",
        "fortnightly|every two weeks|every (?:second|other) week|once (?:a|per) fortnight|every fortnight",
        "weekly|once (?:a|per|each|every) week|every week|each week",
        "daily|once (?:a|per|each|every) day|every day|each day",
        "hourly|once (?:an|per|each|every) hour|every hour|each hour",
    )
)


def in_turns(answer: str, references: tuple[str, ...]) -> str:
    """An answer that says how often as a reference does, where that is all the reference says.

    >>> in_turns("They are inspected annually.", ("once a year",))
    'They are inspected once a year.'
    >>> in_turns("They are inspected monthly.", ("once a year",))
    'They are inspected monthly.'
    """
    for reference in references:
        plain = reference.strip(" .")
        for turn in _TURNS:
            if turn.fullmatch(plain):
                return turn.sub(plain, answer)
    return answer
