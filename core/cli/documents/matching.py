"""The command on records and documents whose ids differ: the ways with what they match, a preview, the choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from core.cli.output import AsJson, FailUnder, emit, one_of, tell
from core.domain.errors import InvalidInput, NotFound
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.sources.document_mappings import DocumentMapping, Way
    from core.knowledge.matching.proposing import Proposal
    from core.knowledge.matching.service import Belonging
    from core.store.database import Store

SHOWN = 20
"""Records of a kind that are printed; JSON has all."""

WAYS = "exact, pattern, front_matter, column or content"

Rules = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", metavar="TABLE=RULE", help="What is compared for a table, in place of the proposal; repeatable."
    ),
]


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("match")(match)


def match(
    project: Annotated[str, typer.Option("--project", metavar="NAME", help="Name or id of the project.")] = "",
    run: Annotated[str, typer.Option("--run", metavar="RUN", help="The project of a run, by id or --out folder.")] = "",
    way: Annotated[str, typer.Option(help=f"{WAYS}; by default the chosen one, else that which matches most.")] = "",
    rule: Rules = None,
    choose: Annotated[bool, typer.Option("--choose", help="Store it; without this nothing is stored.")] = False,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
) -> None:
    """Shows which documents belong to which records where their ids differ, and stores the choice."""
    from core.knowledge.matching import service

    asked, own_rules = _asked("--way", way, rule)
    with _project(project, run) as (store, project_id):
        now = service.belonging(store, project_id)
        if now is None:
            raise NotFound(
                "There are no records or no documents to compare.",
                "Connect both with: projects new NAME --database URL --documents FOLDER.",
            )
        chosen = asked or (now.chosen.way if now.chosen else now.proposals.best.way)
        rules = _rules(now, chosen, own_rules)
        proposed = now.proposals.of(chosen)
        follows = rules == dict(proposed.rules)
        preview = proposed if follows else service.try_rules(store, project_id, chosen, rules)
        stored = service.choose(store, project_id, chosen, rules, actor=settings().actor) if choose else None
    document = {
        "project": project_id,
        "tables": list(now.proposals.tables),
        "now": {"way": str(now.now.way), **_counts(now.now)},
        "chosen": _decision(now.chosen),
        "outdated": now.outdated,
        "ways": [
            {"way": str(item.way), **_counts(item), "rules": _counted_rules(now, item)} for item in now.proposals.ways
        ],
        "preview": {
            "way": str(chosen),
            **_counts(preview),
            "rules": rules,
            "own_ids": {gold: list(ids) for gold, ids in preview.own.items()},
            "matches": {gold: list(ids) for gold, ids in preview.matches.items()},
            "not_clear": dict(preview.ambiguous),
            "no_document": dict(preview.unmatched),
        },
        "stored": _decision(stored),
    }
    emit(document, as_json=as_json, lines=_lines(now, preview, rules, stored), fail_under=fail_under)


def match_documents(store: Store, project_id: str, way: str, rule: Sequence[str] | None) -> None:
    """Decides how the documents of a folder belong to gold ids, as the options of a command say; says what it gave.

    Nothing is stored where the same was decided before.

    Raises:
        InvalidInput: There is no such way, or nothing would be matched, or no gold id is there to match.
    """
    from core.domain.sources.document_mappings import Way
    from core.knowledge.matching import service

    asked, own_rules = _asked("--match", way, rule)
    if asked is None:
        raise InvalidInput("A rule is given and no way.", f"Add --match with one of {WAYS}.")
    now = service.belonging(store, project_id)
    if now is None:
        raise InvalidInput("The test set has no gold ids to match.", "Leave --match out.")
    rules = _rules(now, asked, own_rules)
    if now.chosen is None or (now.chosen.way, dict(now.chosen.rules)) != (asked, rules):
        if asked is Way.EXACT and now.chosen is None:
            return
        chosen = service.choose(store, project_id, asked, rules, actor=settings().actor)
        tell(f"{chosen.matched:,} of {chosen.records:,} gold ids have a document by {chosen.way}.")


def _asked(option: str, way: str, rule: Sequence[str] | None) -> tuple[Way | None, dict[str, str]]:
    """The way and the rules that options name."""
    from core.domain.sources.document_mappings import Way

    asked = Way(one_of(option, way, list(Way))) if way else None
    own_rules = dict(map(_rule, rule or ()))
    if own_rules and asked is Way.EXACT:
        raise InvalidInput(
            "The way exact compares ids and has no rule.", f"Leave --rule out, or choose another {option}."
        )
    return asked, own_rules


@contextmanager
def _project(project: str, run: str) -> Iterator[tuple[Store, str]]:
    """The store and the id of the project that is named, or that a run is in."""
    from core.cli import workspace
    from core.cli.projects import project_named
    from core.store.database import Store

    if bool(project) == bool(run):
        raise InvalidInput("Name one project or one run.", "Give --project NAME, or --run with an id or --out folder.")
    if run:
        with workspace.opened(run) as (store, found):
            yield store, found.project_id
    else:
        with Store.open(settings().database_url) as store:
            yield store, project_named(store, project)


def _rule(text: str) -> tuple[str, str]:
    table, separator, compared = text.partition("=")
    if not separator or not table.strip():
        raise InvalidInput(f"--rule {text!r} is not TABLE=RULE.", "Write for example --rule products={table}-{key:02}.")
    return table.strip(), compared.strip()


def _rules(now: Belonging, way: Way, own: Mapping[str, str]) -> dict[str, str]:
    """The proposed rules of a way, or the chosen ones, with a person's own in their place; an empty one leaves out."""
    chosen = now.chosen if now.chosen is not None and now.chosen.way is way else None
    rules = dict(chosen.rules if chosen else now.proposals.of(way).rules)
    names = {table.casefold(): table for table in rules}
    rules |= {names.get(table.casefold(), table): compared for table, compared in own.items()}
    return {table: compared for table, compared in rules.items() if compared}


