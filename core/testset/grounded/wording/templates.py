"""The identity of a wording."""

from __future__ import annotations

from core.domain.identity import short_hash


def text_id(sql_template_id: str, form: str, text: str) -> str:
    """A wording's stable id: the same words for the same SQL template and form have the same id.

    Blanks at the ends matter to GRAMMAR's files and so to the id.
    """
    return short_hash({"sql_template": sql_template_id, "form": form, "text": text})
