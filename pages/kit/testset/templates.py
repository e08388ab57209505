"""Reads and small drawings of the Templates page: lists, checks, live review, files of templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.sources.projects import Source
from core.domain.sources.schema import Schema
from core.domain.testset.templates import Check, SqlTemplate, TemplateStatus, TextTemplate
from core.sources.service import open_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded import files
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.checks import TemplateReview, check_sql_template
from core.testset.grounded.sql.operations import DIFFICULTY, operation
from pages.kit import cache, errors, uploads
from pages.kit.look import numbers

STATUS = {
    TemplateStatus.DRAFT: "○ Draft",
    TemplateStatus.APPROVED: "✓ Approved",
    TemplateStatus.REJECTED: "✗ Rejected",
}


COLUMNS = {
    "Status": st.column_config.TextColumn(width=94),
    "SQL": st.column_config.TextColumn(width=158),
    "Asks": st.column_config.TextColumn(width=84, help="What it asks the database to do."),
    "Difficulty": st.column_config.NumberColumn(
        format="%d",
        width=76,
        help="1: one record answers it. 2: all records that belong to one. 3: something computed from several.",
    ),
    "One answer": st.column_config.NumberColumn(
        format="%.2f", width=82, help="Share of placeholder values with exactly one answer (GRAMMAR, appendix D.1)."
    ),
    "Questions": st.column_config.NumberColumn(
        format="%d", width=76, help="Questions each wording will make: values with one answer that is not empty."
    ),
    "Wordings": st.column_config.NumberColumn(width=74),
    "Checks": st.column_config.TextColumn(width=90),
    "From": st.column_config.TextColumn(width=66),
}
"""How the list of SQL templates is laid out; every column is on the screen at 1280 pixels."""


@cache.read("templates")
def sql_templates(store: Store, project_id: str) -> tuple[SqlTemplate, ...]:
    """The project's SQL templates, oldest first."""
    with store.read() as connection:
        return tuple(templates.sql(connection, project_id))


@cache.read("templates")
def wordings(store: Store, project_id: str) -> tuple[TextTemplate, ...]:
    """The project's text templates, oldest first."""
    with store.read() as connection:
        return tuple(templates.text(connection, project_id))


def review(store: Store, source: Source, template: SqlTemplate, siblings: Sequence[SqlTemplate] = ()) -> TemplateReview:
    """A template's checks on the data as it is now, beside the project's other templates, with examples."""
    others = tuple(sorted(other.id for other in siblings))
    data = (source.fingerprint, template.sql, template.sql_with_ids)
    return _review(store, source.id, source, template, siblings, data, others)


@cache.read("templates", "sources")
def _review(
    store: Store,
    source_id: str,
    _source: Source,
    _template: SqlTemplate,
    _siblings: Sequence[SqlTemplate],
    data: tuple[str, str, str],
    others: tuple[str, ...],
) -> TemplateReview:
    """A template's checks; `data` and `others` are what the hidden arguments may differ in."""
    with open_database(_source) as database:
        return check_sql_template(_template, database, _siblings)


@cache.read("templates", "sources")
def operations(store: Store, project_id: str, _source: Source) -> dict[str, str]:
    """What each of the project's SQL templates asks the database to do, by its id; "" where it cannot be read."""
    with store.read() as connection:
        return {template.id: _operation(template, _source.schema) for template in templates.sql(connection, project_id)}


def _operation(template: SqlTemplate, schema: Schema | None) -> str:
    if schema is None:
        return ""
    try:
        return operation(bind(template.sql, schema))
    except PlumblineError:
        return ""


