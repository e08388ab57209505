"""Who writes questions and who answers them before a person does: rules, a model, consent, cost and budget."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from core.domain.errors import PlumblineError
from core.domain.identity import short_hash
from core.llm import Limits as SpendingLimits
from core.llm.spending.estimates import Outlook
from core.store.database import Store
from core.testset.corpus.questions.cost import expected_cost
from core.testset.corpus.questions.plan import QuestionPlan
from pages.kit import cache
from pages.kit.frame import Page
from pages.kit.models import cost, form

RULES, LLM = "rules", "llm"
WRITERS = {RULES: "Rules", LLM: "Language model"}
SIMPLE = (
    "Rules read definitions, values with a name, tables, amounts and dates, and ask for them. Such questions are "
    "simple: they test whether a fact is found, less whether a text is understood."
)
ALONE = (
    " Nothing leaves this machine, so only your review shows whether a question can be answered from its "
    "passages, or without them."
)
ANSWERS = (
    "What it cannot answer with its passages, or knows without any document, is turned down. One call per question, "
    "and a second one where the answer is free text."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Writers:
    """What a person chose.

    Attributes:
        model: That writes; empty for rules.
        checker: That answers questions by rules; empty for none.
        probe: Whether the model that writes answers them too.
        agreed: Whether passages may be sent.
        waits: Whether a model is wanted and not named yet.
    """

    model: str = ""
    checker: str = ""
    probe: bool = True
    agreed: bool = False
    waits: bool = False

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.waits and (self.agreed or not (self.model or self.checker))


def choose() -> str:
    """Who writes; rules unless a person chooses otherwise."""
    return str(
        st.segmented_control(
            "Written by",
            list(WRITERS),
            default=RULES,
            required=True,
            format_func=WRITERS.__getitem__,
            key="question_writer",
            persist_state="session",
        )
    )


def draw(page: Page) -> Writers:
    """The choice of who writes and who answers, with consent to send passages."""
    if choose() == LLM:
        spec = form.choose_model(page, "questions")
        agreed = _consent(spec, "Choose a service that may see them, or write by rules.")
        probe = st.toggle(
            "Have it answer each question with its passages and without",
            value=True,
            key="questions_probe",
            help=ANSWERS,
        )
        return Writers(model=spec, probe=probe, agreed=agreed, waits=not spec)
    checked = st.toggle(
        "Have a language model answer them before you review",
        key="questions_check",
        persist_state="session",
        help=ANSWERS,
    )
    st.caption(SIMPLE if checked else SIMPLE + ALONE)
    if not checked:
        return Writers()
    spec = form.choose_model(page, "checker")
    agreed = _consent(spec, "Choose a service that may see them, or review without it.")
    return Writers(checker=spec, agreed=agreed, waits=not spec)


def within(page: Page, plan: QuestionPlan) -> QuestionPlan:
    """The plan within the budget a person sets, beside what it will take; as it is where no model is asked."""
    if not plan.models:
        return plan

    try:
        outlook = _outlook(page.store, page.project.id, plan, str(plan.as_params()), page.actor)
    except PlumblineError:  # told when it is started
        return plan
    limits = cost.calls_panel(outlook, cost.line(outlook), key="questions", what="worker")
    return replace(plan, spending=SpendingLimits.of(limits))


@cache.read("projects", "sources", "topics", "questions", "prices", "calls", "endpoints", "prompts")
def _outlook(store: Store, project_id: str, _plan: QuestionPlan, params: str, actor: str) -> Outlook:
    """What a plan will take; `params` is all of it, as one text."""
    return Outlook(parts=expected_cost(store, project_id, _plan, actor=actor))


def _consent(spec: str, otherwise: str) -> bool:
    """Consent to send passages to one model; to another one it has to be given anew."""
    st.warning(f"Passages of the documents are sent to the address above. {otherwise}", icon=":material/outbound:")
    return st.checkbox("I agree that passages are sent to this model", key=f"send_documents_{short_hash(spec)}")
