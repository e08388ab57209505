"""What Streamlit is told at the start: our file, the operator's file and variables, the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit import config

from pages.server.server_options import options


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds none of Streamlit's files, as an installed Plumbline may be started in."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(config, "_main_script_path", None)
    return tmp_path


def operator_file(folder: Path, text: str) -> None:
    (folder / ".streamlit").mkdir()
    (folder / ".streamlit" / "config.toml").write_text(text)


def test_our_look_and_our_guards_hold_in_any_folder():
    chosen = options("localhost", 8501)
    assert chosen["theme.light.primaryColor"] == "#0072B2"
    assert chosen["theme.dark.sidebar.backgroundColor"] == "#171C22"
    assert chosen["client.showErrorDetails"] == "none"
    assert chosen["server.maxUploadSize"] == 50


def test_a_file_of_the_operator_wins_for_what_it_sets(elsewhere):
    operator_file(elsewhere, "[server]\nmaxUploadSize = 200\n")
    chosen = options("localhost", 8501)
    assert "server.maxUploadSize" not in chosen
    assert chosen["client.showErrorDetails"] == "none"


def test_a_variable_wins_over_our_file(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_MAX_UPLOAD_SIZE", "7")
    monkeypatch.setenv("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "true")
    chosen = options("localhost", 8501)
    assert chosen["server.maxUploadSize"] == 7
    assert chosen["browser.gatherUsageStats"] is False


def test_a_server_for_a_network_takes_its_names_from_the_environment(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_ALLOWED_HOSTS", "plumbline.bank.example, 10.0.0.4")
    assert options("0.0.0.0", 8501)["server.allowedHosts"] == ["plumbline.bank.example", "10.0.0.4"]
    assert options("localhost", 8501)["server.allowedHosts"] == ["localhost", "127.0.0.1"]


def test_a_damaged_file_of_the_operator_leaves_ours(elsewhere):
    operator_file(elsewhere, "[server\n")
    assert options("localhost", 8501)["server.maxUploadSize"] == 50


def test_a_name_that_no_option_has_is_left_alone(monkeypatch):
    monkeypatch.setenv("STREAMLIT_SERVER_NO_SUCH_OPTION", "1")
    assert not [name for name in options("localhost", 8501) if "such" in name.lower()]
