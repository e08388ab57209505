"""A peer's file inside a project: a frozen test set and a finished run, with the peer's scores under its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.responses import Judgement, Score, Verdict
from core.domain.results.runs import Run
from core.domain.sources.projects import Role
from core.io.exchange.records import Record
from core.judging import Judge, open_judge
from core.project.service import require
from core.runs.exchange.finished_runs import RULE, put_finished_run, put_test_set
from core.runs.exchange.reading import Imported
from core.runs.scores.verdict import verdict_score
from core.store.database import Store

IDEAL: Final = "ideal_contexts"
CONVERSATIONS: Final = "conversations"
"""Where a test set keeps texts that its cases have no place for, by case."""

NO_REFERENCE: Final = "The file holds no reference answer, so the answer was not judged."


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedRun:
    """What an import made.

    Attributes:
        run: The finished run; None where the file has no answer at all, and only a test set was made.
        rows: Cases.
        scores: How many rows have a value, by metric.
        judged: Cases with a verdict.
    """

    run: Run | None
    test_set_id: str
    rows: int
    scores: Mapping[str, int]
    judged: int


def import_exchange(
    store: Store,
    project_id: str,
    imported: Imported,
    *,
    actor: str,
    name: str = "",
    judge: str = "",
) -> ImportedRun:
    """Stores a file that was read, all of it or nothing; a file without any answer becomes a test set to be run.

    A verdict is the file's own; where it has none the answer is not judged, unless a judge is named.

    Args:
        store: Where the project lives.
        project_id: The project.
        imported: The file as it was read and mapped.
        actor: Who imports.
        name: Of the test set; the file's name by default.
        judge: What judges the answers that came without a verdict, such as ``match``; none where empty.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of it.
        InvalidInput: The judge cannot be opened, or it has no name.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    title = (name.strip() or PurePath(imported.path.name).stem)[:200].strip()
    if not title:
        raise InvalidInput("The import has no name.", "Give it one, such as the name of the file.")
    if all(record.response.answer is None for record in imported.records):
        test_set = put_test_set(
            store,
            project_id,
            actor=actor,
            name=title,
            cases=[record.case for record in imported.records],
            files=[imported.path.name],
            extras=_texts_by_case(imported.records),
        )
        return ImportedRun(run=None, test_set_id=test_set.id, rows=len(imported.records), scores={}, judged=0)
    by = open_judge(judge) if judge else None
    verdicts = [_verdict(record, by) for record in imported.records]
    scores = [score for record in imported.records for score in record.scores]
    has_verdicts = {record.judgement.verdict for record in imported.records} != {Verdict.NOT_JUDGED}
    run = put_finished_run(
        store,
        project_id,
        actor=actor,
        name=title,
        cases=[record.case for record in imported.records],
        responses=[record.response for record in imported.records],
        scores=[*verdicts, *scores],
        files=[imported.path.name],
        options={
            **imported.options,
            "format": imported.spec.name,
            "mapped": imported.mapped,
            "ignored": dict(imported.ignored),
            "notes": list(imported.notes),
        },
        extras=_texts_by_case(imported.records),
        judge=judge if judge and not has_verdicts else RULE,
    )
    return ImportedRun(
        run=run,
        test_set_id=run.test_set_id,
        rows=len(imported.records),
        scores=_counted(scores),
        judged=sum(score.value is not None for score in verdicts),
    )


def _verdict(record: Record, judge: Judge | None) -> Score:
    judgement = record.judgement
    if judge is not None and judgement.verdict is Verdict.NOT_JUDGED:
        if record.case.reference_answers or record.response.answer is None:
            judgement = judge.judge(record.case, record.response)
        else:
            judgement = Judgement(verdict=Verdict.NOT_JUDGED, rule=RULE, reason=NO_REFERENCE)
    return verdict_score(record.case.case_id, judgement)


def _texts_by_case(records: tuple[Record, ...]) -> dict[str, object]:
    ideal = {record.case.case_id: list(record.ideal_contexts) for record in records if record.ideal_contexts}
    earlier = {
        record.case.case_id: [list(turn) for turn in record.conversation] for record in records if record.conversation
    }
    return {name: texts for name, texts in ((IDEAL, ideal), (CONVERSATIONS, earlier)) if texts}


def _counted(scores: list[Score]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for score in scores:
        counts[score.metric] = counts.get(score.metric, 0) + (score.value is not None)
    return dict(sorted(counts.items()))
