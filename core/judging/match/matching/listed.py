"""Whether an answer lists more than the reference does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.judging.match.figures.kinds import comparable
from core.judging.match.matching.numbers import find_number
from core.judging.match.matching.texts import find_text
from core.judging.match.readers.figures.numbers import Number, find_numbers, parse_number
from core.judging.match.readers.texts.codes import is_code
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.text.words import stem

_MORE = re.compile(
    r"^,? (?:and|or|as well as|plus)(?:,? (?:on|in|at) [\w'-]+(?: [\w'-]+)?,)?"
    r" (?!(?:is|are|was|were|has|have|had|it|its|they|which|who|that"
    r"|both|all|then|thus|the (?:latter|last|first)|in|on|at|by|for|from|to|with|not|no|each|respectively|so|since|etc"
    r"|among|according|as|while|but|though|whose|where|when)\b)"
    r"(?P<more>(?:[a-z]\. ?)?[\w'-]+(?: [\w'-]+){0,2}?)"
    r"(?=\s*(?:[.;\n]|$|, \w+ing\b|(?:such as|like|including|e\.?g)\b"
    r"|(?:is|are|was|were|will|would|have|has|had|left|joined|take|took|make|made|get|got|all|both)\b))"
)
"""One more entry with which a list ends, before its statement does or goes on to what they do."""
_LAST_OF_ALL = re.compile(r"^, (?P<more>[\w'./-]+(?: [\w'./-]+){0,3})\W*$")
"""One more entry with which a list ends that has no "and", and the answer with it."""
_NEXT_CODE = re.compile(r"^, (?P<more>(?=\S*\d)[\w./-]*\w)(?=[.;\n])")
_WHERE = re.compile(r"\b(?:where|address(?:es)?|locat\w*|place)\b")
"""Questions to which a comma goes on to the town or the country."""
_JOINED = re.compile(r"\b(?:and|or)\b|&")
_SOME = re.compile(
    r"\b(?:some|any|examples?|e\.?g|another|one of"
    r"|(?:name|give|list|mention|state) (?:me )?(?:an?|one|two|three|four|five))\b"
)
_ENTRY_BORDER = re.compile(r",\s*(?:and |or )?|\s+(?:and|or|&|as well as)\s+")
MOST_OF_AN_ENTRY = 4
"""Words of an entry of an enumeration."""
_NO_ENTRY = re.compile(
    r"(?:both|all|each|which|who|that|the (?:latter|former)|in|on|at|by|for|from|with|of|also|then|finally|plus|not)\b"
    r"|\W*$|\("
)
_PIECES = re.compile(
    r"[;\n]|[.](?=\s|$)|,\s"
    r"|\b(?:and|but|while|whereas|ahead of|followed by|compared (?:with|to)|versus|vs|than|before)\b"
)
_BORDER = re.compile(r"[.;\n]")
_PART = "\0"
"""In place of a part of the reference."""
MOST_PIECES = 100
_LINE = re.compile(r"^\s*(?:[-*\u2022]|\d{1,2}[.)]) (?P<entry>[^\n]{1,80})$", re.MULTILINE)
_ARRAY = re.compile(r"\[(?P<entries>\s*\"[^\[\]{}]*)\]")
_QUOTED = re.compile(r"\"([^\"]*)\"")
_ALSO_DID = re.compile(
    r"(?:^|[.;\n]\s*)"
    r"(?!(?:they|he|she|it|both|all|we|these|those|this|that|each|some|most|many|note|please|the|an?|our|its|their)\b)"
    r"(?P<more>[^\W\d_][\w'-]*(?: [\w'-]+){0,2}) (?:also|likewise|too) (?P<did>[\w' -]{2,60})"
    r"(?!,? (?:but|however|although|though|only)\b)(?=[.,;\n]|$)"
)
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")
_TABLE = re.compile(r"^ ?\|[-:| ]+\|? ?\n(?P<rows>(?: ?\|[^\n]*(?:\n|$))+)", re.MULTILINE)
"""The rows of a table behind the line under its heading."""
_SUM = re.compile(r"\W*(?:total|sum|average|mean|all)\b")
_SAID_OF = re.compile(r" ?[(:]| [-–] ")
_ASIDE = re.compile(r"(?<=\w) ?\([^()\n]{1,60}\)")
"""What is said of an entry in brackets."""
_CONCLUDES = re.compile(r"^\W*(?:so|thus|therefore|hence|in (?:short|summary|conclusion)|overall)\b")
_ANY_OF = re.compile(r"\b(?:any|name|at least) (?:one|two|three|four|\d)\b")


def one_more(
    parts: Sequence[str], text: str, question: str, is_place: Callable[[str], bool] = lambda name: False
) -> str:
    """The entry that an answer has beyond the parts of the reference, at the end of its list; or empty.

    Args:
        parts: Of the reference; the answer states them all.
        text: Match text of the answer.
        question: Match text of the question; one that asks for some takes any.
        is_place: Whether a name is a country's, with which a list of towns may end.

    >>> one_more(("valves", "seals"), "valves, seals and motors", "which products?")
    'motors'
    >>> one_more(("valves", "seals"), "valves and seals", "which products?")
    ''
    """
    if _SOME.search(question):
        return ""
    text = _ASIDE.sub("", text)
    ends = []
    for part in parts:
        spans = _spans(part, text)
        if not spans:
            return ""
        ends.append(spans[-1][1])
    if entry := _another_line(parts, text) or _another_in_brackets(parts, text) or _also_did(parts, text, question):
        return entry
    last = max(ends)
    if _BORDER.search(text[min(ends) : last]):
        return ""
    more = _MORE.match(text[last:])
    if more is None and not _JOINED.search(_without(parts, text[min(ends) : last])):
        more = _LAST_OF_ALL.match(text[last:]) or (is_code(parts[-1]) and _NEXT_CODE.match(text[last:])) or None
        elsewhere = more and (is_place(more["more"].strip(" .")) or _WHERE.search(question))
        more = None if more and (elsewhere or _NO_ENTRY.match(more["more"])) else more
    return more["more"] if more else _among(parts, text[min(ends) : last])


def in_place_of(parts: Sequence[str], text: str) -> str:
    """The entry that an answer's enumeration of most parts has in place of the one it lacks; or empty.

    >>> in_place_of(("ada", "bo", "cy"), "it was ada, bo and di. cy came later.")
    'di'
    """
    if not all(find_text(part, text).hits for part in parts):
        return ""
    for sentence in SENTENCE_BORDER.split(text):
        ends = [hits[-1].end for part in parts if (hits := find_text(part, sentence).hits)]
        if not 1 < len(ends) < len(parts) or len(ends) + 1 < len(parts):
            continue
        if more := _MORE.match(sentence[max(ends) :] + "."):
            return more["more"]
    return ""


def _among(parts: Sequence[str], listed: str) -> str:
    """An entry between those of the reference, where these stand in one enumeration: "A, B, another and C"."""
    # what stands before the first comma goes on with the first part
    entries = [entry.strip() for entry in _ENTRY_BORDER.split(_without(parts, listed))[1:]]
    others = [entry for entry in entries if entry and _PART not in entry]
    enumerated = [entry for entry in entries if entry and entry not in others]
    if not enumerated or any(len(entry.split()) > MOST_OF_AN_ENTRY for entry in entries):
        return ""
    return next((entry for entry in others if not _NO_ENTRY.match(entry)), "")


def _without(parts: Sequence[str], text: str) -> str:
    """A text with one mark in place of each part, whose own "and" parts no entries: "Arms and Armour"."""
    stop = len(text)
    for start, end in sorted((span for part in parts for span in _spans(part, text)), key=lambda span: -span[1]):
        if end <= stop:
            text, stop = f"{text[:start]}{_PART}{text[end:]}", start
    return text


def _spans(part: str, text: str) -> list[tuple[int, int]]:
    """Where a part stands; digits stand for themselves wherever they do."""
    if part.strip().isdigit():
        return [found.span() for found in re.finditer(rf"(?<![\w.,]){part.strip()}(?![\w%]|[.,]\d)", text)]
    return [(hit.start, hit.end) for hit in find_text(part, text).hits]


def _another_line(parts: Sequence[str], text: str) -> str:
    """The line of a list or table that has none of the parts, where each of them has a line of its own."""
    if entry := _another_row(parts, text):
        return entry
    lines = [line["entry"].strip() for line in _LINE.finditer(text)]
    having = [next((line for line in lines if find_text(part, line).hits), "") for part in parts]
    if not all(having) or len(set(having)) < len(parts):
        return ""
    others = [line for line in lines if not any(find_text(part, line).hits for part in parts)]
    longest = max(len(_entry(line).split()) for line in having)
    return next((line for line in others if len(_entry(line).split()) <= longest + 1), "")


def _another_in_brackets(parts: Sequence[str], text: str) -> str:
    """The entry of a list of a program that has none of the parts, each of which is an entry: ["A", "B", "C"]."""
    for listed in _ARRAY.finditer(text):
        entries = _QUOTED.findall(listed["entries"])
        others = [entry for entry in entries if not any(find_text(part, entry).hits for part in parts)]
        if len(others) == len(entries) - len(parts) and len(entries) > len(parts):
            return str(others[0])
    return ""


def _also_did(parts: Sequence[str], text: str, question: str) -> str:
    """Who did what is asked as well, said in a sentence behind the list: "D also took part"."""
    asked = {stem(word) for word in re.findall(r"[^\W_]{3,}", question)}
    years = set(_YEAR.findall(question))
    for found in _ALSO_DID.finditer(text):
        more, did = found["more"], found["did"].split()
        of_another_time = bool(set(_YEAR.findall(found["did"])) - years)
        of_the_question = not asked.isdisjoint(stem(word) for word in more.split())
        if stem(did[0]) not in asked or of_another_time or of_the_question:
            continue
        if not any(find_text(part, more).hits for part in parts):
            return more
    return ""


def _another_row(parts: Sequence[str], text: str) -> str:
    """The cell of a table under its heading in whose column all parts stand, a row each, and which has none of them."""
    table = _TABLE.search(text)
    if table is None:
        return ""
    rows = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in table["rows"].splitlines()]
    for cells in zip(*rows, strict=False):
        having = [next((at for at, cell in enumerate(cells) if find_text(part, cell).hits), -1) for part in parts]
        if -1 not in having and len(set(having)) == len(parts):
            others = (cell for at, cell in enumerate(cells) if at not in having)
            return next((cell for cell in others if cell.strip("*-–— ") and not _SUM.match(cell)), "")
    return ""


def _entry(line: str) -> str:
    """A line of a list without what is said of its entry behind a bracket, a colon or a dash."""
    return _SAID_OF.split(line, maxsplit=1)[0] or line


def concluded_without(parts: Sequence[str], text: str) -> str:
    """The concluding sentence of an answer that has some parts of the reference and lacks one; or empty.

    >>> concluded_without(("ada", "bo"), "ada, bo and cy were asked. so ada and cy came.")
    'so ada and cy came'
    """
    for sentence in SENTENCE_BORDER.split(text):
        stated = [bool(find_text(part, sentence).hits) for part in parts]
        if _CONCLUDES.match(sentence) and any(stated) and not all(stated):
            return sentence.strip()
    return ""


_MOST = "best|worst|first|last|largest|highest|biggest|smallest|lowest|oldest|newest|earliest|latest|longest|shortest"
_IN_ORDER = re.compile(
    r"\b(?:in (?:the )?(?:[\w-]+ )?order|in sequence|ranked|ranking|chronological\w*|step by step)\b"
    rf"|\b(?:{_MOST}|most \w+|\w+est) first\b|\bfrom (?:the )?\w+ to (?:the )?(?:{_MOST})\b"
)
"""Questions whose answer has an order."""
_ONLY = re.compile(r"\bonly\W*$|\bonly (?:for|on|in|to|by|with)\b")


def out_of_order(parts: Sequence[str], text: str, question: str) -> str:
    r"""The parts as an answer gives them, where a question asks for an order and that is another; or empty.

    >>> out_of_order(("ada", "bo"), "1. bo\n2. ada", "list both, best first.")
    'bo, ada'
    """
    if not _IN_ORDER.search(question):
        return ""
    places = {part: hits[0].start for part in parts if (hits := find_text(part, text).hits)}
    given = sorted(places, key=lambda part: places[part])
    return "" if given == [part for part in parts if part in places] else ", ".join(given)


def only_without(parts: Sequence[str], text: str) -> str:
    """The sentence that says of some parts that it is only these, and lacks one; or empty.

    >>> only_without(("windows", "linux"), "it runs on windows only. linux users take the web version.")
    'it runs on windows only'
    """
    for sentence in SENTENCE_BORDER.split(text):
        stated = [bool(find_text(part, sentence).hits) for part in parts]
        if _ONLY.search(sentence.strip()) and any(stated) and not all(stated):
            return sentence.strip()
    return ""


_CLAUSE = re.compile(r"[.;\n]|,?\s\b(?P<turn>while|whereas|but|although|though)\b")
_ALSO = re.compile(r"\b(?:also|too|as well|likewise|joined|followed|both|all|and so)\b")
_DENIED = re.compile(r"\b(?:no|not|without|lacks?|never|[a-z]{2,}nt)\b(?: [\w-]+){0,4}")
MOST_BEFORE = 5
"""Characters in front of a name with which a clause begins: "the "."""


def set_apart(parts: Sequence[str], text: str, question: str) -> str:
    """The clause that says something else of one part than of the others, which stand in another one; or empty.

    "RX1 and RX2, while RX3 was late for another reason", "Oak and Elm. Ash has a bench but no swing".

    Args:
        parts: Of the reference; the answer states them all.
        text: Match text of the answer.
        question: Match text of the question.
    """
    borders = [(0, ""), *((found.end(), found["turn"] or "") for found in _CLAUSE.finditer(text)), (len(text), "")]
    asked = {stem(word) for word in re.findall(r"[^\W_]{3,}", question)}
    for part in parts:
        hits = find_text(part, text).hits
        if len(hits) != 1:
            continue
        at = next(
            place for place in range(len(borders) - 1) if borders[place][0] <= hits[0].start < borders[place + 1][0]
        )
        start, turn = borders[at]
        clause = text[start : borders[at + 1][0]]
        others = [other for other in parts if other != part and not find_text(other, clause).hits]
        if len(others) < len(parts) - 1 or hits[0].start - start > MOST_BEFORE or _ALSO.search(clause):
            continue
        following = _BORDER.split(text[start:], maxsplit=1)[0]
        denied = _DENIED.search(following[hits[0].end - start :])
        if turn or (denied and asked & {stem(word) for word in denied[0].split()}):
            return clause.strip()[:80]
    return ""


PLACE_PARTS = 2
"""A town and its country."""
_BESIDE = re.compile(
    r"\b(?:outside|near|close to|from|beyond|next to|north of|south of|east of|west of) (?:of )?(?:the )?$"
)
MOST_BETWEEN = 24
"""Characters between the parts of one place."""


def far_apart(parts: Sequence[str], text: str) -> str:
    """The two parts of a place ("Bergen, Norway") that an answer has far from each other; or empty.

    >>> far_apart(("bergen", "norway"), "the office is in oslo, norway, while the old vaults lie outside of bergen.")
    'bergen, norway'
    """
    if len(parts) != PLACE_PARTS:
        return ""
    first, second = (find_text(part, text).hits for part in parts)
    near = not (first and second) or any(
        abs(a.start - b.start) <= MOST_BETWEEN + len(parts[0]) for a in first for b in second
    )
    return "" if near else ", ".join(parts)


def only_near(part: str, text: str) -> bool:
    """Whether a text names a place only as what something lies near or outside of.

    >>> only_near("Rotterdam", "in utrecht, an hour from rotterdam."), only_near("Utrecht", "in utrecht.")
    (True, False)
    """
    hits = find_text(part, text).hits
    return bool(hits) and all(_BESIDE.search(text[: hit.start]) for hit in hits)


def mispaired(parts: Sequence[str], text: str, question: str) -> str:
    """The figure that an answer gives beside the name of a reference of one name and one figure, where it is another.

    >>> mispaired(("china", "8%"), "europe grew most with 8%, ahead of china with 5%.", "which region grew most?")
    '5%'
    >>> mispaired(("china", "8%"), "china grew 8%, ahead of europe with 5%.", "which region grew most?")
    ''
    """
    figures = [number for part in parts if (number := parse_number(part))]
    names = [part for part in parts if parse_number(part) is None]
    if len(figures) != 1 or len(names) != 1:
        return ""
    beside: list[Number] = []
    for piece in _PIECES.split(text, maxsplit=MOST_PIECES):
        if not find_text(names[0], piece).hits:
            continue
        if find_number(figures[0], piece, question).hits:
            return ""
        beside.extend(number for number in find_numbers(piece) if comparable(figures[0], number))
    return beside[0].text.strip() if beside else ""


def any_will_do(reference: str, question: str) -> bool:
    """Whether some of what a reference lists are enough.

    Args:
        reference: Match text.
        question: Match text.

    >>> any_will_do("oak, ash, elm (any two)", "which trees are felled?"), any_will_do("oak, ash", "which two trees?")
    (True, False)
    """
    return _ANY_OF.search(f"{reference} {question}") is not None
