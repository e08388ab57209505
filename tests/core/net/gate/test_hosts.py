"""Hosts as people and attackers write them: which are called, which never, which where the operator names them."""

from ipaddress import ip_address

import pytest

from core.domain.errors import DestinationRefused, InvalidInput, SourceUnavailable
from core.net.gate import Destination, addresses, admit, destination_of, resolving_with
from core.net.gate.ranges import Kind, kind_of


@pytest.fixture(autouse=True)
def own_machine(monkeypatch):
    for name in ("ALLOWED_HOSTS", "HOST_VARIABLES", "REQUIRE_LOGIN"):
        monkeypatch.delenv(f"PLUMBLINE_{name}", raising=False)


UNUSUAL = "an unusual way to write an address"
METADATA = "metadata service"

HOSTILE = {
    "http://2130706433/": UNUSUAL,
    "http://017700000001/": UNUSUAL,
    "http://0x7f000001/": UNUSUAL,
    "http://0x7f.0.0.1/": UNUSUAL,
    "http://0177.0.0.1/": UNUSUAL,
    "http://127.1/": UNUSUAL,
    "http://127.0.1/": UNUSUAL,
    "http://0/": UNUSUAL,
    "http://2852039166/latest/meta-data/": UNUSUAL,
    "http://0xa9fea9fe/": UNUSUAL,
    "http://0251.0376.0251.0376/": UNUSUAL,
    "http://169.254.43518/": UNUSUAL,
    "http://127.0.0.01/": UNUSUAL,
    "http://999.1.1.1/": UNUSUAL,
    "http://169.254.169.254/latest/meta-data/": METADATA,
    "http://169.254.169.254:80/": METADATA,
    "http://[::ffff:169.254.169.254]/": METADATA,
    "http://[::ffff:a9fe:a9fe]/": METADATA,
    "http://[::169.254.169.254]/": METADATA,
    "http://[64:ff9b::a9fe:a9fe]/": METADATA,
    "http://[2002:a9fe:a9fe::]/": METADATA,
    "http://[fd00:ec2::254]/": METADATA,
    "http://[FD00:EC2:0:0:0:0:0:254]/": METADATA,
    "http://169.254.170.2/v2/credentials": METADATA,
    "http://168.63.129.16/": METADATA,
    "http://100.100.100.200/": METADATA,
    "http://192.0.0.192/": METADATA,
    "http://169.254.1.1/": "a link-local address",
    "http://[fe80::1]/": "a link-local address",
    "http://[::ffff:169.254.7.7]/": "a link-local address",
    "http://[fe80::1%25eth0]/": "it has a % in it",
    "http://0.0.0.0/": "no address of a host",
    "http://[::]/": "no address of a host",
    "http://0.1.2.3/": "no address of a host",
    "http://224.0.0.1/": "no address of a host",
    "http://255.255.255.255/": "no address of a host",
    "http://240.1.1.1/": "no address of a host",
    "http://[ff02::1]/": "no address of a host",
    "http://[::ffff:0.0.0.0]/": "no address of a host",
    "http://llm.bank.example./": "ends in a dot",
    "http://localhost./": "ends in a dot",
    "http://127.0.0.1./": "ends in a dot",
    "http://\uff11\uff12\uff17.0.0.1/": "letters outside ASCII",
    "http://\u24db\u24de\u24d2alhost/": "letters outside ASCII",
    "http://llm.b\u0430nk.example/": "letters outside ASCII",
    "http://a,b/": "several hosts",
    "http://exa mple/": "not the name of a host",
    "http://a..b/": "not the name of a host",
    "http://-a.example/": "not the name of a host",
    "http://a_b!.example/": "not the name of a host",
    "http://%31%32%37.0.0.1/": "it has a % in it",
    "http://localhost%00.bank.example/": "it has a % in it",
    "http:///v1": "names no host",
    "http://:80/": "names no host",
    "http://" + "a" * 300 + "/": "not the name of a host",
}


