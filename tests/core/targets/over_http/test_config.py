"""Settings of HTTP targets: what is accepted, what is refused in plain words, and what no file ever holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.domain.errors import InvalidInput, UnreadableFile
from core.domain.specs import short_spec
from core.targets.over_http.config import check_config
from core.targets.over_http.file import dump_config, parse_config, parse_request, read_config, save_config

GOOD = {
    "url": "https://rag.bank.example/ask?tenant=retail",
    "headers": {"Authorization": "Bearer ${RAG_TOKEN}"},
    "request": {"messages": [{"role": "user", "content": "{{question}}"}], "max_tokens": 200},
    "response": {"answer": "$.choices[0].message.content", "contexts": "$.sources[*]"},
}
OAUTH = {"token_url": "https://login.bank.example/token", "client_id": "p", "client_secret": "${RAG_TOKEN}"}
JOB = {"id": "$.id", "url": "https://rag.bank.example/jobs/{{job_id}}", "status": "$.status"}


def test_a_file_and_a_form_give_the_same_settings(tmp_path):
    config = check_config(GOOD)
    path = save_config(config, tmp_path / "targets")
    assert read_config(path) == config
    assert save_config(parse_config(dump_config(config).encode(), "x"), tmp_path / "targets") == path
    assert path.name.startswith("rag.bank.example-")
    assert short_spec(f"http:{path}") == "rag.bank.example"
    port = save_config(check_config({**GOOD, "url": "http://localhost:8699/v1"}), tmp_path / "targets")
    assert short_spec(f"http:{port}") == "localhost:8699"
    assert save_config(check_config({**GOOD, "rate": 2}), tmp_path / "targets") != path
    # Runs of settings that an earlier version stored stay runs of one target.
    earlier = path.rename(path.with_name(f"rag-bank-example{path.name.removeprefix('rag.bank.example')}"))
    assert save_config(config, tmp_path / "targets") == earlier
    assert short_spec(f"http:{earlier}") == "rag-bank-example"


def test_the_example_of_the_documentation_is_accepted():
    text = (Path(__file__).parents[4] / "docs" / "targets.md").read_text(encoding="utf-8")
    config = parse_config(text.split("```yaml\n")[1].split("```")[0].encode(), "targets.md")
    assert (config.rate, config.response.latency_unit) == (5, "ms")
    stream, job, oauth = (parse_config(part.split("```")[0].encode(), "x") for part in text.split("```yaml\n")[2:])
    assert stream.response.contexts == "$.sources"
    assert job.job is not None
    assert job.job.timeout_s == 300
    assert oauth.oauth is not None
    assert oauth.addresses == ("https://rag.bank.example/ask", "https://login.bank.example/oauth2/token")


def test_what_is_left_out_has_its_usual_value():
    config = check_config(GOOD)
    assert (config.method, config.timeout_s, config.concurrency, config.rate, config.retries) == (
        "POST",
        60,
        4,
        None,
        3,
    )
    assert "timeout_s" not in dump_config(config)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"url": "ftp://h/x"}, "url: it is not the address of a web service"),
        ({"url": "https://h:port/x"}, "url: it is not an address"),
        ({"url": "https://ada:pw-9@h/x"}, "url: it carries a user or a password"),
        ({"url": "https://h/x?api_key=pw-9"}, "url: its parameter api_key would keep a secret"),
        ({"url": "https://h/x?q=${RAG_TOKEN}"}, "url: its parameter q refers to an environment variable"),
        ({"url": "https://${HOST}/x"}, "url: its host is written out"),
        ({"url": "https://{{question}}.h/x"}, "url: its host is written out"),
        ({"url": "https://h/${RAG_TOKEN}/x"}, "url: its path refers to an environment variable"),
        (
            {"url": "https://h/{{query}}"},
            "url: it has {{query}}, and only {{question}}, {{case_id}} and {{sess",
        ),
        (
            {"oauth": {**OAUTH, "client_secret": "pw-9"}},
            "oauth.client_secret: it is ${NAME} of an environment",
        ),
        ({"oauth": {**OAUTH, "token_url": "h/t"}}, "oauth.token_url: it is not the address of a web service"),
        ({"oauth": OAUTH, "headers": {"authorization": "${RAG_TOKEN}"}}, "Authorization is set by oauth"),
        ({"job": {**JOB, "url": "https://h/jobs"}}, "job.url: it does not say where the job's id goes"),
        ({"job": {**JOB, "url": "https://evil.example/{{job_id}}"}}, "job: its address is on another host"),
        ({"job": {**JOB, "id": "id"}}, "job.id: 'id' is not a JSONPath"),
        ({"client_key": "key.pem"}, "client_certificate: it is missing beside client_key"),
        ({"client_key_password": "pw-9"}, "client_key_password: it is ${NAME} of an environment variable"),
        ({"url": None}, "url:"),
        ({"method": "DELETE"}, "method: input should be 'POST'"),
        ({"headers": {"Authorization": "Bearer pw-9"}}, "headers: Authorization would keep a secret"),
        ({"headers": {"X-Api-Key": "pw-9 ${RAG_TOKEN}"}}, "headers: X-Api-Key would keep a secret"),
        ({"headers": {"X-Trace": "pw-9a8b7c6d5e4f3a2b1c0d"}}, "headers: X-Trace would keep a secret"),
        ({"headers": {"X-A": "a\r\nX-B: b"}}, "headers: X-A has a character that a header cannot contain"),
        ({"headers": {"X A": "a"}}, "headers: 'X A' is not a valid header name"),
        ({"headers": {"Host": "other"}}, "headers: Host is set by Plumbline"),
        ({"headers": {"X-A": "${PLUMBLINE_DATABASE_URL}"}}, "is a setting of Plumbline and is sent nowhere"),
        ({"headers": ["a"]}, "headers: input should be a valid dictionary"),
        ({"request": {"q": "no place"}}, "request: it does not say where the question goes"),
        ({"request": {"q": "{{question}} {{answer}}"}}, "request: it has {{answer}}"),
        ({"request": {"q": "{{question}}", "api_key": "pw-9"}}, "request: api_key would keep a secret"),
        ({"request": {"q": "{{question}}", "key": "${RAG_TOKEN}"}}, "request: key refers to an environment variable"),
        ({"request": {"q": ["{{question}}"]}, "method": "GET"}, "request: with GET it must be names and plain values"),
        ({"response": {"answer": "answer"}}, "response.answer: 'answer' is not a JSONPath (it does not begin with $)"),
        ({"response": {"answer": "$.a["}}, "response.answer: '$.a[' is not a JSONPath"),
        ({"response": {"answer": "$.a[?match(@.b, '(a+)+')]"}}, "response.answer:"),
        ({"response": {"answer": "$.a", "latency_unit": "h"}}, "response.latency_unit:"),
        ({"timeout_s": 0}, "timeout_s: input should be greater than 0"),
        ({"concurrency": 1000}, "concurrency: input should be less than or equal to 256"),
        ({"rate": "fast"}, "rate: input should be a valid number"),
        ({"retries": 99}, "retries:"),
        ({"timeout": 3}, "timeout: there is no such field"),
    ],
)
def test_a_mistake_is_told_by_field_and_never_repeats_a_secret(change, message):
    with pytest.raises(InvalidInput) as error:
        check_config({**GOOD, **change})
    assert message in error.value.message
    assert error.value.hint
    assert "pw-9" not in str(error.value)
    assert error.value.__cause__ is None


def test_all_mistakes_are_told_at_once():
    with pytest.raises(InvalidInput) as error:
        check_config({**GOOD, "rate": 0, "retries": -1, "url": "nowhere"})
    assert all(field in error.value.message for field in ("url:", "rate:", "retries:"))


def test_a_header_that_refers_to_a_variable_may_name_its_scheme():
    headers = {
        "Authorization": "Bearer ${A}",
        "X-Api-Key": "${A}",
        "X-Author": "Ada",
        "Api-Key": "${PLUMBLINE_TARGET_K}",
    }
    assert check_config({**GOOD, "headers": headers}).headers == headers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"url: [", "is not YAML"),
        (b"url: https://h/\nrequest: {q: {{question}}}", "is not YAML"),
        (b"\xff\xfe\x00", "is not UTF-8|is not YAML"),
        (b"a: &a [1]\nb: *a", "has an alias in line 2"),
        (b"url: 1\nheaders: {a: 1, a: 2}", "gives a a second time in line 2"),
        (b"x: !!python/object/apply:os.getcwd []", "is not YAML"),
        (b"a: " + b"[" * 50_000, "nested too deeply in line 1"),
        (b"#" * 200_000, "more than 100,000 bytes"),
    ],
)
def test_a_file_that_is_no_settings(text, message):
    with pytest.raises(UnreadableFile, match=message):
        parse_config(text, "rag.yaml")


@pytest.mark.parametrize("text", [b"", b"- a", b"just words"])
def test_a_file_of_something_else(text):
    with pytest.raises(InvalidInput, match="not names and values"):
        parse_config(text, "rag.yaml")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UnreadableFile, match="cannot be opened"):
        read_config(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"q": {{question}}}', {"q": "{{question}}"}),
        ('{"q": "say {{question}}", "id": {{ case_id }}}', {"q": "say {{question}}", "id": "{{case_id}}"}),
        ('"{{question}}"', "{{question}}"),
        ('{"q": "\\"{{question}}\\""}', {"q": '"{{question}}"'}),
    ],
)
def test_a_request_template_as_a_person_writes_it(text, expected):
    assert parse_request(text) == expected


@pytest.mark.parametrize("text", ["", "{", '{"q": {{other}}}', "[" * 100_000])
def test_a_request_that_is_no_json(text):
    with pytest.raises(InvalidInput):
        parse_request(text)
