"""A record as a fluent text by a language model; each fact is checked to be in it.

Only this module sends rows to a model, and only with a person's consent (`require_consent`). A model
that leaves a fact out, changes a number or fails is asked once more with what is missing; after that the rule text
stands, and the result says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from enum import StrEnum

from core.domain.errors import BudgetSpent, CallFailed, Forbidden, NothingAnswered
from core.domain.llm import Message
from core.judging.facts.values import reference_values
from core.knowledge.records import Fact, Record
from core.knowledge.sentences import rule_text
from core.llm import ChatModel, Prompt

PROMPT = "knowledge_document"
PURPOSE = "document"
PATIENCE = 50
"""Documents after which a model without one usable reply is not asked again."""


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
        reason: Why the rule text was used where the model was asked, else empty.
        answered: Whether the model, where it was asked, gave a usable reply.
    """

    record: Record
    text: str
    writer: Writer
    reason: str = ""
    answered: bool = True


def require_consent(send_rows: bool) -> None:
    """Refuses to send rows to a model without a person's consent.

    Raises:
        Forbidden: The consent is missing.
    """
    if not send_rows:
        raise Forbidden(
            "Writing documents with a language model sends the rows of the database to it.",
            "Give your consent (send_rows), or write the documents by rules, which sends nothing.",
        )


def missing_facts(record: Record, text: str) -> tuple[Fact, ...]:
    """The facts whose value a text does not hold in any usual spelling; dates and numbers are compared by value.

    Containment is a necessary condition, not a proof: a text that holds every value can still say something else.

    Args:
        record: The record whose facts must be stated; its name counts as a fact too, called "name".
        text: The document.
    """
    name_fact = (Fact(name="name", value=record.label, column=""),) if record.named else ()
    return tuple(
        fact
        for fact in (*name_fact, *record.facts)
        if not all(value.stated_in(text) for value in reference_values([fact.value]))
    )


def messages(prompt: Prompt, record: Record, draft: str = "", missing: str = "") -> tuple[Message, ...]:
    """The request for one record's document, or for another one that has what the draft lacks."""
    return prompt.render(
        subject=record.label, kind=record.noun, facts=_listed(record.facts), draft=draft, missing=missing
    )


def write_fluently(record: Record, chat: ChatModel, prompt: Prompt, *, send_rows: bool) -> Written:
    """Asks the model for one record's document, at most twice.

    Raises:
        Forbidden: There is no consent to send rows.
        BudgetSpent: The budget is used up; the replies so far are kept.
    """
    require_consent(send_rows)
    draft, missing = "", ""
    for attempt in (Writer.MODEL, Writer.REPAIRED):
        try:
            reply = chat.ask(
                messages(prompt, record, draft, missing), purpose=PURPOSE, case_id=record.document_id, prompt=prompt.ref
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
    return _fallback(record, f"Not in the model's text after two attempts: {', '.join(fact.name for fact in lacking)}.")


def write_all(
    records: Iterator[Record],
    chat: ChatModel,
    prompt: Prompt,
    *,
    send_rows: bool,
    should_stop: Callable[[], bool] = lambda: False,
) -> Iterator[Written]:
    """Every record's document in the order of the records; never more calls in flight than the model takes.

    A stop ends it after the calls in flight; the ledger keeps each reply, so that a later attempt repeats none.

    Raises:
        Forbidden: There is no consent to send rows.
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
            completed, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in completed:
                text = future.result()
                ready[flying.pop(future)] = text
                answered = answered or text.answered
                if not answered:
                    reasons.append(text.reason)
            while following in ready:
                yield ready.pop(following)
                following += 1


def _fallback(record: Record, reason: str) -> Written:
    return Written(record=record, text=rule_text(record), writer=Writer.FALLBACK, reason=reason)


def _listed(facts: tuple[Fact, ...]) -> str:
    lines = [f"{fact.name}{f' ({fact.about})' if fact.about else ''}: {fact.value}" for fact in facts]
    return "\n".join(lines)
