"""JSON files: GRAMMAR's object of ids and texts, lists of records, and one record a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from core.domain.errors import UnreadableFile
from core.sources.corpus.decoding import decode_told
from core.sources.corpus.metadata import fields
from core.sources.corpus.parsing import Parsed, reads

IDS = ("id", "_id", "doc_id", "docid", "document_id", "uid")
TITLES = ("title", "name", "heading")
TEXTS = ("text", "content", "contents", "body", "page_content", "passage", "document")
LISTS = ("documents", "passages", "paragraphs", "contexts", "records", "data", "items")
"""Names under which records, or the passages of a record, are listed."""
GIVE = "Give ids and texts, or records with a text field."
FIELD_NAME = re.compile(r"[^\W\d][\w .-]{0,40}")
FEW_WORDS = 12
"""Words of a value, at the mean, below which names and texts are the fields of one record."""
DEEPEST = 50
MAX_FIELDS = 200_000
"""Values of one record; what is beyond is left out."""


@reads("json", ".json", version=3)
def read_json(data: bytes) -> tuple[Parsed, ...]:
    """One document for each entry of an object of ids and texts, or for each record of a list, in the file's order.

    A file that holds one record is one document: its text, else its fields by their names.
    """
    text, notes = decode_told(data)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"it is damaged or no JSON ({error})", GIVE) from None
    if isinstance(content, dict) and _ids_and_texts(content):
        return tuple(Parsed(id=str(key), title=str(key), text=text, notes=notes) for key, text in content.items())
    records = content if isinstance(content, list) else _listed(content)
    if records is None or not any(isinstance(record, (dict, str)) for record in records):
        records = [content] if isinstance(content, dict) else records
    documents = tuple(parsed for record in records or () for parsed in _documents(record, notes))
    if not documents:
        raise UnreadableFile("it is JSON but not an object of ids and texts, nor records with texts", GIVE)
    return documents


@reads("jsonl", ".jsonl", ".ndjson", version=2)
def read_json_lines(data: bytes) -> tuple[Parsed, ...]:
    """One document for each line's record, or for each of its passages; lines that are no record are reported."""
    text, notes = decode_told(data)
    documents: list[Parsed] = []
    bad: list[int] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            parsed = list(_documents(json.loads(line), notes))
        except (ValueError, RecursionError):
            parsed = []
        documents += parsed
        if not parsed:
            bad.append(number)
    if not documents:
        raise UnreadableFile("none of its lines is a JSON record with a text", GIVE)
    if bad:
        note = f"{len(bad):,} of its lines are no record with a text and are left out, line {bad[0]:,} first"
        documents[0] = replace(documents[0], notes=(*notes, note))
    return tuple(documents)


def _ids_and_texts(content: Mapping[str, object]) -> bool:
    """Whether an object names texts by their ids, and is not one record of short fields, nor one with a text field."""
    if not content or not all(isinstance(value, str) for value in content.values()):
        return False
    if _first(content, TEXTS):
        return False
    words = sum(len(str(value).split()) for value in content.values())
    fields_only = all(FIELD_NAME.fullmatch(name) and ":" not in name for name in content)
    return not (fields_only and words < FEW_WORDS * len(content))


def _listed(content: object) -> Sequence[object] | None:
    """The list of records in an object that holds just one under a usual name."""
    if not isinstance(content, dict):
        return None
    lists = [content[name] for name in LISTS if isinstance(content.get(name), list)]
    return lists[0] if len(lists) == 1 else None


def _documents(record: object, notes: tuple[str, ...]) -> Iterator[Parsed]:
    """A record as one document; one that lists passages as one document for each of them."""
    if isinstance(record, str):
        if record.strip():
            yield Parsed(text=record, notes=notes)
        return
    if not isinstance(record, dict):
        return
    passages = None if _first(record, TEXTS) else _listed(record)
    if passages is None:
        yield from _document(record, record, notes)
        return
    own = _first(record, IDS)
    for number, passage in enumerate(passages, start=1):
        inner = passage if isinstance(passage, dict) else {"text": passage}
        numbered = f"{own}#{number}" if own and len(passages) > 1 else own
        yield from _document({"id": numbered, **inner}, inner, notes)


def _document(
    record: Mapping[str, object], described: Mapping[str, object], notes: tuple[str, ...]
) -> Iterator[Parsed]:
    title, text = _first(record, TITLES), _first(record, TEXTS)
    metadata = fields({name: value for name, value in described.items() if name not in (*IDS, *TITLES, *TEXTS)})
    if not text:  # a plain row: its fields are its text
        lines = _lines({name: value for name, value in record.items() if name not in IDS})
        text = "\n".join(islice(lines, MAX_FIELDS))
        metadata = {}
    if text:
        yield Parsed(text=text, title=title, id=_first(record, IDS), metadata=metadata, notes=notes)


def _lines(content: object, name: str = "", depth: int = 0) -> Iterator[str]:
    """The values in a record as lines ``name: value``; one inside another has both names, parted by a full stop."""
    if isinstance(content, dict) and depth < DEEPEST:
        for key, value in content.items():
            yield from _lines(value, f"{name}.{key}" if name else str(key), depth + 1)
    elif isinstance(content, list) and depth < DEEPEST:
        plain = [str(value) for value in content if _scalar(value)]
        if plain:
            yield f"{name}: {', '.join(plain)}"
        for number, value in enumerate(content, start=1):
            if isinstance(value, (dict, list)):
                yield from _lines(value, f"{name} {number}" if name else str(number), depth + 1)
    elif isinstance(content, bool):
        yield f"{name}: {'yes' if content else 'no'}"
    elif _scalar(content):
        yield f"{name}: {content}"


def _first(record: Mapping[str, object], names: Sequence[str]) -> str:
    """The first of the fields that holds something, as text."""
    values = (record.get(name) for name in names)
    return next((text for value in values if _scalar(value) and (text := str(value).strip())), "")


def _scalar(value: object) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip() != ""
