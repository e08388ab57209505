"""Commands on a database: its schema, templates from the schema, test cases from the templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.databases import generated as models
from core.cli.databases.schema_lines import schema_lines
from core.cli.models.endpoints import Access, with_endpoint
from core.cli.output import AsJson, PromptKind, Seed, emit, one_of, tell
from core.domain.errors import InvalidInput

if TYPE_CHECKING:
    from core.domain.sources.schema import Schema
    from core.domain.testset.templates import Check, SqlTemplate, TextTemplate
    from core.sources.database import DatabaseSource
    from core.testset.grounded.beyond.plan import Kind
    from core.testset.grounded.sql.checks import TemplateReview

Database = Annotated[str, typer.Option("--db", metavar="URL", help="SQLAlchemy URL of the database.")]
Model = Annotated[str, typer.Option("--model", metavar="MODEL@BASE_URL", help="The model, for --generator llm.")]
Criteria = Annotated[str, typer.Option("--criteria", help="Further criteria for the model, in your words.")]
BudgetCalls = Annotated[
    int | None,
    typer.Option("--budget-calls", min=0, help="Largest number of model calls; repeat the command to continue."),
]
Semantic = Annotated[
    Path | None,
    typer.Option("--semantic", metavar="FILE", help="Semantic layer or glossary: YAML, CSV, or JSON descriptions."),
]
NO_MODEL = "Give it as --model MODEL@BASE_URL, or use the built-in generator, which needs none."


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("schema")(schema)
    app.command("sql-templates")(sql_templates)
    app.command("text-templates")(text_templates)
    app.command("instantiate")(instantiate)


def schema(
    db: Database,
    semantic: Semantic = None,
    semantic_out: Annotated[
        Path | None, typer.Option("--semantic-out", help="File for the semantic layer as it stands: .yaml or .csv.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Shows tables, columns, keys and which columns are descriptive to a person."""
    from core.sources.database.semantics.proposing import unnamed_tables

    with connected(db, semantic) as source:
        tables_of = source.schema
    if semantic_out is not None:
        _write_layer(semantic_out, tables_of)
    document = {
        "dialect": tables_of.dialect,
        "fingerprint": tables_of.fingerprint,
        "tables": [asdict(table) for table in tables_of.tables],
        "left_out": [asdict(item) for item in tables_of.left_out],
    }
    lines = schema_lines(tables_of, unnamed_tables(tables_of))
    emit(document, as_json=as_json, lines=lines)


@with_endpoint
def sql_templates(
    db: Database,
    access: Access,
    generator: Annotated[str, typer.Option(help="schema or llm")] = "schema",
    limit: Annotated[int, typer.Option(min=1, help="Largest number of templates.")] = 40,
    kind: Annotated[
        list[str] | None,
        typer.Option("--kind", help="Only templates of this kind, such as look-up, count, list, top; repeatable."),
    ] = None,
    each: Annotated[
        int | None, typer.Option(min=1, help="Largest number of templates of each kind, in place of --limit.")
    ] = None,
    model: Model = "",
    criteria: Criteria = "",
    per_set: Annotated[
        int, typer.Option("--per-set", min=1, max=50, help="Templates from a model for each table set.")
    ] = 5,
    set_size: Annotated[
        list[int] | None, typer.Option("--set-size", min=1, max=3, help="Number of tables in a set; repeatable.")
    ] = None,
    table: Annotated[list[str] | None, typer.Option("--table", help="Only sets of these tables; repeatable.")] = None,
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    out: Annotated[Path | None, typer.Option(help="File for the usable templates, in GRAMMAR's format.")] = None,
    semantic: Semantic = None,
    as_json: AsJson = False,
) -> None:
    """Proposes SQL templates and checks each on the data.

    A model is sent the schema and never a row; its replies are kept, so that the same request again costs nothing.
    """
    from core.testset.grounded import files
    from core.testset.grounded.beyond.plan import Kind
    from core.testset.grounded.beyond.proposing import propose_templates
    from core.testset.grounded.sql.checks import check_sql_template
    from core.testset.grounded.sql.operations import DIFFICULTY

    summary: dict[str, object] = {}
    lacking: dict[str, str] = {}
    fluent = by_model(generator, "schema", model)
    with connected(db, semantic) as source:
        if fluent:
            templates, summary = models.sql_templates(
                source,
                model,
                criteria=criteria,
                per_set=per_set,
                sizes=set_size or (1, 2),
                tables=table or (),
                limit=limit,
                access=access,
                prompts=prompts,
                budget_calls=budget_calls,
            )
        else:
            chosen = [Kind(one_of("--kind", item, tuple(Kind))) for item in kind or ()]
            templates = propose_templates(source.schema, limit=limit, kinds=chosen or tuple(Kind), each=each)
        reviews = [check_sql_template(template, source) for template in templates]
        if not fluent:
            lacking = _lacking(source, chosen or tuple(Kind), reviews)
            summary = {"unproposed": lacking}
    usable = [review.template for review in reviews if review.template.approvable]
    if not usable:
        tell("No usable template was generated. See which columns are descriptive with: schema --db URL.")
    if out is not None:
        files.write_sql_templates(out, usable)
        if any(template.sql_with_ids for template in usable):
            files.write_sql_templates(out.with_name(f"{out.stem}_with_ids{out.suffix}"), usable, with_ids=True)
    for kind_name, reason in lacking.items():
        tell(f"No template of the kind {kind_name}: {reason}.")
    document = {
        "templates": [
            {
                "id": review.template.id,
                "tables": list(review.template.tables),
                "sql": review.template.sql,
                "sql_with_ids": review.template.sql_with_ids,
                "status": review.template.status.value,
                "questions": review.questions,
                "operation": review.operation,
                "difficulty": DIFFICULTY[review.operation],
                "checks": _checks(review.template.checks),
            }
            for review in reviews
        ],
        "operations": dict(Counter(review.operation for review in reviews if review.template.approvable)),
        **summary,
    }
    lines = [
        f"{'  ' if review.template.approvable else 'x '}{review.operation:<10} {review.questions:>6,} questions  "
        f"{review.template.sql}"
        for review in reviews
    ]
    emit(document, as_json=as_json, lines=lines)


