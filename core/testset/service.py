"""Test sets inside a project: build, exclude, freeze, delete."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

from core.audit.sending import sign_off
from core.domain.errors import Conflict, InvalidInput, InvalidTemplate
from core.domain.identity import new_id
from core.domain.sources.projects import Role
from core.domain.testset.cases import TestCase, TestSet, cases_hash
from core.domain.testset.templates import SqlTemplate, TemplateStatus
from core.project.service import require
from core.sources.database import DatabaseSource
from core.sources.service import open_database, project_database
from core.store.database import Store
from core.store.testset import templates, testsets
from core.testset.corpus.approved import approved_cases
from core.testset.grounded.instantiate import OVER_LIMIT, STOPPED, Instantiation, instantiate
from core.testset.grounded.left_out import LeftOut
from core.testset.grounded.sql.checks import check_sql_template

STOPPED_TEMPLATES = "stopped_templates"
"""The option of a test set that lists the templates a limit ended: id, statement, reason, remedy."""
UNWORDED_TEMPLATES = "unworded_templates"
"""The option of a test set that lists the templates without a wording in every form: id, statement, forms."""


def expected_questions(store: Store, project_id: str) -> int:
    """About how many questions the approved templates make, from the counts of their checks; no query is run.

    Drops and balancing can only reduce the number; a database that grew since the checks can raise it.
    """
    with store.read() as connection:
        sql_templates = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
    wordings = Counter(text.sql_template_id for text in texts)
    return sum(
        int(check.value or 0) * wordings[template.id]
        for template in sql_templates
        for check in template.checks
        if check.name == "questions"
    )


def build_test_set(
    store: Store,
    project_id: str,
    *,
    actor: str,
    name: str,
    grounded: bool = True,
    documents: bool = False,
    balanced: bool = True,
    limit: int | None = None,
    seed: int = 0,
    test_set_id: str = "",
    follows: str = "",
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> TestSet:
    """Makes a draft test set: approved templates filled with the database's values, approved questions from documents.

    Each template is first checked on the present database: a template approved on another state of it may no longer
    fit.

    Args:
        store: Where the project lives.
        project_id: The project.
        actor: Who does it.
        name: Of the test set; an existing name gets the next version.
        grounded: Whether to include the questions of templates.
        documents: Whether to include the questions from documents.
        balanced: Whether every group of templates has the same number of questions in each form.
        limit: The most questions wanted; None for all. Those from documents come first, and those of templates are
            sampled by SQL template for the rest; a set of documents alone is a sample of their groups.
        seed: Of the sample.
        test_set_id: The id it gets; an existing test set is returned unchanged, so that a build that was killed after
            its last write is not repeated.
        follows: An earlier version, whose excluded cases are excluded here too, with their reasons.
        progress: Called with stage, done and total.
        should_stop: Called before each SQL template.

    Raises:
        Stopped: A stop was requested; nothing is stored.
        InvalidInput: The name is blank, nothing that was requested is approved, or no question can be made.
        InvalidTemplate: An approved template fails a check on the database as it is now.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    title = name.strip()
    if not title:
        raise InvalidInput("The test set has no name.", "Give it one, such as Branch facts.")
    if not grounded and not documents:
        raise InvalidInput("The test set would be empty.", "Include templates, questions from documents, or both.")
    with store.read() as connection:
        existing = next((stored for stored in testsets.all(connection, project_id) if stored.id == test_set_id), None)
    if existing is not None:
        return existing
    parts = []
    of_documents = _from_documents(store, project_id, None if grounded else limit, seed) if documents else None
    if grounded:
        left = _left(limit, of_documents)
        parts.append(_from_templates(store, project_id, balanced, left, seed, progress, should_stop))
    if of_documents is not None:
        parts.append(of_documents)
    reasons = _excluded(store, follows) if follows else {}
    cases = [replace(case, excluded=reasons.get(case.case_id, "")) for part in parts for case in part.cases]
    test_set = TestSet(
        id=test_set_id or new_id("ts"),
        project_id=project_id,
        name=title,
        options={key: value for part in parts for key, value in part.options.items()}
        | ({} if limit is None else {"limit": limit}),
        counts={key: value for part in parts for key, value in part.counts.items()},
        drops={key: value for part in parts for key, value in part.drops.items()},
    )
    progress("Storing questions", 0, len(cases))
    with store.write(
        actor, "test_set.build", project_id=project_id, subject=test_set.id, detail={"cases": len(cases)}
    ) as connection:
        # Counted under the store's lock, so that two builds at once get two versions.
        versions = [other.version for other in testsets.all(connection, project_id) if other.name == title]
        test_set = replace(test_set, version=max(versions, default=0) + 1)
        testsets.put(connection, test_set)
        testsets.put_cases(connection, test_set.id, cases)
    return test_set