@pytest.mark.parametrize("url", HOSTILE)
@pytest.mark.parametrize("listed", [False, True])
def test_a_hostile_host_is_refused_even_where_the_operator_allows_its_network(monkeypatch, url, listed):
    if listed and "link-local" not in HOSTILE[url]:
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "0.0.0.0/0,::/0,localhost")
    with pytest.raises(DestinationRefused) as error:
        admit(destination_of(url))
    assert HOSTILE[url] in error.value.message
    assert error.value.hint


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:11434/v1",
        "http://127.0.0.1:8080/v1",
        "http://127.0.1.1/",
        "http://[::1]:8000/v1",
        "http://ollama.localhost:11434",
        "https://llm.bank.example/v1",
        "https://LLM.Bank.Example/v1",
        "https://my-bank.openai.azure.com/openai/deployments/gpt-4o",
        "https://my-bank.services.ai.azure.com/models",
        "https://api.openai.com/v1",
        "http://vllm:8000/v1",
        "http://my_model:8000/v1",
        "http://10.20.30.40:8000/v1",
        "http://192.168.1.5/v1",
        "http://172.17.0.1:11434",
        "http://100.64.0.7",
        "http://[fd12:3456::1]:8000",
        "https://8.8.8.8/",
        "https://[2606:4700::1111]/",
        "https://xn--bcher-kva.example/",
        "http://host.docker.internal:11434",
        "http://1und1.example/",
        "http://3com.example",
        "http://7.example",
    ],
)
def test_an_honest_host_is_called_on_ones_own_machine_and_where_it_is_named(monkeypatch, url):
    destination = destination_of(url)
    admit(destination)
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    with pytest.raises(DestinationRefused, match="has sign-in and names no host") as error:
        admit(destination)
    assert "PLUMBLINE_ALLOWED_HOSTS" in error.value.hint
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", f"other.example, {destination.host}")
    admit(destination)
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "other.example")
    with pytest.raises(DestinationRefused, match="may not call"):
        admit(destination)


@pytest.mark.parametrize(
    ("entry", "allowed", "refused"),
    [
        ("db.bank.example:5432", ["db.bank.example:5432"], ["db.bank.example:5433", "bank.example:5432"]),
        (
            "db.bank.example",
            ["db.bank.example:5432", "DB.bank.example:1"],
            ["x.db.bank.example", "db.bank.example.evil"],
        ),
        ("10.20.0.0/16", ["10.20.3.4", "10.20.0.1:99"], ["10.21.0.1", "ten.example"]),
        ("10.0.0.4:443", ["10.0.0.4:443"], ["10.0.0.4:444", "10.0.0.5:443"]),
        ("[fd12::1]:8000", ["[fd12::1]:8000"], ["[fd12::1]:8001"]),
        ("fd12::1", ["[FD12:0::1]:8000"], ["[fd12::2]"]),
        ("127.0.0.1", ["127.0.0.1:1"], ["127.0.0.2", "localhost"]),
        ("localhost", ["localhost:1"], ["127.0.0.1", "x.localhost"]),
    ],
)
def test_an_entry_means_what_it_says(monkeypatch, entry, allowed, refused):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", entry)
    for host in allowed:
        admit(destination_of(f"x://{host}/"))
    for host in refused:
        with pytest.raises(DestinationRefused, match="may not call"):
            admit(destination_of(f"x://{host}/"))


