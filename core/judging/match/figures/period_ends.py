"""Which end of a period a date is: when something began or when it ends, and which of them a question asks for."""

from __future__ import annotations

import re

from core.judging.match.values import Hit

_BEGINS = re.compile(
    r"\b(?:start\w*|beg[aiu]n\w*|open(?:s|ed|ing)?|commenc\w*|launch\w*|issued?|issuing|signed|granted|took effect)\b"
)
_ENDS = re.compile(
    r"\b(?:end(?:s|ed|ing)?|clos(?:e|es|ed|ing)|finish\w*|expir\w*|matur\w*|until|terminat\w*|due|laps\w*|ceas\w*"
    r"|runs? (?:out|to|until))\b"
)
SPAN = 60
"""Characters in front of and behind a date that may be an end of a span."""
_SPAN_BEGINS = re.compile(r"\b(?:from|between) (?:the )?$")
_SPAN_GOES_ON = re.compile(r"[^.;\n]{0,24}?(?:\b(?:to|until|till|through|and)\b|\s-\s)")
_SPAN_ENDS = re.compile(
    r"\b(?:from|between) (?:the )?\d[^.;\n]{0,30}?(?:\b(?:to|until|till|through|and)\b|-) ?(?:the )?$"
    r"|\b(?:until|till|through) (?:the )?$"
)
END_OF_PERIOD = re.compile(r"\b(?:from|between|since|to|until|till|through)\s(?:the )?$")


def other_end(words: str, question: str) -> bool:
    """Whether a clause tells when something began, where the question asks when it ends, or the other way round."""
    begins, ends = _BEGINS.search(words), _ENDS.search(words)
    asks_begin, asks_end = _BEGINS.search(question), _ENDS.search(question)
    return bool(
        (asks_end and not asks_begin and begins and not ends) or (asks_begin and not asks_end and ends and not begins)
    )


def side_of_a_span(hit: Hit, text: str) -> str:
    """Which end of a span a date is, "start" or "end", where "from ... until ..." says it; or empty."""
    before, after = text[max(0, hit.start - SPAN) : hit.start], text[hit.end : hit.end + SPAN]
    if _SPAN_BEGINS.search(before) and _SPAN_GOES_ON.match(after):
        return "start"
    return "end" if _SPAN_ENDS.search(before) else ""


def same_end(words: str, question: str) -> bool:
    """Whether a clause tells in its own words when something ends, or begins, and the question asks for that."""
    return any(
        one.search(words) and one.search(question) and not other.search(words) and not other.search(question)
        for one, other in ((_BEGINS, _ENDS), (_ENDS, _BEGINS))
    )
