"""The command that looks at answers for toxicity, personal data and bias, and that puts probes to a target."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from core.cli.output import AsJson, FailUnder, Seed, emit, ignored_keys, progress_line, shown, tell
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.sources.documents import Corpus
    from core.safety.answered import Answered
    from core.safety.asking import Attempt
    from core.safety.options import SafetyOptions

FIGURES = "safety.json"
COLUMNS = ("bias_dimension", "bias_group", "bias_set", "probe", "probe_document", "probe_topic")
"""Columns that say of which probe or pair a row of answers is."""


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("safety")(safety)


def safety(
    data: Annotated[
        Path, typer.Option(metavar="F", help="Answered questions; with --target the cases that pairs are made from.")
    ],
    probes: Annotated[
        str, typer.Option(metavar="A,B", help="personal_data, prompt_leak, hidden_instruction, forbidden; or all.")
    ] = "",
    bias: Annotated[
        str,
        typer.Option(metavar="A,B", help="gender, ethnicity, age, income, disability, religion, control; or all."),
    ] = "",
    target: Annotated[str, typer.Option(metavar="SPEC", help="Who is asked probes and pairs; as for evaluate.")] = "",
    corpus: Annotated[Path | None, typer.Option(metavar="DIR", help="The documents, looked at as well.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder for figures and tables, masked.")] = None,
    options: Annotated[
        Path | None, typer.Option(metavar="F", help="JSON: patterns, allowed, topics, thresholds, instructions.")
    ] = None,
    toxicity: Annotated[str, typer.Option(metavar="MODEL", help="Text-classification model; else a lexicon.")] = "",
    sentiment: Annotated[str, typer.Option(metavar="MODEL", help="Sentiment model; else a lexicon.")] = "",
    names: Annotated[
        str, typer.Option(metavar="MODEL", help="Token-classification model that finds names; else rules.")
    ] = "",
    most: Annotated[int, typer.Option(min=1, help="Probes of a kind, and sets of pairs of a dimension.")] = 20,
    k: Annotated[int | None, typer.Option(min=1, help="Documents a built-in target retrieves.")] = None,
    budget_calls: Annotated[int | None, typer.Option(min=0, help="Largest number of model calls.")] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Looks at answers for toxicity, personal data and bias; with a target, asks it probes and counterfactual pairs.

    Everything that is found is masked in what is printed and written.
    """
    from core.judging.match.abstention import without_model
    from core.safety.asking import Attempt
    from core.safety.assessing import open_models
    from core.safety.bias.pairs import dimensions_named
    from core.safety.probes.kinds import Probe, probes_named

    chosen = _options(options, toxicity=toxicity, sentiment=sentiment, names=names)
    open_models(chosen)
    wanted = () if bias.strip() in ("", "all") else tuple(name.strip() for name in bias.split(","))
    attempt = Attempt(
        probes=probes_named(probes) or (tuple(Probe) if target and not bias else ()),
        dimensions=dimensions_named(wanted) if bias.strip() else (),
        per_kind=most,
        seed=seed,
    )
    if not data.is_file():
        raise InvalidInput(f"There is no file {data}.", "Give answered questions: JSONL, JSON, CSV or Parquet.")
    if target:
        given = {"k": k, "budget_calls": budget_calls}
        document = _asked(data, target, corpus, out, attempt, chosen, {n: v for n, v in given.items() if v is not None})
    else:
        document = _read(data, corpus, out, attempt, chosen, seed)
    if remark := without_model():
        document["refusals"] = remark
        tell(remark)
    if out is not None:
        _write(out, document)
    emit(document, as_json=as_json, lines=_lines(document), fail_under=fail_under)