def _counted_rules(now: Belonging, proposal: Proposal) -> dict[str, str]:
    """The rules of tables whose records count."""
    tables = {table.casefold() for table in now.proposals.tables}
    return {table: compared for table, compared in proposal.rules.items() if table.casefold() in tables}


def _counts(proposal: Proposal) -> dict[str, int]:
    return {
        "records": proposal.records,
        "matched": proposal.matched,
        "unclear": len(proposal.ambiguous),
        "unmatched": len(proposal.unmatched),
    }


def _decision(mapping: DocumentMapping | None) -> dict[str, object] | None:
    if mapping is None:
        return None
    return {
        "id": mapping.id,
        "way": str(mapping.way),
        "rules": dict(mapping.rules),
        "records": mapping.records,
        "matched": mapping.matched,
        "at": mapping.created_at,
        "by": mapping.created_by,
    }


def _lines(now: Belonging, preview: Proposal, rules: Mapping[str, str], stored: DocumentMapping | None) -> list[str]:
    by = (
        f"by {now.chosen.way}, chosen by {now.chosen.created_by}" if now.chosen else "by the same id, nothing is chosen"
    )
    tables = ", ".join(now.proposals.tables)
    lines = [f"Now {now.now.matched:,} of {now.now.records:,} records have a document ({tables}), {by}."]
    if now.outdated:
        lines.append("The database or the documents changed since it was chosen; choose it again to match what is new.")
    for item in now.proposals.ways:
        compared = ", ".join(f"{table}: {text}" for table, text in _counted_rules(now, item).items())
        counted = f"{item.matched:,} of {item.records:,}, {len(item.ambiguous):,} not clear"
        lines.append(f"  {item.way:<13} {counted}  {compared}".rstrip())
    compared = ", ".join(f"{table}: {text}" for table, text in rules.items())
    lines.append(f"Preview of {preview.way}{f' ({compared})' if compared else ''}:")
    lines += _some("with a document", [f"{gold} -> {', '.join(ids)}" for gold, ids in _documents(preview)])
    lines += _some("not clear", [f"{gold}: {reason}" for gold, reason in preview.ambiguous.items()])
    lines += _some("without a document", [f"{gold}: {reason}" for gold, reason in preview.unmatched.items()])
    if stored is None:
        return [*lines, "Nothing is stored; add --choose to store this way."]
    return [
        *lines,
        f"Stored: {stored.matched:,} of {stored.records:,} records have a document now. Scores that runs already have "
        "stay; score a run again to measure its retrieval with them.",
    ]


def _documents(preview: Proposal) -> list[tuple[str, tuple[str, ...]]]:
    return [*preview.matches.items(), *preview.own.items()]


def _some(title: str, rows: list[str]) -> list[str]:
    more = [f"    and {len(rows) - SHOWN:,} more; --json lists all"] if len(rows) > SHOWN else []
    return [f"  {title}: {len(rows):,}", *(f"    {row}" for row in rows[:SHOWN]), *more]
