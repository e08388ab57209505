"""One row of a peer's file as a case with its response, its verdict and its scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.domain.errors import InvalidInput
from core.domain.results.responses import Context, Judgement, Response, Score, Verdict
from core.domain.status import Status
from core.domain.testset.cases import TestCase
from core.io.exchange.mapping import Mapped
from core.io.grammar.verdicts import verdict_of
from core.io.labels import row_id
from core.io.recorded_verdicts import read_verdict
from core.io.replies.passages import is_passage, read_passage, unread_id
from core.io.tables.cells import (
    QUESTION_NAMES,
    TEXT_NAMES,
    Turn,
    id_text,
    number_of,
    object_of,
    plain_text,
    read_list,
    refuse,
    split_turns,
    truth_of,
    turns_of,
)
from core.io.tables.columns import IDS, LISTED_REFERENCES, Field, plain_name
from core.io.tables.rows import Row

PASSAGE_NAMES: Final = ("text", "content", "page_content")
RULE: Final = "recorded"
NO_ANSWER: Final = "The file holds no answer for this case."
NO_VALUE: Final = "The file holds no value for this case."
NO_VERDICT: Final = "The file holds no verdict."


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One row in our words.

    Attributes:
        row: Its number in the file, from 1.
        scores: Foreign ones, a reason where there is no value.
        ideal_contexts: Texts of the passages that should be found.
        conversation: Earlier turns, each a pair of role and text.
    """

    row: int
    case: TestCase
    response: Response
    judgement: Judgement
    scores: tuple[Score, ...]
    ideal_contexts: tuple[str, ...] = ()
    conversation: tuple[Turn, ...] = ()


