"""One rule for what would keep a secret, one for the variables that may be referred to."""

import pytest

from core.net.gate.variables import is_setting
from core.net.secrets import holds_secret


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Authorization", "Bearer pw"),
        ("X-Api-Key", "pw"),
        ("X-MyKey", "pw"),
        ("X-Token-Id", "pw"),
        ("sessionKey", "pw"),
        ("passphrase", "pw"),
        ("X-Anything", "Bearer pw"),
        ("X-Anything", "sk-secret-0123456789"),
        ("api-key", "sk-secret ${NAME}"),
    ],
)
@pytest.mark.parametrize("ids", [False, True])
def test_a_secret_is_known_by_its_name_or_its_form(name, value, ids):
    assert holds_secret(name, value, ids=ids)


@pytest.mark.parametrize("name", ["X-Author", "max_tokens", "keywords", "monkey", "X-Team"])
def test_an_ordinary_word_is_no_secret(name):
    assert not holds_secret(name, "retail")


def test_a_long_id_is_let_through_only_where_services_want_one():
    assert holds_secret("OpenAI-Organization", "org-a3f9c2d4e5b60718293a4b5c")
    assert not holds_secret("OpenAI-Organization", "org-a3f9c2d4e5b60718293a4b5c", ids=True)


def test_only_variables_made_for_references_may_be_referred_to():
    assert [is_setting(f"PLUMBLINE_{name}") for name in ("TARGET_A", "LLM_KEY", "LLM_KEY_BANK")] == [False] * 3
    assert [is_setting(f"PLUMBLINE_{name}") for name in ("LLM_KEY_HOSTS", "DATABASE_URL")] == [True] * 2
    assert is_setting("plumbline_database_url")
    assert not is_setting("BANK_KEY")
