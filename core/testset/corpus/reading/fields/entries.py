"""Facts from the fields of forms: ``Key: value``, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.data import is_datum
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.fitting import fits
from core.testset.corpus.reading.labels import SMALL, Labels, is_property, tidy_label, usable
from core.testset.corpus.reading.naming.documents import EVENTS
from core.testset.corpus.reading.naming.subjects import Subject
from core.testset.corpus.reading.tables.control import controls
from core.testset.corpus.reading.tables.units import needs_unit
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.common_words import COMMON, DOES, PERSON
from core.testset.corpus.reading.vocabulary.verbs import infinitive

LONGEST_CODE = 6
"""Signs of a key in capitals from which it is a heading."""
MOST_KEY_WORDS = 6
DATA = frozenset({"number", "date", "range", "boolean"})
SHORT, LONG = 3, 8
"""Most words of a value in a list of points, whose keys mostly head sentences, and elsewhere."""
_POINT = re.compile(r"\s*(?:[-*+•▪◦]|\d{1,3}[.)])\s+(?:\*\*|__)?$")
_ENTRY = re.compile(
    r"(?:\*\*|__)?(?P<key>[^\W\d_][\w /()&'’.,%-]{1,58}?)(?:\*\*|__)?\s?:(?:\*\*|__)?\s+(?P<value>\S.*)"
)
_NO_KEY = re.compile(
    r"(?:note|notes|example|examples|warning|important|source|see|see also|tip|remark|caution|notice|re|ps|nb|e\.g|"
    r"i\.e|question|answer|q|a|figure|table|step|http|https|page|www|url|from|to|cc|bcc|subject|sent|dear|"
    r"present|absent|apologies|in attendance|attending|attendees|"
    r"(?:for|if|when|to|in|on|at|by|with|as|please|the|this|these|such|we|you|it) .*|.* (?:is|are|was|were|to be|"
    r"following|include|includes)|(?:or|and|but|also|that|which) .*|.* as .*|.* (?:is|are|was|were|has|have|had|can|will|may|must|should|do|does) .*)$",  # noqa: E501
    re.IGNORECASE,
)
_DIVIDED = re.compile(r"\s*/\s*|,\s*")
_DATED = re.compile(
    r"\b(?:date|day|time|year|born|built|sold|bought|made|sent|held|laid|hired|due|\w+ed)\b|\bon$", re.IGNORECASE
)
_MADE = re.compile(
    r"years? (?:built|made|of (?:manufacture|construction|build|make)|new|fitted|installed)", re.IGNORECASE
)
"""What a thing has of which its paper may name several."""
_TIMED = re.compile(r"\b(?:time|date)$", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_FIGURES = re.compile(r"[-+]?[\d.,]+%?(?:\s+[-+]?[\d.,]+%?)+(?: \([^()]*\))?")
"""A row of figures without heads, which read like the value of its first word."""
_PERSON = re.compile(r"(?:(?:Mr|Ms|Mrs|Dr|Prof)\.? )?[A-Z][\w.'’-]+(?: (?:[A-Z][\w.'’-]*|de|van|von|der|da|al))+")
_NONE = re.compile(r"\d+ (?:none|n/a)", re.IGNORECASE)
_MEASURED = re.compile(r"(?P<figure>\d[\d.,]*) (?P<unit>[A-Z][a-z]+)")
_WEIGHED = re.compile(r"\d[\d.,]* ?(?:[a-zA-Z²³]{1,3}|[a-z]+)")
"""An amount in a unit."""
_CODE = re.compile(r"[a-z]\w*[._]\w+|[a-z]+[A-Z]\w*")
"""A name of a program's part: "alt.atheism", "max_depth", "fontSize"."""
_OF_AN_EVENT = re.compile(
    r"^(?P<what>Date|Time|Place|Location|Duration) of "
    r"(?!birth|death|sale|purchase|issue|manufacture|arrival|departure)(?=[a-z]+$)"
)
"""A key that takes the article of its event: "date of the event", and not "date of birth"."""
_ARTICLE_LEFT = re.compile(r"(?<=\bof )(?=(?:next|last|first|previous|current)\b)")
_EMPTY = re.compile(r"\s*\((?:none|n/a|unknown)\)\s*$", re.IGNORECASE)
_NUMBERED = frozenset({"phone", "telephone", "fax", "home phone", "mobile", "mobile phone", "work phone"})
_CLEAR = frozenset({"operator", "category", "status", "date", "registration", "serial number", "rated power"})
_SAID_ALONE = _CLEAR | frozenset(
    [
        "material",
        "standard",
        "limit",
        "currency",
        "cost",
        "venue",
        "builder",
        "publisher",
        "injuries",
        "aircraft",
    ]
)
"""Keys of one word that are asked for as they are."""
_ALONE = _CLEAR | frozenset(
    [
        "certificate",
        "age",
        "engines",
        "seats",
        "type",
        "class",
        "code",
        "number",
        "name",
        "time",
        "value",
        "held",
        "make",
        "model",
        "power",
        "colour",
        "weight",
    ]
)
"""Keys that say nothing without the form they stand in."""


