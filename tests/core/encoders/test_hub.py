"""The model hub is called through the gate, its redirects too."""

import pytest
from huggingface_hub import constants, set_client_factory
from huggingface_hub.utils._http import default_client_factory

from core.domain.errors import DestinationRefused
from core.encoders import hub
from tests.support.servers.answer_server import AnswerServer, Reply


@pytest.fixture
def hub_at(monkeypatch):
    """Puts the hub somewhere; afterwards its client is the usual one again."""
    for name in ("ALLOWED_HOSTS", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "is_offline_mode", lambda: False)
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", constants.HF_HUB_DISABLE_XET)

    def put(url):
        monkeypatch.setattr(constants, "ENDPOINT", url)

    yield put
    set_client_factory(default_client_factory)
    hub._through_gate.cache_clear()


def test_it_is_asked_where_it_may_be_called_and_not_elsewhere(hub_at, monkeypatch):
    with AnswerServer(lambda request: {"id": "org/model", "modelId": "org/model", "tags": []}) as server:
        hub_at(server.url.removesuffix("/ask"))
        monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
        assert not hub.can_fetch("org/model")
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "huggingface.co")
        assert not hub.can_fetch("org/model")
        assert server.requests == []
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
        assert hub.can_fetch("org/model")
        assert [request.path.split("?")[0] for request in server.requests][-1] == "/api/models/org/model"
        assert constants.HF_HUB_DISABLE_XET, "its other way out is closed"


def test_a_redirect_to_a_host_that_may_not_be_called_is_not_followed(hub_at, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "127.0.0.1")
    to = {"Location": "http://169.254.169.254/latest/meta-data/"}
    with AnswerServer(lambda request: Reply({}, status=302, headers=to)) as server:
        hub_at(server.url.removesuffix("/ask"))
        assert not hub.can_fetch("org/model")
        assert server.requests


def test_the_refused_host_behind_a_failure_is_found():
    refused = DestinationRefused("no", "hint", host="x")
    outer = ValueError("outer")
    outer.__cause__ = OSError("middle")
    outer.__cause__.__context__ = refused
    assert hub.refusal_in(outer) is refused
    assert hub.refusal_in(ValueError("alone")) is None
