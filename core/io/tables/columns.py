"""What a column is, by its name: one table of fields and of all the names that the usual tools give them.

It holds wherever a file enters: scoring, importing, recorded answers, recorded verdicts, labels, test cases, and files
of scores. The rules are the same everywhere:

* A name counts in any letters, and with blanks or hyphens for underscores ("Retrieved Contexts").
* Of several columns for one field the one whose name stands first in the table is taken, and the others are ignored and
  named. A tool's own name stands before a word that many use: ``gpt_response``, ``response``, ``actual_output``,
  ``answer``. In JSON lines the rows may differ: a row that lacks the column taken is read from the next one it has.
* A name that stands under two fields fills both (``retrieved_context_ids`` tells passages and documents), unless one of
  them has a better column.
* A few names mean something else beside a name that only one tool has; they stand in `EXCEPTIONS`.
* Labels have a table of their own, since a row of theirs is one person's word and no answer of a system. A table that
  has a column for each person is told by `rater_of`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Field(StrEnum):
    """What a column can become; the names are those of our records."""

    CASE_ID = "case_id"
    QUESTION = "question"
    ANSWER = "answer"
    CONTEXTS = "contexts"
    DOCUMENT_IDS = "document_ids"
    CHUNK_IDS = "chunk_ids"
    CONTEXT_SCORES = "context_scores"
    REFERENCES = "reference_answers"
    IDEAL_CONTEXTS = "ideal_contexts"
    GOLD_DOCUMENTS = "gold_document_ids"
    GOLD_CHUNKS = "gold_chunk_ids"
    ANSWERABLE = "answerable"
    GROUP = "group_id"
    FORM = "form"
    CONVERSATION = "conversation"
    ANSWERED = "answered"
    ABSTAINED = "abstained"
    ERROR = "error"
    LATENCY = "latency_s"
    TOKENS = "tokens"
    VERDICT = "verdict"
    VERDICT_REASON = "verdict_reason"
    SQL = "sql"
    SQL_PARAMS = "sql_params"
    TABLES = "tables"
    SQL_TEMPLATE = "sql_template_id"
    TEXT_TEMPLATE = "text_template_id"
    ATTRIBUTES = "attributes"
    ATTRIBUTE = "attribute"
    SCORE = "score"
    SCORE_REASON = "score_reason"
    IGNORED = "ignored"


MANY: Final = frozenset({Field.ATTRIBUTE, Field.SCORE, Field.SCORE_REASON, Field.IGNORED})
"""What several columns may become; any other field is filled by one column of a row."""

LISTS: Final = frozenset(
    {
        Field.CONTEXTS,
        Field.DOCUMENT_IDS,
        Field.CHUNK_IDS,
        Field.CONTEXT_SCORES,
        Field.IDEAL_CONTEXTS,
        Field.GOLD_DOCUMENTS,
        Field.GOLD_CHUNKS,
        Field.TABLES,
        Field.CONVERSATION,
    }
)
"""Fields whose cells may hold a list that is written as text."""

IDS: Final = frozenset({Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.GOLD_DOCUMENTS, Field.GOLD_CHUNKS, Field.TABLES})
"""Lists of short texts, in which blanks around a delimiter mean nothing."""

LISTED_REFERENCES: Final = frozenset({"reference_answers", "ground_truths", "ground_truth", "references"})
"""Columns of references whose cells may hold a list that is written as text; a text in any other is one reference."""

_ASKED: Final = ("question", "query", "input", "request", "prompt", "messages")
_REPLIED: Final = ("response", "answer", "output", "content", "choices", "messages")


def _inside(parts: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Names in an object, as they are when it is laid open."""
    return tuple(f"{part}.{name}" for part in parts for name in names)


