"""Heads go to a file, over HTTP and by mail; what fails is recorded and takes nothing back."""

import json
import socketserver
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.audit import anchors, sending
from core.audit.verification import verify
from core.domain.errors import InvalidInput
from core.project.service import create_project
from core.store.database import Store
from core.store.trail import audit_details
from tests.support.stores import blank_url


@pytest.fixture
def store(tmp_path, monkeypatch):
    for name in ("REQUIRE_LOGIN", "ALLOWED_HOSTS", "AUDIT_ANCHORS"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    with Store.open(blank_url(tmp_path)) as opened:
        create_project(opened, "Bank", "anna")
        yield opened


@contextmanager
def serving(server):
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def endpoint(status, bodies):
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args):
            pass

    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"http://127.0.0.1:{port}/heads?token=hidden"


@contextmanager
def mailbox(mails):
    class Handler(socketserver.StreamRequestHandler):
        def handle(self):
            self.wfile.write(b"220 test\r\n")
            for line in self.rfile:
                word = line[:4].upper()
                if word == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    mail = []
                    for text in self.rfile:
                        if text == b".\r\n":
                            break
                        mail.append(text)
                    mails.append(b"".join(mail))
                self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 fine\r\n")
                if word == b"QUIT":
                    return

    with serving(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)) as port:
        yield f"smtp://127.0.0.1:{port}/auditor@bank.example"


@pytest.mark.slow
def test_a_head_reaches_every_place_and_holds(store, tmp_path):
    bodies, mails = [], []
    head = anchors.newest(store)
    with endpoint(204, bodies) as web, mailbox(mails) as mail:
        outcome = sending.anchor(store, [str(tmp_path / "heads"), web, mail], actor="anna", reason="test")
    assert outcome.failed == {}
    assert (outcome.anchor.seq, outcome.anchor.hash) == (head.seq, head.hash)
    assert json.loads(bodies[0])["hash"] == head.hash
    assert head.hash in mails[0].decode()
    assert f"Subject: Plumbline audit head {head.seq}" in mails[0].decode()
    (tmp_path / "mail").write_bytes(mails[0])
    for name in ("heads", "mail"):
        assert verify(store, anchors=anchors.read(tmp_path / name)).ok
    with store.read() as connection:
        detail = audit_details.latest(connection, sending.ACTION, str(head.seq))
    assert detail["sent"] == list(outcome.sent)
    assert "hidden" not in json.dumps(detail)
    assert sending.last_anchored(store).subject == str(head.seq)


def test_what_fails_is_said_and_recorded(store, tmp_path):
    with endpoint(500, []) as web:
        outcome = sending.anchor(store, [web, str(tmp_path / "no" / "folder")], actor="anna", reason="test")
    assert list(outcome.failed.values()) == ["It replied with status 500.", "No such file or directory"]
    assert outcome.sent == ()


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("", "is blank"),
        ("ftp://bank.example/heads", "no place to anchor to"),
        ("https:///heads", "no place to anchor to"),
        ("smtp://mail.bank.example", "names no mailbox"),
    ],
)
def test_what_is_no_place_is_refused_before_anything_is_sent(store, place, message):
    with pytest.raises(InvalidInput, match=message):
        sending.anchor(store, [place], actor="anna", reason="test")
    with pytest.raises(InvalidInput, match="no place to anchor to"):
        sending.anchor(store, [], actor="anna", reason="test")


def test_a_host_that_may_not_be_called_is_not(store, monkeypatch):
    bodies = []
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "vault.bank.example")
    with endpoint(200, bodies) as web:
        outcome = sending.anchor(store, [web], actor="anna", reason="test")
    assert bodies == []
    assert "may not" in next(iter(outcome.failed.values()))


def test_a_sign_off_is_anchored_where_the_operator_says_to(store, tmp_path, monkeypatch):
    sending.sign_off(store, "anna", "test_set.freeze")
    assert sending.last_anchored(store) is None
    monkeypatch.setenv("PLUMBLINE_AUDIT_ANCHORS", f"{tmp_path / 'heads'}, {tmp_path / 'no' / 'folder'}")
    sending.sign_off(store, "anna", "test_set.freeze")
    assert [anchor.reason for anchor in anchors.read(tmp_path / "heads")] == ["test_set.freeze"]
    monkeypatch.setenv("PLUMBLINE_AUDIT_ANCHORS", "smtp://nobody")
    sending.sign_off(store, "anna", "test_set.freeze")  # a wrong setting takes no sign-off back
