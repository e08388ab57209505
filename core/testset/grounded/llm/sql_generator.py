"""SQL templates by a language model, from the schema alone (GRAMMAR, section 4.1 and appendix C).

The model sees names, types, keys and flags. Its proposals are checked here, on the data, by the checks of hand-written
templates; those that fail are sent back once with the reason, in words that hold nothing from the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from core.domain.errors import BudgetSpent, CallFailed, InvalidInput, InvalidTemplate, UnsafeSql
from core.domain.sources.schema import Schema
from core.domain.testset.templates import Check, SqlTemplate
from core.llm import ChatModel, Prompt
from core.sources.database import DatabaseSource
from core.testset.grounded.llm.ids import with_document_ids
from core.testset.grounded.llm.proposals import (
    LOOKED_AT,
    Delivery,
    Rejected,
    failed_check,
    in_order,
    refuse_silence,
    refuse_unreachable,
    too_long,
)
from core.testset.grounded.llm.schema import schema_text
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.grounded.sql.checks import check_sql_template

ORIGIN = "llm"
PURPOSE = "generate_sql"
PROMPT = "sql_templates"
ROUNDS = 2
"""The first proposals, and one more call with the reasons for which some were rejected."""
MOST_PER_SET = 50
THINGS = "table sets"

TOLD = {
    "runs": "The statement cannot be run for the values of its placeholders.",
    "one_answer": "No value of its placeholders finds exactly one answer. Ask by columns that tell one row from all "
    "others.",
    "questions": "No value of its placeholders finds exactly one answer that is not empty.",
}
"""The reasons for the model of checks whose own message holds figures from the data."""


class SqlProposals(BaseModel):
    """The form of a reply."""

    templates: list[str] = Field(description="SQL templates, one SELECT each; empty where none is possible.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedSql:
    """The result over all table sets.

    Attributes:
        templates: New drafts with their checks, in the order of the table sets.
        deliveries: One for each table set, in their order.
    """

    templates: tuple[SqlTemplate, ...]
    deliveries: tuple[Delivery, ...]


@dataclass(frozen=True, slots=True)
class _OfSet:
    """The result of one table set, before templates of other sets are known."""

    templates: tuple[SqlTemplate, ...]
    delivery: Delivery


def generate_sql_templates_by_llm(
    chat: ChatModel,
    prompt: Prompt,
    source: DatabaseSource,
    sets: Sequence[tuple[str, ...]],
    *,
    per_set: int = 5,
    criteria: str = "",
    stored: Sequence[SqlTemplate] = (),
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> ProposedSql:
    """Has a model propose SQL templates for each table set and keeps those that pass the checks.

    Calls are made side by side; the result has the order of the sets and of the replies. What is sent depends on the
    schema, the criteria and earlier replies only, so that the same request again comes from the ledger.

    Args:
        chat: The model.
        prompt: `PROMPT`, as the project has it.
        source: The database; only its schema is sent.
        sets: Table sets, see :func:`table_sets`.
        per_set: How many templates are wanted of each set.
        criteria: Further criteria of the user, or empty.
        stored: The existing templates; proposals that ask the same are dropped and counted.
        progress: Called with how many sets are done.
        should_stop: Called before each set.

    Raises:
        InvalidInput: There is no table set, or the number wanted of each is not between 1 and `MOST_PER_SET`.
        NothingAnswered: No call had a usable reply.
        Stopped: A stop was requested; replies so far are in the ledger.
        BudgetSpent: Nothing more may be sent.
    """
    if not sets:
        raise InvalidInput(
            "No table set can make a question.", "Choose further tables, or mark columns as descriptive on Connect."
        )
    if not 1 <= per_set <= MOST_PER_SET:
        raise InvalidInput(f"{per_set} templates of each table set cannot be asked for.", f"Use 1 to {MOST_PER_SET}.")
    refuse_unreachable(chat, len(sets), THINGS)
    proposals = in_order(
        sets,
        lambda tables: _of_set(chat, prompt, source, tables, per_set, criteria.strip()),
        concurrency=chat.concurrency,
        stage="Asking for SQL templates",
        progress=progress,
        should_stop=should_stop,
    )
    refuse_silence([of_set.delivery for of_set in proposals], THINGS)
    return _without_repetitions(proposals, stored)


def _of_set(
    chat: ChatModel, prompt: Prompt, source: DatabaseSource, tables: tuple[str, ...], count: int, criteria: str
) -> _OfSet:
    schema = source.schema
    delivery = Delivery(subject=", ".join(tables), requested=count)
    accepted: dict[str, SqlTemplate] = {}
    fresh: list[Rejected] = []
    for number in range(1, ROUNDS + 1):
        open_places = count - len(accepted) if number == 1 else min(count - len(accepted), len(fresh))
        if open_places < 1:
            break
        messages = prompt.render(
            schema=schema_text(schema, tables),
            tables=list(tables),
            count=open_places,
            criteria=criteria,
            accepted=[template.sql for template in accepted.values()],
            rejected=[(item.text, item.told) for item in fresh],
        )
        try:
            proposals, reply = chat.ask_for(
                SqlProposals, messages, purpose=PURPOSE, case_id=" ".join(tables)[:80], prompt=prompt.ref
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            delivery = replace(delivery, failure=error.message)
            break
        delivery = replace(delivery, calls=delivery.calls + 1, cached=delivery.cached + reply.cached)
        fresh = []
        for place, sql in enumerate(_lines(proposals.templates)):
            if len(accepted) >= count or place >= LOOKED_AT * open_places:
                delivery = replace(delivery, surplus=delivery.surplus + 1)
                continue
            if (unread := too_long(sql)) is not None:
                fresh.append(replace(unread, round=number))
                continue
            template_id = canonical_id(sql, schema.dialect)
            if template_id in accepted:
                delivery = replace(delivery, duplicates=delivery.duplicates + 1)
                continue
            checked = checked_proposal(sql, source, tables)
            if isinstance(checked, Rejected):
                fresh.append(replace(checked, round=number))
            else:
                accepted[template_id] = checked
                delivery = replace(delivery, replaced=delivery.replaced + (number > 1))
        delivery = replace(delivery, rejected=(*delivery.rejected, *fresh))
    return _OfSet(tuple(accepted.values()), delivery)


def checked_proposal(sql: str, source: DatabaseSource, tables: Sequence[str]) -> SqlTemplate | Rejected:
    """A proposed statement as a draft with its checks and document ids, or why it is rejected.

    Args:
        sql: The statement.
        source: The database it is checked on.
        tables: The tables it was asked to read.
    """
    schema = source.schema
    draft = SqlTemplate(id="", sql=sql, sql_with_ids=_ids(sql, schema), origin=ORIGIN)
    checked = check_sql_template(draft, source).template
    if draft.sql_with_ids and any(check.name == "document_ids" and not check.passed for check in checked.checks):
        checked = check_sql_template(replace(draft, sql_with_ids=""), source).template
    failed = failed_check(checked.checks)
    if failed is not None:
        return Rejected(text=sql, check=failed.name, reason=failed.message, told=_rejection(failed))
    if set(checked.tables) != set(tables):
        reason = f"It reads {', '.join(checked.tables)}, and was to read exactly {', '.join(tables)}."
        return Rejected(text=sql, check="tables", reason=reason, told=reason)
    return replace(checked, id=canonical_id(sql, schema.dialect))


def _rejection(check: Check) -> str:
    """A failed check for the model, without the reason why a column is not descriptive, which comes from its values."""
    if check.name == "readable":
        return f"{check.message.partition(': ')[0]}: it is not descriptive."
    return TOLD.get(check.name, f"{check.message} {check.remedy}".strip())


def _ids(sql: str, schema: Schema) -> str:
    try:
        return with_document_ids(sql, bind(sql, schema), schema)
    except (UnsafeSql, InvalidTemplate):
        return ""


def _lines(proposed: Iterable[str]) -> list[str]:
    """Statements on one line each; empty ones are no proposals."""
    return [line for sql in proposed if (line := " ".join(part.strip() for part in sql.splitlines()).strip())]


def _without_repetitions(proposals: Sequence[_OfSet], stored: Sequence[SqlTemplate]) -> ProposedSql:
    ids = {template.id for template in stored}
    templates: list[SqlTemplate] = []
    deliveries: list[Delivery] = []
    for of_set in proposals:
        new = [template for template in of_set.templates if template.id not in ids]
        ids.update(template.id for template in new)
        templates += new
        repeated = len(of_set.templates) - len(new)
        delivery = of_set.delivery
        deliveries.append(replace(delivery, delivered=len(new), duplicates=delivery.duplicates + repeated))
    return ProposedSql(templates=tuple(templates), deliveries=tuple(deliveries))
