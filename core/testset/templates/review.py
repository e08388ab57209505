"""Templates inside a project, SQL and wordings, in one place for screens and commands."""

from __future__ import annotations

from core.testset.templates.sql_review import (
    checked_sql_template,
    delete_sql_template,
    import_sql_templates,
    propose_sql_templates,
    save_sql_template,
    set_sql_status,
)
from core.testset.templates.text_review import (
    ProposedWordings,
    checked_text_templates,
    delete_text_template,
    form_name,
    import_text_templates,
    propose_text_templates,
    save_text_template,
    set_text_status,
)

__all__ = [
    "ProposedWordings",
    "checked_sql_template",
    "checked_text_templates",
    "delete_sql_template",
    "delete_text_template",
    "form_name",
    "import_sql_templates",
    "import_text_templates",
    "propose_sql_templates",
    "propose_text_templates",
    "save_sql_template",
    "save_text_template",
    "set_sql_status",
    "set_text_status",
]