ALIASES: Final[Mapping[Field, tuple[str, ...]]] = {
    Field.CASE_ID: (
        "case_id",
        "id",
        "query_id",
        "record_id",
        "sample_id",
        "request_id",
        "trace_id",
        "task_id",
    ),
    Field.QUESTION: (
        "question",
        "query",
        "user_input",
        "input",
        "main_input",
        *_inside(("inputs",), _ASKED),
        "inputs",
        *_inside(("request",), _ASKED),
        "request",
        "prompt",
    ),
    Field.ANSWER: (
        "gpt_response",
        *_inside(("outputs", "response"), _REPLIED),
        "response",
        "actual_output",
        "model_response",
        "generated_answer",
        "answer",
        "output",
        "main_output",
        "outputs",
        "predictions",
        "prediction",
    ),
    Field.CONTEXTS: (
        "contexts",
        "retrieved_contexts",
        "retrieval_context",
        "retrieved_context",
        "retrieved_documents",
        *_inside(("outputs", "response"), ("retrieved_context", "source_documents")),
        "source_documents",
        "passages",
        "context",
    ),
    Field.DOCUMENT_IDS: (
        "document_ids",
        "retrieved_document_ids",
        "retrieved_doc_ids",
        "retrieved_ids",
        "retrieved_context_ids",
    ),
    Field.CHUNK_IDS: ("chunk_ids", "retrieved_chunk_ids", "retrieved_context_ids"),
    Field.CONTEXT_SCORES: ("context_scores",),
    Field.REFERENCES: (
        "reference_answers",
        "reference",
        "reference_answer",
        "ground_truth",
        "ground_truths",
        "expected_output",
        "expected_response",
        "expectations.expected_response",
        "expected_answer",
        "gt_answer",
        "gold_answer",
        "targets",
        "target",
        "expectations",
        "references",
    ),
    Field.IDEAL_CONTEXTS: ("ideal_contexts", "reference_contexts", "expected_chunks"),
    Field.GOLD_DOCUMENTS: (
        "gold_document_ids",
        "gold_documents",
        "true_document_ids",
        "true_ids",
        "reference_document_ids",
        "relevant_document_ids",
        "ground_truth_doc_ids",
        "expected_retrieved_context.doc_uri",
        "reference_context_ids",
    ),
    Field.GOLD_CHUNKS: ("gold_chunk_ids", "reference_chunk_ids", "relevant_chunk_ids", "reference_context_ids"),
    Field.ANSWERABLE: ("answerable", "is_answerable", "answerability"),
    Field.GROUP: ("group_id", "query_tag", "task_id"),
    Field.FORM: ("form",),
    Field.CONVERSATION: ("conversation",),
    Field.ANSWERED: ("answered",),
    Field.ABSTAINED: ("abstained",),
    Field.ERROR: ("error", "error_message", "main_error"),
    Field.LATENCY: ("latency_s", "latency_seconds", "latency", "completion_time"),
    Field.TOKENS: ("tokens", "token_count", "total_tokens"),
    Field.VERDICT: ("verdict", "judgement", "judgment", "label", "correct", "is_correct"),
    Field.VERDICT_REASON: ("verdict_reason", "reason"),
    Field.SQL: ("sql",),
    Field.SQL_PARAMS: ("sql_params",),
    Field.TABLES: ("tables",),
    Field.SQL_TEMPLATE: ("sql_template_id",),
    Field.TEXT_TEMPLATE: ("text_template_id",),
    Field.ATTRIBUTES: ("attributes",),
}
"""The names of each field, the one taken first standing first.

``group`` and ``cluster`` are not among them: a column called so may as well hold three kinds of rows.
"""

COMMON_WORDS: Final = frozenset({"id", "label", "correct", "is_correct", "reason"})
"""Names that many files use for something else: an import takes them only where every value can be what they say."""

LABELS: Final[Mapping[str, tuple[str, ...]]] = {
    "case_id": ("case_id", "case", "item_id", "item", *ALIASES[Field.CASE_ID][1:], "unit", "no", "nr"),
    "criterion": ("criterion", "criteria", "metric", "question_id", "dimension"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "labeller", "reviewer", "coder", "user", "worker_id"),
    "value": ("value", "label", "rating", "score", "verdict", "answer"),
    "comment": ("comment", "note", "rationale"),
    "occurrence": ("occurrence",),
}
"""The names of the columns of a file of labels; an answer there is what a rater answered."""

