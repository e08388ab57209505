"""What a person entered for the system under test is kept without secrets, for that person."""

from core.targets.over_http.config import check_config
from core.targets.trial.entered import Entered, keep_entered, read_entered

CONFIG = check_config(
    {
        "url": "https://rag.example.com/ask",
        "headers": {"Authorization": "Bearer ${RAG_TOKEN}"},
        "request": {"question": "{{question}}"},
        "response": {"answer": "$.answer"},
    }
)


def test_what_was_entered_is_read_again_by_its_person_alone(tmp_path):
    entered = Entered(target="http", config=CONFIG)
    keep_entered(tmp_path, "ada", entered)
    assert read_entered(tmp_path, "ada") == entered
    assert read_entered(tmp_path, "bob") == Entered()
    (kept,) = tmp_path.iterdir()
    written = kept.stat().st_mtime_ns
    keep_entered(tmp_path, "ada", entered)
    assert kept.stat().st_mtime_ns == written, "the same is not written again"


def test_what_cannot_be_read_is_nothing(tmp_path, monkeypatch):
    keep_entered(tmp_path, "ada", Entered(target="http", config=CONFIG))
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "elsewhere.example")
    assert read_entered(tmp_path, "ada") == Entered(target="http"), "a host that may no longer be called"
    (kept,) = tmp_path.iterdir()
    for content in (b"", b"[1]", b"{}", b'{"target": "http", "http": "url: ["}', b"\xff"):
        kept.write_bytes(content)
        assert read_entered(tmp_path, "ada").config is None
