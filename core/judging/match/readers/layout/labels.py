"""Digits that name something and count nothing: forms, files, pages, sections, list markers, products."""

from __future__ import annotations

import re

from core.judging.match.readers.figures.units import CURRENCIES, MAGNITUDES, UNITS
from core.judging.match.readers.times.dates import MONTHS

_MARKER = re.compile(r"(?m)^([^\S\n]*(?:[-*•#>]+\s+)?(?:\*\*)?\(?)(\d{1,3})([.)]\**\s+)(?=\S)(?!\d{1,3}[.)])")
_HEADING = re.compile(r"(?m)^([^\S\n]*#{1,6}\s+(?:\*\*)?)(\d{1,2}(?:\.\d{1,2})*\.?)(?=\s)")
_FILE = re.compile(
    r"(?<![^\s\"“”'(\[])(?:[^\s\"“”()\[\]]{1,12} ){0,2}[^\s\"“”()\[\]]{1,80}\.(?:pdf|docx?|xlsx?|html?|txt|csv|"
    r"md|pptx?)\b",
    re.IGNORECASE,
)
_FORM = re.compile(
    r"(?<![$€£\d.,-])\b(?:(?:10|8|20|6|40|11)-[kqf](?:sb|/a)?|10q|20f|(?:10|8|6)k(?=\s+(?:report|filing|form|"
    r"for|of)))\b"
    r"|\b(?:form|def|schedule)\s+\d{1,4}[a-z]?(?:-[a-z])?\b",
    re.IGNORECASE,
)
_POINTERS = (
    "section|sec|chapter|page|pages|pp|pg|appendix|annex|exhibit|table|figure|fig|note|notes|item|step|phase|"
    "footnote|"
    "article|paragraph|para|clause|schedule|line|row|column|slide|tier|level|stage|pillar|type|category|class|"
    "version|"
    "asc|asu|ifrs|ias|sfas|fas|gaap|topic|rule|part|volume|chunk|passage|document|doc|source|reference|ref|context|"
    "excerpt|bullet|option|method|formula|equation|example|basel|covid|windows"
)
_POINTER = re.compile(
    rf"\b({_POINTERS})(\.?\s?#?\s?)(\d{{1,3}}(?:[.-]\d{{1,3}})*)([a-z]{{0,2}})\b(?!\s?%|,\d|\s?(?:percent|"
    rf"million|billion|thousand))",
    re.IGNORECASE,
)
_PROPERTIES = frozenset(
    {"tier", "level", "stage", "type", "category", "class", "version", "phase", "row", "line", "column"}
)
"""Pointers that are asked for by their name alone: "What is the risk class of roofers?"."""
_PROPERTY_ASKED = (
    r"\b(?:which|what)\b[^?]{{0,40}}\b{0}(?= of\b| for\b|\s*\?|\s*$| (?:is|are|does|do|did|has|have)\b)"
    r"|^(?:[a-z-]+ ){{1,2}}{0}(?! ?\d)\b"
)
"""A question for such a property, or the words of one: "risk class of roofers"."""
_HOW = re.compile(r"\bhow\b", re.IGNORECASE)
_ASKED = r"\b(?:which|what)\s+(?:\w+\s+)?{0}\b(?!\s*\d)"
_NAME = re.compile(
    r"(?<![.!?:;|\n]\s)(?<![.!?:;|\n])(?<!^)\b(?P<word>[A-Z][A-Za-z&]*|[a-z]{1,3}[A-Z][a-z]+)[ ](?P<digits>\d{1,3})\b"
    r"(?![.,:]\d|\s?%|\s?[-–]\s?\d|\s?(?:x|times|million|billion|thousand|percent|bps|basis|days|months|years)\b)"
)
_PAIR = re.compile(
    r"(?:(?<=[,;:(\n])|(?<=\band)|^)\s*(?P<name>[A-Z][\w&'-]*(?:\s[\w&'-]+){0,3}?)\s\d{1,3}(?=\s*(?:[,;)\n]|and\b|\.?$|\.\s))",
    re.MULTILINE,
)
"""A name with its figure, as a part of a list."""
_VERB_NEXT = re.compile(r"\s(?:is|are|was|were|has|have|had)\b")
_CODE_ASKED = re.compile(
    r"\b(?:which|what)\b[^?]{0,40}?\b(?:codes?|error|extension|gate|room|platform|flight|bus|tram|route|channel|port)\b",
    re.IGNORECASE,
)
"""A question for what such digits are: "HTTP 429"."""
_HOW_MANY_OF = re.compile(r"\b(?:wie ?viele|hoeveel|combien de|cuantos|cuantas) (?P<what>\w{3,})", re.IGNORECASE)
"""What is counted in languages whose verbs stand in front, behind its figure: "In Hamburg liegen 143 Paletten"."""
_CODE_NAME = re.compile(r"(?<![\w$€£.,-])\d{1,3}[A-Z]\w*\b(?<!\dK)")
"""A name of the question that begins with digits: 3M."""
_GENERATION = re.compile(r"(?<![\w.,-])[2-6]G\b(?! ?\d)")
"""What is no gram: a 3G pitch, a 5G network."""
_CAMEL = re.compile(r"\b(?P<word>[a-z]{1,3}[A-Z][a-z]+)[ ](?P<digits>\d{1,3})\b")
_FISCAL = re.compile(r"\b(FY|CY)\s?['’]?(\d\d)\b(?!\d|,\d|\.\d|%)", re.IGNORECASE)
_QUARTER = re.compile(r"\b([1-4]Q|Q[1-4]|[12]H|H[12])\s?(?:FY)?['’]?(\d\d)\b(?!\d|,\d|\.\d|%)", re.IGNORECASE)
_BEFORE_COUNTS = """
in at on of by to from for the a an is was are were about around approximately roughly nearly over under only total
and or with than just exactly between least most all some fy q h day no number
monday tuesday wednesday thursday friday saturday sunday
"""
_NOT_NAMES = frozenset({*MONTHS, *CURRENCIES, *MAGNITUDES, *UNITS, *_BEFORE_COUNTS.split()})


