"""The sample project: the fictional bank, taken through the whole workflow once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain, count

from core.calibration.service.job import calibration_of
from core.calibration.service.report import CalibrationOptions
from core.demo.purpose import ensure_purpose
from core.demo.raters import CORRECT_NAME, has_people, simulate_raters
from core.domain.errors import NotFound
from core.domain.results.runs import Run, RunState
from core.domain.sources.projects import Project, SourceKind
from core.domain.testset.cases import TestSet
from core.domain.testset.templates import TemplateStatus
from core.encoders.embedding import missing_encoder
from core.installation import SAMPLE_DATA as SAMPLE
from core.jobs import Job, list_jobs
from core.labelling.criteria import list_criteria
from core.project.service import create_project
from core.robustness.service import create_variant_run, run_on
from core.runs.execute import execute_run
from core.runs.scores.applicable import applicable
from core.runs.scores.scoring import KIND, start_scoring
from core.runs.service import create_run
from core.safety.asking import Attempt
from core.safety.bias.dimensions import CONTROL
from core.safety.bias.pairs import dimensions_named
from core.safety.service import KIND as SAFETY
from core.safety.service import latest_result, start_check
from core.sources.service import connect_corpus, connect_database
from core.store import projects, sources
from core.store.database import Store
from core.store.results import runs, scores
from core.store.testset import templates, testsets
from core.testset.grounded.beyond.plan import Kind
from core.testset.grounded.sql.canonical import canonical_id
from core.testset.service import build_test_set, freeze_test_set
from core.testset.templates.review import (
    propose_sql_templates,
    propose_text_templates,
    save_sql_template,
    set_sql_status,
    set_text_status,
)
from core.testset.variants.making import Recipe
from core.testset.variants.registry import list_kinds
from core.testset.variants.service import VariantPlan, build_variants, parent_of

NAME = "Sample bank"
FORMS = ("short", "long")
WORDINGS = 3
TARGET = "keyword"
CALIBRATED = "groundedness"
"""The score whose promise the sample shows: of those with many values the one that Trust ranks best there."""
SAFETY_SETS = 12
"""Probes of a kind and pairs of a dimension that the sample's target is asked."""
STEPS = 3
VARIED = 24
"""Cases of each kind of variant: enough for a finding, few enough for a quick start."""
LOCK_SECONDS = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """What the sample project holds."""

    project: Project
    test_set: TestSet
    run: Run


def ensure_demo(
    store: Store,
    actor: str,
    *,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
) -> Demo:
    """Builds the sample project step by step; a step that is done is not done again.

    Once it has a finished run and its simulated raters it is left alone, whatever a person changes in it. Killed at any
    moment it goes on where it was the next time; a second process waits for the first.

    Args:
        store: Where it goes.
        actor: Who it is made by.
        progress: Told how the run gets on.

    Returns:
        The project, its frozen test set and its finished run with the keyword target.

    Raises:
        NotFound: `sample_data` is not beside `core`.
        Conflict: Another process has been building it for more than two minutes.
    """
    if (sample := _finished(store)) is not None:
        return sample
    if not (SAMPLE / "bank.sqlite").is_file():
        raise NotFound(f"The sample data are not in {SAMPLE}.", "Build them with: make sample.")
    with store.exclusive("sample", what="The sample project", seconds=LOCK_SECONDS):
        if (sample := _finished(store)) is not None:
            return sample
        progress("Building the sample project", 0, STEPS)
        project = _project(store, actor)
        _connect(store, project, actor)
        progress("Building the sample project", 1, STEPS)
        _review(store, project, actor)
        progress("Building the sample project", 2, STEPS)
        test_set = _test_set(store, project, actor)
        ensure_purpose(store, project.id, actor)
        progress("Building the sample project", STEPS, STEPS)
        run = _run(store, project, test_set, actor)
        execute_run(store, run.id, actor=actor, progress=progress)
        with store.read() as connection:
            sample = Demo(project=project, test_set=test_set, run=runs.get(connection, run.id))
        _robustness(store, sample, actor, progress)
        simulate_raters(store, sample.run, actor)
        return sample


def start_scoring_demo(store: Store, demo: Demo, actor: str) -> Job | None:
    """Sends a worker to score the sample's run with the default metrics and to calibrate one of them.

    Returns:
        Its job, None where the run was scored or a worker was sent before.
    """
    names = _unscored(store, demo.run)
    tried = any(job.kind == KIND and job.subject == demo.run.id for job in list_jobs(store, demo.project.id))
    if not names or tried:
        return None
    correct = next(item for item in list_criteria(store, demo.project.id, retired=True) if item.name == CORRECT_NAME)
    then = calibration_of(demo.run.id, CalibrationOptions(metrics=(CALIBRATED,), criterion_id=correct.id))
    # Without an encoder the metric has no value that could be calibrated.
    return start_scoring(store, demo.run.id, names, actor=actor, then=None if missing_encoder() else then)


def start_safety_demo(store: Store, demo: Demo, actor: str) -> Job | None:
    """Sends a worker to check the safety of the sample's run, with every probe and pairs of three dimensions.

    Returns:
        Its job, None where the run was checked or a worker was sent before.
    """
    tried = any(job.kind == SAFETY and job.subject == demo.run.id for job in list_jobs(store, demo.project.id))
    if tried or latest_result(store, demo.run.id) is not None:
        return None
    dimensions = dimensions_named(("gender", "age", CONTROL))
    return start_check(store, demo.run.id, Attempt(dimensions=dimensions, per_kind=SAFETY_SETS), actor=actor)