@with_endpoint
def text_templates(
    db: Database,
    access: Access,
    sql: Annotated[Path, typer.Option("--sql", metavar="F", help="SQL templates in GRAMMAR's format.")],
    form: Annotated[str, typer.Option(help="short, long, interrogative, directive, formal, casual; any with a model")],
    n: Annotated[int, typer.Option(min=1, max=100, help="Wordings for each SQL template.")] = 10,
    generator: Annotated[str, typer.Option(help="rules or llm")] = "rules",
    model: Model = "",
    criteria: Criteria = "",
    about: Annotated[str, typer.Option("--about", help="Description of the form, for a model.")] = "",
    round_trip: Annotated[
        bool, typer.Option("--round-trip", help="Have the model turn each wording back into SQL and compare results.")
    ] = False,
    prompts: PromptKind = "auto",
    budget_calls: BudgetCalls = None,
    out: Annotated[Path | None, typer.Option(help="File for the usable templates, in GRAMMAR's format.")] = None,
    semantic: Semantic = None,
    as_json: AsJson = False,
) -> None:
    """Words SQL templates in one form.

    A model is sent the statement and the schema and never a row; its replies are kept, so that the same request again
    costs nothing.
    """
    from core.testset.grounded import files
    from core.testset.grounded.beyond.wordings import word_template
    from core.testset.templates.review import checked_text_templates

    summary: dict[str, object] = {}
    worded: list[tuple[SqlTemplate, list[TextTemplate]]] = []
    fluent = by_model(generator, "rules", model)
    if round_trip and not fluent:
        raise InvalidInput("--round-trip needs a model.", "Add --generator llm --model MODEL@BASE_URL.")
    with connected(db, semantic) as source:
        templates = files.read_sql_templates(sql, dialect=source.schema.dialect)
        if fluent:
            worded, summary = models.text_templates(
                source,
                model,
                templates,
                form=form,
                about=about,
                n=n,
                criteria=criteria,
                round_trip=round_trip,
                access=access,
                prompts=prompts,
                budget_calls=budget_calls,
            )
        for template in () if fluent else templates:
            wordings = word_template(template, source.schema, form=form, n=n)
            worded.append((template, checked_text_templates(wordings, template)))
    if not fluent:
        summary = _by_rules(n * len(templates), sum(len(texts) for _, texts in worded), form)
    if out is not None:
        usable = [text for _, texts in worded for text in texts if text.approvable]
        files.write_text_templates(out, usable, [template for template, _ in worded])
    document = {
        "templates": [
            {
                "sql": template.sql,
                "form": form,
                "texts": [text.text for text in texts],
                "checks": [_checks(text.checks) for text in texts],
            }
            for template, texts in worded
        ],
        **summary,
    }
    lines = []
    for template, texts in worded:
        lines.append(template.sql)
        lines += [f"  {text.text}" for text in texts]
    emit(document, as_json=as_json, lines=lines)


def _by_rules(requested: int, delivered: int, form: str) -> dict[str, object]:
    """How many wordings rules gave of those asked for, also told to a person where there are fewer."""
    if delivered < requested:
        tell(
            f"{delivered} of {requested} requested wordings: rules know no more ways to ask these as '{form}'. "
            "A model writes more (--generator llm --model MODEL@BASE_URL)."
        )
    return {"requested": requested, "delivered": delivered}


