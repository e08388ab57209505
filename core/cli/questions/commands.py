"""Commands about questions from documents: write them, list them, decide on them, make a test set of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases.outlooks import BudgetCalls, Estimate, emit_outlook
from core.cli.models.endpoints import Access, model_of_project, with_endpoint
from core.cli.output import AsJson, FailUnder, PromptKind, Seed, emit, one_of, progress_line
from core.cli.projects import ProjectNamed, project_named
from core.cli.questions.delivered import delivered_lines
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.testset.question_drafts import QuestionDraft
    from core.domain.testset.questions import QuestionKind

ALLOCATIONS = ("proportional", "equal", "weighted")
CROSSINGS = ("none", "format", "year", "month")
STATUSES = ("draft", "approved", "rejected", "turned_down")


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    questions = typer.Typer(no_args_is_help=True, help="Write, review and freeze questions from documents.")
    questions.callback(invoke_without_command=True)(from_folder)
    for name, command in (("write", write), ("list", show), ("approve", approve), ("reject", reject), ("build", build)):
        questions.command(name)(command)
    app.add_typer(questions, name="questions")


@with_endpoint
def from_folder(
    context: typer.Context,
    access: Access,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="FOLDER", help="Documents to ask about; nothing is stored."),
    ] = None,
    n: Annotated[int, typer.Option("--n", "-n", min=1, help="Total number of questions.")] = 60,
    allocation: Annotated[str, typer.Option(help="proportional or equal")] = "proportional",
    types: Annotated[
        str, typer.Option(metavar="A,B", help="Kinds of questions, such as simple,yes_no; all by default.")
    ] = "",
    generator: Annotated[str, typer.Option(help="rules, or llm with --model")] = "rules",
    model: Annotated[str, typer.Option(metavar="MODEL@BASE_URL", help="Model that writes the questions.")] = "",
    send_documents: Annotated[
        bool, typer.Option("--send-documents", help="Consent to sending passages to the model.")
    ] = False,
    encoder: Annotated[str, typer.Option(help="minilm, or a sentence-transformers model by name or folder.")] = "",
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="F.jsonl", help="File for the test cases.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Writes, reviews and freezes questions; with --corpus and --out, writes them from a folder to a file."""
    if context.invoked_subcommand is not None:
        if corpus is not None or out is not None:
            raise InvalidInput(
                f"--corpus and --out cannot be used with {context.invoked_subcommand}.", "Leave out one or the other."
            )
        return
    if corpus is None or out is None:
        raise InvalidInput("The documents or the output file are missing.", "Give --corpus FOLDER and --out F.jsonl.")
    from core.cli.questions.folder import write_from_folder
    from core.llm import Limits as SpendingLimits
    from core.llm.variants import asked_variant
    from core.testset.corpus.allocation import Allocation
    from core.testset.corpus.questions.plan import EVEN, QuestionPlan

    if one_of("--generator", generator, ("rules", "llm")) == "llm" and not model:
        raise InvalidInput("No model is named.", "Give --model MODEL@BASE_URL, or leave --generator out.")
    if generator == "rules" and model:
        raise InvalidInput("The rules use no model.", "Give --generator llm, or leave --model out.")
    plan = QuestionPlan(
        questions=n,
        kinds=_kinds([f"{name}=1" for name in types.split(",") if name.strip()]) or EVEN,
        allocation=Allocation(one_of("--allocation", allocation, ("proportional", "equal"))),
        seed=seed,
        model=model,
        send_documents=send_documents,
        prompts=asked_variant(prompts),
        spending=SpendingLimits(calls=budget_calls),
    )
    write_from_folder(corpus, plan, out, access=access, encoder=encoder, as_json=as_json)