@pytest.mark.parametrize(
    "entry", ["*.bank.example", "https://llm.bank.example", "10.0.0.0/99", "a b", "h:port", "2130706433"]
)
def test_an_entry_that_cannot_be_read_closes_the_gate_and_is_named(monkeypatch, entry):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", f"llm.bank.example,{entry}")
    with pytest.raises(InvalidInput, match="PLUMBLINE_ALLOWED_HOSTS has") as error:
        admit(Destination("llm.bank.example"))
    assert "10.20.0.0/16" in error.value.hint


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("8.8.8.8", Kind.PUBLIC),
        ("::ffff:8.8.8.8", Kind.PUBLIC),
        ("2002:808:808::", Kind.PUBLIC),
        ("10.0.0.1", Kind.PRIVATE),
        ("::ffff:10.0.0.1", Kind.PRIVATE),
        ("64:ff9b::10.0.0.1", Kind.PRIVATE),
        ("fc00::1", Kind.PRIVATE),
        ("fec0::1", Kind.PRIVATE),
        ("127.9.9.9", Kind.LOOPBACK),
        ("::1", Kind.LOOPBACK),
        ("::ffff:127.0.0.1", Kind.LOOPBACK),
        ("::127.0.0.1", Kind.LOOPBACK),
        ("2002:7f00:1::", Kind.LOOPBACK),
        ("2001:0:a:b:c:d:80ff:fffe", Kind.LOOPBACK),
        ("169.254.0.1", Kind.LINK_LOCAL),
        ("fe80::1", Kind.LINK_LOCAL),
        ("169.254.169.254", Kind.METADATA),
        ("::", Kind.UNUSABLE),
        ("239.1.1.1", Kind.UNUSABLE),
    ],
)
def test_an_address_is_of_the_kind_that_its_packets_end_at(text, kind):
    assert kind_of(ip_address(text)) is kind


LEADS = {
    "127.0.0.1": "this machine under another name",
    "127.0.1.1": "this machine under another name",
    "::1": "this machine under another name",
    "::ffff:127.0.0.1": "this machine under another name",
    "169.254.169.254": METADATA,
    "fd00:ec2::254": METADATA,
    "::ffff:169.254.169.254": METADATA,
    "169.254.9.9": "a link-local address",
    "fe80::7": "a link-local address",
    "0.0.0.0": "no address of a host",
    "::": "no address of a host",
}


@pytest.mark.parametrize("address", LEADS)
@pytest.mark.parametrize("others", [[], ["93.184.216.34"]])
def test_a_name_that_leads_where_nothing_is_called_is_refused(monkeypatch, address, others):
    for allowed in ("", "trick.example"):
        monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", allowed)
        with resolving_with(lambda host, port: [*others, address]), pytest.raises(DestinationRefused) as error:
            addresses(Destination("trick.example", 80), 80)
        assert "trick.example, which leads to" in error.value.message
        assert LEADS[address] in error.value.message


def test_the_operator_can_name_an_address_that_a_name_leads_to(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "mybox,127.0.1.1,dns.example,169.254.20.0/24")
    with resolving_with(lambda host, port: ["127.0.1.1"]):
        assert addresses(Destination("mybox", 80), 80) == ["127.0.1.1"]
    with resolving_with(lambda host, port: ["169.254.20.10"]):
        assert addresses(Destination("dns.example", 80), 80) == ["169.254.20.10"]
    with resolving_with(lambda host, port: ["169.254.169.254"]), pytest.raises(DestinationRefused, match=METADATA):
        addresses(Destination("dns.example", 80), 80)


def test_names_of_an_organisation_lead_to_private_addresses(monkeypatch):
    monkeypatch.setenv("PLUMBLINE_REQUIRE_LOGIN", "1")
    monkeypatch.setenv("PLUMBLINE_ALLOWED_HOSTS", "llm.bank.example")
    with resolving_with(lambda host, port: ["10.1.2.3", "fd12::1"]):
        assert addresses(Destination("llm.bank.example", 443), 443) == ["10.1.2.3", "fd12::1"]


def test_a_name_without_an_address_is_told():
    def nowhere(host, port):
        raise OSError("no such host")

    with resolving_with(nowhere), pytest.raises(SourceUnavailable, match=r"There is no host llm\.bank\.example"):
        addresses(Destination("llm.bank.example"), 443)
    with resolving_with(lambda host, port: []), pytest.raises(SourceUnavailable, match="There is no host"):
        addresses(Destination("llm.bank.example"), 443)
