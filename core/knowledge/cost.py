"""The expected cost of documents by a model: calls, tokens and money, as ranges; nothing is sent."""

from __future__ import annotations

from core.knowledge.building import Build, expected_documents, first_records
from core.knowledge.fluent import PROMPT, PURPOSE, messages
from core.llm import load_prompt
from core.llm.addresses import split_spec
from core.llm.spending.estimates import Between, CallPart, characters_of, grounds_of, sized
from core.sources.service import project_database
from core.store.database import Store

MEASURED_ROWS = 20
"""Rows whose requests are measured, here and without sending them."""

REPLY_TOKENS = (120.0, 600.0)
"""Of a document: the prompt asks for 120 to 300 words."""

DRAFT_CHARACTERS = 2_400
"""Of a first document in a second request, with the facts that it lacks."""


def expected_cost(store: Store, project_id: str, build: Build) -> tuple[CallPart, ...]:
    """The calls of a build by a model with their tokens and money; none for a build by rules.

    Each document is one call, and a second one where a fact is missing. A few rows are read, here, to see how long
    requests are.

    Raises:
        InvalidInput: The model's spec cannot be read.
        NotFound: No database is connected.
    """
    source = project_database(store, project_id)
    if build.method != "llm" or source.schema is None:
        return ()
    documents = expected_documents(source.schema, build)
    records = first_records(store, project_id, build, MEASURED_ROWS)
    if not documents or not records:
        return ()
    model, url = split_spec(build.model)
    known = grounds_of(store, project_id)
    prompt = load_prompt(PROMPT, variant=known.variant(build.model), store=store, project_id=project_id)
    once = sum(characters_of(messages(prompt, record)) for record in records)
    part = sized(
        known,
        PURPOSE,
        model,
        url,
        prompt,
        calls=Between(low=documents, high=2 * documents),
        characters=Between(low=once, high=once + DRAFT_CHARACTERS * len(records)),
        of=len(records),
        reply=REPLY_TOKENS,
        wanted_at_once=0,
    )
    return (part,)
