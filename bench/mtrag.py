"""The correlation of each metric with human ratings: the MTRAG human evaluation, read from its file.

``python -m bench.mtrag FILE`` prints the table of the README; with ``--write`` the whole result goes to docs/mtrag.md.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.estimates import Estimate
from core.domain.results.responses import Context, Score
from core.encoders.embedding import open_encoder
from core.encoders.protocols import SentenceEncoder
from core.metrics import Models, Need, Sample, find_metrics, list_metrics, score_samples
from core.metrics.comparison.faithfulness_fit import FittedFaithfulness, fit_faithfulness, parts_of
from core.metrics.spec import MetricSpec
from core.stats import clustered_spearman, paired_spearman_difference, spearman

DOCS = Path(__file__).resolve().parents[1] / "docs" / "mtrag.md"
RATINGS = ("faithfulness", "completeness", "appropriateness")
SHIPPED = ("Bert-KPrec", "rl_f", "RougeL", "Bert-Rec", "rb_llm", "rb_agg")
PEERS = ("Bert-KPrec", "rl_f", "RougeL", "rb_llm")
"""The shipped scores that faithfulness is compared with, pair by pair."""
PARTS = ("semantic", "together", "lexical", "specifics", "consistency")
IN_README = (
    "lexical_precision",
    "groundedness",
    "completeness",
    "answer_relevancy",
    "rouge_l",
    "embedding_similarity",
)
HUMAN = "reference"
"""The system whose answers people wrote; left out."""
ANSWERABLE = {"ANSWERABLE": True, "PARTIAL": True, "UNANSWERABLE": False}

Floats = NDArray[np.float64]
Strings = NDArray[np.str_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One answer with its human ratings and other scores.

    Attributes:
        sample: The input of the metrics; the question is the last turn of the user.
        turns: Every turn of the user, the last one too.
        task: The task it answers; two systems answer each.
        system: The system that gave the answer.
        collection: The collection of its documents.
        conversation: The conversation that the task is a turn of.
        human: Mean of the raters by rating, 1 to 4.
        rated: The value by each rater, by rating.
        shipped: The scores in the file.
    """

    sample: Sample
    turns: str
    task: str
    system: str
    collection: str
    conversation: str
    human: dict[str, float]
    rated: dict[str, dict[str, float]]
    shipped: dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """Every row's value by every metric that applies.

    Attributes:
        rows: The answers.
        values: By metric, turned so that higher is better, with the worst value where there is none.
        scored: How many rows had a value of their own, by metric.
        parts: The parts of faithfulness, shape (n, parts).
        fitted: The fitted faithfulness.
    """

    rows: tuple[Row, ...]
    values: dict[str, Floats]
    scored: dict[str, int]
    parts: Floats
    fitted: FittedFaithfulness

    def human(self, rating: str) -> Floats:
        """The mean human ratings."""
        return np.array([row.human[rating] for row in self.rows])

    def of(self, name: str) -> Floats:
        """A metric, the fitted score ("fitted") or a shipped score by name."""
        if name == "fitted":
            return self.fitted.out_of_fold
        return self.values[name] if name in self.values else np.array([row.shipped[name] for row in self.rows])

    def by(self, label_of: Callable[[Row], object]) -> Strings:
        """A label a row."""
        return np.array([str(label_of(row)) for row in self.rows])

    @property
    def tasks(self) -> Strings:
        """The unit of resampling: the tasks."""
        return self.by(lambda row: row.task)

    @property
    def with_contexts(self) -> NDArray[np.bool_]:
        """Which rows have contexts."""
        return np.array([bool(row.sample.contexts) for row in self.rows])


