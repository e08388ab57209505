"""Whether the words of a question say which thing is meant, outside the section that its sentence stands in."""

from __future__ import annotations

import re

from core.testset.corpus.reading.labels import Labels
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.prose import names_itself
from core.text.words import stems

MOST_HEADING_WORDS = 9
MOST_QUESTION_WORDS = 16
MOST_BARE_WORDS = 5
_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_MODIFIED = re.compile(
    r" (?:of|for|in|on|at|from|with|to|between|per|under|by|about|against|who|which|that|without|above|below) "
)
"""What follows a noun and says which one it is."""
_NUMBERED = re.compile(r"(?:[A-Z]?\d+(?:\.\d+)*|[A-Z])[.)]?\s+(?=[A-Z])")
_BOLD_LEAD = re.compile(r"(?:[-*+•]|\d+[.)])?\s*(?:\*\*|__)(?P<words>[^*_\n]{2,80}?)[.:]?(?:\*\*|__)[.:]?\s")
_ANY = re.compile(
    r"(?:results?|records?|details|copies|forms?|files?|documents?|figures?|entries|items?|changes|findings|samples?|"
    r"information|data)",
    re.IGNORECASE,
)
"""Things of which every text has some, without a word that says which."""
_CLASS = re.compile(
    r"(?:the|an?) (?:maximum|minimum|standard|largest|smallest|greatest|longest|shortest) ", re.IGNORECASE
)
_EVENTS = re.compile(
    r"\b(?:minutes|meeting|notes|newsletter|bulletin|update|changes|news|memo|committee|board|e-?mail)\b", re.IGNORECASE
)
"""Titles of texts that tell what happened, where "the cost" is that of what their section is about."""
_MAILS = (".eml", ".msg", ".mbox")
_DEFINITE = re.compile(
    r"\bthe (?:[a-z-]+ )??(?P<noun>[a-z-]{3,})\b"
    r"(?! (?:of|for|in|on|at|from|to|with|between|who|which|that|under|[a-z]+ed)\b)(?= |[?,])"
)
_UNIQUE = frozenset(
    [
        "police",
        "government",
        "public",
        "world",
        "year",
        "month",
        "week",
        "day",
        "end",
        "beginning",
        "start",
        "internet",
        "country",
        "city",
        "same",
        "first",
        "last",
        "time",
        "morning",
        "evening",
        "weekend",
        "number",
        "date",
        "ground",
        "sea",
        "sun",
    ]
)
"""What there is one of, wherever it is spoken of."""


def heading_above(text: str, start: int, section: str) -> str:
    """The nearest heading above a place in a passage, also where plain text marks it by its shape only.

    A line of a few words behind a blank line, a numbered one, a question, or bold words that begin a paragraph.

    Args:
        text: The passage.
        start: The place.
        section: The heading of the section that the passage begins in; empty where there is none.
    """
    lines = text[:start].split("\n")
    lead = _BOLD_LEAD.match(lines[-1].strip() + " ")
    if lead:
        return lead["words"]
    for place in range(len(lines) - 1, -1, -1):
        words = lines[place].strip()
        if words.startswith("#"):
            return words.strip("# ")
        bare = re.sub(r"^(?:Q|Question)[:.]\s*", "", words.strip("*_ "))
        if bare.endswith("?") and len(bare.split()) <= MOST_QUESTION_WORDS and place < len(lines) - 1:
            return bare
        alone = not place or not lines[place - 1].strip() or _NUMBERED.match(words)
        short = 0 < len(words.split()) <= MOST_HEADING_WORDS and not re.search(r"[.,;:!|>]$|^[-*•>|]|: ", words)
        if alone and short and words[:1].isupper() | words[:1].isdigit() and place < len(lines) - 1:
            return _NUMBERED.sub("", words)
    return section


def is_specific(
    question: str, subject: str, heading: str, about: Subject | None, document: str, labels: Labels, *, past: bool
) -> bool:
    """Whether a question about a clause says by itself, with its document, which thing it asks about.

    A subject that is named or told apart ("the excess for subsidence") is; so is one that shares a word with its
    heading ("the deposit" under "Deposits"). "The interest rate" under "Can I pay monthly?" is that of something the
    question does not say. Things of what happened, and those that a heading in the form of a question introduces, need
    the heading's words in any case.

    Args:
        question: Without what it says first about its document.
        subject: The clause's subject; empty where that is the answer.
        heading: The nearest heading above its sentence.
        about: What its document is about.
        document: The document's id.
        labels: Letter case of the collection.
        past: Whether the clause tells what happened.
    """
    title = about.words if about is not None else ""
    own = heading if heading and stems(heading) - stems(title) else ""
    words = stems(question)
    if not subject:
        return bool(words & stems(own or title))
    bare = _ARTICLE.sub("", subject)
    named = names_itself(subject, labels) or re.search(r"\d", subject) is not None
    if named or _MODIFIED.search(f" {bare} ") or len(bare.split()) > MOST_BARE_WORDS:
        return True
    shared = bool(words & stems(own or title))
    told = past or bool(_EVENTS.search(title)) or document.casefold().endswith(_MAILS)
    if told or own.endswith("?"):
        return shared
    if _ANY.fullmatch(subject):
        return shared
    return shared or not _ARTICLE.match(subject) or bool(_CLASS.match(subject))


def takes_up(question: str, before: str, known: str) -> bool:
    """Whether a question has "the request", which the passage spoke of before and neither title nor heading names.

    Who must do something with it is not asked even where the passage begins with it.

    Args:
        question: The question without what it says first.
        before: The passage before its sentence.
        known: Title, kind of thing and heading.
    """
    families, duty = stems(known), re.match(r"who(?:se)? (?!.* if )", question, re.IGNORECASE)
    for match in _DEFINITE.finditer(question):
        noun = match["noun"]
        if noun in _UNIQUE or stems(noun) & families:
            continue
        if duty or re.search(rf"\b{re.escape(noun)}s?\b", before, re.IGNORECASE):
            return True
    return False