@with_endpoint
def write(
    project: ProjectNamed,
    access: Access,
    n: Annotated[int, typer.Option("-n", help="Total number of questions.")] = 60,
    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=PARTS",
            help="Share of a kind, such as simple=3; repeatable; by default all, multi_hop with a model only.",
        ),
    ] = None,
    allocation: Annotated[str, typer.Option(help="proportional, equal or weighted")] = "proportional",
    weight: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC=N", help="Importance or usage count; repeatable.")
    ] = None,
    minimum: Annotated[int, typer.Option(min=0, help="Smallest number of questions in a stratum.")] = 0,
    cross: Annotated[str, typer.Option("--by", help="Attribute crossed with topics: none, format, year, month.")] = (
        "none"
    ),
    outliers: Annotated[bool, typer.Option("--outliers", help="Include chunks without a topic.")] = False,
    model: Annotated[
        str, typer.Option(metavar="MODEL@BASE_URL", help="Model that writes the questions; built-in rules by default.")
    ] = "",
    send_documents: Annotated[
        bool, typer.Option("--send-documents", help="Consent to sending passages to the models.")
    ] = False,
    check_by: Annotated[
        str,
        typer.Option(
            "--check-by",
            metavar="MODEL@BASE_URL",
            help="Model that answers each question, from rules too, with and without its passages.",
        ),
    ] = "",
    check: Annotated[
        bool, typer.Option("--check/--no-check", help="Check questions of a model by having it answer them.")
    ] = True,
    estimate: Estimate = False,
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Writes questions for the topics of a project's documents and keeps those that pass the checks for review."""
    from core.domain.identity import new_id
    from core.llm import Limits as SpendingLimits
    from core.llm.variants import asked_variant
    from core.store.database import Store
    from core.testset.corpus.allocation import Allocation
    from core.testset.corpus.drafting import write_batch
    from core.testset.corpus.questions.cost import expected_cost
    from core.testset.corpus.questions.plan import EVEN, QuestionPlan
    from core.testset.corpus.questions.shortfall import short_kinds, short_topics
    from core.testset.topics.strata import Crossing

    plan = QuestionPlan(
        questions=n,
        kinds=_kinds(kind) or EVEN,
        allocation=Allocation(one_of("--allocation", allocation, ALLOCATIONS)),
        weights={_topic(name): value for name, value in _parts("--weight", weight).items()},
        minimum=minimum,
        crossing=Crossing(one_of("--by", cross, CROSSINGS)),
        outliers=outliers,
        seed=seed,
        model=model,
        send_documents=send_documents,
        probe=check,
        checker=check_by,
        prompts=asked_variant(prompts),
        spending=SpendingLimits(calls=budget_calls),
    )
    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        model, checker = (
            model_of_project(access, store, project_id, spec) if spec else "" for spec in (model, check_by)
        )
        plan = replace(plan, model=model, checker=checker)
        if estimate:
            emit_outlook(expected_cost(store, project_id, plan, actor=settings().actor), as_json=as_json)
            return
        batch = write_batch(
            store,
            project_id,
            plan,
            actor=settings().actor,
            batch_id=new_id("qb"),
            progress=progress_line(),
        )
    requested, delivered = (sum(int(str(row[name])) for row in batch.delivered) for name in ("requested", "delivered"))
    lines = [f"{delivered} of {requested} questions are ready for review."]
    lines += delivered_lines(batch.delivered)
    for name, some in (("Topics", short_topics(batch)), ("Kinds", short_kinds(batch))):
        lines += [f"{name} with fewer than requested: {'; '.join(item.sentence for item in some)}."] if some else []
    lines += plan.left_out
    document = {
        "batch": batch.id,
        "requested": requested,
        "delivered": delivered,
        "strata": [dict(row) for row in batch.delivered],
        "plan": dict(batch.plan),
    }
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def show(
    project: ProjectNamed,
    status: Annotated[str, typer.Option(help="draft, approved, rejected or turned_down; all by default.")] = "",
    as_json: AsJson = False,
) -> None:
    """Lists the questions with their answers and status, and why the checks turned some down."""
    from core.domain.testset.question_drafts import DraftStatus
    from core.store.codec import to_row
    from core.store.database import Store
    from core.store.testset import question_drafts

    chosen_status = DraftStatus(one_of("--status", status, STATUSES)) if status else None
    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        with store.read() as connection:
            questions = question_drafts.drafts(connection, project_id, status=chosen_status)
    counts = Counter(draft.status.value for draft in questions)
    document = {"questions": [to_row(draft) for draft in questions], "counts": dict(counts)}
    emit(document, as_json=as_json, lines=[_line(draft) for draft in questions] or ["There is no question."])