def _read(
    data: Path, corpus: Path | None, out: Path | None, attempt: Attempt, options: SafetyOptions, seed: int
) -> dict[str, Any]:
    """The answers of a file; probes and pairs are only written, for nobody is asked."""
    from core.domain.sources.documents import Corpus
    from core.safety.assessing import assess

    rows, ignored = _answers(data)
    documents = _corpus(corpus) if corpus else Corpus(documents=())
    document = {
        **assess(rows, documents=documents.documents, options=options, seed=seed).sections,
        "rows": len(rows),
        "seed": seed,
        **ignored_keys(ignored),
    }
    if attempt.probes or attempt.dimensions:
        from core.io.cases import write_cases
        from core.safety.asking import cases_of

        if out is None:
            raise InvalidInput("Probes are asked of nobody.", "Add --target SPEC, or --out DIR to write them as cases.")
        made, skipped = cases_of(attempt, [case for case, _ in rows], documents, options)
        out.mkdir(parents=True, exist_ok=True)
        write_cases(out / "cases.jsonl", made)
        tell(f"{len(made):,} cases written to {out / 'cases.jsonl'}; evaluate asks them.")
        document |= {"made": len(made), "skipped": skipped}
    return document


def _asked(
    data: Path,
    target: str,
    corpus: Path | None,
    out: Path | None,
    attempt: Attempt,
    options: SafetyOptions,
    run_options: Mapping[str, object],
) -> dict[str, Any]:
    from core.cli import workspace
    from core.domain.results.runs import Run
    from core.domain.sources.projects import SourceKind
    from core.safety.asking import ask_target, kept_of
    from core.safety.assessing import answered_rows, assess
    from core.safety.readings import AnswerReader
    from core.store import sources
    from core.store.testset import testsets

    if corpus is None or out is None:
        missing = "--corpus DIR" if corpus is None else "--out DIR"
        raise InvalidInput(f"A target is asked and {missing} is not given.", f"Add {missing}.")
    with workspace.made(out, cases_file=data, corpus=corpus, done=FIGURES) as (store, test_set):
        with store.read() as connection:
            source = sources.latest(connection, test_set.project_id, SourceKind.CORPUS)
            documents = sources.corpus(connection, source.id if source else "")
            cases = testsets.cases(connection, test_set.id)
        run = Run(
            id=test_set.id,
            project_id=test_set.project_id,
            test_set_id=test_set.id,
            target=workspace.absolute(target),
            corpus_id=source.id if source else "",
            options=run_options,
            seed=attempt.seed,
            created_by=settings().actor,
        )
        reader = AnswerReader(options, documents.documents)
        asked = ask_target(store, run, attempt, cases, documents, options, reader, progress=progress_line())
        rows = answered_rows(asked.cases, asked.responses)
        measured = assess(
            rows,
            documents=documents.documents,
            options=options,
            canaries=asked.canaries,
            read=asked.readings,
            reader=reader.privacy,
            seed=attempt.seed,
        )
        kept_of(store, run, attempt, options).forget()
    return {
        **measured.sections,
        "rows": len(rows),
        "seed": attempt.seed,
        "target": target,
        "made": len(asked.cases),
        "skipped": asked.skipped,
    }


def _answers(data: Path) -> tuple[list[Answered], dict[str, str]]:
    """The rows of a file as cases with their answers, and the columns nobody looks at."""
    from core.domain.results.responses import Response
    from core.domain.testset.cases import TestCase
    from core.io.tables.layout import lay_out, tell_ignored
    from core.metrics.samples.files import READ, read_samples

    layout = lay_out(data)
    ignored = {name: why for name, why in layout.ignored(READ).items() if name not in (*COLUMNS, "attributes")}
    tell_ignored(data, ignored)
    rows: list[Answered] = []
    for row, sample, cluster in read_samples(data, layout):
        attributes = row.get("attributes")
        given = attributes if isinstance(attributes, Mapping) else {}
        case = TestCase(
            case_id=sample.case_id,
            question=sample.question,
            reference_answers=sample.references,
            group_id=cluster,
            gold_document_ids=sample.gold_document_ids or (),
            attributes={name: str(value) for name in COLUMNS if (value := row.get(name) or given.get(name))},
        )
        contexts = sample.contexts or ()
        response = Response(case_id=sample.case_id, answer=sample.answer, contexts=contexts, abstained=sample.abstained)
        rows.append((case, response))
    if not rows:
        raise InvalidInput(f"{data} has no row.", "Give at least one answered question.")
    return rows, ignored


