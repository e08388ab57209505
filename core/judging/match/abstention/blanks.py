"""Answers that are no words at all, or a form's word for a blank."""

from __future__ import annotations

import re

_WHOLE = """
unknown; n/a; na; none; null; nil; -; --; ?; tbd; tba; not available; not applicable; not known; not specified;
not stated; not mentioned; not provided; not given; not found; not answerable; unanswerable; no answer;
no answer found; no data; no information; no comment;
no answer found in context; no answer in context; answer not found; not in context; not in documents;
no relevant documents; no relevant documents found; no matching documents;
nothing; idk; i dont know; do not know; dont know; pass; unclear;
undefined; nan; missing; i do not know; not sure; no result; no results; cannot answer; nothing found; no idea;
insufficient context; insufficient information; insufficient evidence; insufficient data; no evidence; no context;
n.a; not documented; not recorded; not listed; not covered; not described; not determined; not reported; not published;
not included; not addressed; not indicated; not shown; not discussed; could not be determined; no match; no matches;
no mention; no reference; no record; no entry; no details; not retrievable; not in the documents; not in the text;
not enough information; not enough context; no relevant context; dunno; not disclosed; undisclosed; out of scope
"""
WHOLE = frozenset(" ".join(entry.split()) for entry in _WHOLE.split(";"))
"""Whole answers that say nothing."""


_LABEL = re.compile(r"^(?:final |short )?(?:answer|response|result|output|status) ?[:=] ?")


def says_nothing(text: str) -> bool:
    """Whether the whole text is a refusal or a blank of a form.

    Args:
        text: Match text.

    >>> says_nothing("n/a."), says_nothing("unknown artist"), says_nothing("insufficient_context")
    (True, False, True)
    """
    plain = _LABEL.sub("", text.strip(" \"'[]<>{}")).replace("_", " ").strip(" .!,;:\"'()[]<>{}").strip()
    return plain in WHOLE or not any(character.isalnum() for character in text)
