"""Names that people could not tell apart by looking are refused, wherever a person gives one."""

import pytest

from core.domain.errors import InvalidInput
from core.project.service import create_project
from core.store.database import Store
from core.text.display.visible import require_visible
from tests.support.small_bank import ACTOR
from tests.support.stores import blank_url


@pytest.mark.parametrize("sign", ["\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad", "\x07", "\u3164"])
def test_a_sign_that_cannot_be_seen_is_named(sign):
    with pytest.raises(InvalidInput) as refused:
        require_visible(f"My{sign} bank", "a project")
    assert f"U+{ord(sign):04X}" in str(refused.value)
    assert sign not in str(refused.value)


@pytest.mark.parametrize("name", ["Prüfung 2026", "بنك", "銀行", "Zoë O'Neill", "Bank \N{CHECK MARK}", "नेपाल बैंक"])
def test_names_in_any_writing_are_taken(name):
    require_visible(name, "a project")


def test_a_project_cannot_take_the_look_of_another(tmp_path):
    with Store.open(blank_url(tmp_path)) as store:
        create_project(store, "My bank", ACTOR)
        with pytest.raises(InvalidInput, match="a sign that cannot be seen"):
            create_project(store, "My bank\u200b", ACTOR)
