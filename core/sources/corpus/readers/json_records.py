"""JSON files: GRAMMAR's object of ids and texts, lists of records, and one record a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

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


@reads("json", ".json", version=2)
def read_json(data: bytes) -> tuple[Parsed, ...]:
    """One document for each entry of an object of ids and texts, or for each record of a list, in the file's order."""
    text, notes = decode_told(data)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableFile(f"it is damaged or no JSON ({error})", GIVE) from None
    if isinstance(content, dict) and content and all(isinstance(value, str) for value in content.values()):
        return tuple(Parsed(id=str(key), title=str(key), text=text, notes=notes) for key, text in content.items())
    records = content if isinstance(content, list) else _listed(content)
    documents = tuple(parsed for record in records or () for parsed in _documents(record, notes))
    if not documents:
        raise UnreadableFile("it is JSON but not an object of ids and texts, nor a list of records with texts", GIVE)
    return documents


@reads("jsonl", ".jsonl", ".ndjson")
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
        text = "\n".join(f"{name}: {value}" for name, value in record.items() if _scalar(value) and name not in IDS)
        metadata = {}
    if text:
        yield Parsed(text=text, title=title, id=_first(record, IDS), metadata=metadata, notes=notes)


def _first(record: Mapping[str, object], names: Sequence[str]) -> str:
    """The first of the fields that holds something, as text."""
    values = (record.get(name) for name in names)
    return next((text for value in values if _scalar(value) and (text := str(value).strip())), "")


def _scalar(value: object) -> bool:
    return isinstance(value, (str, int, float)) and not isinstance(value, bool) and str(value).strip() != ""
