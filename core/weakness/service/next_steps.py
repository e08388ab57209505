"""Next steps for a weak part of a run: the module that failed, the retrieval, three examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.diagnosis import Attribution
from core.diagnosis.service.blame import Blame, blame_of, counted
from core.domain.results.responses import Context
from core.domain.results.runs import VERDICT_METRIC
from core.metrics import Family
from core.runs.scores.summary import spec_of
from core.store.database import Store
from core.store.results import runs, scores
from core.store.results.cases import run_inputs
from core.weakness.service.scores import score_column
from core.weakness.table import Bools, Floats, ScoreColumn

EXAMPLES = 3
SHORT = 240
"""Characters of a passage that are shown beside an example."""

HAPPENED = {
    Attribution.RETRIEVAL: "the document that states the fact was not retrieved",
    Attribution.KNOWLEDGE_GAP: "no document states the fact, or the document states another value",
    Attribution.LANGUAGE_MODEL: "the document that states the fact was retrieved and the answer is still wrong",
    Attribution.UNDECIDED: "it cannot be told whether the documents state the fact, or what shows the module disagrees",
    Attribution.UNRESOLVED_GAP: "it is not known which module failed",
}
LOOK_AT = {
    Attribution.RETRIEVAL: "Check the retrieval for these questions first.",
    Attribution.KNOWLEDGE_GAP: "Check the documents first.",
    Attribution.LANGUAGE_MODEL: "Check the language model and its prompt first.",
    Attribution.UNDECIDED: "Read the passages beside these questions: a person decides whether they state the fact.",
    Attribution.UNRESOLVED_GAP: "State which document contains each fact, or connect the documents, to find out.",
}
NAMES = {
    Attribution.RETRIEVAL: "retrieval",
    Attribution.KNOWLEDGE_GAP: "knowledge gap",
    Attribution.LANGUAGE_MODEL: "language model",
    Attribution.UNDECIDED: "undecided",
    Attribution.UNRESOLVED_GAP: "unresolved",
}

RetrievalFigure = tuple[str, float, int, float, int]
"""A retrieval metric by its stored name: mean here, of how many, mean elsewhere, of how many; NaN for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One failing case.

    Attributes:
        score: Its value.
        reason: The judge's reason, or empty.
        module: Its root cause; None where it is not known.
        because: Why that module, one sentence, or empty.
        contexts: The retrieved passages, best first, each by its document and its beginning.
    """

    case_id: str
    question: str
    reference: str
    answer: str | None
    score: float
    reason: str = ""
    module: Attribution | None = None
    because: str = ""
    contexts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatNext:
    """What to examine next.

    Attributes:
        sentence: What to examine first, in plain words.
        modules: Wrong answers among the cases by module, the most frequent first.
        judged: Cases with a verdict.
        of: Cases.
        retrieval: The retrieval metrics, here and elsewhere in the run.
        examples: Up to three failing cases, the worst first, of different filled queries as far as there are.
    """

    sentence: str
    modules: Mapping[Attribution, int]
    judged: int
    of: int
    retrieval: tuple[RetrievalFigure, ...]
    examples: tuple[Example, ...]


def what_next(
    store: Store,
    run_id: str,
    case_ids: Sequence[str],
    score_key: str,
    *,
    blame: Mapping[str, Blame] | None = None,
    seconds: float | None = None,
) -> WhatNext:
    """Examines the cases of a weak part.

    Args:
        store: Where the run is.
        run_id: The run.
        case_ids: Cases of the part; those the run does not have, or that are excluded, are left out.
        score_key: Of the score the part is weak in.
        blame: The root causes of the cases, where they are known already
            (:func:`core.diagnosis.service.blame.blamed`); else they are determined for these cases.
        seconds: The longest search for evidence made here; None for however long it takes.

    Raises:
        NotFound: There is no such run.
        InvalidInput: The run has no such score.
    """
    with store.read() as connection:
        run = runs.get(connection, run_id)
        order, groups = run_inputs.groups(connection, run.test_set_id)
        verdicts = scores.columns(connection, run_id, [VERDICT_METRIC], order)[:, 0]
        metrics = sorted(name for name in scores.of_run(connection, run_id) if _is_retrieval(name))
        columns = scores.columns(connection, run_id, metrics, order)
    requested = set(case_ids)
    in_part = np.array([case_id in requested for case_id in order], dtype=bool)
    wrong = [order[place] for place in np.flatnonzero(in_part & (verdicts == 0.0)).tolist()]
    blames = (blame_of(store, run_id, wrong, seconds=seconds) if wrong else {}) if blame is None else blame
    modules = counted(blames, wrong)
    score = score_column(store, run_id, score_key, order)
    worst = _worst(score, in_part, order, groups, blames, modules)
    judged = int((in_part & ~np.isnan(verdicts)).sum())
    return WhatNext(
        sentence=_sentence(modules, len(wrong), judged, int(in_part.sum())) + _pending(blames, wrong),
        modules=modules,
        judged=judged,
        of=int(in_part.sum()),
        retrieval=tuple(_figure(name, columns[:, place], in_part) for place, name in enumerate(metrics)),
        examples=_examples(store, run_id, [(order[place], float(score.values[place])) for place in worst], blames),
    )


def _is_retrieval(name: str) -> bool:
    spec = spec_of(name)
    return spec is not None and spec.family is Family.RETRIEVAL


def _figure(name: str, values: Floats, in_part: Bools) -> RetrievalFigure:
    has_value = ~np.isnan(values)
    inside, outside = values[in_part & has_value], values[~in_part & has_value]
    return name, _mean(inside), inside.size, _mean(outside), outside.size


def _mean(values: Floats) -> float:
    return float(values.mean()) if values.size else float("nan")


def _worst(
    score: ScoreColumn,
    in_part: Bools,
    order: Sequence[str],
    groups: Sequence[str],
    blames: Mapping[str, Blame],
    modules: Mapping[Attribution, int],
) -> list[int]:
    """Places of the worst cases; among equal scores those of the most frequent module, then in the set's order.

    A case with the best possible value has not failed, and a case without a score is not counted as failing.
    """
    best = score.high if score.higher_is_better else score.low
    failing = in_part & ~np.isnan(score.values)
    if best is not None:
        failing &= score.values != best
    rank = {module: place for place, module in enumerate(modules)}

    def badness(place: int) -> tuple[float, int, int]:
        blame = blames.get(order[place])
        module = len(rank) if blame is None else rank.get(blame.module, len(rank))
        return score.sign * float(score.values[place]), module, place

    ranked = sorted(np.flatnonzero(failing).tolist(), key=badness)
    first_of_group: dict[str, int] = {}
    for place in ranked:
        first_of_group.setdefault(groups[place], place)
    apart = list(first_of_group.values())
    further = [place for place in ranked if first_of_group[groups[place]] != place]
    return [*apart, *further][:EXAMPLES]


def _examples(
    store: Store, run_id: str, worst_cases: Sequence[tuple[str, float]], blames: Mapping[str, Blame]
) -> tuple[Example, ...]:
    ids = [case_id for case_id, _ in worst_cases]
    values = dict(worst_cases)
    with store.read() as connection:
        pairs = list(run_inputs.pairs(connection, runs.get(connection, run_id), ids))
        verdict_scores = scores.of_metric(connection, run_id, VERDICT_METRIC, ids)
    return tuple(
        Example(
            case_id=case.case_id,
            question=case.question,
            reference=" | ".join(case.reference_answers),
            answer=response.answer,
            score=values[case.case_id],
            reason=str(verdict_scores[case.case_id].detail.get("reason") or "")
            if case.case_id in verdict_scores
            else "",
            module=blames[case.case_id].module if case.case_id in blames else None,
            because=blames[case.case_id].reason if case.case_id in blames else "",
            contexts=tuple(_passage_text(context) for context in response.contexts),
        )
        for case, response in pairs
    )


def _passage_text(context: Context) -> str:
    """A passage by its document and its beginning."""
    text = " ".join(context.text.split())
    beginning = text if len(text) <= SHORT else f"{text[: SHORT - 3].rstrip()}..."
    return ": ".join(part for part in (context.document_id, beginning) if part)


def _pending(blames: Mapping[str, Blame], wrong: Sequence[str]) -> str:
    pending = sum(case_id in blames and blames[case_id].pending for case_id in wrong)
    if not pending:
        return ""
    facts = "the fact of one wrong answer" if pending == 1 else f"the facts of {pending:,} wrong answers"
    return f" The documents are still to be searched for {facts}, so this may change: open Diagnose."


def _sentence(modules: Mapping[Attribution, int], wrong: int, judged: int, cases: int) -> str:
    if not judged:
        return f"None of the {cases:,} cases has a verdict, so no module can be identified. Judge the answers first."
    unjudged_count = cases - judged
    unjudged = (
        f" {unjudged_count:,} of the {cases:,} cases {'has' if unjudged_count == 1 else 'have'} no verdict."
        if unjudged_count
        else ""
    )
    if not wrong:
        subject = "The one judged answer is" if judged == 1 else f"All {judged:,} judged answers are"
        return f"{subject} correct, so no module failed. Read the examples.{unjudged}"
    if not modules:
        return f"The root causes of the {wrong:,} wrong answers are not known. Diagnose the run.{unjudged}"
    (module_first, largest), *remaining = modules.items()
    alone = not remaining or (largest > remaining[0][1] and 2 * largest >= wrong)
    if alone:
        share = f"All {wrong:,} wrong answers" if largest == wrong else f"{largest:,} of {wrong:,} wrong answers"
        subject = "The one wrong answer" if wrong == 1 else share
        return f"{subject}: {HAPPENED[module_first]}. {LOOK_AT[module_first]}{unjudged}"
    listed = ", ".join(f"{NAMES[module]} {count:,}" for module, count in modules.items())
    return f"No single module stands out among {wrong:,} wrong answers: {listed}. Read the examples.{unjudged}"
