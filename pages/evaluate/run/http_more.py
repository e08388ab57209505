"""What not every system over HTTP needs: how it signs in, answers later, and shows certificates."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.evaluate.run.http_fields import NONE, OAUTH


def signing_in() -> dict[str, Any]:
    """OAuth and the client's certificate; empty where neither is used."""
    with st.expander("Sign in with OAuth or a client certificate", key="http_sign_in"):
        way = st.segmented_control(
            "Tokens", [NONE, OAUTH], key="http_tokens_by", required=True, persist_state="session"
        )
        settings: dict[str, Any] = {}
        if way == OAUTH:
            url, scope = st.columns([3, 2])
            oauth = {
                "token_url": _text(url, "Address of the tokens", "oauth_url", "https://login.example.com/oauth2/token"),
                "scope": _text(scope, "Scope", "oauth_scope", "rag.read"),
            }
            who, secret, send = st.columns([2, 2, 1])
            oauth |= {
                "client_id": _text(who, "Client id", "oauth_id", "plumbline"),
                "client_secret": _text(
                    secret, "Client secret", "oauth_secret", "${RAG_CLIENT_SECRET}", "As ${NAME} of a variable."
                ),
                "send": send.selectbox("Sent in", ["header", "body"], key="http_oauth_send", persist_state="session"),
            }
            if oauth["token_url"]:
                settings["oauth"] = {name: value for name, value in oauth.items() if value}
        certificate, key, password = st.columns(3)
        files = {
            "client_certificate": _text(certificate, "Client certificate", "client_certificate", "/etc/ssl/me.pem"),
            "client_key": _text(key, "Key of the certificate", "client_key", "/etc/ssl/me.key"),
            "client_key_password": _text(
                password,
                "Password of the key",
                "client_key_password",
                "${RAG_KEY_PASSWORD}",
                "As ${NAME} of a variable.",
            ),
        }
        return settings | {name: value for name, value in files.items() if value}


def job() -> dict[str, Any]:
    """How the answer is fetched from a service that takes the question first; empty for one that answers at once."""
    with st.expander("The service answers later, as a job", key="http_job"):
        if not st.checkbox("Ask again until the answer is ready", key="http_job_on", persist_state="session"):
            return {}
        first, second = st.columns(2), st.columns(3)
        settings: dict[str, Any] = {
            "url": _text(
                first[0], "Address of a job", "job_url", "https://rag.example.com/jobs/{{job_id}}", "Asked with GET."
            ),
            "id": _text(first[1], "Id of the job", "job_id", "$.job_id", "JSONPath in the first reply."),
            "status": _text(second[0], "State", "job_status", "$.status", "JSONPath in the replies after it."),
            "every_s": second[1].number_input(
                "Seconds between two requests", 0.01, 600.0, key="http_job_every", persist_state="session"
            ),
            "timeout_s": second[2].number_input(
                "Give up after (seconds)", 0.1, 3_600.0, key="http_job_timeout", persist_state="session"
            ),
        }
        done, failed = st.columns(2)
        states = (("done", done, "States with an answer"), ("failed", failed, "States without an answer"))
        for name, cell, label in states:
            hint = "Separated by commas; empty for the usual ones."
            words = _text(cell, label, f"job_{name}", "succeeded, done", hint)
            if listed := [word.strip() for word in words.split(",") if word.strip()]:
                settings[name] = listed
        return {"job": settings}


def _text(cell: Any, label: str, name: str, example: str, help: str = "") -> str:
    written = cell.text_input(
        label, key=f"http_{name}", placeholder=example, help=help or None, max_chars=2_000, persist_state="session"
    )
    return (written or "").strip()
