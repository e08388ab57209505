"""The expected cost of templates and wordings by a model: calls, tokens and money, as ranges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from core.domain.errors import InvalidTemplate, UnsafeSql
from core.domain.llm import Message, Structured
from core.domain.sources.schema import Schema
from core.domain.testset.templates import TemplateStatus
from core.llm import load_prompt
from core.llm.addresses import split_spec
from core.llm.replies.structured import held_to
from core.llm.spending.estimates import NONE, Between, CallPart, characters_of, grounds_of, probes_of, sized
from core.sources.service import project_database
from core.store.database import Store
from core.store.testset import templates
from core.testset.grounded.llm import round_trip, sql_generator, text_generator
from core.testset.grounded.llm.forms import form_criteria
from core.testset.grounded.llm.schema import schema_text
from core.testset.grounded.llm.table_sets import table_sets
from core.testset.grounded.sql.binding import bind
from core.testset.templates.llm_requests import Expected, Generation
from core.testset.templates.text_review import form_name

Item = TypeVar("Item")

LOOKED_AT = 40
"""Requests whose lengths are measured, evenly spread; the others are assumed to be like them."""

TOKENS_A_TEMPLATE, TOKENS_A_WORDING = (20.0, 120.0), (10.0, 60.0)
"""Of one proposal in a reply that was never measured."""

TOKENS_BACK = (20.0, 200.0)
"""Of a statement that a wording was turned back into."""

SENT_AGAIN = 400
"""Characters of one accepted or rejected proposal, with its reason, in a second request."""

WORDING = "x" * 160
"""Stands for a wording that is not written yet."""


def expected_calls(store: Store, project_id: str, generation: Generation) -> Expected:
    """How many requests and calls a generation makes; nothing is sent.

    Raises:
        NotFound: No database is connected.
    """
    if generation.what == "sql":
        schema = project_database(store, project_id).schema
        sets = len(table_sets(schema, sizes=generation.sizes, tables=generation.tables)) if schema else 0
        rounds = sql_generator.ROUNDS
        return Expected(requests=sets, wanted=sets * generation.per_set, least_calls=sets, most_calls=sets * rounds)
    with store.read() as connection:
        approved = len(templates.sql(connection, project_id, status=TemplateStatus.APPROVED))
        drafts = len(templates.text(connection, project_id, status=TemplateStatus.DRAFT))
    if generation.what == "round_trip":
        return Expected(requests=drafts, wanted=0, least_calls=drafts, most_calls=drafts)
    pairs = approved * len(generation.forms)
    wordings = pairs * generation.n
    back = wordings if generation.round_trip else 0
    return Expected(requests=pairs, wanted=wordings, least_calls=pairs + back, most_calls=2 * pairs + back)


def expected_cost(store: Store, project_id: str, generation: Generation) -> tuple[CallPart, ...]:
    """The calls of a generation with their tokens and money, by purpose; nothing is sent, and no row is read.

    Raises:
        InvalidInput: The model's spec cannot be read, or a form has no description.
        NotFound: No database is connected.
    """
    schema = project_database(store, project_id).schema
    expected = expected_calls(store, project_id, generation)
    if schema is None or not expected.requests:
        return ()
    estimate = _Estimate(store, project_id, generation, schema)
    if generation.what == "sql":
        return (estimate.sql(expected),)
    if generation.what == "round_trip":
        return (estimate.back(expected.requests),)
    first = estimate.text(replace(expected, most_calls=2 * expected.requests, least_calls=expected.requests))
    if not generation.round_trip:
        return (first,)
    # One probe serves both.
    return first, estimate.back(expected.wanted, probes=NONE)


class _Estimate:
    """The parts of one generation."""

    def __init__(self, store: Store, project_id: str, generation: Generation, schema: Schema) -> None:
        self._store, self._project_id = store, project_id
        self._generation, self._schema = generation, schema
        self._known = grounds_of(store, project_id)
        self._model, self._url = split_spec(generation.model)
        self._prompt = partial(
            load_prompt, variant=self._known.variant(generation.model), store=store, project_id=project_id
        )

    def sql(self, expected: Expected) -> CallPart:
        """The calls that ask for SQL templates."""
        generation, schema = self._generation, self._schema
        prompt = self._prompt(sql_generator.PROMPT)

        def messages(tables: tuple[str, ...]) -> tuple[Message, ...]:
            return prompt.render(
                schema=schema_text(schema, tables),
                tables=list(tables),
                count=generation.per_set,
                criteria=generation.criteria.strip(),
                accepted=[],
                rejected=[],
            )

        sets = table_sets(schema, sizes=generation.sizes, tables=generation.tables)
        return self._asking(
            expected,
            sql_generator.PURPOSE,
            sql_generator.PROMPT,
            sets,
            messages,
            form=sql_generator.SqlProposals,
            count=generation.per_set,
            tokens_each=TOKENS_A_TEMPLATE,
        )

    def text(self, expected: Expected) -> CallPart:
        """The calls that ask for wordings."""
        generation = self._generation
        prompt = self._prompt(text_generator.PROMPT)
        with self._store.read() as connection:
            approved = templates.sql(connection, self._project_id, status=TemplateStatus.APPROVED)
        forms = {form_name(form): form_criteria(form_name(form), words) for form, words in generation.forms.items()}

        def messages(item: tuple[str, str]) -> tuple[Message, ...]:
            sql, form = item
            return prompt.render(
                sql=sql,
                schema=self._tables(sql),
                placeholders=[],
                form=form,
                form_criteria=forms[form],
                count=generation.n,
                criteria=generation.criteria.strip(),
                accepted=[],
                rejected=[],
            )

        pairs = [(template.sql, form) for template in approved for form in forms]
        return self._asking(
            expected,
            text_generator.PURPOSE,
            text_generator.PROMPT,
            pairs,
            messages,
            form=text_generator.TextProposals,
            count=generation.n,
            tokens_each=TOKENS_A_WORDING,
        )

    def back(self, wordings: int, probes: Between | None = None) -> CallPart:
        """The calls that turn wordings back into SQL."""
        prompt = self._prompt(round_trip.PROMPT)
        schema = schema_text(self._schema)
        messages = prompt.render(schema=schema, text=WORDING)
        probes = probes_of(self._known, self._model, self._url) if probes is None else probes
        return sized(
            self._known,
            round_trip.PURPOSE,
            self._model,
            self._url,
            prompt,
            calls=Between(low=wordings, high=wordings) + probes,
            characters=_range([messages], round_trip.BackInSql),
            of=1,
            reply=TOKENS_BACK,
            wanted_at_once=0,
            repairs=True,
        )

    def _asking(
        self,
        expected: Expected,
        purpose: str,
        prompt_id: str,
        requests: Sequence[Item],
        messages: Callable[[Item], tuple[Message, ...]],
        *,
        form: type[BaseModel],
        count: int,
        tokens_each: tuple[float, float],
    ) -> CallPart:
        conversations = [messages(request) for request in _spread(requests)]
        first = _range(conversations, form)
        sent_again = SENT_AGAIN * count * len(conversations)
        calls = Between(low=expected.least_calls, high=expected.most_calls)
        return sized(
            self._known,
            purpose,
            self._model,
            self._url,
            self._prompt(prompt_id),
            calls=calls + probes_of(self._known, self._model, self._url),
            characters=Between(low=first.low, high=first.high + sent_again),
            of=len(conversations),
            reply=(tokens_each[0] * count, tokens_each[1] * count),
            wanted_at_once=0,
            repairs=True,
        )

    def _tables(self, sql: str) -> str:
        try:
            return schema_text(self._schema, bind(sql, self._schema).tables)
        except (UnsafeSql, InvalidTemplate):
            return ""


def _spread(items: Sequence[Item]) -> Sequence[Item]:
    step = max(1, len(items) // LOOKED_AT)
    return items[::step][:LOOKED_AT]


def _range(conversations: Sequence[tuple[Message, ...]], form: type[BaseModel]) -> Between:
    """Characters of conversations: with the form in words or not, as the endpoint takes it."""
    plain = sum(characters_of(messages) for messages in conversations)
    with_form = sum(characters_of(held_to(form, messages, Structured.NONE)[0]) for messages in conversations)
    return Between(low=plain, high=with_form)