def read_rows(path: Path) -> tuple[Row, ...]:
    """The rated answers of the file, those of people left out, in its order."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    texts = {document["document_id"]: document["text"] for document in data["documents"]}
    tasks = {task["task_id"]: task for task in data["tasks"]}
    return tuple(
        _row(evaluation, tasks[evaluation["task_id"]], texts)
        for evaluation in data["evaluations"]
        if evaluation["model_id"] != HUMAN
    )


def _row(evaluation: dict[str, Any], task: dict[str, Any], texts: dict[str, str]) -> Row:
    user_turns = [turn["text"] for turn in task["input"] if turn["speaker"] == "user"]
    notes = evaluation["annotations"]
    rated = {name: {rater: float(by_rater["value"]) for rater, by_rater in notes[name].items()} for name in RATINGS}
    task_id = task["task_id"]
    return Row(
        sample=Sample(
            case_id=f"{task_id} {evaluation['model_id']}",
            question=user_turns[-1],
            answer=evaluation["model_response"],
            contexts=tuple(
                Context(document_id=context["document_id"], text=texts[context["document_id"]])
                for context in task["contexts"]
            ),
            references=tuple(target["text"] for target in task["targets"]),
            answerable=ANSWERABLE.get(task["Answerability"][0]),
        ),
        turns="\n".join(user_turns),
        task=task_id,
        system=evaluation["model_id"],
        collection=task["Collection"].split("-")[2],
        conversation=task_id.split("<")[0],
        human={name: float(np.mean(list(by_rater.values()))) for name, by_rater in rated.items()},
        rated=rated,
        shipped={name: float(next(iter(notes[name].values()))["value"]) for name in SHIPPED},
    )


def applicable() -> tuple[MetricSpec, ...]:
    """The metrics that the file allows: it names no gold documents, and there is neither an NLI model nor a judge."""
    absent = {Need.NLI, Need.JUDGE, Need.GOLD_DOCUMENTS, Need.GOLD_CHUNKS, Need.CHUNK_IDS}
    return tuple(spec for spec in list_metrics() if absent.isdisjoint(spec.needs))


def score(rows: Sequence[Row], encoder: SentenceEncoder, names: Iterable[str] = ()) -> Scored:
    """Scores every row.

    Args:
        rows: From `read_rows`.
        encoder: Of sentences.
        names: Metrics besides faithfulness; all that apply where none is named.
    """
    specs = {spec.name: spec for spec in applicable()}
    metric_names = ["faithfulness", *(names or specs)]
    metrics = find_metrics(name for name in metric_names if name in specs)
    # All in one batch: the two systems of a task were given the same passages, so half of the sentences occur twice.
    (scores,) = score_samples([row.sample for row in rows], metrics, Models(encoder=encoder), batch=len(rows))
    by_name = {metric.name: scores[place :: len(metrics)] for place, metric in enumerate(metrics)}
    parts = np.array([parts_of(metric_scores.detail, PARTS) for metric_scores in by_name["faithfulness"]])
    human = [row.human["faithfulness"] for row in rows]
    return Scored(
        rows=tuple(rows),
        values={name: _filled(metric_scores, specs[name]) for name, metric_scores in by_name.items()},
        scored={
            name: sum(case_score.value is not None for case_score in metric_scores)
            for name, metric_scores in by_name.items()
        },
        parts=parts,
        fitted=fit_faithfulness(parts, human, [row.task for row in rows], names=PARTS),
    )


def _filled(scores: Sequence[Score], spec: MetricSpec) -> Floats:
    """Values turned so that higher is better, the worst of the range where there is none."""
    worst = spec.low if spec.better == "higher" else spec.high
    values = np.array(
        [worst if case_score.value is None else case_score.value for case_score in scores], dtype=np.float64
    )
    return values if spec.better == "higher" else -values


def correlation(scored: Scored, name: str, rating: str, *, contexts_only: bool = False) -> Estimate:
    """Spearman of a score with a rating, with an interval over tasks; on the rows with contexts only where asked."""
    rows = scored.with_contexts if contexts_only else np.ones(len(scored.rows), dtype=bool)
    return clustered_spearman(scored.of(name)[rows], scored.human(rating)[rows], scored.tasks[rows])


def difference(
    scored: Scored, name: str, peer: str, *, contexts_only: bool = False, clusters: Strings | None = None
) -> Estimate:
    """How much better a score correlates with human faithfulness than another one, on the same rows and draws."""
    rows = scored.with_contexts if contexts_only else np.ones(len(scored.rows), dtype=bool)
    draw_units = scored.tasks if clusters is None else clusters
    return paired_spearman_difference(
        scored.of(name)[rows], scored.of(peer)[rows], scored.human("faithfulness")[rows], draw_units[rows]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Spearman with human faithfulness inside one group of rows.

    Attributes:
        group: Which rows.
        rows: How many.
        fitted: Of weights fitted on all other rows.
        fixed: Of the fixed weights.
        peer: Of Bert-KPrec.
    """

    group: str
    rows: int
    fitted: float | None
    fixed: float | None
    peer: float | None


def held_out(scored: Scored, groups: Strings) -> list[HeldOut]:
    """The correlations in each group with weights fitted elsewhere."""
    human = scored.human("faithfulness")
    results = []
    for group in sorted(set(groups.tolist())):
        inside = groups == group
        fitted = fit_faithfulness(scored.parts[~inside], human[~inside], scored.tasks[~inside], names=PARTS, repeats=1)
        results.append(
            HeldOut(
                group=group,
                rows=int(inside.sum()),
                fitted=spearman(fitted.predict(scored.parts[inside]), human[inside]),
                fixed=spearman(scored.of("faithfulness")[inside], human[inside]),
                peer=spearman(scored.of("Bert-KPrec")[inside], human[inside]),
            )
        )
    return results


def estimate_text(estimate: Estimate) -> str:
    """An estimate with its interval, such as ``.762 [.690, .815]``."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "-"
    value, low, high = (
        f"{number:.3f}".replace("0.", ".", 1) for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} [{low}, {high}]"


def table(scored: Scored, names: Sequence[str]) -> str:
    """Spearman of scores with the three ratings as a Markdown table."""
    titles = {"fitted": "**`faithfulness`, fitted, out of fold**", "faithfulness": "**`faithfulness`**"}
    lines = [f"| score | {' | '.join(RATINGS)} |", "|---|---|---|---|"]
    for name in names:
        title = titles.get(name, f"`{name}`" if name in scored.values else f"{name} (shipped)")
        lines.append(
            f"| {title} | {' | '.join(estimate_text(correlation(scored, name, rating)) for rating in RATINGS)} |"
        )
    return "\n".join(lines)


def readme_table(scored: Scored) -> str:
    """The table of the README: a dozen rows."""
    ours = [name for name in ("fitted", "faithfulness", *IN_README) if name == "fitted" or name in scored.values]
    return table(scored, [*ours, *SHIPPED])


def asked_in_full(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with every turn of the user as the question."""
    return tuple(replace(row, sample=replace(row.sample, question=row.turns)) for row in rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the README's table; ``--write`` also writes docs/mtrag.md."""
    parser = argparse.ArgumentParser(prog="python -m bench.mtrag", description=__doc__)
    parser.add_argument("file", type=Path, help="reference_subset_with_human_evaluations.json")
    parser.add_argument("--write", action="store_true", help="write the whole result to docs/mtrag.md")
    options = parser.parse_args(arguments)
    encoder = open_encoder()
    rows = read_rows(options.file)
    scored = score(rows, encoder)
    print(readme_table(scored))
    if options.write:
        from bench.mtrag_page import page

        in_full = score(asked_in_full(rows), encoder, [name for name in scored.values if "relevancy" in name])
        DOCS.write_text(page(scored, in_full), encoding="utf-8")


if __name__ == "__main__":
    main()
