"""The system under test of a run: which kind, and what that kind needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import streamlit as st

from core.data_folder import project_folder
from core.domain.sources.projects import Role, SourceKind
from core.domain.testset.cases import TestSet
from core.targets import TargetSpec, list_targets
from core.targets.openai_chat import RETRIEVERS
from core.targets.over_http.config import HttpConfig
from core.targets.over_http.file import save_config
from core.targets.protocol import CLOSED_BOOK, ORACLE, RETRIEVAL
from core.targets.trial.entered import keep_entered, read_entered
from pages.evaluate.run import http_form, target_trial
from pages.kit import errors, project_reads, state, uploads
from pages.kit.frame import Page
from pages.kit.models import form

RECORDED, OPENAI, HTTP, PYTHON = "recorded", "openai", http_form.HTTP, "python"
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
            argument = str(save_config(self.config, project_folder(page.project.id, "targets")))
        return f"{self.kind.name}:{argument}" if argument else self.kind.name

    def answers(self, page: Page, test_set: TestSet) -> bool:
        """Whether a system that somebody else runs answers one question; the built-in ones are not asked.

        Raises:
            InvalidInput: It cannot be opened at all.
        """
        if self.config is not None:
            return target_trial.passes(page, test_set, self.config, key=HTTP)
        if self.kind.name == PYTHON:
            return target_trial.passes(page, test_set, f"{PYTHON}:{self.argument}", key=PYTHON)
        return True


def choose_kind(page: Page) -> TargetSpec:
    """The kind of system under test; a server with sign-in offers none that runs code."""
    specs = {spec.name: spec for spec in list_targets() if not (spec.local_only and page.settings.require_login)}
    folder = project_folder(page.project.id, "targets")
    entered = read_entered(folder, page.actor)
    if state.note("target_of") != page.project.id:
        state.keep("target_of", page.project.id)
        state.put("target", entered.target if entered.target in specs else next(iter(specs)))
    name = st.selectbox(
        "System under test",
        list(specs),
        key="target",
        persist_state="session",
        format_func=lambda key: specs[key].title,
        help="The built-in systems search the project's documents. Your own system answers over HTTP, as a Python "
        "function, or by a recording of its answers.",
    )
    if page.may(Role.VALIDATOR) and name != entered.target:
        keep_entered(folder, page.actor, replace(entered, target=name))
    st.caption(errors.plain(specs[name].question))
    return specs[name]


def details(page: Page, kind: TargetSpec, test_set: TestSet, k: int | None) -> ChosenTarget | None:
    """What the kind needs to know; None while something is missing, which is told.

    Args:
        page: The page.
        kind: The kind of target.
        test_set: Whose questions will be asked.
        k: How many documents it retrieves, where that was chosen already.
    """
    options: dict[str, object] = {} if k is None else {"k": k}
    documents = project_reads.source(page.store, page.project.id, SourceKind.CORPUS)
    if kind.name == OPENAI:
        return _model(page, kind, has_documents=documents is not None)
    if kind.needs_corpus and documents is None:
        st.warning("This target searches documents and the project has none. Load them on the Connect page.")
        return None
    if kind.name == HTTP:
        config = http_form.choose(page, test_set)
        return None if config is None else ChosenTarget(kind=kind, config=config)
    if kind.name == PYTHON:
        return _function(page, kind, test_set)
    if kind.argument == uploads.FILE:
        return _file(page, kind)
    if kind.argument:
        written = st.text_input(
            kind.title, key="target_argument", placeholder=kind.argument, max_chars=500, persist_state="session"
        )
        return ChosenTarget(kind=kind, argument=written.strip(), options=options) if (written or "").strip() else None
    return ChosenTarget(kind=kind, options=options)


def _model(page: Page, kind: TargetSpec, *, has_documents: bool) -> ChosenTarget | None:
    with st.container(border=True, key="openai_form"):
        spec = form.choose_model(page, "target_model")
        mode = st.segmented_control(
            "What the model answers from",
            list(kind.modes),
            key="target_mode",
            default=RETRIEVAL,
            required=True,
            format_func=MODES.__getitem__,
            persist_state="session",
            help=(
                "Closed book shows what the model knows by itself, oracle how well it reads the right document. "
                "The three together tell knowledge, reading and retrieval apart."
            ),
        )
        options: dict[str, object] = {"mode": mode}
        if mode == RETRIEVAL:
            by, many = st.columns(2)
            options["retriever"] = by.selectbox(
                "Retrieval",
                list(RETRIEVERS),
                key="target_retriever",
                format_func={spec.name: spec.title for spec in list_targets()}.__getitem__,
                persist_state="session",
            )
            options["k"] = int(many.number_input("Retrieved (k)", 1, 100, 3, key="k_openai", persist_state="session"))
        options |= _limits()
    if mode != CLOSED_BOOK and not has_documents:
        st.warning("The project has no documents to answer from. Load them on the Connect page, or ask closed book.")
        return None
    return ChosenTarget(kind=kind, argument=spec, options=options) if spec else None


def _function(page: Page, kind: TargetSpec, test_set: TestSet) -> ChosenTarget | None:
    with st.container(border=True, key="python_form"):
        st.markdown(
            "The function is called with each question and returns the answer as text, or a mapping with `answer`, "
            "`contexts` and `document_ids`. A LangChain chain or retriever and a LlamaIndex engine are asked as they "
            "are. **It is your own code and runs with all that Plumbline may do on this "
            "machine.** Modules in the folder where Plumbline was started can be imported."
        )
        written = st.text_input(
            "Module and function",
            key="target_function",
            placeholder="my_rag.service:answer",
            max_chars=500,
            persist_state="session",
            help="?input=NAME names the question where a chain takes a mapping, ?id=NAME the id of a document where "
            "its passages have an unusual name for it: my_rag:chain?id=policy_no.",
        )
        options = _limits()
        if written and written.strip() and page.may(Role.VALIDATOR):
            target_trial.draw(page, test_set, f"{PYTHON}:{written.strip()}", key="python")
    if not written or not written.strip():
        st.caption("Give module:function to go on.")
        return None
    return ChosenTarget(kind=kind, argument=written.strip(), options=options)


def _file(page: Page, kind: TargetSpec) -> ChosenTarget | None:
    recording = kind.name == RECORDED
    upload = st.file_uploader(
        kind.title,
        type=list(ENDINGS) if recording else None,
        key="recording" if recording else "target_file",
        help="Rows with question or case_id, and answer." if recording else None,
    )
    if upload is None:
        return None
    folder = project_folder(page.project.id, "recordings" if recording else "target_files")
    return ChosenTarget(kind=kind, argument=str(uploads.keep(folder, upload.name, upload.getvalue())))


def _limits() -> dict[str, object]:
    """Limits of a system that is waited for; those left empty are the system's own."""
    with st.expander("Limits", key="target_limits"):
        cells = st.columns(3)
        limits = {
            "concurrency": cells[0].number_input(
                "Questions at the same time",
                1,
                256,
                None,
                key="target_concurrency",
                persist_state="session",
                help="Empty: as many as the endpoint is set to, or one for a function.",
            ),
            "rate": cells[1].number_input(
                "Most questions per second", 0.01, 10_000.0, None, key="target_rate", persist_state="session"
            ),
            "timeout_s": cells[2].number_input(
                "Timeout of one answer (seconds)", 0.1, 3_600.0, None, key="target_timeout", persist_state="session"
            ),
        }
    return {name: value for name, value in limits.items() if value is not None}
