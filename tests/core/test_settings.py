import os
import re
from pathlib import Path

import pytest

from core.domain.errors import InvalidInput
from core.settings import child_environment, environment_value, forbid_telemetry, settings


@pytest.fixture(autouse=True)
def blank(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    for name in list(os.environ):
        if name.startswith("PLUMBLINE_"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_defaults_put_the_store_into_the_data_folder(tmp_path):
    found = settings()
    assert found.data == tmp_path / "data"
    assert found.database_url == f"sqlite:///{tmp_path / 'data' / 'plumbline.sqlite'}"
    assert (found.actor, found.require_login, found.port, found.allowed_hosts) == ("local", False, 8501, ())
    assert (found.encoder, found.precision, found.nli, found.language) == ("minilm", "float32", "", "en")


def test_values_come_from_the_environment(monkeypatch, tmp_path):
    for name, value in {
        "DATA": str(tmp_path / "elsewhere"),
        "DATABASE_URL": "postgresql+psycopg://plumb@db/plumb",
        "ACTOR": "  anna ",
        "REQUIRE_LOGIN": "true",
        "PORT": "9000",
        "ALLOWED_HOSTS": "api.example.com, 10.0.0.4,",
        "LOG_LEVEL": "debug",
        "ENCODER": " /srv/models/own ",
        "PRECISION": "bfloat16",
        "NLI": "team/cross-encoder",
        "LANGUAGE": "pt-BR",
        "LLM_KEY_HOSTS": "llm.bank.example",
    }.items():
        monkeypatch.setenv(f"PLUMBLINE_{name}", value)
    found = settings()
    assert found.data == tmp_path / "elsewhere"
    assert found.database_url == "postgresql+psycopg://plumb@db/plumb"
    assert found.actor == "anna"
    assert found.require_login
    assert found.port == 9000
    assert found.allowed_hosts == ("api.example.com", "10.0.0.4")
    assert found.llm_key_hosts == ("llm.bank.example",)
    assert found.log_level == "DEBUG"
    assert (found.encoder, found.precision) == ("/srv/models/own", "bfloat16")
    assert (found.nli, found.language) == ("team/cross-encoder", "pt-BR")


def test_a_blank_variable_means_not_set(monkeypatch, tmp_path):
    monkeypatch.setenv("PLUMBLINE_PORT", "")
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", "")
    assert settings().port == 8501
    assert settings().database_url.startswith("sqlite:///")


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("PORT", "eight", "a whole number from 1 to 65535"),
        ("PORT", "70000", "a whole number from 1 to 65535"),
        ("REQUIRE_LOGIN", "perhaps", "true or false"),
        ("ACTOR", "   ", "1 to 200 characters"),
        ("LOG_LEVEL", "loud", "DEBUG, INFO, WARNING, ERROR"),
        ("ENCODER", "  ", "minilm"),
        ("PRECISION", "int8", "float32, or bfloat16"),
        ("NLI", "x" * 1_001, "cross-encoder"),
        ("LANGUAGE", "English!", "such as en, de or pt-BR"),
        ("DATABASE_URL", "s3cret-password", "an SQLAlchemy URL"),
    ],
)
def test_a_bad_value_names_the_variable_and_the_remedy(monkeypatch, name, value, remedy):
    monkeypatch.setenv(f"PLUMBLINE_{name}", value)
    with pytest.raises(InvalidInput, match=f"PLUMBLINE_{name} has a value") as caught:
        settings()
    assert remedy in caught.value.hint
    assert "pydantic" not in str(caught.value)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_data_folder_that_is_a_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("PLUMBLINE_DATA", str(tmp_path / "file"))
    with pytest.raises(InvalidInput, match="PLUMBLINE_DATA"):
        settings()


def test_the_password_of_the_store_is_never_printed(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_DATABASE_URL", "postgresql://plumb:s3cret@db/plumb")
    assert "s3cret" not in repr(settings())
    assert "s3cret" not in str(settings())


def test_the_model_libraries_are_told_to_report_nothing(monkeypatch):
    monkeypatch.delenv("HF_HUB_DISABLE_TELEMETRY", raising=False)
    monkeypatch.setenv("DO_NOT_TRACK", "0")
    forbid_telemetry()
    assert environment_value("HF_HUB_DISABLE_TELEMETRY") == "1"
    assert environment_value("DO_NOT_TRACK") == "0"  # what a person set stays
    monkeypatch.delenv("HF_HUB_DISABLE_TELEMETRY")


def test_other_values_are_read_here_too(monkeypatch):
    monkeypatch.setenv("BANK_PASSWORD", "x")
    assert environment_value("BANK_PASSWORD") == "x"
    assert environment_value("NOT_SET_ANYWHERE") is None
    assert child_environment(EXTRA="1")["EXTRA"] == "1"
    assert child_environment()["BANK_PASSWORD"] == "x"


def test_nothing_else_in_core_reads_the_environment():
    core = Path(__file__).resolve().parents[2] / "core"
    readers = [
        str(path.relative_to(core))
        for path in core.rglob("*.py")
        if re.search(r"os\.environ|getenv|import environ\b", path.read_text(encoding="utf-8"))
    ]
    assert readers == ["settings.py"]


def test_settings_are_read_again_only_where_the_environment_changed(monkeypatch, tmp_path):
    monkeypatch.delenv("PLUMBLINE_DATA", raising=False)
    monkeypatch.setenv("PLUMBLINE_ACTOR", "vera")
    first = settings()
    assert settings() is first
    monkeypatch.setenv("PLUMBLINE_ACTOR", "ann")
    assert settings().actor == "ann"
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert settings().data == tmp_path / "other" / "data"
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PLUMBLINE_DATA", "~/elsewhere")
    assert settings().data == tmp_path / "elsewhere"
    monkeypatch.setenv("HOME", "/")
    assert settings().data == Path("/elsewhere")
