"""TruLens: records with their feedback, as exported to a table or as its SQLite file holds them."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Final

from core.domain.errors import UnreadableFile
from core.io.exchange.format import REASON, Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, TABLES, peer_rows, write_table
from core.io.tables.cells import object_of, read_list
from core.io.tables.columns import Field
from core.io.tables.rows import Row, read_rows

LARGEST_VALUE: Final = 100_000_000
"""Bytes of a value, and characters that a table may hold in any file; in a large one, twice its size."""
MOST_SECONDS: Final = 120.0
"""Seconds of the processor for reading one."""
SQLITE: Final = (".sqlite", ".sqlite3", ".db")
CALLS: Final = "_calls"
PASSAGES: Final = "contexts"
RETRIEVAL: Final = ("retriev", "get_context", "get_relevant", "similarity_search")
"""What the name of a method that retrieves has in it."""
ARGUMENTS: Final = ("context", "contexts")
"""Arguments of a feedback function that hold one retrieved passage."""
FAILED: Final = "the feedback failed"
QUOTED: Final = ("input", "output")
SIDE: Final = (" feedback cost in USD", " direction")
"""Ends of columns that tell of a feedback what is no score."""
WHY: Final = ("reason", "reasons", "explanation")

SPEC: Final = FormatSpec(
    name="trulens",
    title="TruLens",
    about="Records with feedback, from a session's data frame or its SQLite file.",
    reads=(*READS, *SQLITE),
    writes=TABLES,
    columns={
        "app_id": Field.ATTRIBUTE,
        "app_name": Field.ATTRIBUTE,
        "app_version": Field.ATTRIBUTE,
        "tags": Field.ATTRIBUTE,
        "ts": Field.ATTRIBUTE,
        "total_cost": Field.ATTRIBUTE,
        "app_json": Field.IGNORED,
        "type": Field.IGNORED,
        "record_json": Field.IGNORED,
        "cost_json": Field.IGNORED,
        "perf_json": Field.IGNORED,
        "cost_currency": Field.IGNORED,
        "meta": Field.IGNORED,
        "events": Field.IGNORED,
        "num_events": Field.IGNORED,
    },
    scores=frozenset(
        {
            "Groundedness",
            "Answer Relevance",
            "Context Relevance",
            "groundedness",
            "relevance",
            "qs_relevance",
            "context_relevance",
            "answer_relevance",
            "Groundtruth",
            "Answer Correctness",
            "Comprehensiveness",
        }
    ),
    signs=(
        Sign(
            columns=("record_id", "input", "output"),
            confidence=0.97,
            says="record_id, input and output are the names of a TruLens record.",
        ),
        Sign(
            columns=("input", "output", "record_json"),
            confidence=0.95,
            says="input, output and record_json are the names of a TruLens record.",
        ),
        Sign(
            columns=("main_input", "main_output"),
            confidence=0.9,
            says="main_input and main_output are the names of a TruLens record.",
        ),
        Sign(
            columns=("query", "expected_response"),
            confidence=0.8,
            says="query and expected_response are the names of a TruLens ground truth.",
        ),
        Sign(
            columns=("input", "output"),
            confidence=0.45,
            without=("references", "actual_output"),
            says="input and output are names of a TruLens record, and of others.",
        ),
    ),
    notes=("Retrieved passages are read from the calls of a retrieval method, else from the arguments of a feedback.",),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """Records with their feedback as columns and their passages, where a call has them."""
    del model
    records = _sqlite(path) if path.suffix.casefold() in SQLITE else read_rows(path)
    rows = [(number, _row(row, f"Row {number} of {path}")) for number, row in records]
    for name in QUOTED:
        _unquote(rows, name)
    explained = {name.removesuffix(REASON) for _, row in rows for name in row if name.endswith(REASON)}
    side = {name: Field.IGNORED for _, row in rows for name in row if name.endswith(SIDE)}
    return Unpacked(rows=rows, scores=frozenset(explained), columns=side)


def _row(row: Row, where: str) -> dict[str, object]:
    cells = {name: value for name, value in row.items() if not name.endswith(CALLS)}
    passages: list[object] = []
    for name, value in row.items():
        if name.endswith(CALLS) and value is not None:
            calls = _calls(value, where, name)
            cells[f"{name.removesuffix(CALLS)}{REASON}"] = _reasons(calls)
            passages = passages or _arguments(calls)
    if PASSAGES not in cells:
        retrieved = _retrieved(row.get("record_json"), where)
        if retrieved is not None or passages:
            cells[PASSAGES] = retrieved if retrieved is not None else passages
    return cells


def _calls(value: object, where: str, column: str) -> list[Mapping[str, object]]:
    if isinstance(value, (Mapping, str)) and str(value).lstrip().startswith("{"):
        value = object_of(value, where, column).get("calls")
    listed, _ = read_list(value, where, column)
    return [call for call in listed if isinstance(call, Mapping)]


def _reasons(calls: Iterable[Mapping[str, object]]) -> str | None:
    metas = [meta for item in calls if isinstance(meta := item.get("meta"), Mapping)]
    reasons = [next((meta[name] for name in WHY if meta.get(name)), None) for meta in metas]
    return "\n".join(str(item) for item in reasons if item) or None


def _arguments(calls: Iterable[Mapping[str, object]]) -> list[object]:
    """One passage a call: what a feedback on context relevance was given."""
    passages: list[object] = []
    for call in calls:
        arguments = call.get("args")
        if isinstance(arguments, Mapping):
            passages.extend(arguments[name] for name in ARGUMENTS if isinstance(arguments.get(name), str))
    return list(dict.fromkeys(passages))


def _retrieved(record: object, where: str) -> list[object] | None:
    """What the last call of a retrieval method returned; None where there is none."""
    if record is None:
        return None
    listed = object_of(record, where, "record_json").get("calls")
    for call in reversed(listed if isinstance(listed, list) else []):
        stack = call.get("stack") if isinstance(call, Mapping) else None
        last = stack[-1] if isinstance(stack, list) and stack else None
        method = last.get("method") if isinstance(last, Mapping) else None
        name = str(method.get("name", "")) if isinstance(method, Mapping) else ""
        returned = call.get("rets") if isinstance(call, Mapping) else None
        if any(part in name.casefold() for part in RETRIEVAL) and isinstance(returned, list):
            return [_passage(item) for item in returned]
    return None


def _passage(item: object) -> object:
    """A text, or the text of a node or document."""
    if isinstance(item, Mapping) and isinstance(node := item.get("node"), Mapping):
        item = {**node, "score": item.get("score")}
    if not isinstance(item, Mapping):
        return item if isinstance(item, str) else str(item)
    text = next((item[name] for name in ("text", "page_content", "content") if item.get(name)), None)
    details = {name: item[name] for name in ("id", "doc_id", "score") if item.get(name) is not None}
    return {**details, "text": str(text if text is not None else item)}


def _unquote(rows: list[tuple[int, dict[str, object]]], name: str) -> None:
    """TruLens stores texts as JSON; where every text of a column is one, they are read as such."""
    texts = [row[name] for _, row in rows if isinstance(row.get(name), str)]
    if not texts or not all(_is_quoted(text) for text in texts):
        return
    for _, row in rows:
        if isinstance(value := row.get(name), str):
            row[name] = json.loads(value)


def _is_quoted(text: object) -> bool:
    try:
        return isinstance(text, str) and text.startswith('"') and isinstance(json.loads(text), str)
    except (ValueError, RecursionError):
        return False


def _sqlite(path: Path) -> list[tuple[int, Row]]:
    """Records of a session's file, opened read-only, with the latest result of each feedback."""
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            tables = _plain_tables(connection)
            prefix = next((candidate for candidate in ("trulens_", "") if f"{candidate}records" in tables), None)
            if prefix is None:
                raise UnreadableFile(f"{path} has no table of TruLens records.", "Give the session's own SQLite file.")
            most = max(LARGEST_VALUE, 2 * path.stat().st_size)
            for name in {f"{prefix}records", f"{prefix}feedbacks"} & tables:
                _require_small(connection, name, most)
            records = connection.execute(f"SELECT * FROM {prefix}records ORDER BY ts, record_id").fetchall()  # noqa: S608
            feedback: dict[str, dict[str, object]] = {}
            if f"{prefix}feedbacks" in tables:
                query = f"SELECT * FROM {prefix}feedbacks ORDER BY last_ts"  # noqa: S608
                for feedback_row in connection.execute(query):
                    cells = feedback.setdefault(str(feedback_row["record_id"]), {})
                    cells[str(feedback_row["name"])] = (
                        feedback_row["result"] if feedback_row["error"] in (None, "") else FAILED
                    )
                    cells[f"{feedback_row['name']}{CALLS}"] = feedback_row["calls_json"]
    except (sqlite3.Error, IndexError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{path} is no file of TruLens: {error}.", "Give the session's own file.") from error
    rows: list[tuple[int, Row]] = [
        (number, {**dict(record), **feedback.get(str(record["record_id"]), {})})
        for number, record in enumerate(records, start=1)
    ]
    if not rows and f"{prefix}events" in tables:
        raise UnreadableFile(
            f"{path} keeps its records as OpenTelemetry events, which are not read.",
            "Give what get_records_and_feedback() of the session returns, written with to_json or to_csv.",
        )
    if not rows:
        raise UnreadableFile(f"{path} has no record.", "Record some answers first.")
    return rows


def _plain_tables(connection: sqlite3.Connection) -> set[str]:
    """Tables that hold their rows; the views, virtual tables and computed columns of a hostile file run nothing."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.execute("PRAGMA trusted_schema = OFF")
    deadline = time.thread_time() + MOST_SECONDS
    connection.set_progress_handler(lambda: int(time.thread_time() > deadline), 10_000)
    return {
        str(row[0])
        for row in connection.execute(
            "SELECT name FROM pragma_table_list AS t WHERE schema = 'main' AND type = 'table' "
            "AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) WHERE hidden <> 0)"
        )
    }


def _require_small(connection: sqlite3.Connection, table: str, most: int) -> None:
    """Refuses a table whose rows hold far more than the file: the default of a column costs it nothing in any row."""
    columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})")]
    lengths = " + ".join('COALESCE(LENGTH("{}"), 0)'.format(name.replace('"', '""')) for name in columns)
    held = connection.execute(f"SELECT COALESCE(SUM({lengths}), 0) FROM {table}").fetchone()[0]  # noqa: S608
    if held > most:
        raise UnreadableFile(f"The table {table} holds more than {most:,} characters.", "Export fewer records.")


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run as records with feedback."""
    names = {
        Field.CASE_ID: "record_id",
        Field.QUESTION: "input",
        Field.ANSWER: "output",
        Field.CONTEXTS: "contexts",
        Field.LATENCY: "latency",
        Field.TOKENS: "total_tokens",
    }
    rows, mapped = peer_rows(SPEC, data, names)
    for name in QUOTED:
        if all(_is_quoted(row[name]) for row in rows if row[name] is not None):
            for row in rows:  # they would be read as quoted once
                row[name] = None if row[name] is None else json.dumps(row[name], ensure_ascii=False)
    write_table(path, rows, data, SPEC)
    return mapped


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