def sql_frame(
    sql: Sequence[SqlTemplate], texts: Sequence[TextTemplate], asked: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """SQL templates as a table for people; `asked` says what each asks the database to do."""
    asked = asked or {}
    return pd.DataFrame(
        [
            {
                "id": template.id,
                "Status": STATUS[template.status],
                "SQL": template.sql,
                "Asks": asked.get(template.id) or "-",
                "Difficulty": DIFFICULTY.get(asked.get(template.id, "")),
                "One answer": figure(template, "one_answer"),
                "Questions": figure(template, "questions"),
                "Wordings": sum(text.sql_template_id == template.id for text in texts),
                "Checks": summary(template.checks),
                "From": template.origin,
            }
            for template in sql
        ],
        columns=["id", "Status", "SQL", "Asks", "Difficulty", "One answer", "Questions", "Wordings", "Checks", "From"],
    )


def figure(template: SqlTemplate, check: str) -> float | None:
    """The number a check of a template found, None where it was not reached."""
    return next((entry.value for entry in template.checks if entry.name == check), None)


def standing(template: SqlTemplate, texts: Sequence[TextTemplate]) -> str:
    """How far the wordings of a template are: "4 of 6 approved"."""
    own = [text.status for text in texts if text.sql_template_id == template.id]
    if not own:
        return "no wording yet"
    return f"{own.count(TemplateStatus.APPROVED)} of {len(own)} approved"


def summary(checks: Sequence[Check]) -> str:
    """What the checks came to, in a few words."""
    failed = [check.name.replace("_", " ") for check in checks if not check.passed and check.blocking]
    warned = [check.name.replace("_", " ") for check in checks if not check.passed and not check.blocking]
    if failed:
        return f"✗ {', '.join(failed)}"
    if warned:
        return f"○ {', '.join(warned)}"
    return f"✓ {len(checks)} of {len(checks)}" if checks else "not checked"


def draw_checks(checks: Sequence[Check]) -> None:
    """Each check with its figure, failed ones first and with their remedy."""
    lines = [_line(check) for check in sorted(checks, key=lambda check: (check.passed, not check.blocking))]
    if lines:
        st.markdown("  \n".join(lines))


def _line(check: Check) -> str:
    mark = ":green[✓]" if check.passed else ":orange[✗]" if check.blocking else ":gray[○]"
    remedy = f"  \n:small[:gray[{errors.plain(check.remedy)}]]" if not check.passed and check.remedy else ""
    return f"{mark} {errors.plain(check.message or check.name.replace('_', ' '))}{remedy}"


def draw_examples(template_review: TemplateReview) -> None:
    """Three filled examples."""
    if not template_review.examples:
        return
    st.caption(f"Makes {numbers.count(template_review.questions, 'question')} of each wording, for example:")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Filled with": ", ".join(str(value) for value in example.values),
                    "Answer": " | ".join(", ".join(str(part) for part in answer) for answer in example.answers),
                }
                for example in template_review.examples
            ]
        ),
        hide_index=True,
        width="stretch",
        key="template_examples",
    )


def filled(text: str, template: SqlTemplate, template_review: TemplateReview | None) -> str:
    """A wording with the first example's values in place of its placeholders; "" without an example."""
    if template_review is None or not template_review.examples:
        return ""
    for placeholder, value in zip(template.placeholders, template_review.examples[0].values, strict=False):
        text = text.replace(placeholder.token, str(value))
    return text


def exported(sql: Sequence[SqlTemplate], *, with_ids: bool = False) -> bytes:
    """SQL templates as a file in GRAMMAR's format."""
    with uploads.folder() as folder:
        path = folder / "sql_templates.json"
        files.write_sql_templates(path, sql, with_ids=with_ids)
        return path.read_bytes()


def exported_texts(texts: Sequence[TextTemplate], sql: Sequence[SqlTemplate]) -> bytes:
    """Wordings of one form as a file in GRAMMAR's format."""
    with uploads.folder() as folder:
        path = folder / "texts.json"
        files.write_text_templates(path, texts, sql)
        return path.read_bytes()


def imported_sql(data: bytes, with_ids: bytes | None, dialect: str) -> list[SqlTemplate]:
    """SQL templates of an uploaded file in GRAMMAR's format."""
    with uploads.folder() as folder:
        path, ids = folder / "sql_templates.json", folder / "sql_templates_with_ids.json"
        path.write_bytes(data)
        if with_ids is not None:
            ids.write_bytes(with_ids)
        return files.read_sql_templates(path, with_ids=ids if with_ids is not None else None, dialect=dialect)


def imported_texts(data: bytes, form: str, sql: Sequence[SqlTemplate]) -> list[TextTemplate]:
    """Wordings of an uploaded file in GRAMMAR's format."""
    with uploads.folder() as folder:
        path = folder / "texts.json"
        path.write_bytes(data)
        return files.read_text_templates(path, form, sql)
