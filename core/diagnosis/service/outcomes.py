"""How the cases of a run ended, and the facts that some answer got wrong, each with the key of its evidence.

A key is SHA-256 over all that evidence depends on: the version of the search, the documents, the database, the wordings
of the fact with its answers, values and gold ids, the values that its templates were filled with elsewhere, and its
wrong answers with the passages before them. Evidence that was found with another key is of another fact, whatever it is
called.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection

from core.domain.results.responses import Verdict
from core.domain.results.runs import Run
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.projects import SourceKind
from core.judging.facts.search import VERSION
from core.store import document_mappings, sources
from core.store.codec import decode
from core.store.results.cases import case_columns, outcome_columns
from core.store.results.cases.outcome_columns import Wording

ABSTAINED = "abstained"
"""The judge's rule for an answer that says it does not know; such an answer shows no other value."""


Parsed = TypeVar("Parsed")


class _Answered(NamedTuple):
    """A wrong answer, the hash of the passages before it, and their characters."""

    answer: str | None
    passages: bytes
    characters: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one case of a run ended, without its texts.

    Attributes:
        group_id: The filled SQL query, or empty.
        true_ids: Gold ids, those that people matched replaced by their documents.
        retrieved_ids: Ids of the retrieved documents, each once, best first.
        answered: Whether there is a response, a failed one included.
    """

    case_id: str
    group_id: str
    form: str
    true_ids: tuple[str, ...]
    attributes: Mapping[str, str]
    verdict: Verdict
    retrieved_ids: tuple[str, ...]
    answered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongFact:
    """A fact of which some answer is wrong.

    Attributes:
        key: Of all that its evidence depends on.
        case_ids: Of all its wordings.
        wrong_ids: Of those that were answered wrongly.
        characters: Of the passages before its wrong answers.
    """

    key: bytes
    case_ids: tuple[str, ...]
    wrong_ids: tuple[str, ...]
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the evidence of every fact of a run depends on, besides the fact.

    Attributes:
        documents: The run's documents as gold ids name them; None where none are known.
        known_ids: Their own ids, likewise.
        corpus_key: Of the documents; empty where the run has no corpus.
        database_key: Of the database that computed answers come from; empty where the project has none.
        bound_keys: Of all values that each SQL template was filled with, by the template's id.
    """

    documents: KnownDocuments | None
    known_ids: frozenset[str] | None
    corpus_key: str
    bound_keys: Mapping[str, bytes]
    database_key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """The cases of a run, in the order of its test set.

    Attributes:
        facts: Those with a wrong answer, by filled SQL query; empty where the run has no corpus to look them up in.
    """

    cases: tuple[Outcome, ...]
    facts: Mapping[str, WrongFact]


def surroundings(connection: Connection, run: Run, template_ids: Collection[str] | None = None) -> Surroundings:
    """Reads what the evidence of all facts depends on.

    Args:
        connection: From the store.
        run: The run.
        template_ids: Only these SQL templates; all of the test set where None.
    """
    if not run.corpus_id:
        listed = run.options.get("known_ids")
        known_ids = frozenset(str(item) for item in listed) if isinstance(listed, list | tuple) else None
        documents = document_mappings.of_run(connection, run)
        return Surroundings(documents=documents, known_ids=known_ids, corpus_key="", bound_keys={})
    titles = sources.titles(connection, run.corpus_id)
    database = sources.latest(connection, run.project_id, SourceKind.DATABASE)
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for template_id, bound in case_columns.bound_texts(connection, run.test_set_id, template_ids):
        texts[template_id].append(bound)
    return Surroundings(
        documents=document_mappings.known(connection, run.project_id, run.corpus_id, titles),
        known_ids=frozenset(titles),
        corpus_key=f"{run.corpus_id} {sources.get(connection, run.corpus_id).fingerprint}",
        bound_keys={template_id: _key(sorted(bound)) for template_id, bound in texts.items()},
        database_key=f"{database.id} {database.fingerprint}" if database else "",
    )


