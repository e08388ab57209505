"""Facts that simple rules extract from chunks: subject, property, value, and the sentence that states them.

A rule reads only a few plain shapes (a row of a table, ``Key: value``, "The fee of the X card is 5 euros.", "X is a
..."); everything else is ignored, so that precision comes before completeness.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.text.blocks import Block, BlockKind, blocks, plain
from core.text.sentences import Sentence, split_sentences

MOST_VALUE_WORDS = 12
"""A longer value is prose, which may state more than one fact."""
MOST_ATTRIBUTE_WORDS = 7


class FactRule(StrEnum):
    """The shape of sentence or row that a fact was read from."""

    TABLE = "table"
    KEY_VALUE = "key_value"
    PROPERTY = "property"
    DEFINITION = "definition"
    EVENT = "event"
    COUNT = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact that a chunk states.

    Attributes:
        chunk_id: The chunk.
        document_id: The chunk's document.
        rule: The rule that read it.
        subject: What it is about, as a question can name it.
        attribute: The property; for an event what happened ("opened"), for a definition empty.
        value: What the chunk gives, as written.
        kind: How the match judge reads the value: "number", "date", "range", "boolean", "list" or "text".
        of_row: Whether the subject is the first cell of a table's row, and not the document.
        condition: What the sentence puts before the fact ("On the whole balance"), or empty.
        named: Whether the subject names itself outside its document; else a question must name the document.
        start: Where the stating sentence or row begins in the chunk's text.
        end: Where it ends there, exclusive.
    """

    chunk_id: str
    document_id: str
    rule: FactRule
    subject: str
    attribute: str
    value: str
    kind: str
    of_row: bool = False
    condition: str = ""
    named: bool = True
    start: int
    end: int


_PROPERTY = re.compile(
    r"(?:(?P<condition>[A-Z][^,.:;]{2,60}), )?[Tt]he (?P<attribute>[a-z][\w'’ -]{1,60}?) (?:of|for) "
    r"(?P<subject>.{2,90}?) (?:is|are|was|were) (?P<value>[^;:]{1,120})"
)
_DEFINITION = re.compile(
    r"(?P<subject>(?:(?:The|An?) )?[^\W\d_][\w'’ -]{1,60}?) (?:is|are|means) (?P<value>(?:an?|the) .+)"
)
_EVENT = re.compile(
    r"(?P<subject>(?:The )?[^\W\d_][^,.;:]{1,80}?) (?P<was>was|were) (?P<attribute>[a-z]+(?:ed|en|ilt|old|un))"
    r" (?:in|on) (?P<value>[^,;:]{4,40})"
)
_COUNT = re.compile(
    r"(?P<subject>(?:The )?[^\W\d_][^,.;:]{1,80}?) (?P<has>has|have) (?P<value>\d[\d,. ]*) "
    r"(?P<attribute>[a-z][\w'’ -]{2,50})"
)
_ENTRY = re.compile(r"(?P<key>[^\W\d_][\w /()&'’.%-]{1,48}?)\s?:\s+(?P<value>\S.*)")
_NO_KEY = re.compile(
    r"(?:note|notes|example|examples|warning|important|source|see|see also|tip|remark|caution|notice|re|ps|nb|e\.g|"
    r"i\.e|question|answer|q|a|figure|table|step|http|https|(?:for|if|when|to|in|on|at|by|with|as|please) .*)$",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:the )?(?:it|this|that|these|those|they|he|she|we|you|i|there|here|which|who|what|such|both|each|all|some|one|"
    r"following|former|latter|above|below|same|other|others|his|her|its|their|our|your|my)\b",
    re.IGNORECASE,
)
_MORE_IS_SAID = re.compile(
    r",|;| (?:and|but|or|which|who|while|whereas|because|unless|if|when|where|that) ", re.IGNORECASE
)
_SECOND_VERB = re.compile(r" (?:is|are|was|were|has|have|had|will|can|may|must) ", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"(?:not|never|no longer|unknown|n/?a|none|tb[acd]|to be|being|available|given|listed|shown|set|subject|\?|[-–—]+|"
    r"as|see|due|still|also|only|often|usually)\b|\W*$",
    re.IGNORECASE,
)
_GENERIC_HEADER = frozenset(
    {"", "value", "values", "detail", "details", "description", "information", "answer", "text"}
)
_PROPER = re.compile(r"(?<!^)\b(?:[A-ZÀ-ÖØ-Þ][\w'’&-]*|\d[\w.-]*)")


def read_facts(chunk: Chunk, title: str = "") -> tuple[Fact, ...]:
    """The facts a chunk states in shapes that rules can read, in the order of the text.

    Args:
        chunk: The passage.
        title: The title of its document; its first heading where empty. Facts that need a title are left out without
            one.

    Returns:
        Facts whose ``chunk.text[start:end]`` holds the value; none where the rules read nothing.
    """
    about = plain(title or (chunk.section[0] if chunk.section else ""))
    facts = [*_of_tables(chunk, about), *_of_sentences(chunk, about)]
    return tuple(sorted(dict.fromkeys(facts), key=lambda fact: (fact.start, fact.end, fact.attribute)))


def _fact(
    chunk: Chunk, rule: FactRule, place: tuple[int, int], parts: Mapping[str, str], *, of_row: bool = False
) -> Fact | None:
    """A fact if its value is worth a question."""
    value = parts["value"].strip().rstrip(".").strip()
    if not _tells(value) or not parts["subject"]:
        return None
    return Fact(
        chunk_id=chunk.id,
        document_id=chunk.document_id,
        rule=rule,
        subject=parts["subject"].strip(),
        attribute=parts.get("attribute", "").strip(),
        value=value,
        kind=read_reference(value).kind,
        of_row=of_row,
        condition=parts.get("condition", ""),
        named=rule not in (FactRule.TABLE, FactRule.KEY_VALUE) and _names_itself(parts["subject"]),
        start=place[0],
        end=place[1],
    )


