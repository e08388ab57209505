"""Questions from a folder of documents, without a project: written, examined, and put into a file of test cases."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.models.endpoints import Access, lent_to
from core.cli.output import emit, progress_line, tell
from core.cli.questions.delivered import delivered_lines
from core.domain.errors import InvalidInput
from core.settings import settings

if TYPE_CHECKING:
    from core.domain.testset.cases import TestCase
    from core.domain.testset.question_drafts import QuestionBatch, QuestionDraft
    from core.testset.corpus.questions.plan import QuestionPlan


def write_from_folder(
    folder: Path, plan: QuestionPlan, out: Path, *, access: Access, encoder: str, as_json: bool
) -> None:
    """Finds topics in a folder, writes questions for them, and puts those that pass the checks into a file.

    Nothing but the file is kept, and no person has seen the questions; each case says so.

    Args:
        folder: The documents.
        plan: What is wanted.
        out: Where the cases go, one JSON line each.
        access: How the model is called.
        encoder: Of the topics and the checks, empty for that of the settings.
        as_json: Print the result as JSON.

    Raises:
        InvalidInput: `out` lies in the folder that is read.
    """
    from core.io.cases import write_cases

    if out.resolve().is_relative_to(folder.resolve()):
        raise InvalidInput(
            f"{out} is inside the folder of documents.", "Write the questions to a file outside the folder."
        )
    for reason in plan.left_out:
        tell(reason)
    with tempfile.TemporaryDirectory(prefix="plumbline-questions-") as place:
        batch, drafts, cases = _written(folder, plan, access, encoder, Path(place) / "store.sqlite")
    write_cases(out, cases)
    if not cases:
        tell(f"No question was generated; {out} is empty. See the reasons.")
    document = _document(batch, drafts, out, len(cases))
    emit(document, as_json=as_json, lines=_lines(batch, document, out))


def _written(
    folder: Path, plan: QuestionPlan, access: Access, encoder: str, file: Path
) -> tuple[QuestionBatch, list[QuestionDraft], list[TestCase]]:
    from core.domain.identity import new_id
    from core.domain.sources.topics import TopicSettings
    from core.domain.testset.question_drafts import DraftStatus
    from core.project.service import create_project
    from core.sources.corpora import connect_corpus
    from core.store import sources
    from core.store.database import Store
    from core.store.testset import question_drafts, topics
    from core.testset.corpus.drafting import write_batch
    from core.testset.corpus.questions.cases import question_cases
    from core.testset.topics.service import build_topics

    actor, progress = settings().actor, progress_line()
    with Store.open(f"sqlite:///{file}") as store:
        project = create_project(store, folder.name or "documents", actor)
        if plan.model:
            plan = replace(plan, model=lent_to(store, project.id, access, (plan.model,))[0])
        _, corpus = connect_corpus(store, project.id, folder, actor=actor)
        for skipped in corpus.skipped:
            tell(f"{skipped.path}: {skipped.reason}")
        topic_settings = TopicSettings(encoder=encoder, seed=plan.seed, stability_runs=0)
        model = build_topics(store, project.id, topic_settings, actor=actor, progress=progress)
        batch = write_batch(store, project.id, plan, actor=actor, batch_id=new_id("qb"), progress=progress)
        with store.read() as connection:
            drafts = question_drafts.drafts(connection, project.id)
            names = {topic.number: topic.label for topic in topics.topics(connection, model.id)}
            titles = sources.titles(connection, model.source_id)
    cases = question_cases((draft for draft in drafts if draft.status is DraftStatus.DRAFT), names, titles)
    return batch, drafts, [replace(case, attributes={**case.attributes, "reviewed": "no"}) for case in cases]


def _document(batch: QuestionBatch, drafts: Sequence[QuestionDraft], out: Path, cases: int) -> dict[str, object]:
    requested, delivered = Counter[str](), Counter[str]()
    for row in batch.delivered:
        requested[str(row["stratum"])] += int(str(row["requested"]))
        delivered[str(row["stratum"])] += int(str(row["delivered"]))
    return {
        "requested": dict(requested),
        "delivered": dict(delivered),
        "rejected": dict(Counter(draft.reason for draft in drafts if draft.reason)),
        "strata": [dict(row) for row in batch.delivered],
        "cases": cases,
        "path": str(out),
    }


def _lines(batch: QuestionBatch, document: Mapping[str, object], out: Path) -> list[str]:
    rejected = document["rejected"]
    return [
        f"{document['cases']:,} questions in {out}; no person has reviewed them.",
        *delivered_lines(batch.delivered),
        *(f"  turned down, {reason}: {n}" for reason, n in (rejected.items() if isinstance(rejected, dict) else ())),
    ]
