"""A system over HTTP: its settings by form or by file, and a test of them."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.data_folder import project_folder
from core.domain.errors import DestinationRefused
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.net.gate.refusals import recorded
from core.targets.over_http.config import HttpConfig, check_config
from core.targets.over_http.file import dump_config, parse_config, parse_headers, parse_request
from core.targets.trial.entered import Entered, keep_entered, read_entered
from pages.evaluate.run import http_fields, http_more, target_trial
from pages.kit import errors, state
from pages.kit.frame import Page

HTTP = "http"
FORM, FILE = "Fill in a form", "Upload a YAML file"
_REFUSED = "http_refused"
PATHS = {
    "contexts": ("Passages", "$.contexts[*]", "Texts, or objects with a text and an id."),
    "document_ids": ("Document ids", "$.sources[*].id", "In the order of the passages."),
    "latency": ("Latency", "$.took_ms", "Without it the time of the request counts."),
    "tokens": ("Tokens", "$.usage.total_tokens", "Of prompt and answer together."),
    "scores": ("Scores of passages", "$.sources[*].score", "In the order of the passages."),
    "abstained": ("Abstained", "$.no_answer", "True, or a word such as NO_ANSWER, where the system could not answer."),
}


def choose(page: Page, test_set: TestSet) -> HttpConfig | None:
    """The settings a person gave by form or file; None while they are not whole, which is told.

    Args:
        page: The page.
        test_set: Whose first question the test puts.
    """
    folder = project_folder(page.project.id, "targets")
    http_fields.begin(page.project.id, read_entered(folder, page.actor).config)
    with st.container(border=True, key="http_form"):
        way = st.segmented_control(
            "Settings", [FORM, FILE], key="http_way", default=FORM, required=True, persist_state="session"
        )
        config: HttpConfig | None = None
        with errors.shown():
            config = _config(page, by_file=way == FILE)
        if config is None:
            return None
        if page.may(Role.VALIDATOR):
            keep_entered(folder, page.actor, Entered(target=HTTP, config=config))
        if way == FILE:
            st.code(dump_config(config), language="yaml")
        if not config.verify:
            st.warning("The server's certificate is not checked: whoever sits between can read and change everything.")
        if page.may(Role.VALIDATOR):
            target_trial.draw(page, test_set, config, key="http")
        st.download_button(
            "Download these settings", dump_config(config), file_name="target.yaml", key="http_yaml", on_click="ignore"
        )
    return config


def _config(page: Page, *, by_file: bool) -> HttpConfig | None:
    """The settings, None while they are not whole; a host that may not be called is recorded once.

    Raises:
        PlumblineError: They cannot be used.
    """
    try:
        return _by_file() if by_file else _by_form()
    except DestinationRefused as error:
        if state.note(_REFUSED) != error.host:
            state.keep(_REFUSED, error.host)
            with recorded(page.store, page.project.id, page.actor):
                raise
        raise


def _by_file() -> HttpConfig | None:
    upload = st.file_uploader(
        "Settings of the target",
        type=["yaml", "yml"],
        key="http_file",
        help="url and request at least; secrets only as ${NAME} of an environment variable.",
    )
    if upload is None:
        st.caption("A file with url, headers, request and response. The form can be downloaded as one.")
        return None
    return parse_config(upload.getvalue(), upload.name)


def _by_form() -> HttpConfig | None:
    document = _fields()
    if document is None:
        st.caption("Give the URL to go on.")
        return None
    return check_config(
        {
            **document,
            "headers": parse_headers(document["headers"]),
            "request": parse_request(document["request"]) if document["request"].strip() else None,
        }
    )


def _preset() -> None:
    """The button that fills the form in for a usual kind of service."""
    if st.button(
        "Fill in for an OpenAI-compatible service",
        key="http_chat",
        help="Request, answer and tokens of chat completions. Give its address, such as "
        "https://rag.example.com/v1/chat/completions, and the name of its model in the request.",
    ):
        http_fields.put_chat()


def _fields() -> dict[str, Any] | None:
    """What stands in the fields; None while the least is missing."""
    _preset()
    address, method = st.columns([5, 1])
    url = address.text_input(
        "URL", key="http_url", placeholder="https://rag.example.com/ask", max_chars=2_000, persist_state="session"
    )
    verb = method.selectbox("Method", ["POST", "PUT", "PATCH", "GET"], key="http_method", persist_state="session")
    left, right = st.columns(2)
    with left:
        request = st.text_area(
            "Request",
            key="http_request",
            height=150,
            persist_state="session",
            help="JSON. {{question}}, {{case_id}} and {{session_id}} (new for each question) stand for their values, "
            "whatever characters they contain; they may stand in the URL, too. With GET its names become query "
            "parameters. Empty: nothing is sent but the URL.",
        )
        headers = st.text_area(
            "Headers, one per line",
            key="http_headers",
            height=100,
            placeholder="Authorization: Bearer ${RAG_TOKEN}",
            help="NAME: VALUE or NAME=VALUE. Write a secret as ${NAME}: it is taken from that environment variable and "
            "never stored.",
            persist_state="session",
        )
    with right:
        answer = st.text_input(
            "Answer",
            key="http_answer",
            persist_state="session",
            help="JSONPath of the answer in the reply, such as $.choices[0].message.content; of a stream in each "
            "event. Empty: the reply is read as it is, by the names that usual systems have.",
        )
        paths = {name: _path(name) for name in ("contexts", "document_ids")}
        with st.expander("What else the reply contains", key="http_more"):
            named = st.text_input(
                "Name of the document's id in a passage",
                key="http_document_id",
                placeholder="policy_no",
                help="Where passages are objects. Empty: document_id, source, file_name and other usual names.",
                persist_state="session",
            )
            paths |= {name: _path(name) for name in ("scores", "latency", "tokens", "abstained")}
            words = st.text_input(
                "Words that mean abstained",
                key="http_abstained_values",
                placeholder="NO_ANSWER, E-2*",
                help="Separated by commas; * stands for any text. Empty: the usual ones.",
                persist_state="session",
            )
            unit = st.selectbox("Latency is in", ["s", "ms"], key="http_unit", persist_state="session")
    more = http_more.signing_in() | http_more.job()
    limits = _limits()
    if not url or not url.strip():
        return None
    reply_paths: dict[str, Any] = {name: path.strip() for name, path in paths.items() if path and path.strip()}
    if answer and answer.strip():
        reply_paths["answer"] = answer
    if named and named.strip():
        reply_paths["document_id"] = named
    if listed := [word.strip() for word in (words or "").split(",") if word.strip()]:
        reply_paths["abstained_values"] = listed
    return {
        "url": url,
        "method": verb,
        "headers": headers or "",
        "request": request or "",
        "response": {**reply_paths, **({"latency_unit": unit} if "latency" in reply_paths else {})},
        **more,
        **limits,
    }


def _path(name: str) -> str | None:
    label, example, meaning = PATHS[name]
    return st.text_input(
        label,
        key=f"http_{name}",
        placeholder=example,
        help=f"JSONPath. {meaning} Empty where the reply has none.",
        persist_state="session",
    )


def _limits() -> dict[str, Any]:
    with st.expander("Limits and certificates", key="http_limits"):
        first, second = st.columns(3), st.columns(3)

        def number(cell: Any, label: str, low: Any, high: Any, name: str, help: str = "") -> Any:
            return cell.number_input(
                label, low, high, None, key=f"http_{name}", help=help or None, persist_state="session"
            )

        limits = {
            "timeout_s": number(first[0], "Timeout of one reply (seconds)", 0.1, 3_600.0, "timeout"),
            "concurrency": number(first[1], "Questions at the same time", 1, 256, "concurrency"),
            "rate": number(first[2], "Most questions per second", 0.01, 10_000.0, "rate", "Empty: no limit."),
            "retries": number(second[0], "Retries", 0, 10, "retries", "After 429, 5xx and broken connections."),
            "max_bytes": number(second[1], "Largest reply in bytes", 1_000, 100_000_000, "max_bytes"),
            "ca_bundle": second[2].text_input(
                "File of certificates to trust",
                key="http_ca",
                placeholder="/etc/ssl/company.pem",
                persist_state="session",
            ),
            "verify": st.checkbox("Check the server's certificate", key="http_verify", persist_state="session"),
        }
    return {name: value for name, value in limits.items() if value not in (None, "")}