def outcomes(
    connection: Connection, run: Run, around: Surroundings, case_ids: Collection[str] | None = None
) -> Outcomes:
    """Reads how cases ended.

    Args:
        connection: From the store.
        run: The run.
        around: Of the same run.
        case_ids: Only these cases, which must include every wording of their facts; all where None.
    """
    wordings = outcome_columns.wordings(connection, run.test_set_id, case_ids)
    verdicts = outcome_columns.verdicts(connection, run.id, case_ids)
    wrong = {case_id for case_id, (value, _) in verdicts.items() if verdict_of_value(value) is Verdict.INCORRECT}
    retrieved: dict[str, tuple[str, ...]] = {}
    answers: dict[str, _Answered] = {}
    equal: dict[tuple[str, ...], tuple[str, ...]] = {}
    for case_id, answer, contexts in outcome_columns.answers(connection, run.id, case_ids):
        ids = tuple(dict.fromkeys(str(passage.get("document_id", "")) for passage in json.loads(contexts)))
        retrieved[case_id] = equal.setdefault(ids, ids)
        if case_id in wrong:
            digest = hashlib.sha256(contexts.encode("utf-8", "backslashreplace")).digest()
            answers[case_id] = _Answered(answer, digest, len(contexts))
    documents = around.documents
    gold = _once(lambda ids: documents.named(tuple(ids)) if documents is not None else tuple(ids))
    attributes = _once(lambda value: decode(value) or {})
    cases = tuple(
        Outcome(
            case.case_id,
            case.group_id,
            case.form,
            gold(case.gold_document_ids),
            attributes(case.attributes),
            verdict_of_value(verdicts[case.case_id][0]) if case.case_id in verdicts else Verdict.NOT_JUDGED,
            retrieved.get(case.case_id, ()),
            case.case_id in retrieved,
        )
        for case in wordings
    )
    groups: defaultdict[str, list[Wording]] = defaultdict(list)
    for case in wordings if around.corpus_key else ():
        groups[case.group_id].append(case)
    facts = {
        group_id: _fact(members, failed, verdicts, answers, around, gold)
        for group_id, members in groups.items()
        if group_id and (failed := [case.case_id for case in members if case.case_id in wrong])
    }
    return Outcomes(cases=cases, facts=facts)


def verdict_of_value(value: float | None) -> Verdict:
    """The verdict that the stored value of a score stands for."""
    if value is None:
        return Verdict.NOT_JUDGED
    return Verdict.CORRECT if value == 1.0 else Verdict.INCORRECT


def _fact(
    members: Sequence[Wording],
    wrong_ids: Sequence[str],
    verdicts: Mapping[str, tuple[float | None, str]],
    answers: Mapping[str, _Answered],
    around: Surroundings,
    gold: Callable[[str], tuple[str, ...]],
) -> WrongFact:
    """The fact of all its wordings, with the key of its evidence."""
    answered = [answers.get(case_id) for case_id in wrong_ids]
    key = _key(
        [
            VERSION,
            around.corpus_key,
            around.database_key,
            *(around.bound_keys.get(name, b"") for name in dict.fromkeys(case.sql_template_id for case in members)),
            *(
                (case.case_id, case.question, case.reference_answers, case.sql_template_id, case.sql_params)
                for case in members
            ),
            *(gold(case.gold_document_ids) for case in members),
            *(
                (case_id, verdicts[case_id][1] == ABSTAINED, (answer.answer, answer.passages) if answer else None)
                for case_id, answer in zip(wrong_ids, answered, strict=True)
            ),
        ]
    )
    return WrongFact(
        key=key,
        case_ids=tuple(case.case_id for case in members),
        wrong_ids=tuple(wrong_ids),
        characters=sum(answer.characters for answer in answered if answer),
    )


def _key(parts: Sequence[object]) -> bytes:
    """SHA-256 of texts, numbers and tuples of them; the written form tells where each of them ends."""
    return hashlib.sha256(repr(parts).encode("utf-8", "backslashreplace")).digest()


def _once(convert: Callable[[Any], Parsed]) -> Callable[[str], Parsed]:
    """Parses JSON, each different text once: many cases share theirs."""
    values: dict[str, Parsed] = {}

    def parsed(text: str) -> Parsed:
        value = values.get(text)
        if value is None:
            value = values[text] = convert(json.loads(text))
        return value

    return parsed
