"""Cases of the sample bank for a model that takes seconds for an answer, and a store that outlives a stop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.cli import workspace
from core.domain.llm import Endpoint, Structured
from core.domain.testset.cases import TestCase, TestSet
from core.installation import SAMPLE_DATA
from core.io.cases import write_cases
from core.llm import endpoint_settings
from core.llm.addresses import split_spec
from core.settings import settings
from core.sources.database import DatabaseSource
from core.store.database import Store
from core.store.models import endpoints
from core.store.testset import testsets
from core.testset.grounded import files
from core.testset.grounded.instantiate import instantiate
from core.testset.grounded.wording.generator import generate_text_templates

FORMS = ("short", "long")
NEVER = "never written"
"""The mark of finished work, which there is none of: the same command goes on with what is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A store with a frozen test set and the documents."""

    store: Store
    test_set: TestSet
    cases: tuple[TestCase, ...]


def sample_cases(facts: int, *, wordings: int = 1, seed: int = 0, part: tuple[int, int] = (1, 1)) -> list[TestCase]:
    """Cases of the sample bank, the wordings of a fact behind each other: they share a passage, which is read once.

    Args:
        facts: How many, spread evenly over the SQL templates.
        wordings: Of each fact in each form.
        seed: Of the draw.
        part: Every how-manyth of the facts, for servers side by side: ``(2, 3)`` is the second of three parts.
    """
    with DatabaseSource.connect(f"sqlite:///{SAMPLE_DATA / 'bank.sqlite'}") as source:
        templates = files.read_sql_templates(
            SAMPLE_DATA / "templates.json",
            with_ids=SAMPLE_DATA / "templates_with_ids.json",
            dialect=source.schema.dialect,
        )
        texts = [
            text
            for template in templates
            for form in FORMS
            for text in generate_text_templates(template, source.schema, form=form, n=wordings)
        ]
        filled = instantiate(source, templates, texts, balanced=True, limit=facts * len(FORMS) * wordings, seed=seed)
    by_fact: dict[str, list[TestCase]] = {}
    for case in filled.cases:
        by_fact.setdefault(case.group_id, []).append(case)
    number, parts = part
    return [case for members in list(by_fact.values())[number - 1 :: parts] for case in members]


@contextmanager
def sample_store(folder: Path, spec: str, cases_wanted: Sequence[TestCase]) -> Iterator[Sample]:
    """The store of `folder`, new or as it was left, with an endpoint for a slow model that writes JSON."""
    cases_file = folder / "cases.jsonl"
    if not cases_file.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        write_cases(cases_file, cases_wanted)
    with workspace.made(folder / "work", cases_file=cases_file, corpus=SAMPLE_DATA / "documents", done=NEVER) as (
        store,
        test_set,
    ):
        _add_endpoint(store, test_set.project_id, split_spec(spec)[1])
        with store.read() as connection:
            cases = testsets.cases(connection, test_set.id)
        yield Sample(store=store, test_set=test_set, cases=tuple(cases))


def _add_endpoint(store: Store, project_id: str, base_url: str) -> None:
    with store.read() as connection:
        number = len(endpoints.all(connection, project_id)) + 1
        if endpoints.at(connection, project_id, base_url) is not None:
            return
    endpoint = Endpoint(
        id="",
        project_id=project_id,
        name=f"Small model {number}",
        base_url=base_url,
        timeout_s=300.0,
        deadline_s=900.0,
        concurrency=2,
        structured=Structured.GRAMMAR,
    )
    endpoint_settings.save(store, endpoint, actor=settings().actor)
