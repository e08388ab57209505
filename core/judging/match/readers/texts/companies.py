"""A company's name without its legal form, by the forms of many countries that cleanco keeps."""

from __future__ import annotations

import re
from functools import lru_cache

from cleanco import basename

LEAST_FORM = 3
"""Letters of a form without a point: shorter ones ("as", "ab") end other names too."""
LEAST_NAME = 4
"""Letters of what is left."""
_CO_LTD = re.compile(r"\bco\., ?ltd", re.IGNORECASE)
"""Two forms, one behind the other."""
_NO_FORMS = frozenset({"private", "unlimited", "company"})
"""What cleanco takes for a form and other names end with."""


@lru_cache(maxsize=4096)
def without_legal_form(name: str) -> str:
    """The name in front of its legal form; empty where it has none, or what is left would be no name.

    >>> without_legal_form("Uszczelki Morawski Sp. z o.o."), without_legal_form("Norte Frutas Ltda")
    ('Uszczelki Morawski', 'Norte Frutas')
    >>> without_legal_form("Level AB"), without_legal_form("Semi Private")
    ('', '')
    """
    core = basename(name)
    core = basename(core) if _CO_LTD.search(name) else core
    form = name[len(core) :].strip(" ,&") if name.startswith(core) else ""
    letters = form.replace(".", "")
    told = "." in form or " " in form or len(letters) >= LEAST_FORM
    return core if letters and told and form.casefold() not in _NO_FORMS and len(core) >= LEAST_NAME else ""
