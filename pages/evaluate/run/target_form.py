"""The system under test of a run: which kind, and what that kind needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePath

import streamlit as st

from core.domain.cases import TestSet
from core.domain.projects import SourceKind
from core.targets import TargetSpec, list_targets
from core.targets.http_config import HttpConfig
from core.targets.http_file import save_config
from core.targets.openai_chat import RETRIEVERS
from core.targets.protocol import CLOSED_BOOK, ORACLE, RETRIEVAL
from pages.ui import errors, http_form, model_form, readers
from pages.ui.frame import Page

RECORDED, OPENAI, HTTP, PYTHON = "recorded", "openai", "http", "python"
ENDINGS = ("jsonl", "json", "csv")
MODES = {
    RETRIEVAL: "With retrieval",
    CLOSED_BOOK: "Closed book: no document",
    ORACLE: "Oracle: the right document",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenTarget:
    """What a person chose, whole.

    Attributes:
        kind: What kind of target it is.
        argument: What follows the colon in its spec; for a system over HTTP it is known when the settings are saved.
        options: Of the run.
        config: The settings of a system over HTTP.
    """

    kind: TargetSpec
    argument: str = ""
    options: dict[str, object] = field(default_factory=dict)
    config: HttpConfig | None = None

    def spec(self, page: Page) -> str:
        """The target spec; settings of a system over HTTP are written below the data folder for it."""
        argument = self.argument
        if self.config is not None:
            argument = str(save_config(self.config, page.settings.data / "targets" / page.project.id))
        return f"{self.kind.name}:{argument}" if argument else self.kind.name


def choose_kind(page: Page) -> TargetSpec:
    """The kind of system under test; a server with sign-in offers none that runs code."""
    known = {spec.name: spec for spec in list_targets() if not (spec.local_only and page.settings.require_login)}
    name = st.selectbox(
        "System under test",
        list(known),
        key="target",
        format_func=lambda key: known[key].title,
        help="The built-in systems search the project's documents. Your own system answers over HTTP, as a Python "
        "function, or by a recording of its answers.",
    )
    st.caption(errors.plain(known[name].question))
    return known[name]


def details(page: Page, kind: TargetSpec, test_set: TestSet, k: int | None) -> ChosenTarget | None:
    """What the kind needs to know; None while something is missing, which is told.

    Args:
        page: The page.
        kind: The kind of target.
        test_set: Whose questions will be asked.
        k: How many documents it retrieves, where that was chosen already.
    """
    options: dict[str, object] = {} if k is None else {"k": k}
    documents = readers.source(page.store, page.project.id, SourceKind.CORPUS)
    if kind.name == OPENAI:
        return _model(page, kind, has_documents=documents is not None)
    if kind.needs_corpus and documents is None:
        st.warning("This target searches documents and the project has none. Load them on the Connect page.")
        return None
    if kind.name == HTTP:
        config = http_form.choose(page, test_set)
        return None if config is None else ChosenTarget(kind=kind, config=config)
    if kind.name == PYTHON:
        return _function(kind)
    if kind.name == RECORDED:
        return _recording(page, kind)
    return ChosenTarget(kind=kind, options=options)


def _model(page: Page, kind: TargetSpec, *, has_documents: bool) -> ChosenTarget | None:
    with st.container(border=True, key="openai_form"):
        spec = model_form.choose_model(page, "target_model")
        mode = st.segmented_control(
            "What the model answers from",
            list(kind.modes),
            key="target_mode",
            default=RETRIEVAL,
            required=True,
            format_func=MODES.__getitem__,
            persist_state="session",
            help="Closed book shows what the model knows by itself, oracle how well it reads the right document when "
            "it is given it. The three together tell knowledge, reading and retrieval apart.",
        )
        options: dict[str, object] = {"mode": mode}
        if mode == RETRIEVAL:
            by, many = st.columns(2)
            options["retriever"] = by.selectbox(
                "Retrieval",
                list(RETRIEVERS),
                key="target_retriever",
                format_func={spec.name: spec.title for spec in list_targets()}.get,
                persist_state="session",
            )
            options["k"] = int(many.number_input("Retrieved (k)", 1, 100, 3, key="k_openai", persist_state="session"))
        options |= _limits()
    if mode != CLOSED_BOOK and not has_documents:
        st.warning("The project has no documents to answer from. Load them on the Connect page, or ask closed book.")
        return None
    return ChosenTarget(kind=kind, argument=spec, options=options) if spec else None


def _function(kind: TargetSpec) -> ChosenTarget | None:
    with st.container(border=True, key="python_form"):
        st.markdown(
            "The function is called with each question and returns the answer as text, or a mapping with `answer`, "
            "`contexts` and `document_ids`. **It is your own code and runs with all that Plumbline may do on this "
            "machine.** Modules in the folder where Plumbline was started can be imported."
        )
        written = st.text_input(
            "Module and function",
            key="target_function",
            placeholder="my_rag.service:answer",
            max_chars=500,
            persist_state="session",
        )
        options = _limits()
    if not written or not written.strip():
        st.caption("Give module:function to go on.")
        return None
    return ChosenTarget(kind=kind, argument=written.strip(), options=options)


def _recording(page: Page, kind: TargetSpec) -> ChosenTarget | None:
    upload = st.file_uploader(
        "Recorded answers",
        type=list(ENDINGS),
        key="recording",
        help="Rows with question or case_id, and answer.",
    )
    if upload is None:
        return None
    return ChosenTarget(kind=kind, argument=_kept(page, upload.name, upload.getvalue()))


def _limits() -> dict[str, object]:
    """Limits of a system that is waited for; those left empty are the system's own."""
    with st.expander("Limits", key="target_limits"):
        cells = st.columns(3)
        found = {
            "concurrency": cells[0].number_input(
                "Questions at once", 1, 256, None, key="target_concurrency", persist_state="session",
                help="Empty: as many as the endpoint is set to, or one for a function.",
            ),
            "rate": cells[1].number_input(
                "Questions a second at most", 0.01, 10_000.0, None, key="target_rate", persist_state="session"
            ),
            "timeout_s": cells[2].number_input(
                "Seconds one answer may take", 0.1, 3_600.0, None, key="target_timeout", persist_state="session"
            ),
        }  # fmt: skip
    return {name: value for name, value in found.items() if value is not None}


def _kept(page: Page, name: str, data: bytes) -> str:
    """Writes an uploaded recording below the data folder, named by its content, and returns its path."""
    folder = page.settings.data / "recordings"
    folder.mkdir(parents=True, exist_ok=True)
    ending = PurePath(name).suffix.lower().removeprefix(".")
    path = folder / f"{sha256(data).hexdigest()[:16]}.{ending if ending in ENDINGS else ENDINGS[0]}"
    if not path.exists():
        path.write_bytes(data)
    return str(path)
