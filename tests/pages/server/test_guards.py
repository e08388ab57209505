"""Which names a server answers to."""

from __future__ import annotations

import socket

import pytest
from streamlit import config

from pages.server.guards import answers_to

OWN = socket.gethostname()


@pytest.fixture
def named():
    before = config.get_option("server.allowedHosts")

    def name(*hosts):
        config.set_option("server.allowedHosts", list(hosts))

    yield name
    config.set_option("server.allowedHosts", before)


@pytest.mark.parametrize(
    "host",
    ["localhost", "localhost:8501", "127.0.0.1:8501", "[::1]:8501", "10.0.0.4:8501", "192.168.1.7", OWN, f"{OWN}:1"],
)
def test_a_server_without_names_answers_to_addresses_and_its_own_name(named, host):
    named()
    assert answers_to(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8501",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "localhost@evil.example",
        "evil.example/localhost",
        "localhost, evil.example",
        "localhost:port",
        "2130706433",
        ":8501",
    ],
)
@pytest.mark.parametrize("names", [(), ("plumbline.bank.example",)])
def test_no_server_answers_to_a_foreign_name(named, host, names):
    named(*names)
    assert not answers_to(host)


def test_a_server_with_names_answers_to_these_and_to_this_machine(named):
    named("plumbline.bank.example", "*.inner.bank.example")
    assert answers_to("plumbline.bank.example")
    assert answers_to("Plumbline.Bank.Example:443")
    assert answers_to("a.inner.bank.example")
    assert answers_to("127.0.0.1:8501")
    assert not answers_to("10.0.0.4:8501")
    assert answers_to("10.0.0.4:8501", anywhere=True)
    assert not answers_to("evil.example", anywhere=True)
    assert not answers_to(f"{OWN}.other")
