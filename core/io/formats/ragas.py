"""Ragas: evaluation data sets and their scored tables, with the names of 0.1 and those since 0.2."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from core.io.exchange.format import Format, FormatSpec, RunData, Sign, Unpacked, exchange_format
from core.io.exchange.tables import READS, TABLES, peer_rows, write_table
from core.io.tables.columns import Field
from core.io.tables.rows import read_rows

MADE_FROM: Final = (
    "A test set of Ragas 0.1: contexts are the passages each question was made from, so they should be found."
)

SPEC: Final = FormatSpec(
    name="ragas",
    title="Ragas",
    about="An evaluation data set, or the table that an evaluation returns.",
    reads=READS,
    writes=TABLES,
    columns={
        "query_style": Field.ATTRIBUTE,
        "query_length": Field.ATTRIBUTE,
        "persona_name": Field.ATTRIBUTE,
        "synthesizer_name": Field.ATTRIBUTE,
        "evolution_type": Field.ATTRIBUTE,
        "episode_done": Field.ATTRIBUTE,
    },
    scores=frozenset(
        {
            "faithfulness",
            "answer_relevancy",
            "context_precision",
            "context_recall",
            "context_relevancy",
            "context_entity_recall",
            "answer_similarity",
            "answer_correctness",
            "semantic_similarity",
            "factual_correctness",
            "llm_context_precision_with_reference",
            "llm_context_precision_without_reference",
            "non_llm_context_precision_with_reference",
            "non_llm_context_recall",
            "id_based_context_precision",
            "id_based_context_recall",
            "noise_sensitivity",
            "noise_sensitivity_relevant",
            "response_relevancy",
            "nv_accuracy",
            "nv_context_relevance",
            "nv_response_groundedness",
            "rouge_score",
            "bleu_score",
            "exact_match",
            "string_present",
            "aspect_critic",
            "harmfulness",
            "maliciousness",
            "coherence",
            "correctness",
            "conciseness",
        }
    ),
    signs=(
        Sign(
            columns=("user_input", "response"),
            confidence=0.97,
            says="user_input and response are the names of Ragas since 0.2.",
        ),
        Sign(
            columns=("user_input",),
            confidence=0.9,
            says="user_input is a name of Ragas since 0.2.",
        ),
        Sign(
            columns=("question", "answer", "contexts", "ground_truths"),
            confidence=0.95,
            says="question, answer, contexts and ground_truths are the names of Ragas 0.1.",
        ),
        Sign(
            columns=("question", "answer", "contexts", "ground_truth"),
            confidence=0.95,
            says="question, answer, contexts and ground_truth are the names of Ragas 0.1.",
        ),
        Sign(
            columns=("question", "answer", "contexts"),
            confidence=0.8,
            says="question, answer and contexts are the names of Ragas 0.1.",
        ),
        Sign(
            columns=("question", "answer", "reference_answers"),
            confidence=0.8,
            says="question, answer and reference_answers are names of Plumbline, which are read in every format.",
        ),
        Sign(
            columns=("question", "contexts", "ground_truth"),
            confidence=0.75,
            says="question, contexts and ground_truth are the names of a Ragas 0.1 test set.",
        ),
        Sign(
            columns=("question", "answer"),
            confidence=0.45,
            without=("query_tag", "outputs", "references"),
            says="question and answer are names of Ragas 0.1, and of many others.",
        ),
    ),
)


def unpack(path: Path, model: str = "") -> Unpacked:
    """The rows; a generated test set of 0.1 has the passages its questions were made from where a run has the found."""
    del model
    rows = list(read_rows(path))
    names = {name for _, row in rows for name in row}
    if "evolution_type" in names and not names & {"answer", "response"}:
        return Unpacked(rows=rows, columns={"contexts": Field.IDEAL_CONTEXTS}, notes=(MADE_FROM,))
    return Unpacked(rows=rows)


def pack(data: RunData, path: Path) -> Mapping[str, str]:
    """Writes a run with the names since 0.2."""
    names = {
        Field.QUESTION: "user_input",
        Field.ANSWER: "response",
        Field.CONTEXTS: "retrieved_contexts",
        Field.REFERENCES: "reference",
    }
    with_gold = [item for item in data.answered if item.case.gold_document_ids]
    if with_gold:
        names[Field.GOLD_DOCUMENTS] = "reference_context_ids"
    if any(context.document_id for item in data.answered for context in item.response.contexts):
        names[Field.DOCUMENT_IDS] = "retrieved_context_ids"
    if any(item.ideal_contexts for item in data.answered):
        names[Field.IDEAL_CONTEXTS] = "reference_contexts"
    rows, mapped = peer_rows(SPEC, data, names)
    write_table(path, rows, data, SPEC)
    return mapped


exchange_format(Format(spec=SPEC, unpack=unpack, pack=pack))