def instantiate(
    db: Database,
    sql: Annotated[Path, typer.Option("--sql", metavar="F", help="SQL templates in GRAMMAR's format.")],
    text: Annotated[
        list[str], typer.Option("--text", metavar="FORM=F", help="Text templates of one form; repeatable.")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="F.jsonl", help="File for the test cases.")],
    with_ids: Annotated[
        Path | None, typer.Option("--with-ids", metavar="F", help="SQL templates with id columns.")
    ] = None,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Draw equally many questions for each group and form.")
    ] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Largest number of questions.")] = None,
    keep_null: Annotated[bool, typer.Option("--keep-null", help="Keep queries whose answer is NULL.")] = False,
    seed: Seed = 0,
    semantic: Semantic = None,
    as_json: AsJson = False,
) -> None:
    """Fills templates with the database's values: questions with their ground truth."""
    from core.io.cases import write_cases
    from core.testset.grounded import files
    from core.testset.grounded.instantiate import instantiate as fill

    forms = _forms(text)
    with connected(db, semantic) as source:
        templates = files.read_sql_templates(sql, with_ids=with_ids, dialect=source.schema.dialect)
        texts = [wording for form, path in forms for wording in files.read_text_templates(path, form, templates)]
        filled = fill(source, templates, texts, balanced=balanced, limit=limit, seed=seed, keep_null=keep_null)
    write_cases(out, filled.cases)
    document = {
        **filled.counts,
        "dropped": dict(filled.drops),
        "stopped_templates": [asdict(template) for template in filled.left_out],
        "path": str(out),
    }
    for template in filled.left_out:
        tell(f"A limit ended the template {template.sql}: {template.reason} {template.remedy}")
    if filled.left_out:
        tell(f"{len(templates) - len(filled.left_out):,} of {len(templates):,} SQL templates were filled.")
    if not filled.cases:
        tell(
            f"No question was generated; {out} is empty. "
            "Either the templates match no row, or every question was dropped; see the reasons."
        )
    lines = [
        f"{len(filled.cases):,} questions in {out}",
        *(f"  {name.replace('_', ' ')}: {_counted(figure)}" for name, figure in filled.counts.items()),
        *(f"  dropped: {reason} {count:,}" for reason, count in filled.drops.items()),
    ]
    emit(document, as_json=as_json, lines=lines)


def connected(db: str, semantic: Path | None) -> DatabaseSource:
    """The database of an address, with the semantic layer of a file applied."""
    from core.sources.database import DatabaseSource
    from core.sources.database.semantics.applying import refuse_unknown
    from core.sources.database.semantics.files import read_layer

    layer = read_layer(semantic) if semantic is not None else None
    source = DatabaseSource.connect(db, layer=layer)
    if layer is not None:
        try:
            refuse_unknown(source.schema, layer)
        except InvalidInput:
            source.close()
            raise
    return source


def _lacking(source: DatabaseSource, kinds: Sequence[Kind], reviews: Sequence[TemplateReview]) -> dict[str, str]:
    """The kinds without a usable template, each with the reason."""
    from core.testset.templates.unproposed import NO_ROOM, reasons

    lacking = reasons(source, kinds, {review.operation for review in reviews if review.template.approvable})
    more = "; a higher --limit or --each has some"
    return {kind.value: f"{reason}{more}" if reason == NO_ROOM else reason for kind, reason in lacking.items()}


def _write_layer(path: Path, tables_of: Schema) -> None:
    from core.sources.database.semantics.applying import layer_of
    from core.sources.database.semantics.files import layer_csv, layer_yaml

    layer = layer_of(tables_of)
    text = layer_csv(layer) if path.suffix.lower() == ".csv" else layer_yaml(layer)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}.", "Choose another file.") from error


def by_model(generator: str, built_in: str, model: str) -> bool:
    """Whether a model writes; refuses a generator that is not known, and a model without its generator."""
    chosen = one_of("--generator", generator, (built_in, "llm"))
    if chosen == "llm" and not model.strip():
        raise InvalidInput("No model is named.", NO_MODEL)
    if chosen != "llm" and model.strip():
        raise InvalidInput(f"--model is given, but the generator is {chosen}.", "Add --generator llm.")
    return chosen == "llm"


def _counted(figure: object) -> str:
    if isinstance(figure, Mapping):
        return ", ".join(f"{name} {count:,}" for name, count in figure.items())
    return str(figure)


def _forms(pairs: list[str]) -> list[tuple[str, Path]]:
    forms = []
    for pair in pairs:
        form, separator, path = pair.partition("=")
        if not separator or not form or not path:
            raise InvalidInput(f"--text {pair!r} is not FORM=FILE.", "Write for example --text short=short.json.")
        forms.append((form, Path(path)))
    twice = [form for form, count in Counter(form for form, _ in forms).items() if count > 1]
    if twice:
        raise InvalidInput(f"--text names the form {twice[0]!r} twice.", "Give one file for each form.")
    return forms


def _checks(checks: tuple[Check, ...]) -> list[dict[str, object]]:
    return [asdict(check) for check in checks]
