"""Commands that say which module is broken."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from core.cli.analysis.diagnosed_cases import CaseTexts, texts_of_run, write_cases
from core.cli.analysis.diagnosis_lines import diagnosis_lines
from core.cli.databases.behind import Behind, connect_behind
from core.cli.models.judge_trust import judge_document, judge_line
from core.cli.output import AsJson, FailUnder, Seed, emit, ignored_keys, one_of, tell
from core.domain.errors import InvalidInput
from core.installation import typed

if TYPE_CHECKING:
    from core.diagnosis import Diagnosis, DiagnosisRow, Policy, Unjudged
    from core.domain.jobs import Report

RunName = Annotated[str | None, typer.Option("--run", metavar="RUN", help="A run's id, or its --out folder.")]
Recording = Annotated[Path | None, typer.Option(metavar="F", help="GRAMMAR's eval_results.")]
PolicyOption = Annotated[str, typer.Option(help="plain, or override: wrong ids make the answer wrong.")]
UnjudgedOption = Annotated[str, typer.Option(help="exclude, or incorrect to replay the paper.")]

CasesFile = Annotated[
    Path | None,
    typer.Option(metavar="F.jsonl", help="Writes question, answer, module and reason of each case."),
]


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("diagnose")(diagnose_command)
    app.command("hypothesis")(hypothesis_command)


def diagnose_command(
    run: RunName = None,
    grammar: Recording = None,
    verdicts: Annotated[Path | None, typer.Option(metavar="F", help="GRAMMAR's SemanticsMatch file.")] = None,
    documents: Annotated[Path | None, typer.Option(metavar="F", help="GRAMMAR's documents.json.")] = None,
    policy: PolicyOption = "plain",
    unjudged: UnjudgedOption = "exclude",
    db: Behind = "",
    cases: CasesFile = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Says which module is broken: groups, accuracies, context comparison, attribution."""
    chosen = _choice(policy, unjudged)
    recorded = _rows(run, grammar, verdicts, documents, db, with_texts=cases is not None)
    diagnosis = _diagnose(recorded.rows, recorded.known_ids, chosen)
    document = diagnosis.as_json()
    if cases is not None:
        write_cases(cases, diagnosis, recorded.texts)
    if grammar is not None:
        document |= ignored_keys(recorded.ignored)
    document |= recorded.judge
    lines = [*diagnosis_lines(document), *judge_line(recorded.judge)]
    emit(document, as_json=as_json, lines=lines, fail_under=fail_under)


