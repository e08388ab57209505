"""The kinds of questions from documents: their names, and the rules for a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.domain.testset.questions import QuestionKind


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRules:
    """One kind.

    Attributes:
        name: As screens show it.
        help: What a question of the kind shows about a system, in one sentence.
        rules: The rules for a model that writes such questions.
    """

    name: str
    help: str
    rules: tuple[str, ...]


NEEDS_MODEL: Mapping[QuestionKind, str] = {
    QuestionKind.MULTI_HOP: "Multi-hop questions need a model: of those by rules, 2 of 10 were worth approving.",
    QuestionKind.COMPARISON: "Comparison questions need a model: of those by rules, 22 of 42 were worth approving.",
    QuestionKind.MULTIPLE_CHOICE: "Multiple choice needs a model: of those by rules, 37 of 56 were worth approving.",
}
"""Kinds that only a language model writes, with the reason."""

KIND_RULES: Mapping[QuestionKind, KindRules] = {
    QuestionKind.SIMPLE: KindRules(
        name="Simple",
        help="Asks for one fact that one passage states.",
        rules=("It asks for one fact that one sentence or one row states.",),
    ),
    QuestionKind.TABLE: KindRules(
        name="Table",
        help="Asks for one cell of a table, by its row, its column, the period and the unit.",
        rules=(
            "It asks for one cell of a table of the passage.",
            "It names whose figure it is, the row, the column, the period and the unit in the table's own words.",
        ),
    ),
    QuestionKind.COMPARISON: KindRules(
        name="Comparison",
        help="Compares two values of one table: two periods, two rows, or by how much they differ.",
        rules=(
            "It compares two values that one table states: which is higher, or by how much they differ.",
            "Its answer follows from the two values, and it quotes the rows that state them.",
        ),
    ),
    QuestionKind.TREND: KindRules(
        name="Trend",
        help="Asks how a figure changed over several periods, in one filing or over several.",
        rules=(
            "It asks how a figure changed over the periods that the passages state, and names the periods.",
            "Its answer gives the figure of every period in the order of time, and it quotes each.",
        ),
    ),
    QuestionKind.MULTI_HOP: KindRules(
        name="Multi-hop",
        help="Needs two passages that speak of the same thing.",
        rules=(
            "Nobody can answer it from one passage alone: both are needed.",
            "It quotes at least one sentence of each passage.",
        ),
    ),
    QuestionKind.MULTI_DOCUMENT: KindRules(
        name="Multi-document",
        help="Needs two documents: the same property in two reports, or the same figure in two filings.",
        rules=(
            "Nobody can answer it from one document alone: it needs a passage of each.",
            "It names both documents by what they are about, and quotes at least one sentence of each.",
        ),
    ),
    QuestionKind.INFERENCE: KindRules(
        name="Inference",
        help="Needs a conclusion from two statements, such as a share, a sum or an order.",
        rules=(
            "Its answer stands in no passage: it follows from facts of both, by comparing, counting, adding, ordering.",
            "It quotes every fact that the conclusion stands on, at least one of each passage.",
        ),
    ),
    QuestionKind.YES_NO: KindRules(
        name="Yes or no",
        help="Is answered by yes or by no; as many of one as of the other.",
        rules=(
            "Its answer is Yes or No and nothing else.",
            "The first has the answer Yes and the second the answer No; No must be what the quote proves, not what is "
            "missing.",
        ),
    ),
    QuestionKind.MULTIPLE_CHOICE: KindRules(
        name="Multiple choice",
        help="Offers four answers of which one is right.",
        rules=(
            "It offers four options, in the list of options and not in the question; one is the answer, word for word.",
            "The other three are of the same sort and believable, and the passages show that they are wrong.",
        ),
    ),
    QuestionKind.OUT_OF_SCOPE: KindRules(
        name="Out of scope",
        help="No document answers it: the system should say so.",
        rules=(
            "It asks about a thing the passage speaks of, for a property, a period or a peer that the documents do not tell.",  # noqa: E501
            "Somebody might well believe that the documents tell it.",
            "Its answer is empty and it has no quotes.",
        ),
    ),
}
