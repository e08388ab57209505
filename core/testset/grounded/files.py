"""GRAMMAR's template and question files, in and out; keys that are Python literals are parsed, never evaluated."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.testset.cases import TestCase
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.io.grammar.values import read_json
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.wording.templates import text_id

ORIGIN = "import"


def read_sql_templates(path: Path, *, with_ids: Path | None = None, dialect: str = "sqlite") -> list[SqlTemplate]:
    """Reads ``{str(tuple of tables): [sql, ...]}``, and the same statements with id columns.

    Statements are read as they are; :func:`check_sql_template` decides whether one can be used.

    Args:
        path: ``sql_templates.json``.
        with_ids: ``sql_templates_with_ids.json``: the same keys, per key the same order, ids appended to SELECT.
        dialect: The dialect of the statements.

    Raises:
        UnreadableFile: A file is not JSON of that shape.
        InvalidInput: The two files do not have the same statements.
    """
    statements = _by_tables(path)
    ids = _by_tables(with_ids) if with_ids is not None else {key: [""] * len(sqls) for key, sqls in statements.items()}
    if {key: len(entries) for key, entries in ids.items()} != {
        key: len(entries) for key, entries in statements.items()
    }:
        raise InvalidInput(
            f"{with_ids} does not have the same statements as {path}.",
            "Give the file that was written with it: same tables, same number of statements, same order.",
        )
    return [
        SqlTemplate(id=canonical_id(sql, dialect), sql=sql, sql_with_ids=id_sql, tables=tables, origin=ORIGIN)
        for tables, sqls in statements.items()
        for sql, id_sql in zip(sqls, ids[tables], strict=True)
    ]


def write_sql_templates(path: Path, templates: Iterable[SqlTemplate], *, with_ids: bool = False) -> None:
    """Writes ``{str(tuple of tables): [sql, ...]}``.

    Args:
        path: Where to.
        templates: In the order they are asked.
        with_ids: Write the statements with id columns; a template without them as it is.
    """
    by_tables: dict[str, list[str]] = {}
    for template in templates:
        sql = (template.sql_with_ids or template.sql) if with_ids else template.sql
        by_tables.setdefault(str(tuple(template.tables)), []).append(sql)
    _write(path, by_tables)


def read_text_templates(path: Path, form: str, sql_templates: Sequence[SqlTemplate]) -> list[TextTemplate]:
    """Reads ``{sql: [text, ...]}``; the wordings are in the order of `sql_templates`, blanks at their ends are kept.

    Args:
        path: ``short.json`` or the like.
        form: The form of its wordings.
        sql_templates: The SQL templates of the statements.

    Raises:
        UnreadableFile: It is not JSON of that shape.
        InvalidInput: A statement is not among the SQL templates.
    """
    content = _mapping(path)
    by_sql = {_key(template.sql): template for template in sql_templates}
    texts: dict[str, list[str]] = {}
    for sql, wordings in content.items():
        template = by_sql.get(_key(sql))
        if template is None:
            raise InvalidInput(
                f"{path} has wordings for a statement that is not among the SQL templates: {sql}",
                "Import the SQL templates it was written for first.",
            )
        texts.setdefault(template.id, []).extend(_texts(path, sql, wordings))
    return [
        TextTemplate(
            id=text_id(template.id, form, text), sql_template_id=template.id, form=form, text=text, origin=ORIGIN
        )
        for template in sql_templates
        for text in texts.pop(template.id, ())
    ]


def write_text_templates(path: Path, texts: Iterable[TextTemplate], sql_templates: Sequence[SqlTemplate]) -> None:
    """Writes ``{sql: [text, ...]}`` in the order of `sql_templates`."""
    selected = list(texts)
    by_sql = {
        template.sql: [text.text for text in selected if text.sql_template_id == template.id]
        for template in sql_templates
    }
    _write(path, {sql: wordings for sql, wordings in by_sql.items() if wordings})


def write_questions(path: Path, cases: Iterable[TestCase]) -> None:
    """Writes cases of one form as a question file: per SQL template a list of ``[str(rows), [question, ...]]``."""
    by_template: dict[str, dict[str, tuple[str, list[str]]]] = {}
    for case in cases:
        rows: list[tuple[str | None]] = [(reference,) for reference in case.reference_answers]
        answer = str(rows or [(None,)])
        groups = by_template.setdefault(case.sql_template_id, {})
        groups.setdefault(case.group_id, (answer, []))[1].append(case.question)
    _write(path, [[[answer, questions] for answer, questions in groups.values()] for groups in by_template.values()])


def _by_tables(path: Path) -> dict[tuple[str, ...], list[str]]:
    grouped: dict[tuple[str, ...], list[str]] = {}
    for key, statements in _mapping(path).items():
        grouped.setdefault(_tables(path, key), []).extend(_texts(path, key, statements))
    return grouped


def _tables(path: Path, key: str) -> tuple[str, ...]:
    try:
        tables = ast.literal_eval(key)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        tables = None
    if isinstance(tables, str):
        tables = (tables,)
    if not isinstance(tables, tuple | list) or not all(isinstance(table, str) for table in tables):
        raise UnreadableFile(
            f"{path} has the key {key!r}, which is not a tuple of table names.", "Write it as \"('Client',)\"."
        )
    return tuple(tables)


def _mapping(path: Path) -> Mapping[str, object]:
    content = read_json(path)
    if not isinstance(content, dict):
        raise UnreadableFile(f"{path} does not hold an object.", "Give a JSON object as GRAMMAR writes it.")
    return content


def _texts(path: Path, key: str, value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UnreadableFile(f"{path}, entry {key!r} is not a list of texts.", "Give a list of strings.")
    return value


def _key(sql: str) -> str:
    """Statements are the same when they differ in blanks and a final semicolon only."""
    return " ".join(sql.split()).rstrip("; ")


def _write(path: Path, content: object) -> None:
    try:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}.", "Choose another file.") from error
