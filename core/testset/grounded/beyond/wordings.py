"""Wordings of look-ups and of what goes beyond them."""

from __future__ import annotations

from core.domain.sources.schema import Schema
from core.domain.testset.templates import SqlTemplate, TextTemplate
from core.testset.grounded.beyond.proposing import planned_meaning
from core.testset.grounded.wording.generator import generate_text_templates


def word_template(template: SqlTemplate, schema: Schema, *, form: str, n: int = 3) -> list[TextTemplate]:
    """As :func:`generate_text_templates`, with the words of the plan where a template goes beyond a look-up."""
    meaning = planned_meaning(template.sql, schema)
    return generate_text_templates(template, schema, form=form, n=n, meaning=meaning)
