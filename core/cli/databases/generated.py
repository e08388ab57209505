"""Templates by a model, for the commands on a database, outside any project; replies stay in the default store."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from itertools import zip_longest
from typing import TYPE_CHECKING

from core.cli.models.endpoints import Access, model_at
from core.cli.output import progress_line, tell
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.testset.templates import SqlTemplate, TextTemplate
    from core.sources.database import DatabaseSource

Report = dict[str, object]


def sql_templates(
    source: DatabaseSource,
    model: str,
    *,
    criteria: str,
    per_set: int,
    sizes: Sequence[int],
    tables: Sequence[str],
    limit: int,
    access: Access,
    prompts: str = "auto",
    budget_calls: int | None = None,
) -> tuple[list[SqlTemplate], Report]:
    """SQL templates and what else the command says: requested, delivered, rejected.

    Every table set is asked about, for fewer templates where the limit has no room for all of them; up to the limit
    they are taken from each set in turn.
    """
    from core.llm import Limits, load_prompt, open_chat
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.testset.grounded.llm.sql_generator import PROMPT, generate_sql_templates_by_llm
    from core.testset.grounded.llm.table_sets import table_sets
    from core.testset.templates.llm_requests import Generation, result_document

    with Store.open(settings().database_url) as store:
        model, endpoint = model_at(access, store, model)
    generation = Generation(
        what="sql", model=model, criteria=criteria, sizes=tuple(sizes), tables=tuple(tables), per_set=per_set
    )
    generation.check()
    sets = table_sets(source.schema, sizes=sizes, tables=tables)
    each = min(per_set, max(1, math.ceil(limit / max(1, len(sets)))))
    if each < per_set:
        tell(f"{each} of each of {len(sets)} table sets are asked for; a higher --limit asks for up to {per_set}.")
    with Store.open(settings().database_url) as store:
        chat = open_chat(
            store,
            "",
            model,
            budget=Limits(calls=budget_calls).budget(store),
            endpoint=endpoint,
            prompts=asked_variant(prompts),
        )
        written = generate_sql_templates_by_llm(
            chat,
            load_prompt(PROMPT, variant=chat.prompts),
            source,
            sets,
            per_set=each,
            criteria=criteria,
            progress=progress_line(),
        )
    return _in_turn(written.templates)[:limit], _report(result_document(generation, written.deliveries))


def _in_turn(templates: Sequence[SqlTemplate]) -> list[SqlTemplate]:
    """The first template of each table set, then the second of each, and so on."""
    by_set: dict[tuple[str, ...], list[SqlTemplate]] = {}
    for template in templates:
        by_set.setdefault(tuple(sorted(template.tables)), []).append(template)
    return [template for turn in zip_longest(*by_set.values()) for template in turn if template is not None]


def text_templates(
    source: DatabaseSource,
    model: str,
    templates: Sequence[SqlTemplate],
    *,
    form: str,
    about: str,
    n: int,
    criteria: str,
    round_trip: bool,
    access: Access,
    prompts: str = "auto",
    budget_calls: int | None = None,
) -> tuple[list[tuple[SqlTemplate, list[TextTemplate]]], Report]:
    """Wordings of each SQL template and what else the command says: requested, delivered, rejected, round trips."""
    from core.llm import Limits, load_prompt, open_chat
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.testset.grounded.llm import round_trip as llm_round_trip
    from core.testset.grounded.llm.text_generator import PROMPT, generate_text_templates_by_llm
    from core.testset.templates.llm_requests import Generation, result_document
    from core.testset.templates.text_review import example_answers, form_name

    with Store.open(settings().database_url) as store:
        model, endpoint = model_at(access, store, model)
    generation = Generation(
        what="text", model=model, criteria=criteria, forms={form: about}, n=n, round_trip=round_trip
    )
    generation.check()
    with Store.open(settings().database_url) as store:
        chat = open_chat(
            store,
            "",
            model,
            budget=Limits(calls=budget_calls).budget(store),
            endpoint=endpoint,
            prompts=asked_variant(prompts),
        )
        written = generate_text_templates_by_llm(
            chat,
            load_prompt(PROMPT, variant=chat.prompts),
            source.schema,
            templates,
            forms={form_name(form): about},
            n=n,
            criteria=criteria,
            example_answers=cache(lambda template: example_answers(source, template)),
            progress=progress_line(),
        )
        texts, trips = written.texts, None
        if round_trip and texts:
            trips = llm_round_trip.check_round_trips(
                chat,
                load_prompt(llm_round_trip.PROMPT, variant=chat.prompts),
                source,
                texts,
                {template.id: template for template in templates},
                progress=progress_line(),
            )
            texts = trips.texts
    worded = [(template, [text for text in texts if text.sql_template_id == template.id]) for template in templates]
    return worded, _report(result_document(generation, written.deliveries, trips))


def _report(document: Report) -> Report:
    """What the command prints beside its templates, and one line for a person."""
    fields = ("requested", "delivered", "duplicates", "surplus", "by_subject", "rejected", "round_trips")
    tell(
        f"{document['delivered']} of {document['requested']} requested templates were generated and passed the checks."
    )
    return {
        **{name: document[name] for name in fields if name in document},
        "llm_calls": document["calls"],
        "llm_calls_from_cache": document["calls_from_cache"],
    }
