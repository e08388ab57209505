"""A record as a fluent text by a language model, each fact checked to be in it.

This is the one place where rows go to a model; it is reached only with a person's consent (`require_consent`). A model
that leaves a fact out, changes a number or fails is asked once more with what is missing; after that the rule text
stands, and the result says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.errors import Forbidden
from core.domain.llm import Message
from core.judging.fact_values import wanted_values
from core.knowledge.records import Fact, Record
from core.knowledge.sentences import rule_text
from core.llm import BudgetSpent, CallFailed, ChatModel, NothingAnswered, Prompt

PROMPT = "knowledge_document"
PURPOSE = "document"
PATIENCE = 50
"""Documents after which a model that has not given one usable reply is asked no more."""


class Writer(StrEnum):
    """Who wrote a document."""

    RULES = "rules"
    MODEL = "model"
    REPAIRED = "model, second try"
    FALLBACK = "rules, the model failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One document's text.

    Attributes:
        writer: Who wrote it.
        reason: Why the rule text stands where the model was asked, else empty.
        answered: Whether the model, where it was asked, gave a usable reply.
    """

    record: Record
    text: str
    writer: Writer
    reason: str = ""
    answered: bool = True


def require_consent(send_rows: bool) -> None:
    """Refuses to send rows to a model without a person's word for it.

    Raises:
        Forbidden: The consent is missing.
    """
    if not send_rows:
        raise Forbidden(
            "Writing documents with a language model sends the rows of the database to it.",
            "Agree to it (send_rows), or write the documents by rules, which sends nothing.",
        )


def missing_facts(record: Record, text: str) -> tuple[Fact, ...]:
    """The facts whose value a text does not hold in any usual spelling; dates and numbers are compared by value.

    Containment is a necessary condition, not a proof: a text that holds every value can still say something else.

    Args:
        record: What has to be stated; its name counts as a fact too, called "name".
        text: The document.
    """
    named = (Fact(name="name", value=record.label, column=""),) if record.named else ()
    return tuple(
        fact
        for fact in (*named, *record.facts)
        if not all(value.stated_in(text) for value in wanted_values([fact.value]))
    )


def asked(prompt: Prompt, record: Record, draft: str = "", missing: str = "") -> tuple[Message, ...]:
    """The request for one record's document, or for another one that has what the draft lacks."""
    return prompt.render(
        subject=record.label, kind=record.noun, facts=_listed(record.facts), draft=draft, missing=missing
    )


def write_fluently(record: Record, chat: ChatModel, prompt: Prompt, *, send_rows: bool) -> Written:
    """Asks the model for one record's document, at most twice.

    Raises:
        Forbidden: Nobody agreed to send rows.
        BudgetSpent: The budget is used up; what was answered is kept.
    """
    require_consent(send_rows)
    draft, missing = "", ""
    for attempt in (Writer.MODEL, Writer.REPAIRED):
        try:
            reply = chat.ask(
                asked(prompt, record, draft, missing), purpose=PURPOSE, case_id=record.document_id, prompt=prompt.ref
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            return replace(_fallback(record, f"The call failed: {error.message}"), answered=bool(draft))
        draft = reply.text.strip()
        lacking = missing_facts(record, draft)
        if draft and not lacking:
            return Written(record=record, text=draft, writer=attempt)
        missing = _listed(lacking)
    return _fallback(record, f"Not in the model's text after two tries: {', '.join(fact.name for fact in lacking)}.")


def write_all(
    records: Iterator[Record],
    chat: ChatModel,
    prompt: Prompt,
    *,
    send_rows: bool,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[Written]:
    """Every record's document in the order of the records; never more calls in flight than the model takes.

    A wish to stop ends it after what is in flight; the ledger keeps each answer, so that a later try repeats none.

    Raises:
        Forbidden: Nobody agreed to send rows.
        BudgetSpent: The budget is used up.
        NothingAnswered: The model gave no usable reply about any of the documents, or of the first `PATIENCE` ones.
    """
    require_consent(send_rows)
    answered = False
    reasons: list[str] = []
    ready: dict[int, Written] = {}
    flying: dict[Future[Written], int] = {}
    waiting = enumerate(records)
    following = 0
    with ThreadPoolExecutor(max_workers=max(1, chat.concurrency), thread_name_prefix="write") as pool:
        while True:
            while len(flying) < max(1, chat.concurrency) and not should_stop() and (item := next(waiting, None)):
                place, record = item
                flying[pool.submit(write_fluently, record, chat, prompt, send_rows=send_rows)] = place
            if not answered and (len(reasons) >= PATIENCE or (reasons and not flying and not should_stop())):
                raise NothingAnswered("documents", reasons)
            if not flying:
                return
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                written = future.result()
                ready[flying.pop(future)] = written
                answered = answered or written.answered
                if not answered:
                    reasons.append(written.reason)
            while following in ready:
                yield ready.pop(following)
                following += 1


def _fallback(record: Record, reason: str) -> Written:
    return Written(record=record, text=rule_text(record), writer=Writer.FALLBACK, reason=reason)


def _listed(facts: tuple[Fact, ...]) -> str:
    lines = [f"{fact.name}{f' ({fact.about})' if fact.about else ''}: {fact.value}" for fact in facts]
    return "\n".join(lines)
