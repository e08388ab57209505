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
    found: Imported,
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
        found: The file as it was read and mapped.
        actor: Who imports.
        name: Of the test set; the file's name by default.
        judge: What judges the answers that came without a verdict, such as ``match``; none where empty.

    Raises:
        NotFound: There is no such project.
        Forbidden: The actor is no validator of it.
        InvalidInput: The judge cannot be opened, or it has no name.
    """
    require(store, project_id, actor, Role.VALIDATOR)
    title = (name.strip() or PurePath(found.path.name).stem)[:200].strip()
    if not title:
        raise InvalidInput("The import has no name.", "Give it one, such as the name of the file.")
    if all(record.response.answer is None for record in found.records):
        test_set = put_test_set(
            store,
            project_id,
            actor=actor,
            name=title,
            cases=[record.case for record in found.records],
            files=[found.path.name],
            kept=_kept(found.records),
        )
        return ImportedRun(run=None, test_set_id=test_set.id, rows=len(found.records), scores={}, judged=0)
    by = open_judge(judge) if judge else None
    verdicts = [_verdict(record, by) for record in found.records]
    scores = [score for record in found.records for score in record.scores]
    has_verdicts = {record.judgement.verdict for record in found.records} != {Verdict.NOT_JUDGED}
    run = put_finished_run(
        store,
        project_id,
        actor=actor,
        name=title,
        cases=[record.case for record in found.records],
        responses=[record.response for record in found.records],
        scores=[*verdicts, *scores],
        files=[found.path.name],
        options={
            **found.options,
            "format": found.spec.name,
            "mapped": found.mapped,
            "ignored": dict(found.ignored),
            "notes": list(found.notes),
        },
        kept=_kept(found.records),
        judge=judge if judge and not has_verdicts else RULE,
    )
    return ImportedRun(
        run=run,
        test_set_id=run.test_set_id,
        rows=len(found.records),
        scores=_counted(scores),
        judged=sum(score.value is not None for score in verdicts),
    )


def _verdict(one: Record, judge: Judge | None) -> Score:
    judgement = one.judgement
    if judge is not None and judgement.verdict is Verdict.NOT_JUDGED:
        if one.case.reference_answers or one.response.answer is None:
            judgement = judge.judge(one.case, one.response)
        else:
            judgement = Judgement(verdict=Verdict.NOT_JUDGED, rule=RULE, reason=NO_REFERENCE)
    return verdict_score(one.case.case_id, judgement)


def _kept(records: tuple[Record, ...]) -> dict[str, object]:
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
