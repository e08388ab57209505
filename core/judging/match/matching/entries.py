"""The entry that an answer has beyond those of a list: at its end, among them, on a line or in a row of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from core.judging.match.matching.texts import find_text
from core.judging.match.readers.texts.codes import is_code
from core.judging.match.surroundings.language import SENTENCE_BORDER
from core.text.words import stem

CONCLUDES = re.compile(
    r"^\W*(?:so|thus|therefore|hence|accordingly|consequently|in (?:short|summary|conclusion)|overall"
    r"|(?:that|this|which) (?:means|leaves|gives))\b"
)
_ENTRY_NEXT = (
    r"^,? (?:and|or|as well as|plus)(?:,? (?:on|in|at) [\w'-]+(?: [\w'-]+)?,)?"
    r" (?!(?:is|are|was|were|has|have|had|it|its|they|which|who|that"
    r"|both|all|then|thus|the (?:latter|last|first)|in|on|at|by|for|from|to|with|not|no|nowhere|nobody|nothing|none"
    r"|each|respectively|so|since|etc|among|according|as|while|but|though|whose|where|when)\b)"
    r"(?P<more>(?:[a-z]\. ?)?[\w'-]+(?: [\w'-]+){0,2}?)"
)
_MORE = re.compile(
    _ENTRY_NEXT + r"(?=\s*(?:[.;\n]|$|, \w+ing\b|(?:such as|like|including|e\.?g)\b"
    r"|(?:is|are|was|were|will|would|have|has|had|left|joined|take|took|make|made|get|got|all|both)\b))"
)
"""One more entry with which a list ends, before its statement does or goes on to what they do."""
_MORE_OF_THEM = re.compile(_ENTRY_NEXT + r"(?= (?:at|in|on|from|during|for|with|by|near)\b)")
"""The entry that closes a list with its "and", whatever is told of them all: "A, B and C at the regatta"."""
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
_BORDER = re.compile(r",\s*(?:and |or )?|\s+(?:and|or|&|as well as)\s+")
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
_COMMAS = re.compile(rf"(?:,\s*(?:the )?{_PART})+")
"""In place of a part of the reference."""
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
_CALLED = re.compile(r" (?P<called>[a-z]{3,})\b")
"""Behind an entry, what all are called: "the Central branch"."""
_IS_SO = re.compile(r"\W*(?:$|(?:is|are|was|were|has|have|had|all|which|that)\b|[a-z]+\W*$)")
"""Behind the last entry, what is said of them all."""
_DENIED = re.compile(r"\b(?:no|not|none|never|nothing|without|[a-z]{2,}nt)\b(?<!ent)(?<!ant)")
_ASIDE = re.compile(r"(?<=\w) ?\([^()\n]{1,60}\)")
"""What is said of an entry in brackets."""


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
    if not any("(" in part for part in parts):
        text = _ASIDE.sub("", text)
    ends = []
    for part in parts:
        spans = _spans(part, text)
        if not spans:
            return ""
        ends.append(spans[-1][1])
    concluded = _conclusion(parts, text)
    entry = "" if concluded else _another_line(parts, text)
    if entry := entry or _another_in_brackets(parts, text) or _also_did(parts, text, question):
        return entry
    if concluded:
        text, ends = concluded, [_spans(part, concluded)[-1][1] for part in parts]
    if entry := _another_called(parts, text, question):
        return entry
    last = max(ends)
    if _BORDER.search(text[min(ends) : last]):
        return ""
    more = _MORE.match(text[last:])
    between = _without(parts, text[min(ends) : last])
    if more is None and len(parts) > 1 and _COMMAS.fullmatch(between):
        more = _MORE_OF_THEM.match(text[last:])
    if more is None and not _JOINED.search(between):
        more = _LAST_OF_ALL.match(text[last:]) or (is_code(parts[-1]) and _NEXT_CODE.match(text[last:])) or None
        elsewhere = more and (is_place(more["more"].strip(" .")) or _WHERE.search(question))
        more = None if more and (elsewhere or _NO_ENTRY.match(more["more"])) else more
    return more["more"] if more else _among(parts, text[min(ends) : last])


def _conclusion(parts: Sequence[str], text: str) -> str:
    """The last sentence of an answer that concludes with all parts: it counts, whatever is listed before; or empty."""
    concluding = [one for one in SENTENCE_BORDER.split(text) if CONCLUDES.match(one)]
    return next((f"{one}." for one in reversed(concluding) if all(_spans(part, one) for part in parts)), "")


def _another_called(parts: Sequence[str], text: str, question: str) -> str:
    """The entry behind the parts that is called what each of them is: "the Lund office and the Ystad office"; or empty.

    >>> _another_called(("lund", "malmo"), "the lund office, the malmo office and the ystad office have one.", "")
    'ystad'
    """
    asked = {stem(word) for word in re.findall(r"[^\W_]{3,}", question)}
    for sentence in SENTENCE_BORDER.split(text):
        spans = [_spans(part, sentence) for part in parts]
        if not all(spans):
            continue
        names = {found["called"] if (found := _CALLED.match(sentence, own[0][1])) else "" for own in spans}
        called = names.pop()
        if names or not called:
            continue
        entry = re.compile(rf"(?:also )?(?:the )?(?P<name>[\w'-]+(?: [\w'-]+){{0,2}}) {called}(?P<rest>\b.*)")
        last, *behind = _ENTRY_BORDER.split(sentence[max(own[0][1] for own in spans) :])
        found = entry.fullmatch(behind[0].strip()) if behind and last.strip() == called else None
        if found is None or _NO_ENTRY.match(found["name"]) or _DENIED.search(found[0]):
            continue
        told = [stem(word) for word in re.findall(r"[^\W_]+", found["rest"])][:1]
        if _IS_SO.match(found["rest"]) or not asked.isdisjoint(told):
            return found["name"]
    return ""


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