_PEOPLE: Final = r"(?:raters?|annotators?|labell?ers?|reviewers?|coders?|assessors?|graders?|experts?|humans?|persons?)"
_MARKS: Final = r"(?:labels?|ratings?|annotations?|verdicts?|judge?ments?|grades?|scores?)"
_WHICH: Final = r"_?(?:\d{1,3}|[a-z])"
_RATER_COLUMN: Final = re.compile(
    rf"(?P<rater>(?:human_)?{_PEOPLE}{_WHICH})(?:_{_MARKS})?"
    rf"|(?P<human>(?:human|expert|manual)_{_MARKS}{_WHICH})"
    rf"|{_MARKS}_(?:of_|by_|from_)?(?P<behind>(?:human_)?{_PEOPLE}{_WHICH})"
)
_COMMENT_ENDING: Final = re.compile(r"_(?:comments?|notes?|rationales?|reasons?)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exceptional:
    """A name that means something else in the files of one tool.

    Attributes:
        becomes: What it is there.
        beside: All of these columns are in the file.
        without: None of these is.
        why: Whose name it is.
    """

    column: str
    becomes: Field
    beside: tuple[str, ...]
    without: tuple[str, ...] = ()
    why: str


EXCEPTIONS: Final = (
    Exceptional(
        column="answer",
        becomes=Field.REFERENCES,
        beside=("gpt_response",),
        why="GRAMMAR has the system's answer in gpt_response and the right one in answer.",
    ),
    Exceptional(
        column="references",
        becomes=Field.CONTEXTS,
        beside=("actual_output",),
        why="GroUSE calls the passages that an answer is grounded in references.",
    ),
    Exceptional(
        column="context",
        becomes=Field.IDEAL_CONTEXTS,
        beside=("actual_output",),
        why="DeepEval calls the passages that should be found context.",
    ),
    Exceptional(
        column="context",
        becomes=Field.IDEAL_CONTEXTS,
        beside=("retrieval_context",),
        why="DeepEval calls the passages that should be found context.",
    ),
    Exceptional(
        column="context",
        becomes=Field.IDEAL_CONTEXTS,
        beside=("input", "expected_output"),
        without=("output",),
        why="DeepEval calls the passages that should be found context, in a golden too.",
    ),
    Exceptional(
        column="contexts",
        becomes=Field.IDEAL_CONTEXTS,
        beside=("evolution_type",),
        without=("answer", "response"),
        why="A test set that Ragas 0.1 generated has in contexts the passages its questions were made from.",
    ),
)


def plain_name(column: str) -> str:
    """A column's name as most tools would write it.

    >>> plain_name(" Retrieved Contexts "), plain_name("Correct?")
    ('retrieved_contexts', 'correct')
    """
    return "_".join(column.casefold().replace("-", " ").rstrip(" ?!.:*").split())


def rater_of(column: str) -> str:
    """The rater whose labels a column of its own holds, by its name; empty where the name says no such thing.

    A table of one row a case has such a column for each person: ``rater_1``, ``Annotator A``, ``human_label_2``.

    >>> [rater_of(name) for name in ("rater_1", "Annotator A", "human_label_2", "reviewer2_score", "label_rater_b")]
    ['rater_1', 'annotator_a', 'human_label_2', 'reviewer2', 'rater_b']
    >>> [rater_of(name) for name in ("rater", "rater_id", "reviewer_1_comment", "human_answer", "label")]
    ['', '', '', '', '']
    """
    fits = _RATER_COLUMN.fullmatch(plain_name(column))
    return "" if fits is None else next(group for group in fits.groups() if group)


def rater_commented(column: str) -> str:
    """The rater whose comments a column of its own holds; empty where the name says no such thing.

    >>> rater_commented("rater_1_comment"), rater_commented("Human label 2 rationale"), rater_commented("comment")
    ('rater_1', 'human_label_2', '')
    """
    name = plain_name(column)
    ending = _COMMENT_ENDING.search(name)
    return rater_of(name[: ending.start()]) if ending is not None and ending.end() == len(name) else ""


def _by_name(table: Mapping[str, tuple[str, ...]]) -> dict[str, dict[str, int]]:
    """The fields of each name, with the place of the name among those of the field."""
    places: dict[str, dict[str, int]] = {}
    for field, names in table.items():
        for place, name in enumerate(names):
            places.setdefault(name, {})[field] = place
    return places


LAST: Final = 1_000
_ANSWERS: Final = _by_name({field.value: names for field, names in ALIASES.items()})


def arrange(
    columns: Iterable[str],
    *,
    table: Mapping[str, tuple[str, ...]] | None = None,
    overrides: Mapping[str, str] | None = None,
) -> dict[str, tuple[str, ...]]:
    """The columns of a file by what they are, the one to be taken first standing first.

    Args:
        columns: All names of the file.
        table: The names of each field; `ALIASES` with its `EXCEPTIONS` by default.
        overrides: What names are in this kind of file, where that is not what the table says.

    >>> arrange(["Answer", "response", "colour"])
    {'answer': ('response', 'Answer')}
    >>> arrange(["gpt_response", "answer"])
    {'answer': ('gpt_response',), 'reference_answers': ('answer',)}
    """
    columns = list(dict.fromkeys(columns))
    names_present = {part for name in columns for part in (name, plain_name(name))}
    places = _ANSWERS if table is None else _by_name(table)
    others = dict(overrides or {})
    if table is None:
        for exception in EXCEPTIONS:
            if names_present.issuperset(exception.beside) and not names_present.intersection(exception.without):
                others.setdefault(exception.column, exception.becomes.value)
    fitting: dict[str, list[tuple[int, int, str]]] = {}
    for column in columns:
        name = column if column in others or column in places else plain_name(column)
        # What is called so in this kind of file only stands behind what is called so everywhere.
        fields = {others[name]: LAST} if name in others else places.get(name, {})
        for field, place in fields.items():
            fitting.setdefault(field, []).append((place, column != name, column))
    order = list(table or (field.value for field in ALIASES))
    return {
        field: tuple(column for _, _, column in sorted(fitting[field], key=lambda candidate: candidate[:2]))
        for field in order
        if field in fitting
    }
