"""Which variable may go to which host."""

import pytest

from core.domain.errors import DestinationRefused, InvalidInput
from core.net.gate import Destination, allowed_variable, require_variable
from core.settings import settings

LLM, DB = Destination("llm.bank.example", 443), Destination("db.bank.example", 5432)


@pytest.fixture(autouse=True)
def own_machine(monkeypatch):
    for name in ("ALLOWED_HOSTS", "HOST_VARIABLES", "REQUIRE_LOGIN", "LLM_KEY_HOSTS"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)


def test_on_ones_own_machine_a_variable_goes_where_its_owner_sends_it():
    assert allowed_variable("BANK_KEY", LLM)
    assert allowed_variable("BANK_KEY", DB)
    assert not allowed_variable("PLUMBLINE_DATABASE_URL", LLM)


def test_once_variables_are_named_for_hosts_no_other_goes_anywhere(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "llm.bank.example=BANK_KEY, TEAM_KEY;\ndb.bank.example:5432=DB_PW;")
    assert [allowed_variable(name, LLM) for name in ("BANK_KEY", "TEAM_KEY", "DB_PW")] == [True, True, False]
    assert [allowed_variable("DB_PW", Destination("db.bank.example", port)) for port in (5432, 6432)] == [True, False]
    assert settings().host_variables == (
        ("llm.bank.example", ("BANK_KEY", "TEAM_KEY")),
        ("db.bank.example:5432", ("DB_PW",)),
    )
    with pytest.raises(DestinationRefused, match=r"BANK_KEY is not named for db\.bank\.example") as error:
        require_variable("BANK_KEY", DB)
    assert "PLUMBLINE_HOST_VARIABLES=db.bank.example=BANK_KEY" in error.value.hint


def test_with_sign_in_none_goes_anywhere_until_it_is_named(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    assert not allowed_variable("BANK_KEY", LLM)
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "10.0.0.0/8=NET_KEY; llm.bank.example=BANK_KEY")
    assert allowed_variable("BANK_KEY", LLM)
    assert allowed_variable("NET_KEY", Destination("10.9.8.7"))


def test_the_key_of_models_and_the_usual_key_go_to_their_own_hosts(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    monkeypatch.setenv("PLUMBLINE_LLM_KEY_HOSTS", "llm.bank.example")
    assert allowed_variable("PLUMBLINE_LLM_KEY", LLM)
    assert not allowed_variable("PLUMBLINE_LLM_KEY", DB)
    assert allowed_variable("OPENAI_API_KEY", Destination("api.openai.com", 443))
    assert not allowed_variable("OPENAI_API_KEY", Destination("api.openai.com", 80))
    assert not allowed_variable("OPENAI_API_KEY", LLM)


@pytest.mark.parametrize("text", ["llm.bank.example", "=X", "h=", "h=A B", "h=${A}", "h=A;x"])
def test_a_setting_that_cannot_be_read_is_named_and_not_repeated(monkeypatch, text):
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", text)
    with pytest.raises(InvalidInput, match="PLUMBLINE_HOST_VARIABLES has a value that cannot be used") as error:
        settings()
    assert "db.bank.example=BANK_PASSWORD" in error.value.hint
    assert text not in error.value.message


def test_a_host_in_it_that_cannot_be_read_is_named(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_HOST_VARIABLES", "https://llm.bank.example=BANK_KEY")
    with pytest.raises(InvalidInput, match=r"PLUMBLINE_HOST_VARIABLES has 'https://llm\.bank\.example'"):
        allowed_variable("BANK_KEY", LLM)