def hypothesis_command(
    run: RunName = None,
    attribute: Annotated[str, typer.Option(help="The attribute whose values are compared.")] = "form",
    a: Annotated[
        str | None, typer.Option("--a", help="The first of the two values; short, or the form of --grammar-a.")
    ] = None,
    b: Annotated[
        str | None, typer.Option("--b", help="The second of the two values; long, or the form of --grammar-b.")
    ] = None,
    grammar_a: Recording = None,
    grammar_b: Recording = None,
    policy: PolicyOption = "plain",
    unjudged: UnjudgedOption = "exclude",
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Tests whether one value of an attribute is answered worse than another, module by module."""
    from core.diagnosis import test_hypothesis

    if run is not None and (grammar_a or grammar_b):
        raise InvalidInput("Both a run and recordings are given.", "Give --run, or --grammar-a and --grammar-b.")
    if (grammar_a is None) != (grammar_b is None):
        raise InvalidInput("Only one recording is given.", "Give both --grammar-a and --grammar-b.")
    chosen = _choice(policy, unjudged)
    if grammar_a is not None and grammar_b is not None:
        attribute = "form"
        a, b, recorded = _compared(grammar_a, grammar_b, a, b)
    else:
        a, b, recorded = a or "short", b or "long", _rows(run, None, None, None)
    rows, known_ids = recorded.rows, recorded.known_ids
    report = test_hypothesis(
        rows,
        attribute=attribute,
        a=a,
        b=b,
        policy=chosen[0],
        unjudged=chosen[1],
        known_ids=known_ids,
        seed=seed,
    )
    sides = {
        name: _diagnose([row for row in rows if row.value_of(attribute) == value], known_ids, chosen).as_json()
        for name, value in (("a", a), ("b", b))
    }
    document = {**sides, **report.as_json(), **({} if grammar_a is None else ignored_keys(recorded.ignored))}
    emit(document, as_json=as_json, lines=_hypothesis_lines(document))


def _compared(path_a: Path, path_b: Path, a: str | None, b: str | None) -> tuple[str, str, _Recorded]:
    """Two recordings and the form of each, which the files say: the rows, else the name.

    Raises:
        InvalidInput: A file contradicts an option or its name, or both are of one form.
    """
    from core.io.grammar.forms import FormSide, check_sides, compared_form

    rows: list[DiagnosisRow] = []
    sides = []
    recordings = [_recorded_rows(path, None, None) for path in (path_a, path_b)]
    for recorded, path, given, option in zip(recordings, (path_a, path_b), (a, b), ("--a", "--b"), strict=True):
        form = compared_form(path, recorded.forms, given, option=option)
        several = len(recorded.forms) > 1
        of_form = [replace(row, form=form) for row in recorded.rows if row.form == form or not several]
        questions = [(row.group_id, recorded.texts[row.case_id].question) for row in of_form]
        sides.append(FormSide(form=form, path=path, questions=questions))
        rows += of_form
    check_sides(*sides)
    known = [recorded.known_ids for recorded in recordings if recorded.known_ids is not None]
    whole = _Recorded(
        rows=rows,
        known_ids=frozenset().union(*known) if len(known) == len(recordings) else None,
        ignored={**recordings[0].ignored, **recordings[1].ignored},
    )
    return sides[0].form, sides[1].form, whole


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorded:
    """Rows to diagnose, and what is known of where they are from.

    Attributes:
        forms: Of a recording, the forms it is known to hold.
        texts: Question, references and answer by case id; of a run only where somebody asks for them.
        ignored: Of a recording, what is not read, with the reason.
        judge: Of a run, whether the judge of its verdicts is trusted.
    """

    rows: list[DiagnosisRow]
    known_ids: frozenset[str] | None
    forms: tuple[str, ...] = ()
    texts: Mapping[str, CaseTexts] = field(default_factory=dict)
    ignored: Mapping[str, str] = field(default_factory=dict)
    judge: dict[str, object] = field(default_factory=dict)


def _rows(
    run: str | None,
    grammar: Path | None,
    verdicts: Path | None,
    documents: Path | None,
    db: str = "",
    *,
    with_texts: bool = False,
) -> _Recorded:
    if (run is None) == (grammar is None):
        raise InvalidInput("Give exactly one of a run and a GRAMMAR recording.", "See --help for both.")
    if grammar is not None and db:
        raise InvalidInput("A recording has no questions of a database.", "Leave out --db, or give a run.")
    if grammar is not None:
        return _recorded_rows(grammar, verdicts, documents)
    return _run_rows(str(run), db, with_texts=with_texts)


def _recorded_rows(grammar: Path, verdicts: Path | None, documents: Path | None) -> _Recorded:
    from core.domain.results.responses import Verdict
    from core.io.grammar.runs import read_eval_results
    from core.io.tables.layout import tell_ignored

    recorded = read_eval_results(grammar, verdicts=verdicts, documents=documents)
    for note in recorded.notes:
        tell(f"{grammar.name}: {note}")
    tell_ignored(grammar, recorded.ignored)
    rows = list(recorded.diagnosis_rows())
    if rows and all(row.verdict is Verdict.NOT_JUDGED for row in rows):
        tell(f"No row of {grammar} has a verdict. Give the SemanticsMatch file it was judged with as --verdicts.")
    return _Recorded(
        rows=rows,
        known_ids=recorded.known_ids,
        forms=recorded.forms,
        texts={
            row.case_id: CaseTexts(
                question=record.question,
                reference_answers=() if record.answer is None else (record.answer,),
                answer=record.response,
            )
            for row, record in zip(rows, recorded.rows, strict=True)
        },
        ignored=recorded.ignored,
    )


def _run_rows(name: str, db: str, *, with_texts: bool) -> _Recorded:
    from core.cli import workspace
    from core.diagnosis.service.rows import diagnosis_rows
    from core.domain.results.runs import RunState

    with workspace.opened(name) as (store, run):
        connect_behind(store, run.project_id, db)
        data = diagnosis_rows(store, run.id, progress=_long_search())
        judge = judge_document(store, run)
        texts = texts_of_run(store, run.id) if with_texts else {}
    if run.state is not RunState.FINISHED:
        tell(f"The run is not finished: {data.answered:,} of {len(data.rows):,} cases are answered.")
        tell(f"Continue with: {typed(f'resume {name}')}")
    return _Recorded(rows=list(data.rows), known_ids=data.known_ids, texts=texts, judge=judge)


def _long_search() -> Report:
    """Says once that a search of the documents takes long; what was found before is not searched for again."""
    from core.diagnosis.service.evidence import QUICK_S

    started: float | None = None
    announced = False

    def report(stage: str, done: int, total: int, item: str = "") -> None:
        nonlocal started, announced
        started = time.monotonic() if started is None else started
        if not announced and time.monotonic() - started > QUICK_S:
            tell(f"{stage}: {done:,} of {total:,} facts with a wrong answer are done.")
            announced = True

    return report


def _diagnose(
    rows: Sequence[DiagnosisRow], known_ids: frozenset[str] | None, chosen: tuple[Policy, Unjudged]
) -> Diagnosis:
    from core.diagnosis import diagnose
    from core.domain.results.forms import with_forms_named

    return diagnose(with_forms_named(rows), policy=chosen[0], unjudged=chosen[1], known_ids=known_ids)


def _choice(policy: str, unjudged: str) -> tuple[Policy, Unjudged]:
    from core.diagnosis import Policy, Unjudged

    one_of("--policy", policy, get_args(Policy))
    one_of("--unjudged", unjudged, get_args(Unjudged))
    return cast("Policy", policy), cast("Unjudged", unjudged)


def _hypothesis_lines(document: Mapping[str, object]) -> list[str]:
    tests = document["tests"]
    lines = [str(document["conclusion"])]
    for test in tests if isinstance(tests, list) else []:
        difference = test["difference"]
        value = "-" if difference["value"] is None else f"{difference['value']:+.3f}"
        lines.append(
            f"  {test['module']:<20} difference {value}, adjusted p {_p_value(test['p_adjusted'])}, {test['method']}"
        )
    return lines


def _p_value(value: float | None) -> str:
    """A p-value in three digits; one that would be shown as zero is never zero.

    >>> _p_value(0.0312), _p_value(0.00002), _p_value(None)
    ('0.031', '< 0.001', '-')
    """
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"