class RecordReader:
    """Reads rows by one mapping.

    Args:
        mapped: What each column becomes.
        null_judgement: Whether an empty score is a judge's "cannot be evaluated" and not a missing value.

    Attributes:
        readings: By column, how its lists were written and how often.
    """

    def __init__(self, mapped: Sequence[Mapped], *, null_judgement: bool = False) -> None:
        self.readings: dict[str, dict[str, int]] = {}
        self._null = null_judgement
        self._by_field = {item.also: item for item in mapped if item.also is not None} | {
            item.becomes: item for item in mapped
        }
        self._scores = [item for item in mapped if item.becomes is Field.SCORE]
        self._reasons = {item.name: item.column for item in mapped if item.becomes is Field.SCORE_REASON}
        self._attributes = [item for item in mapped if item.becomes is Field.ATTRIBUTE]

    def read(self, number: int, row: Row, where: str) -> Record:
        """One row.

        Raises:
            InvalidInput: A cell cannot be what its column became, or there is no question; the message names both.
        """
        question, conversation, replied = self._question(row, where)
        case_id = self._id(row, where, Field.CASE_ID)
        if not case_id:
            case_id = row_id(number, question)
        response = self._response(row, where, case_id, replied)
        return Record(
            row=number,
            case=self._case(row, where, case_id, question),
            response=response,
            judgement=self._judgement(row, where),
            scores=tuple(self._score(row, item, case_id) for item in self._scores),
            ideal_contexts=self._texts(row, where, Field.IDEAL_CONTEXTS),
            conversation=conversation,
        )

    def _value(self, row: Row, field: Field) -> object:
        source = self._by_field.get(field)
        return None if source is None else row.get(source.column)

    def _column(self, field: Field) -> str:
        source = self._by_field.get(field)
        return field.value if source is None else source.column

    def _question(self, row: Row, where: str) -> tuple[str, tuple[Turn, ...], str | None]:
        column = self._column(Field.QUESTION)
        value = self._value(row, Field.QUESTION)
        earlier = turns_of(self._value(row, Field.CONVERSATION), where, self._column(Field.CONVERSATION)) or ()
        replied: str | None = None
        turns = turns_of(value, where, column)
        if turns is not None:
            question, before, replied = split_turns(turns)
            earlier = (*earlier, *before)
        else:
            question = plain_text(value, where, column, QUESTION_NAMES) or ""
        if not question.strip():
            what = "there is no question." if Field.QUESTION in self._by_field else "no column holds the question."
            raise refuse(where, column, what, "Each row needs the question; map the column that holds it to question.")
        return question, earlier, replied

    def _case(self, row: Row, where: str, case_id: str, question: str) -> TestCase:
        attributes = {
            str(name): plain_text(value, where, self._column(Field.ATTRIBUTES)) or ""
            for name, value in object_of(
                self._value(row, Field.ATTRIBUTES), where, self._column(Field.ATTRIBUTES)
            ).items()
        }
        for attribute in self._attributes:
            if (value := row.get(attribute.column)) is not None:
                attributes[attribute.name] = _attribute(value)
        return TestCase(
            case_id=case_id,
            question=question,
            reference_answers=self._references(row, where),
            form=self._plain(row, where, Field.FORM),
            group_id=self._id(row, where, Field.GROUP) or case_id,
            sql=self._plain(row, where, Field.SQL),
            sql_params=object_of(self._value(row, Field.SQL_PARAMS), where, self._column(Field.SQL_PARAMS)),
            gold_document_ids=self._ids(row, where, Field.GOLD_DOCUMENTS),
            gold_chunk_ids=self._ids(row, where, Field.GOLD_CHUNKS),
            tables=self._ids(row, where, Field.TABLES),
            attributes=attributes,
            sql_template_id=self._plain(row, where, Field.SQL_TEMPLATE),
            text_template_id=self._plain(row, where, Field.TEXT_TEMPLATE),
        )

    def _response(self, row: Row, where: str, case_id: str, replied: str | None) -> Response:
        column = self._column(Field.ANSWER)
        value = self._value(row, Field.ANSWER)
        turns = None if isinstance(value, str) else turns_of(value, where, column)
        if turns is not None:
            answer: str | None = next((text for role, text in reversed(turns) if text), None)
        else:
            if isinstance(value, (list, tuple)):
                value = next(
                    (sample for sample in value if sample is not None), None
                )  # samples; the first one was judged
            answer = plain_text(value, where, column, TEXT_NAMES)
        answer = replied if answer is None else answer
        if not answer and Field.ANSWERED in self._by_field:  # tells an empty answer from none
            declared = truth_of(self._value(row, Field.ANSWERED), where, self._column(Field.ANSWERED))
            answer = answer if declared is None else "" if declared else None
        error = self._plain(row, where, Field.ERROR)
        tokens = self._number(row, where, Field.TOKENS)
        return Response(
            case_id=case_id,
            answer=answer,
            contexts=self._contexts(row, where),
            abstained=truth_of(self._value(row, Field.ABSTAINED), where, self._column(Field.ABSTAINED)),
            latency_s=self._number(row, where, Field.LATENCY),
            tokens=None if tokens is None else int(tokens),
            error=error if answer is not None else error or NO_ANSWER,
        )

    def _contexts(self, row: Row, where: str) -> tuple[Context, ...]:
        passages = self._list(row, where, Field.CONTEXTS)
        side = {
            field: self._list(row, where, field)
            for field in (Field.DOCUMENT_IDS, Field.CHUNK_IDS, Field.CONTEXT_SCORES)
        }
        size = len(passages) or max(map(len, side.values()))
        for field, values in side.items():
            if values and len(values) != size:
                raise refuse(
                    where,
                    self._column(field),
                    f"it has {len(values)} of {field.value}, and there are {size} retrieved passages.",
                    "Give one for each passage, in the same order.",
                )
        return tuple(
            self._context(
                passages[place] if passages else None,
                where,
                *(values[place] if values else None for values in side.values()),
            )
            for place in range(size)
        )

    def _context(self, item: object, where: str, document: object, chunk: object, score: object) -> Context:
        column = self._column(Field.CONTEXTS)
        text: object = item
        if isinstance(item, list) and is_passage(item):  # a passage with its score
            score = item[1] if score is None else score
            item = item[0]
        if isinstance(item, Mapping):
            passage = read_passage(item)
            document = (passage.document_id or unread_id(item)) if document is None else document
            chunk = passage.chunk_id if chunk is None else chunk
            if score is None:
                score = item.get("score") if passage.score is None else passage.score
            text = passage.text
        elif isinstance(item, (list, tuple)):
            raise refuse(where, column, "it has a passage that is a list.", "Give a list of texts or objects.")
        try:
            rank = number_of(score)
        except ValueError as error:
            raise refuse(where, column, f"the score of a passage, {error}.", "Give numbers.") from None
        return Context(
            document_id=id_text(document, where, column),
            text=plain_text(text, where, column) or "",
            score=rank,
            chunk_id=id_text(chunk, where, column),
        )

    def _references(self, row: Row, where: str) -> tuple[str, ...]:
        column, value = self._column(Field.REFERENCES), self._value(row, Field.REFERENCES)
        written = isinstance(value, str) and plain_name(column) in LISTED_REFERENCES
        if not isinstance(value, (list, tuple)) and not written:
            text = plain_text(value, where, column)
            return (text,) if text else ()
        return tuple(
            text
            for reference in self._list(row, where, Field.REFERENCES)
            if (text := plain_text(reference, where, column))
        )

    def _judgement(self, row: Row, where: str) -> Judgement:
        value = self._value(row, Field.VERDICT)
        reason = self._plain(row, where, Field.VERDICT_REASON)
        if value is None or value in ("", Verdict.NOT_JUDGED.value):
            return Judgement(verdict=Verdict.NOT_JUDGED, rule=RULE, reason=reason or NO_VERDICT)
        verdict, text = verdict_of(value)
        if verdict is None:
            verdict, text = read_verdict(value), str(value)
        if verdict is None:
            try:
                number = number_of(value)
            except ValueError:
                number = math.nan
            if number is None:
                verdict, text = Verdict.NOT_JUDGED, str(value)
            elif number in (0.0, 1.0):
                verdict, text = (Verdict.CORRECT if number else Verdict.INCORRECT), str(value)
            else:
                raise refuse(
                    where,
                    self._column(Field.VERDICT),
                    f"{str(value)[:60]!r} is no verdict.",
                    "Give correct or incorrect, 1 or 0, or nothing.",
                )
        return Judgement(verdict=verdict, rule=RULE, reason=reason or f"The file says {text}.")

    def _score(self, row: Row, mapped: Mapped, case_id: str) -> Score:
        reason = row.get(self._reasons.get(mapped.column, ""))
        detail: dict[str, object] = {"column": mapped.column}
        if reason is not None:
            detail["reason"] = _attribute(reason)
        try:
            value = number_of(row.get(mapped.column))
        except ValueError as error:
            return Score(
                case_id=case_id,
                metric=mapped.name,
                value=None,
                status=Status.PARSE_FAILED,
                detail={**detail, "reason": f"The file holds a value that is none: {error}."},
            )
        if value is None:
            null = self._null and mapped.column in row
            status = Status.NULL_JUDGEMENT if null else Status.NOT_JUDGED
            return Score(
                case_id=case_id, metric=mapped.name, value=None, status=status, detail={"reason": NO_VALUE, **detail}
            )
        return Score(case_id=case_id, metric=mapped.name, value=value, detail=detail)

    def _list(self, row: Row, where: str, field: Field) -> list[object]:
        source = self._by_field.get(field)
        if source is None:
            return []
        items, how = read_list(row.get(source.column), where, source.column, source.delimiter)
        if how and source.becomes is field:
            ways = self.readings.setdefault(source.column, {})
            ways[how] = ways.get(how, 0) + 1
        return [item.strip() if isinstance(item, str) and field in IDS else item for item in items]

    def _texts(self, row: Row, where: str, field: Field) -> tuple[str, ...]:
        column = self._column(field)
        return tuple(plain_text(item, where, column, PASSAGE_NAMES) or "" for item in self._list(row, where, field))

    def _ids(self, row: Row, where: str, field: Field) -> tuple[str, ...]:
        column = self._column(field)
        return tuple(id_text(item, where, column) for item in self._list(row, where, field) if item is not None)

    def _id(self, row: Row, where: str, field: Field) -> str:
        value = self._value(row, field)
        return "" if value is None else id_text(value, where, self._column(field))

    def _plain(self, row: Row, where: str, field: Field) -> str:
        return plain_text(self._value(row, field), where, self._column(field)) or ""

    def _number(self, row: Row, where: str, field: Field) -> float | None:
        try:
            number = number_of(self._value(row, field))
        except ValueError as error:
            raise refuse(where, self._column(field), f"{error}.", "Give a number or nothing.") from None
        if number is not None and number < 0:
            raise refuse(where, self._column(field), f"{number:g} is negative.", "Give a number that is not negative.")
        return number


def check_unique(records: Sequence[Record], path: object, column: str) -> None:
    """Refuses two rows that are one case.

    Raises:
        InvalidInput: There are; the message names both rows and the column.
    """
    seen: dict[str, int] = {}
    for record in records:
        if (before := seen.setdefault(record.case.case_id, record.row)) != record.row:
            raise InvalidInput(
                f"Rows {before} and {record.row} of {path} have the same {column}, {record.case.case_id!r}.",
                "Give each row an id of its own, or map that column to ignored.",
            )


def _attribute(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, (list, dict)) else str(value)
