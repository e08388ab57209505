"""Which language model: one of the project's endpoints or an address, and the model's name."""

from __future__ import annotations

from urllib.parse import urlsplit

import streamlit as st

from core.domain.llm import Endpoint
from core.llm.addresses import split_spec
from core.store.database import Store
from core.store.models import endpoints
from pages.kit import cache, errors
from pages.kit.frame import Page

OTHER = ""


def choose_model(page: Page, key: str) -> str:
    """The spec ``MODEL@BASE_URL`` a person gave; "" while it is not whole, with what is missing or wrong told.

    Args:
        page: The page.
        key: Unique on the page; what was typed is kept under it.
    """
    project_endpoints = {endpoint.id: endpoint for endpoint in endpoints_of(page.store, page.project.id)}
    where, what = st.columns(2)
    with where:
        chosen = OTHER
        if project_endpoints:
            chosen = st.selectbox(
                "Endpoint",
                [*project_endpoints, OTHER],
                key=f"{key}_endpoint",
                format_func=lambda item: project_endpoints[item].name if item else "Another address",
                persist_state="session",
            )
        if chosen:
            address = project_endpoints[chosen].base_url
            st.caption(errors.plain(address))
        else:
            address = st.text_input(
                "Base URL",
                key=f"{key}_url",
                placeholder="https://llm.example.com/v1",
                help="Up to and without /chat/completions. An address that is no endpoint of the project is "
                "called without a key, unless PLUMBLINE_LLM_KEY_HOSTS has its host; then PLUMBLINE_LLM_KEY is sent. "
                "Endpoints with keys of their own are made on the Models page.",
                persist_state="session",
            )
    with what:
        model = st.text_input(
            "Model",
            key=f"{key}_model",
            placeholder="the name by which the endpoint knows it",
            max_chars=200,
            persist_state="session",
        )
    if not (address and address.strip() and model and model.strip()):
        st.caption("Give the model and its address to continue.")
        return ""
    with errors.shown():
        model_name, base_url = split_spec(f"{model.strip()}@{address.strip()}")
        return f"{model_name}@{base_url}"
    return ""


def at_host(model: str) -> str:
    """A model and its host; a whole address would be drawn as a link.

    >>> at_host("org/m@2@https://llm.bank.example/v1")
    'org/m@2 at llm.bank.example'
    """
    name, _, address = model.rpartition("@")
    return f"{name} at {urlsplit(address).netloc}"


@cache.read("endpoints")
def endpoints_of(store: Store, project_id: str) -> tuple[Endpoint, ...]:
    """The endpoints a project keeps."""
    with store.read() as connection:
        return tuple(endpoints.all(connection, project_id))
