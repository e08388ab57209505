"""Facts from the fields of forms: ``Key: value``, one a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.labels import Labels, tidy_label, usable
from core.testset.corpus.reading.names import Subject
from core.testset.corpus.reading.values import tells

MOST_KEY_WORDS = 6
_ENTRY = re.compile(r"(?:\*\*|__)?(?P<key>[^\W\d_][\w /()&'’.,%-]{1,58}?)(?:\*\*|__)?\s?:(?:\*\*|__)?\s+(?P<value>\S.*)")
_NO_KEY = re.compile(
    r"(?:note|notes|example|examples|warning|important|source|see|see also|tip|remark|caution|notice|re|ps|nb|e\.g|"
    r"i\.e|question|answer|q|a|figure|table|step|http|https|page|www|url|from|to|cc|bcc|subject|sent|dear|"
    r"(?:for|if|when|to|in|on|at|by|with|as|please|the|this|these|such|we|you|it) .*|.* (?:is|are|was|were|to be|"
    r"following|include|includes)|.* (?:is|are|was|were|has|have|had|can|will|may|must|should|do|does) .*)$",
    re.IGNORECASE,
)
_DIVIDED = re.compile(r"\s*/\s*|,\s*")
_NUMBERED = frozenset({"phone", "telephone", "fax", "home phone", "mobile", "mobile phone", "work phone"})
_ALONE = frozenset(
    "certificate age engines seats operator category type class status code number name date time value held make".split()
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
    key, value = tidy_label(match["key"]), match["value"].strip().rstrip(".").strip()
    identifies = value.casefold() in about.words.casefold()
    if not usable(key) or len(key.split()) > MOST_KEY_WORDS or not tells(value) or identifies or "://" in value:
        return
    attribute = _attribute(key, value, labels, form)
    item = value[:1].islower() and key.istitle() and " " in key  # an entry of a list, whose key is a name
    if not attribute or item:
        return
    yield Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=FactRule.KEY_VALUE,
        subject=about,
        attribute=attribute,
        value=value,
        kind=read_reference(value).kind,
        start=place[0],
        end=place[1],
    )


def _attribute(key: str, value: str, labels: Labels, form: str) -> str:
    """A key as a noun; one of two parts only where the value has two parts, too."""
    parts = [part for part in _DIVIDED.split(re.sub(r"\([^)]*\)", "", key)) if part]
    if len(parts) > 2:
        return ""
    if len(parts) == 2:
        values = [part for part in _DIVIDED.split(value) if part.strip()]
        return " and ".join(labels.lowered(part, head=True) for part in parts) if len(values) == 2 else ""
    if re.fullmatch(r"\d+, \w+", value):
        return ""
    attribute = labels.lowered(key, head=True)
    if attribute.casefold() in _NUMBERED:
        attribute += " number"
    if key.casefold() in _ALONE:
        thing = re.fullmatch(r"(?P<thing>[A-Z][a-z]+)(?: and .*)? (?:information|details|data)", form, re.IGNORECASE)
        return f"{thing['thing'].lower()}'s {attribute}" if thing else ""
    return attribute
