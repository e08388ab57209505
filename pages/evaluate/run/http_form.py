"""A system over HTTP: its settings by form or by file, and a test that shows what came back beside what was found."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.domain.errors import DestinationRefused
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestSet
from core.net.gate.refusals import recorded
from core.store.database import Store
from core.store.testset import testsets
from core.targets.http import HttpTrial, try_http
from core.targets.over_http.config import HttpConfig, check_config
from core.targets.over_http.file import dump_config, parse_config, parse_headers, parse_request
from pages.kit import cache, errors, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

FORM, FILE = "Fill in a form", "Upload a YAML file"
_REFUSED = "http_refused"
REQUEST = '{\n  "question": "{{question}}"\n}'
PATHS = {
    "contexts": ("Passages", "$.contexts[*]", "Texts, or objects with a text and an id."),
    "document_ids": ("Document ids", "$.sources[*].id", "In the order of the passages."),
    "latency": ("Latency", "$.took_ms", "Without it the time of the request counts."),
    "tokens": ("Tokens", "$.usage.total_tokens", "Of prompt and answer together."),
    "abstained": ("Abstained", "$.no_answer", "True where the system says it could not answer."),
}


def choose(page: Page, test_set: TestSet) -> HttpConfig | None:
    """The settings a person gave by form or file; None while they are not whole, which is told.

    Args:
        page: The page.
        test_set: Whose first question the test puts.
    """
    with st.container(border=True, key="http_form"):
        way = st.segmented_control(
            "Settings", [FORM, FILE], key="http_way", default=FORM, required=True, persist_state="session"
        )
        config: HttpConfig | None = None
        with errors.shown():
            config = _config(page, by_file=way == FILE)
        if config is None:
            return None
        if way == FILE:
            st.code(dump_config(config), language="yaml")
        if not config.verify:
            st.warning("The server's certificate is not checked: whoever sits between can read and change everything.")
        if page.may(Role.VALIDATOR):
            _test(page, test_set, config)
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
        help="url, request and response.answer at least; secrets only as ${NAME} of an environment variable.",
    )
    if upload is None:
        st.caption("A file with url, headers, request and response. The form can be downloaded as one.")
        return None
    return parse_config(upload.getvalue(), upload.name)


def _by_form() -> HttpConfig | None:
    document = _fields()
    if document is None:
        st.caption("Give the URL and where the reply has the answer to go on.")
        return None
    return check_config(
        {
            **document,
            "headers": parse_headers(document["headers"]),
            "request": parse_request(document["request"]),
        }
    )


def _fields() -> dict[str, Any] | None:
    """What stands in the fields; None while the least is missing."""
    address, method = st.columns([5, 1])
    url = address.text_input(
        "URL", key="http_url", placeholder="https://rag.bank.example/ask", max_chars=2_000, persist_state="session"
    )
    verb = method.selectbox("Method", ["POST", "PUT", "PATCH", "GET"], key="http_method", persist_state="session")
    left, right = st.columns(2)
    with left:
        request = st.text_area(
            "Request",
            REQUEST,
            key="http_request",
            height=150,
            persist_state="session",
            help="JSON. {{question}} and {{case_id}} stand for their values, whatever characters they contain. With "
            "GET its names become query parameters.",
        )
        headers = st.text_area(
            "Headers, one a line",
            key="http_headers",
            height=100,
            placeholder="Authorization=Bearer ${RAG_TOKEN}",
            help="NAME=VALUE. Write a secret as ${NAME}: it is taken from that environment variable and never stored.",
            persist_state="session",
        )
    with right:
        answer = st.text_input(
            "Answer",
            "$.answer",
            key="http_answer",
            persist_state="session",
            help="JSONPath of the answer in the reply, such as $.choices[0].message.content.",
        )
        paths = {name: _path(name) for name in ("contexts", "document_ids")}
        with st.expander("What else the reply contains", key="http_more"):
            paths |= {name: _path(name) for name in ("latency", "tokens", "abstained")}
            unit = st.selectbox("Latency is in", ["s", "ms"], key="http_unit", persist_state="session")
    limits = _limits()
    if not url or not url.strip() or not answer or not answer.strip():
        return None
    reply_paths = {name: path.strip() for name, path in paths.items() if path and path.strip()}
    return {
        "url": url,
        "method": verb,
        "headers": headers or "",
        "request": request or "",
        "response": {"answer": answer, **reply_paths, **({"latency_unit": unit} if "latency" in reply_paths else {})},
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

        def number(cell: Any, label: str, low: Any, high: Any, value: Any, name: str, help: str = "") -> Any:
            return cell.number_input(
                label, low, high, value, key=f"http_{name}", help=help or None, persist_state="session"
            )

        limits = {
            "timeout_s": number(first[0], "Seconds one reply may take", 0.1, 3_600.0, 60.0, "timeout"),
            "concurrency": number(first[1], "Questions at once", 1, 256, 4, "concurrency"),
            "rate": number(first[2], "Questions a second at most", 0.01, 10_000.0, None, "rate", "Empty: no limit."),
            "retries": number(
                second[0], "Times it is asked again", 0, 10, 3, "retries", "After 429, 5xx and broken connections."
            ),
            "max_bytes": number(second[1], "Largest reply in bytes", 1_000, 100_000_000, 5_000_000, "max_bytes"),
            "ca_bundle": second[2].text_input(
                "File of certificates to trust", key="http_ca", placeholder="/etc/ssl/bank.pem", persist_state="session"
            ),
            "verify": st.checkbox("Check the server's certificate", True, key="http_verify", persist_state="session"),
        }
    return {name: value for name, value in limits.items() if value not in (None, "")}


def _test(page: Page, test_set: TestSet, config: HttpConfig) -> None:
    question = st.text_input(
        "Question for the test",
        _first_question(page.store, test_set.id),
        key=f"http_question_{test_set.id}",
        max_chars=2_000,
    )
    if st.button("Test", key="http_test", disabled=not question.strip(), icon=":material/play_arrow:"):
        with st.spinner(f"Asking {errors.plain(config.host)}"):
            state.keep("http_trial", (config, try_http(config, question.strip())))
    last_test: tuple[HttpConfig, HttpTrial] | None = state.note("http_trial")
    if last_test is None:
        return
    tested_config, trial = last_test
    if tested_config.model_copy(update={"response": config.response}) != config:
        st.caption("The settings have changed since the last test.")
        return
    _reply(config, trial, stale=tested_config != config)


def _reply(config: HttpConfig, trial: HttpTrial, *, stale: bool) -> None:
    """The raw reply and, beside it, what was found in it."""
    if stale:
        st.caption("The paths have changed since the last test: test again to see what they find.")
    left, right = st.columns(2, gap="large")
    with left:
        took = "" if trial.seconds is None else f", {numbers.duration(trial.seconds)}"
        st.markdown(f"**Reply**{'' if trial.status is None else f': HTTP {trial.status}'}{took}")
        st.code(trial.raw or "(nothing)", language="json", height=320, wrap_lines=True)
        with st.expander("What was sent", key="http_sent"):
            st.code(trial.sent, language="json", wrap_lines=True)
    with right:
        st.markdown("**What was found in it**")
        if trial.extracted is None:
            hint = f"\n\n{errors.plain(trial.hint)}" if trial.hint else ""
            st.error(f"**{errors.plain(trial.error)}**{hint}", icon=":material/error:")
            return
        st.caption("Answer")
        st.text(trial.extracted.answer or "(empty)")
        tables.plain(_contexts(trial), key="http_contexts", height=180)
        st.caption(_facts(config, trial))


def _contexts(trial: HttpTrial) -> pd.DataFrame:
    passages = trial.extracted.contexts if trial.extracted else ()
    return pd.DataFrame(
        [(place, item.document_id or "-", item.text or "-") for place, item in enumerate(passages, start=1)],
        columns=["Passage", "Document id", "Text"],
    )


def _facts(config: HttpConfig, trial: HttpTrial) -> str:
    reply = trial.extracted
    if reply is None:
        return ""
    parts = [
        numbers.count(len(reply.contexts), "passage"),
        f"{reply.tokens:,} tokens" if reply.tokens is not None else "",
        f"latency {reply.latency_s:.2f} s" if reply.latency_s is not None else "",
        "" if reply.abstained is None else f"abstained: {'yes' if reply.abstained else 'no'}",
    ]
    nothing = [f"{name} ({getattr(config.response, name)})" for name in reply.missing]
    missing = f" Nothing at: {', '.join(nothing)}." if nothing else ""
    return errors.plain(f"{', '.join(part for part in parts if part)}.{missing}")


@cache.read("test_sets")
def _first_question(store: Store, test_set_id: str) -> str:
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id, limit=1)
    return cases[0].question if cases else ""