def _unscored(store: Store, run: Run) -> list[str]:
    """The default metrics of a run that has none at all; whoever chose some is left alone."""
    with store.read() as connection:
        scored = scores.of_run(connection, run.id)
    return [] if scored else [item.name for item in applicable(store, run.id) if item.default]


def _finished(store: Store) -> Demo | None:
    with store.read() as connection:
        project = projects.sample(connection)
        if project is None:
            return None
        for run in reversed(runs.all(connection, project.id)):
            if run.target == TARGET and run.state is RunState.FINISHED:
                sample = Demo(project=project, test_set=testsets.get(connection, run.test_set_id), run=run)
                break
        else:
            return None
    return sample if has_people(store, sample.run) else None


def _project(store: Store, actor: str) -> Project:
    with store.read() as connection:
        project = projects.sample(connection)
        names = {other.name.casefold() for other in projects.all(connection)}
    if project is not None:
        return project
    free = (name for name in chain([NAME], (f"{NAME} {number}" for number in count(2))) if name.casefold() not in names)
    about = "A fictional retail bank with planted defects, to see what Plumbline finds."
    return create_project(store, next(free), actor, description=about, sample=True)


def _connect(store: Store, project: Project, actor: str) -> None:
    with store.read() as connection:
        database = sources.latest(connection, project.id, SourceKind.DATABASE)
        corpus = sources.latest(connection, project.id, SourceKind.CORPUS)
    if database is None:
        connect_database(store, project.id, f"sqlite:///{SAMPLE / 'bank.sqlite'}", actor=actor, name="bank.sqlite")
    if corpus is None:
        connect_corpus(store, project.id, SAMPLE / "documents", actor=actor, name="Bank documents")


def _review(store: Store, project: Project, actor: str) -> None:
    """Approves the templates that the bank's documents are written to answer; the others stay drafts."""
    with store.read() as connection:
        approved = templates.sql(connection, project.id, status=TemplateStatus.APPROVED)
        texts = templates.text(connection, project.id, status=TemplateStatus.APPROVED)
    if not approved:
        propose_sql_templates(store, project.id, actor=actor, kinds=(Kind.LOOK_UP,))
        with store.read() as connection:
            proposed = {template.id: template for template in templates.sql(connection, project.id)}
        template_ids = []
        for sql, sql_with_ids in _sample_templates():
            template_id = canonical_id(sql, "sqlite")
            template_ids.append(template_id)
            proposal = proposed.get(template_id)
            if proposal is None or proposal.sql_with_ids != sql_with_ids:
                save_sql_template(
                    store,
                    project.id,
                    proposal.sql if proposal else sql,
                    sql_with_ids=sql_with_ids,
                    actor=actor,
                    origin=proposal.origin if proposal else "person",
                    replaces=template_id if proposal else "",
                )
        set_sql_status(store, project.id, template_ids, TemplateStatus.APPROVED, actor=actor)
    if not texts:
        propose_text_templates(store, project.id, forms=FORMS, n=WORDINGS, actor=actor)
        with store.read() as connection:
            drafts = templates.text(connection, project.id)
        set_text_status(store, project.id, [text.id for text in drafts], TemplateStatus.APPROVED, actor=actor)


def _test_set(store: Store, project: Project, actor: str) -> TestSet:
    with store.read() as connection:
        existing = testsets.all(connection, project.id)
    if frozen := [test_set for test_set in existing if test_set.frozen and not parent_of(test_set)]:
        return frozen[0]
    draft = existing[0] if existing else build_test_set(store, project.id, actor=actor, name="Bank facts")
    return freeze_test_set(store, draft.id, actor=actor)


def _run(store: Store, project: Project, test_set: TestSet, actor: str) -> Run:
    with store.read() as connection:
        existing = [run for run in runs.all(connection, project.id) if run.target == TARGET]
    return existing[-1] if existing else create_run(store, test_set.id, actor=actor, target=TARGET, options={"k": 1})


def _robustness(store: Store, sample: Demo, actor: str, progress: Callable[[str, int, int], None]) -> None:
    """Variants of a few cases, run with the same target."""
    with store.read() as connection:
        sets = [one for one in testsets.all(connection, sample.project.id) if parent_of(one) == sample.test_set.id]
    plan = VariantPlan(
        recipe=Recipe(kinds=tuple(spec.name for spec in list_kinds()), n=VARIED, repeats=1), encoder="none"
    )
    test_set = build_variants(
        store, sample.test_set.id, plan, actor=actor, test_set_id=sets[0].id if sets else "", progress=progress
    )
    run = run_on(store, test_set.id) or create_variant_run(store, sample.run.id, test_set.id, actor=actor)
    execute_run(store, run.id, actor=actor, progress=progress)


def _sample_templates() -> list[tuple[str, str]]:
    """The statements of `sample_data/templates.json` with their versions that select document ids."""
    plain, with_ids = (
        [sql for group in json.loads((SAMPLE / name).read_text(encoding="utf-8")).values() for sql in group]
        for name in ("templates.json", "templates_with_ids.json")
    )
    return list(zip(plain, with_ids, strict=True))
