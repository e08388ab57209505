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
from core.testset.grounded import files, instantiate
from core.testset.grounded.beyond.wordings import word_template
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
    "Question": st.column_config.TextColumn(
        width=330, help="One question of it, with its placeholders; the statement where rules cannot word it."
    ),
    "Status": st.column_config.TextColumn(width=94),
    "Asks": st.column_config.TextColumn(width=84, help="What it asks the database to do."),
    "Questions": st.column_config.NumberColumn(
        format="%d", width=76, help="Questions each wording will make: values with one answer that is not empty."
    ),
    "Wordings": st.column_config.NumberColumn(width=74),
    "Checks": st.column_config.TextColumn(width=90),
    "One answer": st.column_config.NumberColumn(
        format="%.2f", width=82, help="Share of placeholder values with exactly one answer (GRAMMAR, appendix D.1)."
    ),
    "Difficulty": st.column_config.NumberColumn(
        format="%d",
        width=76,
        help="1: one record answers it. 2: all records that belong to one. 3: something computed from several.",
    ),
    "From": st.column_config.TextColumn(width=66),
    "SQL": st.column_config.TextColumn(width=330),
}
"""How the list of SQL templates is laid out; up to the checks every column is on the screen at 1280 pixels."""

TO_REVIEW = "review"
"""The filter of templates whose wordings wait for a person, in a link."""
QUESTION_FORM = "interrogative"
"""The form in which a template is called by its question."""


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


@cache.read("templates", "sources")
def questions(store: Store, project_id: str, _source: Source) -> dict[str, str]:
    """One question of each of the project's SQL templates, by its id; its statement where rules cannot word it.

    No two are the same, so that a list of them can be chosen from.
    """
    with store.read() as connection:
        every = templates.sql(connection, project_id)
    named: dict[str, str] = {}
    taken: set[str] = set()
    for template in every:
        question = _question(template, _source.schema)
        if not question or question in taken:
            question = f"{question} {template.sql}".strip()
        taken.add(question)
        named[template.id] = question
    return named


def _question(template: SqlTemplate, schema: Schema | None) -> str:
    if schema is None:
        return ""
    try:
        return next((text.text for text in word_template(template, schema, form=QUESTION_FORM, n=1)), "")
    except PlumblineError:
        return ""


def sql_frame(
    sql: Sequence[SqlTemplate],
    texts: Sequence[TextTemplate],
    asked: Mapping[str, str],
    called: Mapping[str, str],
) -> pd.DataFrame:
    """SQL templates as a table for people.

    Args:
        sql: The templates.
        texts: The project's wordings.
        asked: What each asks the database to do, by its id.
        called: A question of each, by its id.
    """
    return pd.DataFrame(
        [
            {
                "id": template.id,
                "Question": called.get(template.id) or template.sql,
                "Status": STATUS[template.status],
                "Asks": asked.get(template.id) or "-",
                "Questions": figure(template, "questions"),
                "Wordings": sum(text.sql_template_id == template.id for text in texts),
                "Checks": summary(template.checks),
                "One answer": figure(template, "one_answer"),
                "Difficulty": DIFFICULTY.get(asked.get(template.id, "")),
                "From": template.origin,
                "SQL": template.sql,
            }
            for template in sql
        ],
        columns=["id", *COLUMNS],
    )


def figure(template: SqlTemplate, check: str) -> float | None:
    """The number a check of a template found, None where it was not reached."""
    return next((entry.value for entry in template.checks if entry.name == check), None)


def to_review(
    sql: Sequence[SqlTemplate], texts: Sequence[TextTemplate], lacking: Mapping[str, Sequence[str]]
) -> list[SqlTemplate]:
    """The templates with a wording that nobody approved or rejected, and those without one in every form."""
    drafts = {text.sql_template_id for text in texts if text.status is TemplateStatus.DRAFT}
    return [template for template in sql if template.id in drafts or template.id in lacking]


def lacking_forms(sql: Sequence[SqlTemplate], texts: Sequence[TextTemplate]) -> dict[str, tuple[str, ...]]:
    """The forms in which an approved template has no approved wording and another one has, by its id."""
    return instantiate.lacking_forms(
        [template for template in sql if template.status is TemplateStatus.APPROVED],
        [text for text in texts if text.status is TemplateStatus.APPROVED],
    )


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