def fact_of_entry(
    chunk: Chunk, line: str, place: tuple[int, int], about: Subject | None, labels: Labels, form: str = ""
) -> Iterator[Fact]:
    """The fact of one line, if it is a field with a value.

    Args:
        chunk: Where it stands.
        line: The line.
        place: Its place in the chunk.
        about: What the fields are about; None where that has no name.
        labels: Letter case of the collection.
        form: The heading above it, for keys that say nothing alone.
    """
    match = _ENTRY.fullmatch(line)
    if match is None or about is None or _NO_KEY.match(match["key"]):
        return
    value = _EMPTY.sub("", match["value"]).strip().rstrip(".").strip()
    one = match["key"].endswith("(s)") and not re.search(r"[;,/]| and ", value)
    key = tidy_label(match["key"].removesuffix("(s)") if one else match["key"])
    identifies = _plain(value) in _plain(about.words) or (" " in about.bare and _plain(about.bare) in _plain(value))
    if not usable(key) or len(key.split()) > MOST_KEY_WORDS or not tells(value) or identifies or "://" in value:
        return
    people = [re.sub(r" \([^)]*\)", "", person) for person in re.split(r"[,;] (?:and )?", value)]
    if len(people) > 1 and all(_PERSON.fullmatch(person) for person in people):
        return  # who was present, absent or copied in: a list that grows with every reading
    if _NONE.fullmatch(value):
        return  # "Injuries: 1 None" says that nobody was hurt
    if _FIGURES.fullmatch(value) or _CODE.fullmatch(key) or '"' in key:
        return
    attribute = _attribute(key, value, labels, form)
    if _of_its_paper(key, about) or _of_its_paper(attribute, about):
        return
    partial = (
        value.startswith("(")
        or value.endswith(("/", ",", ";", ":"))
        or (_TIMED.search(key) and not _DIGIT.search(value))
    )
    item = value[:1].islower() and key.istitle() and " " in key  # an entry of a list, whose key is a name
    if not attribute or item or partial:
        return
    listed = _in_a_list(chunk.text, place[0])
    if read_reference(value).kind not in DATA and not is_datum(value, SHORT if listed else LONG):
        return
    if not _is_asked(key, attribute, value, about, listed=listed):
        return
    yield Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=FactRule.KEY_VALUE,
        subject=about,
        attribute=attribute,
        value=value,
        kind=read_reference(value).kind,
        spoken=_spoken(value, labels),
        start=place[0],
        end=place[1],
    )


def _of_its_paper(attribute: str, about: Subject) -> bool:
    """Whether a field of a paper tells how that was made, or when a thing in it was: "Author", "Year built"."""
    titled = about.words.startswith('"') or about.topic
    return (titled or not about.link or about.past) and (
        controls(attribute) or (titled and _MADE.match(attribute) is not None)
    )


def _is_asked(key: str, attribute: str, value: str, about: Subject, *, listed: bool) -> bool:
    """Whether a field says which property of its document's subject it gives, and its value is of that sort."""
    if re.fullmatch(r"[\d.,]+", value) and needs_unit(attribute):
        return False
    alone = " " not in attribute and not is_property(key) and key.casefold() not in _SAID_ALONE
    person = _PERSON.fullmatch(value) and (PERSON.fullmatch(key) or DOES.search(key.casefold()))
    if alone and not _DATED.search(key) and not person:
        return False  # "Brake: vacuum": nobody asks what the brake is
    known = is_property(key) or bool(_DATED.search(key))
    titled = about.topic or about.words.startswith('"')
    if titled and not known and (value[:1].islower() or _WEIGHED.fullmatch(value)):
        return False  # "Fire blanket: in date", "Washing soda: 5 kg" tell the state and the amount of a thing in a list
    priced = re.match(r"(?:[$€£]|EUR|USD|GBP|CHF) ?\d", value)
    if not _is_noun(key) or ((listed or priced) and not is_property(key)):
        return False
    event = about.past and about.sort in EVENTS  # whose forms have the same fields, most of them of what took part
    return event or fits(attribute, value, read_reference(value).kind)


