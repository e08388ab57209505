"""Whether a text says that it has no answer."""

from __future__ import annotations

import re

ABSTAINS = re.compile(
    r"\b(?:"
    r"(?:i|we) (?:do not|dont|did not|didnt|cannot|cant|could not|couldnt|am not able to|was not able to|am unable to)"
    r"(?: really| actually)? (?:know|have|find|locate|see|determine|answer|tell|say|access|provide|identify|"
    r"confirm|verify)"
    r"|(?:cannot|cant|could not|couldnt|unable to|not able to|failed to|impossible to|not possible to)"
    r" (?:be )?(?:find|found|locate|determined?|answer(?:ed)?|tell|access|provide|identify|identified|assist|"
    r"help|confirm|verify|established?|fulfil|process|retrieve)"
    r"|(?:is|are|was|were) (?:not|nowhere) (?:mentioned|specified|stated|provided|available|found|listed|included|"
    r"given|disclosed|known|recorded|indicated|described|documented|clear)"
    r"|(?:isnt|arent|wasnt|werent) (?:mentioned|specified|stated|provided|available|found|listed|included|given|"
    r"disclosed|known|recorded|indicated|described|documented|clear)"
    r"|(?:does|do|did) not (?:mention|specify|state|provide|contain|include|list|say|give|indicate|disclose|have)"
    r"|(?:doesnt|dont|didnt) (?:mention|specify|state|provide|contain|include|list|say|give|indicate|disclose|have)"
    r"|no (?:information|mention|data|record|records|details?|answer|relevant|such|evidence|results?|matching|specific)"
    r"|not (?:in|found in|part of|covered by|available in|mentioned in|provided in) (?:the|my|this|these|any)"
    r"(?: given| provided| available)? (?:documents?|context|contexts|text|sources?|records?|database|"
    r"passages?|information)"
    r"|insufficient (?:information|data|context|evidence)|not enough (?:information|data|context|evidence)"
    r"|no idea|not available|unanswerable|out of scope|beyond (?:my|the) (?:knowledge|scope)"
    r"|(?:im|i am) (?:sorry|afraid)[ ,]+(?:but )?(?:i|that|this|we)\b"
    r"|(?:i|we) apologi[sz]e,? but"
    r")"
)
_WHOLE = """
unknown; n/a; na; none; null; nil; -; --; ?; tbd; tba; not available; not applicable; not known; not specified;
not stated; not mentioned; not provided; not given; not found; not answerable; unanswerable; no answer;
no answer found; no data; no information; no comment; nothing; idk; i dont know; do not know; dont know; pass; unclear;
undefined; nan; missing; i do not know; not sure; no result; no results; cannot answer; nothing found
"""
WHOLE = frozenset(" ".join(entry.split()) for entry in _WHOLE.split(";"))
"""Whole answers that say nothing."""


def says_nothing(text: str) -> bool:
    """Whether the whole text is a refusal or a blank of a form.

    Args:
        text: Match text.

    >>> says_nothing("n/a."), says_nothing("unknown artist")
    (True, False)
    """
    return text.strip(" .!,;:\"'()[]").strip() in WHOLE or not any(character.isalnum() for character in text)


def abstention(text: str) -> str:
    """The words with which a text says it has no answer, or empty.

    Args:
        text: Match text of an answer.

    >>> abstention("i could not find this in the documents.")
    'i could not find'
    """
    if says_nothing(text):
        return text.strip() or "(nothing)"
    match = ABSTAINS.search(text)
    return match[0] if match else ""
