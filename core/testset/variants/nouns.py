"""What a question asks for: whether it is a property of something, one thing or several, a person or not."""

from __future__ import annotations

import re
from typing import Final

_BEHIND: Final = re.compile(
    r" (?:of|in|on|at|with|for|from|by|to|between|per|that|who|which|handled|made|given|reported|influencing|"
    r"contributing)\b.*",
    re.IGNORECASE,
)
_NO_PLURAL: Final = re.compile(r"(?:ss|us|is|news|series|species)$", re.IGNORECASE)
_PEOPLE_WORDS: Final = """
customer supplier employee actor artist composer manager representative member director author shipper owner doctor
patient student teacher driver judge winner leader
"""
_PEOPLE: Final = frozenset(_PEOPLE_WORDS.split())
_PROPERTY: Final = re.compile(
    r"^(?:[\w'’-]+ ){1,5}(?:of|for|between|from) "
    r"(?:the|an?|my|our|your|its|their|this|these|both|[a-z ]*'|(?-i:[A-Z]))|"
    r"\b(?:factors?|changes?|reasons?|differences?|risks?|effects?|figures?|plans?|results?|requirements?|steps?|types?|"
    r"names?|dates?|number|amount|costs?|price|margin|revenues?|influences|role|purpose|meaning|rules?|trends?|"
    r"process|function|goal|status|definition|cause)\b",
    re.IGNORECASE,
)


def head_of(noun: str) -> str:
    """The word that a phrase is about: "date" in "date of the latest order"."""
    words = _BEHIND.sub("", noun).split("'")[0].split()
    return words[-1].casefold() if words else ""


def several(noun: str) -> bool:
    """Whether a phrase is about several things.

    >>> several("customers in city 'Leeds'"), several("status of orders")
    (True, False)
    """
    head = head_of(noun)
    return head.endswith("s") and not _NO_PLURAL.search(head)


def asked_with(noun: str) -> str:
    """The opening that asks for a phrase.

    >>> asked_with("customers in city 'Leeds'"), asked_with("rating of film 'X'")
    ('Who are', 'What is')
    """
    head, many = head_of(noun), several(noun)
    return f"{'Who' if head.removesuffix('s') in _PEOPLE else 'What'} {'are' if many else 'is'}"


def property_of(noun: str) -> bool:
    """Whether a phrase names a property that can be given, not a thing of which one asks what it is.

    >>> [property_of(noun) for noun in ("rating of film 'X'", "defense of marriage act", "sirens in the film")]
    [True, False, False]
    """
    return bool(_PROPERTY.search(noun))