def _plain(words: str) -> str:
    """Letters and digits alone: "VAR-TB-01" and "VAR TB 01" are one name."""
    return re.sub(r"\W+", "", words.casefold())


def _is_noun(key: str) -> bool:
    """Whether a key can be the name of a property: no order, no heading in capitals, no remark in brackets."""
    words = key.split()
    ordered = (
        len(words) > 1 and infinitive(words[0].casefold()) and words[1].casefold() in ("the", "a", "an", "all", "to")
    )
    loud = (
        (len(words) > 1 or len(key) > LONGEST_CODE)
        and key.isupper()
        and not any(word in ("NO", "ID") for word in words)
    )
    return not ordered and not loud and not re.search(r"\([a-z]+\)", key)


def _in_a_list(text: str, start: int) -> bool:
    """Whether a field stands behind the mark of a list of points."""
    return bool(_POINT.fullmatch(text[text.rfind("\n", 0, start) + 1 : start]))


def _spoken(value: str, labels: Labels) -> str:
    """A value as it stands inside a sentence; empty where it reads as a form only."""
    measured = _MEASURED.fullmatch(value)
    if measured is not None and not labels.is_name(measured["unit"]):
        return f"{measured['figure']} {measured['unit'].lower()}"
    if read_reference(value).kind in ("number", "date"):
        return "" if value.isdigit() else value
    words = value.split()
    odd = re.search(r"[/;(),:]|^\d", value) or len(words) > 4
    if odd or sum(word[:1].isupper() for word in words) >= 2:
        return "" if odd else value
    said = " ".join(map(labels.lowered, words))
    unclear = len(words) == 1 and said[1:].islower() and said[:1].isupper() and not labels.is_name(said)
    return "" if unclear else said  # "Was the lowest cloud condition Clear?"


def _small(attribute: str, labels: Labels) -> str:
    """A key of several words without a capital that only its form has: "last Flight review" is a flight review."""
    words = attribute.split()
    mixed = any(word[:1].islower() and word not in SMALL for word in words)
    return " ".join(
        word.lower() if mixed and word[:1].isupper() and word[1:].islower() and _ordinary(word, labels) else word
        for word in words
    )


def _ordinary(word: str, labels: Labels) -> bool:
    return labels.is_common(word) or word.casefold() in COMMON or is_property(word)


def _attribute(key: str, value: str, labels: Labels, form: str) -> str:
    """A key as a noun; one of two parts only where the value has two parts, too."""
    parts = [part for part in _DIVIDED.split(re.sub(r"\([^)]*\)", "", key)) if part]
    if len(parts) > 2:
        return ""
    if len(parts) == 2:
        values = [part for part in _DIVIDED.split(value) if part.strip()]
        both = len(values) == 2 and all(map(is_property, parts))
        return " and ".join(labels.lowered(part, head=True) for part in parts) if both else ""
    if re.fullmatch(r"\d+, \w+", value) or re.fullmatch(r"[A-Z]{2,3}", key):
        return ""
    key = re.sub(r"\s*\([A-Z]{2,6}\)", "", key)
    key = _OF_AN_EVENT.sub(r"\g<what> of the ", key)
    attribute = _ARTICLE_LEFT.sub("the ", _small(labels.lowered(key, head=True), labels))
    if read_reference(value).kind == "date" and not _DATED.search(key):
        attribute = f"date of the {attribute}"
    if attribute.casefold() in _NUMBERED:
        attribute += " number"
    if key.casefold() in _ALONE:
        thing = re.fullmatch(r"(?P<thing>[A-Z][a-z]+)(?: and .*)? (?:information|details|data)", form, re.IGNORECASE)
        counted = f"number of {attribute}" if attribute.endswith("s") and value.isdigit() else attribute
        if thing:
            return f"{thing['thing'].lower()}'s {counted}"
        return "" if key.casefold() not in _CLEAR else counted
    return attribute