def _excluded(store: Store, test_set_id: str) -> dict[str, str]:
    """Why a person took cases out of a test set, by case."""
    with store.read() as connection:
        cases = testsets.cases(connection, test_set_id, include_excluded=True)
    return {case.case_id: case.excluded for case in cases if case.excluded}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """Cases of one origin, and the test set's figures on them."""

    cases: Sequence[TestCase]
    options: Mapping[str, object]
    counts: Mapping[str, object]
    drops: Mapping[str, int] = field(default_factory=dict)


def _from_templates(
    store: Store,
    project_id: str,
    balanced: bool,
    limit: int | None,
    seed: int,
    progress: Callable[[str, int, int], None],
    should_stop: Callable[[], bool],
) -> _Part:
    source = project_database(store, project_id)
    with store.read() as connection:
        sql_templates = templates.sql(connection, project_id, status=TemplateStatus.APPROVED)
        texts = templates.text(connection, project_id, status=TemplateStatus.APPROVED)
    if not sql_templates or not texts:
        missing = "SQL template" if not sql_templates else "text template"
        raise InvalidInput(f"No {missing} is approved yet.", "Approve at least one on the Templates page.")
    with open_database(source) as database:
        fitting, stopped = _fitting(database, sql_templates)
        instantiation = instantiate(
            database,
            fitting,
            texts,
            balanced=balanced,
            limit=limit,
            seed=seed,
            progress=progress,
            should_stop=should_stop,
        )
        fingerprint = database.schema.fingerprint
    left_out = (*stopped, *instantiation.left_out)
    if not instantiation.cases:
        raise _nothing(instantiation, limit, left_out)
    options: dict[str, object] = {
        "balanced": balanced,
        "limit": limit,
        "seed": seed,
        "source_id": source.id,
        "source_fingerprint": fingerprint,
    }
    drops = dict(instantiation.drops)
    if left_out:
        options[STOPPED_TEMPLATES] = [asdict(template) for template in left_out]
        drops[STOPPED] = len(left_out)
    if instantiation.unworded:
        options[UNWORDED_TEMPLATES] = [
            {"id": template.id, "sql": template.sql, "forms": list(instantiation.unworded[template.id])}
            for template in fitting
            if template.id in instantiation.unworded
        ]
    return _Part(cases=instantiation.cases, options=options, counts=instantiation.counts, drops=drops)


def _left(limit: int | None, of_documents: _Part | None) -> int | None:
    """How many questions of templates fit under a limit beside those from documents.

    Raises:
        InvalidInput: None fits.
    """
    if limit is None or of_documents is None:
        return limit
    number = len(of_documents.cases)
    if number >= limit:
        raise InvalidInput(
            f"A limit of {limit:,} questions leaves none for templates: {number:,} questions from documents are "
            "approved.",
            "Raise the limit, or build the test set of questions from documents alone.",
        )
    return limit - number


def _from_documents(store: Store, project_id: str, limit: int | None, seed: int) -> _Part:
    approved = approved_cases(store, project_id)
    if not approved:
        raise InvalidInput("No question from documents is approved yet.", "Approve some on the Questions page.")
    cases = approved if limit is None else _sampled(approved, limit, seed)
    if not cases:
        raise InvalidInput(
            f"A limit of {limit} questions is below one group: a test set has all questions of a group, or none.",
            "Raise the limit.",
        )
    kinds = Counter(case.attributes["type"] for case in cases)
    return _Part(
        cases=cases,
        options={"documents": True, "seed": seed} if limit is not None else {"documents": True},
        counts={"document_questions": dict(kinds)},
        drops={OVER_LIMIT: len(approved) - len(cases)} if len(cases) < len(approved) else {},
    )


def _sampled(cases: Sequence[TestCase], limit: int, seed: int) -> list[TestCase]:
    """Cases of whole groups, drawn at random until no further group fits under the limit, in the order they were in."""
    sizes = Counter(case.group_id or case.case_id for case in cases)
    order = list(sizes)
    random.Random(f"{seed}:documents").shuffle(order)  # noqa: S311 - a sample, not a secret
    drawn: set[str] = set()
    for group in order:
        if sizes[group] <= limit:
            limit -= sizes[group]
            drawn.add(group)
    return [case for case in cases if (case.group_id or case.case_id) in drawn]