def _options(path: Path | None, **models: str) -> SafetyOptions:
    from dataclasses import replace

    from core.safety.options import SafetyOptions

    stored: dict[str, Any] = {}
    if path is not None:
        try:
            loaded = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InvalidInput(f"{path} cannot be read as JSON: {error}.", "Give one JSON object.") from error
        known = SafetyOptions().as_json()
        unknown = [name for name in loaded if name not in known] if isinstance(loaded, dict) else []
        if unknown or not isinstance(loaded, dict):
            what = f"has {unknown[0]!r}, which is no setting" if unknown else "is no JSON object"
            raise InvalidInput(f"{path} {what}.", f"Use some of: {', '.join(known)}.")
        stored = loaded
    try:
        options = SafetyOptions.of(stored)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(f"{path} has a setting of another form: {error}.", "See docs/safety.md for one.") from error
    given = {name: spec for name, spec in models.items() if spec}
    return replace(options, **given).checked()  # type: ignore[arg-type]


def _corpus(folder: Path) -> Corpus:
    from core.sources.corpus import load_corpus

    return load_corpus(folder, progress=progress_line())


def _write(out: Path, document: Mapping[str, Any]) -> None:
    from core.io.whole_files import write_whole
    from core.safety.exporting import tables_of
    from core.weakness.findings.exports import rows_as_csv

    out.mkdir(parents=True, exist_ok=True)
    for name, rows in tables_of(document).items():
        columns = list(dict.fromkeys(column for row in rows for column in row))
        write_whole(out / f"{name}.csv", rows_as_csv(columns, rows))
    write_whole(out / FIGURES, json.dumps(document, ensure_ascii=False, indent=2, default=str))
    tell(f"Figures and tables written to {out}.")


def _lines(document: Mapping[str, Any]) -> list[str]:
    toxicity, privacy, probes, bias = (document[name] for name in ("toxicity", "privacy", "probes", "bias"))
    lines = [
        f"{document['rows']:,} rows",
        f"toxic answers        {shown(toxicity['toxic'])}, by {toxicity['by']}",
        f"answers with a leak  {shown(privacy['leaks'])}, names by {privacy['names_by']}",
        f"passages with a person's data   {shown(privacy['passages'])}",
        f"documents with a person's data  {shown(privacy['documents'])}",
    ]
    leaks = [one for one in privacy["findings"] if one["standing"] in ("leaked", "personal")]
    lines += [
        f"  {one['where']:<9}{one['entity']:<14}{one['case_id'] or one['document_id']}: {one['excerpt']}"
        for one in leaks[:20]
    ]
    lines += [f"  and {len(leaks) - 20:,} more"] if len(leaks) > 20 else []
    for kind, figures in probes["by_kind"].items():
        if figures["asked"]:
            lines.append(
                f"probe {kind:<20} failed {shown(figures['failed_share'])}, undecided {figures['undecided']:,}, "
                f"not tested {figures['not_tested']:,}"
            )
    lines += _bias_lines(bias)
    documents = document["documents"]
    lines += [f"stale page {one['document_id']}: {' '.join(one['reasons'])}" for one in documents["stale"]]
    lines += [
        f"contradiction: {one['what']} of {one['subject']} in {one['first']} and {one['second']}"
        for one in documents["contradictions"]
    ]
    return lines


def _bias_lines(bias: Mapping[str, Any]) -> Sequence[str]:
    if not bias["pairs"]:
        return ["bias: no counterfactual pairs among the rows; --target with --bias asks them"]
    gaps = bias["gaps"]
    different = [gap for gap in gaps if gap["decision"] == "different"]
    undecided = sum(gap["decision"] == "undecided" for gap in gaps)
    return [
        f"bias: {bias['pairs']:,} pairs, {len(different):,} of {len(gaps):,} gaps are different, "
        f"{undecided:,} undecided",
        *(
            f"  {gap['dimension']}, {gap['group']} less {gap['reference']}: {gap['measure']} "
            f"{gap['difference']['value']:+.3f} (n = {gap['difference']['n']:,}, p = {gap['p_adjusted']:.4f})"
            for gap in different
        ),
    ]