def without_labels(text: str, question: str = "") -> str:
    """A text in which digits that only name something are ``#``; the length of lines may change, their number not.

    List markers, numbers of headings, pages, sections, notes and steps, names of files and forms (10-K) and numbers
    behind a name inside a sentence ("the iPhone 14") are names. What a question asks for by its name ("which page")
    stays. ``FY22`` becomes ``FY2022``.

    Args:
        text: As written, letter case included.
        question: As written.

    >>> without_labels("2. See Note 9 of the 2022 Form 10-K: the iPhone 14 earned 5.")
    '#. See Note # of the 2022 Form ##-K: the iPhone ## earned 5.'
    """
    plain = _FILE.sub(_hidden, text)
    for name in dict.fromkeys(_CODE_NAME.findall(question)):
        plain = plain.replace(name, re.sub(r"\d", "#", name))
    plain = _FORM.sub(_hidden, plain)
    plain = _FISCAL.sub(r"\g<1>20\2", plain)
    plain = _QUARTER.sub(r"\1 20\2", plain)
    plain = _HEADING.sub(lambda match: match[1] + "#", plain)
    plain = _MARKER.sub(lambda match: match[1] + "#" + match[3], plain)
    plain = _POINTER.sub(lambda match: match[0] if _is_asked(match[1], question) else match[1] + match[2] + "#", plain)
    plain = _CAMEL.sub(_hidden, plain)
    plain = _GENERATION.sub(_hidden, plain)
    if _CODE_ASKED.search(question):
        return plain
    counted = _counted(plain, question)
    return _NAME.sub(
        lambda match: match[0] if _counts(match, counted, question) else _hidden(match),
        plain,
    )


def _counts(match: re.Match[str], counted: frozenset[int], question: str) -> bool:
    """Whether a figure behind a word with a capital is no part of a name: "IMDG Class 8" where a class is asked for."""
    word = match["word"].casefold()
    asked = word in _PROPERTIES and _is_asked(word, question)
    return asked or word in _NOT_NAMES or match.end() in counted


def _counted(text: str, question: str) -> frozenset[int]:
    """Where figures end that count behind names: of a list ("Zurich 31, Geneva 24"), or of what is asked."""
    pairs = list(_PAIR.finditer(text))
    counted = {match.end() for match in pairs} if len({match["name"] for match in pairs}) > 1 else set()
    counted |= {
        match.end()
        for match in _NAME.finditer(text)
        if _VERB_NEXT.match(text, match.end()) and re.search(rf"\b{re.escape(match['word'])}\b(?!\s\d)", question)
    }
    asked = _HOW_MANY_OF.search(question)
    if asked:
        of_it = re.compile(rf" {re.escape(asked['what'])}\b", re.IGNORECASE)
        counted |= {match.end() for match in _NAME.finditer(text) if of_it.match(text, match.end())}
    return frozenset(counted)


def _hidden(match: re.Match[str]) -> str:
    return re.sub(r"\d", "#", match[0])


def _is_asked(pointer: str, question: str) -> bool:
    if pointer.casefold() in _PROPERTIES and not _HOW.search(question):
        asked = re.search(_PROPERTY_ASKED.format(re.escape(pointer)), question, re.IGNORECASE)
        if asked is not None:
            return True
    return re.search(_ASKED.format(re.escape(pointer)), question, re.IGNORECASE) is not None