def _tells(value: str) -> bool:
    return len(value.split()) <= MOST_VALUE_WORDS and not _SAYS_NOTHING.match(value) and any(map(str.isalnum, value))


def _names_itself(subject: str) -> bool:
    """Whether a proper name or a number names the subject: "the fee" needs its document, "the Juniper card" not."""
    without_article = re.sub(r"^(?:the|an?) ", "", subject, flags=re.IGNORECASE)
    return bool(_PROPER.search(f" {without_article}"))


def _of_tables(chunk: Chunk, about: str) -> Iterator[Fact]:
    for table in _tables(chunk.text):
        headers = [_cell(chunk.text, place) for place in table[0].cells]
        for row in table[1:]:
            cells = [_cell(chunk.text, place) for place in row.cells]
            if len(cells) == len(headers) >= 2 and cells[0] and about:
                yield from _of_row(chunk, about, headers, cells, (row.start, row.end))


def _of_row(chunk: Chunk, about: str, headers: list[str], cells: list[str], place: tuple[int, int]) -> Iterator[Fact]:
    """A fact for each cell: about the row's first cell, or about the document where the header is generic."""
    for header, value in zip(headers[1:], cells[1:], strict=True):
        alone = len(headers) == 2 and header.casefold() in _GENERIC_HEADER
        if not alone and header.casefold() in _GENERIC_HEADER:
            continue
        subject, attribute = (about, cells[0]) if alone else (cells[0], header)
        if len(attribute.split()) > MOST_ATTRIBUTE_WORDS + 3:
            continue
        parts = {"subject": subject, "attribute": attribute, "value": value}
        fact = _fact(chunk, FactRule.TABLE, place, parts, of_row=not alone)
        if fact is not None:
            yield fact


def _tables(text: str) -> Iterator[list[Block]]:
    """Tables with a ruled header, as their rows; a part of a table without its header is skipped."""
    table: list[Block] = []
    for block in blocks(text):
        between = text[table[-1].end : block.start] if table else ""
        if block.kind is BlockKind.ROW and table and "\n\n" not in between.replace("|", ""):
            table.append(block)
            continue
        if _ruled(text, table):
            yield table
        table = [block] if block.kind is BlockKind.ROW else []
    if _ruled(text, table):
        yield table


def _ruled(text: str, table: list[Block]) -> bool:
    return len(table) > 1 and re.search(r"-{3}|:-+", text[table[0].end : table[1].start]) is not None


def _cell(text: str, place: tuple[int, int]) -> str:
    return plain(text[place[0] : place[1]].replace("\\|", "|"))


def _of_sentences(chunk: Chunk, about: str) -> Iterator[Fact]:
    rows = [(block.start, block.end) for block in blocks(chunk.text) if block.kind is not BlockKind.PROSE]
    for sentence in split_sentences(chunk.text):
        if any(start <= sentence.start < end for start, end in rows):
            continue
        fact = _of_sentence(chunk, about, sentence)
        if fact is not None:
            yield fact


def _of_sentence(chunk: Chunk, about: str, sentence: Sentence) -> Fact | None:
    place = (sentence.start, sentence.end)
    text = sentence.text.strip()
    entry = _ENTRY.fullmatch(text)
    if entry:
        words = entry["key"].split()
        if not about or _NO_KEY.match(entry["key"]) or len(words) > MOST_ATTRIBUTE_WORDS:
            return None
        parts = {"subject": about, "attribute": entry["key"], "value": entry["value"]}
        return _fact(chunk, FactRule.KEY_VALUE, place, parts)
    clause = text.removesuffix(".")
    if clause == text or "?" in text or "!" in text:
        return None
    for rule, shape in (
        (FactRule.PROPERTY, _PROPERTY),
        (FactRule.EVENT, _EVENT),
        (FactRule.COUNT, _COUNT),
        (FactRule.DEFINITION, _DEFINITION),
    ):
        match = shape.fullmatch(clause)
        if match and _plain_enough(rule, match):
            return _fact(chunk, rule, place, match.groupdict(default=""))
    return None


def _plain_enough(rule: FactRule, match: re.Match[str]) -> bool:
    """Whether a sentence states one fact about one subject."""
    subject = match["subject"]
    if _POINTS_BACK.match(subject) or len(subject.split()) > MOST_VALUE_WORDS:
        return False
    if _MORE_IS_SAID.search(subject) or _SECOND_VERB.search(f" {subject} "):
        return False
    if rule is FactRule.DEFINITION:
        return _defines(subject, match["value"])
    if len(match["attribute"].split()) > MOST_ATTRIBUTE_WORDS or _POINTS_BACK.match(match["attribute"]):
        return False
    kind = read_reference(match["value"].strip()).kind
    if rule is FactRule.EVENT:
        return kind == "date"
    if rule is FactRule.COUNT:
        return kind == "number" and not _MORE_IS_SAID.search(match["attribute"])
    return kind in ("date", "number", "range") or not _MORE_IS_SAID.search(match["value"])


def _defines(subject: str, value: str) -> bool:
    """Whether a sentence defines a named subject in few enough words to be asked for."""
    return 3 <= len(value.split()) <= MOST_VALUE_WORDS and _names_itself(subject) and not _MORE_IS_SAID.search(value)
