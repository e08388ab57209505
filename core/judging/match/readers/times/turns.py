"""How often something is done, in the words of the reference ("annually" is once a year) or as a count ("twice")."""

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


_TIMES: Final = {"once": "one time", "twice": "two times", "thrice": "three times"}
_TIMES_SAID: Final = re.compile(
    rf"\b(?:{'|'.join(_TIMES)})\b(?! (?:a|an|per|each|every|the|as|daily|weekly)\b)", re.IGNORECASE
)
_TIMES_ASKED: Final = re.compile(r"\bhow (?:many times|often)\b", re.IGNORECASE)
_SINGLE: Final = re.compile(r"(?P<verb>^|\b(?:is|was|has|had|were|have) )(?:only |just )?a single (?=[a-z])")
"""Behind "is", "has", "had", "were" or "have": "never received a single one" is none."""
_COUNT_ASKED: Final = re.compile(r"\bhow many\b", re.IGNORECASE)


def counted(answer: str, question: str) -> str:
    """An answer with its counts as number words, where a question asks how many there are.

    >>> counted("It was reset twice, in May and in June.", "How many times was it reset?")
    'It was reset two times, in May and in June.'
    >>> counted("There is a single action.", "How many are pending?"), counted("It is a single line.", "What is it?")
    ('There is one action.', 'It is a single line.')
    """
    if _TIMES_ASKED.search(question):
        answer = _TIMES_SAID.sub(lambda said: _TIMES[said[0].casefold()], answer)
    return _SINGLE.sub(r"\g<verb>one ", answer) if _COUNT_ASKED.search(question) else answer