def _fitting(database: DatabaseSource, sql_templates: Sequence[SqlTemplate]) -> tuple[list[SqlTemplate], list[LeftOut]]:
    """The templates that can be filled, and those that a limit ends; any other that no longer fits is an error."""
    reviews = [check_sql_template(template, database) for template in sql_templates]
    stopped = [LeftOut.by(review.stopped, review.template) for review in reviews if review.stopped is not None]
    unfit = [review.template for review in reviews if review.stopped is None and not review.template.approvable]
    if unfit:
        failed = next(check for check in unfit[0].checks if check.blocking and not check.passed)
        more = f" {len(unfit) - 1} more no longer fit either." if len(unfit) > 1 else ""
        raise InvalidTemplate(
            f"An approved SQL template no longer fits the database: {unfit[0].sql} ({failed.message}){more}",
            "The database has changed since then. Check the approved again on the Templates page: those that "
            "do not fit become drafts, which can be edited, rejected or deleted.",
        )
    names = {template.template_id for template in stopped}
    return [template for template in sql_templates if template.id not in names], stopped


def _nothing(instantiation: Instantiation, limit: int | None, left_out: Sequence[LeftOut]) -> InvalidInput:
    if left_out:
        more = f" {len(left_out) - 1} more were ended by a limit too." if len(left_out) > 1 else ""
        return InvalidInput(
            f"No question was made: a limit ended the template {left_out[0].sql} ({left_out[0].reason}){more}",
            left_out[0].remedy,
        )
    over = instantiation.drops.get(OVER_LIMIT, 0)
    if over and limit is not None:
        return InvalidInput(
            f"A limit of {limit} questions is below one group: a test set has all wordings of a fact, or none.",
            "Raise the limit, or approve fewer wordings.",
        )
    reasons = ", ".join(f"{reason}: {count}" for reason, count in instantiation.drops.items())
    return InvalidInput(
        f"The approved templates make no question ({reasons or 'no value has an answer'}).",
        "Approve other templates, or wordings for them in every form.",
    )


def freeze_test_set(store: Store, test_set_id: str, *, actor: str) -> TestSet:
    """Freezes a test set: hashes its cases that are not excluded; from then on it never changes.

    Raises:
        Conflict: It is frozen already.
        InvalidInput: Every case is excluded.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    counted: dict[str, object] = {}
    with store.write(
        actor, "test_set.freeze", project_id=test_set.project_id, subject=test_set_id, detail=counted
    ) as connection:
        # Read under the store's lock: the cases hashed are those frozen, even while a case is being excluded.
        cases = testsets.cases(connection, test_set_id)
        if not cases:
            raise InvalidInput(f"Test set {test_set.name} has no case left.", "Include at least one case again.")
        counted["cases"] = len(cases)
        testsets.freeze(connection, test_set_id, cases_hash(cases), at)
        frozen = testsets.get(connection, test_set_id)
    sign_off(store, actor, "test_set.freeze")
    return frozen


def exclude_case(store: Store, test_set_id: str, case_id: str, reason: str, *, actor: str) -> None:
    """Takes a case out of a draft test set; the reason is kept. An empty reason puts it back.

    Raises:
        Conflict: The test set is frozen.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    action = "test_set.exclude" if reason.strip() else "test_set.include"
    with store.write(
        actor, action, project_id=test_set.project_id, subject=case_id, detail={"reason": reason.strip()}
    ) as connection:
        if reason.strip():
            testsets.exclude(connection, test_set_id, case_id, reason.strip())
        else:
            testsets.include(connection, test_set_id, case_id)


def delete_test_set(store: Store, test_set_id: str, *, actor: str) -> None:
    """Deletes a draft test set with its cases.

    Raises:
        Conflict: It is frozen; runs may use it.
    """
    with store.read() as connection:
        test_set = testsets.get(connection, test_set_id)
    require(store, test_set.project_id, actor, Role.VALIDATOR)
    if test_set.frozen:
        raise Conflict(f"Test set {test_set.name} v{test_set.version} is frozen.", "A frozen test set is kept.")
    with store.write(actor, "test_set.delete", project_id=test_set.project_id, subject=test_set_id) as connection:
        testsets.delete(connection, test_set_id)
