"""What questions without a form are called beside those that have one."""

from __future__ import annotations

from core.domain.results.diagnosis import DiagnosisRow
from core.domain.results.forms import FROM_DOCUMENTS, WITHOUT_FORM, with_forms_named


def row(name: str, form: str = "", **attributes: str) -> DiagnosisRow:
    return DiagnosisRow(case_id=name, group_id=name, form=form, attributes=attributes)


def forms(*rows: DiagnosisRow) -> list[str]:
    return [named.form for named in with_forms_named(rows)]


def test_questions_without_a_form_get_a_name_beside_others_only():
    short, written, imported = row("a", "short"), row("b", made_by="count"), row("c", topic="fees")
    assert forms(short, written) == ["short", FROM_DOCUMENTS]
    assert forms(short, imported) == ["short", WITHOUT_FORM]
    # Of both origins: no name is right for all but this one.
    assert forms(short, written, imported) == ["short", WITHOUT_FORM, WITHOUT_FORM]
    assert forms(written, written) == ["", ""]
    assert forms() == []