def approve(
    project: ProjectNamed,
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID...", help="Questions.")] = None,
    every: Annotated[bool, typer.Option("--all-drafts", help="Every question that passed the checks.")] = False,
    note: Annotated[str, typer.Option(help="Why.")] = "",
    as_json: AsJson = False,
) -> None:
    """Approves questions for a test set."""
    _decide(project, ids, "approved", note, as_json, every=every)


def reject(
    project: ProjectNamed,
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Questions.")],
    note: Annotated[str, typer.Option(help="Why.")] = "",
    as_json: AsJson = False,
) -> None:
    """Rejects questions."""
    _decide(project, ids, "rejected", note, as_json)


def build(
    project: ProjectNamed,
    name: Annotated[str, typer.Option(help="Name of the test set.")] = "Document questions",
    templates: Annotated[
        bool, typer.Option("--templates", help="Include questions of the approved templates.")
    ] = False,
    freeze: Annotated[bool, typer.Option("--freeze", help="Freeze the new test set.")] = False,
    as_json: AsJson = False,
) -> None:
    """Creates a test set from the approved questions."""
    from core.store.database import Store
    from core.store.testset import testsets
    from core.testset.service import build_test_set, freeze_test_set

    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        test_set = build_test_set(
            store, project_id, actor=settings().actor, name=name, grounded=templates, documents=True
        )
        if freeze:
            test_set = freeze_test_set(store, test_set.id, actor=settings().actor)
        with store.read() as connection:
            cases = testsets.count(connection, test_set.id)
    state = f"frozen with content hash {test_set.content_hash[:12]}" if test_set.frozen else "a draft"
    document = {
        "test_set": test_set.id,
        "name": test_set.name,
        "version": test_set.version,
        "cases": cases,
        "frozen": test_set.frozen,
        "content_hash": test_set.content_hash,
    }
    emit(
        document,
        as_json=as_json,
        lines=[f"{test_set.name} v{test_set.version} has {cases} cases and is {state}: {test_set.id}"],
    )


def _decide(project: str, ids: list[str] | None, status: str, note: str, as_json: bool, *, every: bool = False) -> None:
    from core.domain.testset.question_drafts import DraftStatus
    from core.store.database import Store
    from core.store.testset import question_drafts
    from core.testset.corpus.questions.review import set_question_status

    if bool(ids) == every:
        raise InvalidInput("No questions are given.", "Give their ids, or --all-drafts.")
    with Store.open(settings().database_url) as store:
        project_id = project_named(store, project)
        if every:
            with store.read() as connection:
                drafts = question_drafts.drafts(connection, project_id, status=DraftStatus.DRAFT)
            ids = [draft.id for draft in drafts]
        changed = set_question_status(
            store, project_id, ids or [], DraftStatus(status), actor=settings().actor, note=note
        )
    emit(
        {"changed": changed, "status": status},
        as_json=as_json,
        lines=[f"{changed} {'question is' if changed == 1 else 'questions are'} {status} now."],
    )


def _line(draft: QuestionDraft) -> str:
    why = f" ({draft.reason})" if draft.reason else ""
    answer = draft.reference or "no document answers"
    return f"{draft.id} {draft.status.value}{why}: {' '.join(draft.text.split())} -> {answer}"


def _kinds(pairs: list[str] | None) -> dict[QuestionKind, int]:
    from core.domain.testset.questions import QuestionKind

    allowed = [kind.value for kind in QuestionKind]
    parts = _parts("--kind", pairs)
    return {QuestionKind(one_of("--kind", name, allowed)): int(value) for name, value in parts.items()}


def _parts(option: str, pairs: list[str] | None) -> dict[str, float]:
    parts = {}
    for text in pairs or ():
        name, mark, value = text.partition("=")
        try:
            parts[name.strip()] = float(value)
        except ValueError:
            mark = ""
        if not mark or not name.strip():
            raise InvalidInput(f"{option} {text} is not NAME=NUMBER.", f"Write it as {option} simple=3.")
    return parts


def _topic(name: str) -> int:
    try:
        return int(name)
    except ValueError:
        raise InvalidInput(f"--weight names topic {name}, which is not a number.", "See: topics show.") from None
