"""docs/mtrag.md: all measurements on the MTRAG human evaluation, with their rules."""

from __future__ import annotations

from bench.mtrag import (
    PARTS,
    PEERS,
    SHIPPED,
    Scored,
    correlation,
    difference,
    estimate_text,
    held_out,
    table,
)

HEAD = """# Metrics against human ratings: MTRAG

This file is written by `python -m bench.mtrag FILE --write`. The data are the 477 human-rated answers that come with
MTRAG (Katsis et al. 2025, Apache-2.0): 159 tasks from {conversations} conversations over four collections. The answers
that people wrote are left out, which leaves {rows} answers of two systems. The human figure is the mean of the raters
(1 to 4, three for most answers). Every figure is Spearman's rank correlation with the 95% interval of a bootstrap over
the {tasks} tasks; differences are taken in the same draws. "Shipped" scores are those in the file.

The rules:

- The question is the last turn of the user. The reference is the answer that people wrote. The contexts are the
  passages of the task.
- {without} answers have no contexts. All {rows} rows are used for every score. Groundedness and context metrics are 0
  there by their own edge rules, since nothing was retrieved, and so is the shipped Bert-KPrec. `faithfulness` is 0
  where the answer claims something and 0.5 where it claims nothing. Where a metric has no value (completeness, the
  Wasserstein distances) it gets the worst value of its range. Metrics that do not look at contexts have their value.
- Where lower is better the sign is turned, so that a positive figure is good everywhere.
- The fitted `faithfulness` learns the weights of the parts by non-negative ridge regression on the mean human rating.
  The parts are {parts}.
  Each row is predicted by models that saw no row of its task (ten folds, five deals, predictions averaged).
- Metrics that need gold documents or an NLI model are not in the table: the file names none, and no NLI model comes
  with Plumbline.

What to keep in mind: people agree with one another only so far (one rater against the mean of the other two: .57). The
form of `faithfulness`, its round weights and the value 0.5 for an answer without a claim were chosen while looking at
these ratings, after some 150 single features and over a thousand combinations of them had been tried on the same rows.
So its figure is flattered, by an amount that these data cannot tell: the fit out of fold and the part below on
collections and systems left out protect the weights only. With 1 instead of 0.5 for the 11 answers without a claim
(mean rating 2.6) the figure over all rows is about .69, and the difference to Bert-KPrec is not clear of 0; over the
rows with contexts the choice matters less. Ratings of other data may order scores differently.
"""


def page(scored: Scored, in_full: Scored) -> str:
    """The whole file.

    Args:
        scored: Every metric, asked with the last turn.
        in_full: The relevancy metrics, asked with all turns of the user.
    """
    head = HEAD.format(
        conversations=len(set(scored.by(lambda row: row.conversation).tolist())),
        rows=len(scored.rows),
        tasks=len(set(scored.tasks.tolist())),
        without=int((~scored.with_contexts).sum()),
        parts=", ".join(PARTS),
    )
    sections = [_all(scored), _pairs(scored), _weights(scored), _left_out(scored), _turns(scored, in_full)]
    return "\n".join([head, *(line for section in sections for line in section)])


def _all(scored: Scored) -> list[str]:
    names = sorted(scored.values, key=lambda name: -(correlation(scored, name, "faithfulness").value or -1.0))
    unscored = {name: len(scored.rows) - count for name, count in scored.scored.items() if count < len(scored.rows)}
    note = "; ".join(f"`{name}` {count}" for name, count in unscored.items())
    return [
        "## Every score, all rows",
        "",
        table(scored, ["fitted", *names, *SHIPPED]),
        "",
        f"Rows without a value of their own: {note or 'none'}.",
        "",
    ]


def _pairs(scored: Scored) -> list[str]:
    rows_with_contexts = int(scored.with_contexts.sum())
    lines = [
        "## Faithfulness, pair by pair",
        "",
        "| with human faithfulness | all rows | rows with contexts |",
        "|---|---|---|",
    ]
    for name in ("fitted", "faithfulness", *PEERS):
        both = [correlation(scored, name, "faithfulness", contexts_only=only) for only in (False, True)]
        lines.append(f"| {_title(name)} | {' | '.join(map(estimate_text, both))} |")
    lines += ["", f"n = {len(scored.rows)} and {rows_with_contexts}.", ""]
    lines += ["| difference | all rows | rows with contexts | all rows, conversations drawn |", "|---|---|---|---|"]
    conversations = scored.by(lambda row: row.conversation)
    for name in ("fitted", "faithfulness"):
        for peer in PEERS:
            cells = [
                difference(scored, name, peer),
                difference(scored, name, peer, contexts_only=True),
                difference(scored, name, peer, clusters=conversations),
            ]
            lines.append(f"| {_title(name)} - {peer} | {' | '.join(map(estimate_text, cells))} |")
    return [*lines, ""]


def _weights(scored: Scored) -> list[str]:
    fitted = scored.fitted
    shares = ", ".join(f"{name} {share:.2f}" for name, share in fitted.shares.items())
    return [
        "## The fitted weights",
        "",
        f"Shares of the weights fitted on all rows: {shares}. The shipped score has no "
        "such weights: see [metrics.md](metrics.md).",
        "",
    ]


def _left_out(scored: Scored) -> list[str]:
    lines = [
        "## Collections and systems left out",
        "",
        "Weights fitted on all other rows, Spearman inside the rows left out.",
        "",
        "| left out | n | fitted elsewhere | as shipped | Bert-KPrec |",
        "|---|---|---|---|---|",
    ]
    for groups in (scored.by(lambda row: row.collection), scored.by(lambda row: row.system)):
        for group_result in held_out(scored, groups):
            figures = (
                "-" if figure is None else f"{figure:.3f}"
                for figure in (group_result.fitted, group_result.fixed, group_result.peer)
            )
            lines.append(f"| {group_result.group} | {group_result.rows} | {' | '.join(figures)} |")
    return [*lines, ""]


def _turns(scored: Scored, in_full: Scored) -> list[str]:
    lines = [
        "## The last turn or all turns as the question",
        "",
        "| metric | rating | last turn | all turns of the user |",
        "|---|---|---|---|",
    ]
    for name in in_full.values:
        if name == "faithfulness":
            continue
        for rating in ("completeness", "appropriateness"):
            both = [estimate_text(correlation(rows, name, rating)) for rows in (scored, in_full)]
            lines.append(f"| `{name}` | {rating} | {' | '.join(both)} |")
    return [*lines, ""]


def _title(name: str) -> str:
    return {"fitted": "`faithfulness`, fitted", "faithfulness": "`faithfulness`"}.get(name, name)
