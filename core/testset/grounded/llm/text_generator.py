"""Wordings of SQL templates by a language model, in any form (GRAMMAR, section 4.1).

The model sees the statement with its placeholders and the schema of its tables. A constant in a statement is sent with
it; nothing else of the data is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from core.domain.errors import BudgetSpent, CallFailed, InvalidInput, InvalidTemplate, UnsafeSql
from core.domain.sources.schema import Schema
from core.domain.testset.templates import Check, SqlTemplate, TextTemplate
from core.llm import ChatModel, Prompt
from core.testset.grounded.llm.forms import form_criteria
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
from core.testset.grounded.llm.sense import refused, told_apart
from core.testset.grounded.llm.sql_generator import ROUNDS
from core.testset.grounded.sql.binding import bind
from core.testset.grounded.wording.checks import check_text_template
from core.testset.grounded.wording.generator import folded
from core.testset.grounded.wording.templates import text_id

ORIGIN = "llm"
PURPOSE = "generate_text"
PROMPT = "text_templates"
MOST_PER_FORM = 50
THINGS = "pairs of template and form"

ALSO_REJECTED = ("length", "plain_words")
"""Checks that only warn about existing wordings; new wordings must pass them, as those by rules do."""

BEFORE = ("markup", "asks")
"""What is no sentence at all is called so, whatever else it lacks."""

TOLD = {"answer_hidden": "It holds what the answer may be. Leave every possible answer out."}
"""The reasons for the model of checks whose own message holds a value of the database."""


class TextProposals(BaseModel):
    """The form of a reply."""

    wordings: list[str] = Field(description="Wordings with every placeholder in single quotes.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedTexts:
    """The result over all SQL templates and forms.

    Attributes:
        texts: New drafts with their checks, by SQL template, then form.
        deliveries: One for each SQL template and form, in the same order.
    """

    texts: tuple[TextTemplate, ...]
    deliveries: tuple[Delivery, ...]


def generate_text_templates_by_llm(
    chat: ChatModel,
    prompt: Prompt,
    schema: Schema,
    templates: Sequence[SqlTemplate],
    *,
    forms: Mapping[str, str],
    n: int = 3,
    criteria: str = "",
    stored: Sequence[TextTemplate] = (),
    example_answers: Callable[[SqlTemplate], Sequence[str]] = lambda template: (),
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> ProposedTexts:
    """Lets a model word SQL templates in each form and keeps wordings that pass the checks of hand-written ones.

    Args:
        chat: The model.
        prompt: `PROMPT`, as the project has it.
        schema: The database's tables.
        templates: The SQL templates.
        forms: Name of each form and its description; the description may be empty for built-in ones.
        n: How many wordings are wanted of each SQL template in each form.
        criteria: Further criteria of the user, or empty.
        stored: The existing wordings; proposals that repeat one are dropped and counted.
        example_answers: Gives some answers of a template from the data; wordings are only searched for them.
        progress: Called with how many pairs of template and form are done.
        should_stop: Called before each.

    Raises:
        InvalidInput: There is nothing to word, a form has no description, or `n` is not between 1 and `MOST_PER_FORM`.
        NothingAnswered: No call had a usable reply.
        Stopped: A stop was requested; replies so far are in the ledger.
        BudgetSpent: Nothing more may be sent.
    """
    if not templates or not forms:
        raise InvalidInput("There is nothing to word.", "Approve an SQL template and choose a form.")
    if not 1 <= n <= MOST_PER_FORM:
        raise InvalidInput(f"{n} wordings of each form cannot be asked for.", f"Use 1 to {MOST_PER_FORM}.")
    described = {form: form_criteria(form, words) for form, words in forms.items()}
    writer = _Writer(chat, prompt, schema, described, n, criteria.strip(), example_answers)
    pairs = [(template, form) for template in templates for form in forms]
    refuse_unreachable(chat, len(pairs), THINGS)
    proposals = in_order(
        pairs,
        lambda item: writer.write(*item),
        concurrency=chat.concurrency,
        stage="Asking for wordings",
        progress=progress,
        should_stop=should_stop,
    )
    refuse_silence([delivery for _, delivery in proposals], THINGS)
    return _without_repetitions(_with_one_meaning(proposals, templates, stored, example_answers), stored)


@dataclass(frozen=True, slots=True)
class _Writer:
    chat: ChatModel
    prompt: Prompt
    schema: Schema
    forms: Mapping[str, str]
    wanted: int
    criteria: str
    example_answers: Callable[[SqlTemplate], Sequence[str]]

    def write(self, template: SqlTemplate, form: str) -> tuple[list[TextTemplate], Delivery]:
        """The wordings of one SQL template in one form."""
        delivery = Delivery(subject=template.sql, form=form, requested=self.wanted)
        try:
            tables = bind(template.sql, self.schema).tables
        except (UnsafeSql, InvalidTemplate) as error:
            return [], replace(delivery, failure=f"The SQL template does not fit the database: {error.message}")
        answers = self.example_answers(template)
        accepted: dict[str, TextTemplate] = {}
        fresh: list[Rejected] = []
        for number in range(1, ROUNDS + 1):
            open_places = self.wanted if number == 1 else min(self.wanted - len(accepted), len(fresh))
            if open_places < 1:
                break
            try:
                proposals, cached = self._ask(
                    template, tables, form, open_places, [text.text for text in accepted.values()], fresh
                )
            except BudgetSpent:
                raise
            except CallFailed as error:
                delivery = replace(delivery, failure=error.message)
                break
            delivery = replace(delivery, calls=delivery.calls + 1, cached=delivery.cached + cached)
            fresh = []
            for place, words in enumerate(proposals):
                if len(accepted) >= self.wanted or place >= LOOKED_AT * open_places:
                    delivery = replace(delivery, surplus=delivery.surplus + 1)
                    continue
                if (unread := too_long(words)) is not None:
                    fresh.append(replace(unread, round=number))
                    continue
                draft = TextTemplate(
                    id=text_id(template.id, form, words),
                    sql_template_id=template.id,
                    form=form,
                    text=words,
                    origin=ORIGIN,
                )
                # Checked without its siblings: the next request must not depend on the present store.
                checked = check_text_template(draft, template, example_answers=answers)
                nonsense = refused(
                    words, template, told=(self.forms[form], self.criteria, schema_text(self.schema, tables))
                )
                failed = nonsense if nonsense is not None and nonsense.name in BEFORE else None
                failed = failed or failed_check(checked.checks, ALSO_REJECTED) or nonsense
                if failed is not None:
                    fresh.append(_rejected(words, failed, number))
                    continue
                if folded(words) in accepted:
                    delivery = replace(delivery, duplicates=delivery.duplicates + 1)
                else:
                    accepted[folded(words)] = checked
                    delivery = replace(delivery, replaced=delivery.replaced + (number > 1))
            delivery = replace(delivery, rejected=(*delivery.rejected, *fresh))
        return list(accepted.values()), delivery

    def _ask(
        self,
        template: SqlTemplate,
        tables: Sequence[str],
        form: str,
        count: int,
        accepted: Sequence[str],
        rejected: Sequence[Rejected],
    ) -> tuple[list[str], bool]:
        messages = self.prompt.render(
            sql=template.sql,
            schema=schema_text(self.schema, tables),
            placeholders=[placeholder.token for placeholder in template.placeholders],
            form=form,
            form_criteria=self.forms[form],
            count=count,
            criteria=self.criteria,
            accepted=list(accepted),
            rejected=[(item.text, item.told) for item in rejected],
        )
        proposals, reply = self.chat.ask_for(
            TextProposals, messages, purpose=PURPOSE, case_id=template.id, prompt=self.prompt.ref
        )
        return [words for text in proposals.wordings if (words := " ".join(text.split()))], reply.cached


def _with_one_meaning(
    proposals: Sequence[tuple[list[TextTemplate], Delivery]],
    templates: Sequence[SqlTemplate],
    stored: Sequence[TextTemplate],
    example_answers: Callable[[SqlTemplate], Sequence[str]],
) -> list[tuple[list[TextTemplate], Delivery]]:
    """Refuses wordings that stand under several SQL templates with different answers."""
    by_id = {template.id: template for template in templates}
    texts = [text for batch, _ in proposals for text in batch]
    others = told_apart(
        texts, stored, lambda template_id: example_answers(by_id[template_id]) if template_id in by_id else None
    )
    with_one_meaning = []
    for batch, delivery in proposals:
        kept, rejected = [], list(delivery.rejected)
        for text in batch:
            other = others.get(text.id)
            if other is None:
                kept.append(text)
                continue
            asks = by_id[other].sql if other in by_id else other
            reason = f"It words another SQL template as well, with other answers: {asks}"
            rejected.append(Rejected(text=text.text, check="one_meaning", reason=reason, told=reason))
        with_one_meaning.append((kept, replace(delivery, rejected=tuple(rejected))))
    return with_one_meaning


def _without_repetitions(
    proposals: Sequence[tuple[list[TextTemplate], Delivery]], stored: Sequence[TextTemplate]
) -> ProposedTexts:
    """Drops wordings that repeat an existing one, in any form, or one before them."""
    wordings = {(text.sql_template_id, folded(text.text)) for text in stored}
    texts: list[TextTemplate] = []
    deliveries: list[Delivery] = []
    for batch, delivery in proposals:
        new = [text for text in batch if (text.sql_template_id, folded(text.text)) not in wordings]
        wordings.update((text.sql_template_id, folded(text.text)) for text in new)
        texts += new
        repeated = len(batch) - len(new)
        deliveries.append(replace(delivery, delivered=len(new), duplicates=delivery.duplicates + repeated))
    return ProposedTexts(texts=tuple(texts), deliveries=tuple(deliveries))


def _rejected(words: str, failed: Check, number: int) -> Rejected:
    reason = TOLD.get(failed.name, f"{failed.message} {failed.remedy}".strip())
    return Rejected(text=words, check=failed.name, reason=failed.message, told=reason, round=number)
