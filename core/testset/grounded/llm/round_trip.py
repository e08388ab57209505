"""Does a wording still ask what its SQL template asks? A model turns it back into SQL, and both are run.

Equal results on a sample of placeholder values are evidence and no proof; a difference, or a wording that cannot be
turned back, is a flag for the reviewer and never a refusal: the error may be the model's.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from pydantic import BaseModel, Field

from core.domain.errors import (
    BudgetSpent,
    CallFailed,
    InvalidInput,
    InvalidTemplate,
    LimitExceeded,
    PlumblineError,
    SourceUnavailable,
    UnsafeSql,
)
from core.domain.testset.templates import Check, SqlTemplate, TextTemplate
from core.llm import ChatModel, Prompt
from core.sources.database import DatabaseSource
from core.testset.grounded.llm.proposals import in_order, too_long
from core.testset.grounded.llm.schema import schema_text
from core.testset.grounded.sql.binding import BoundTemplate, bind
from core.testset.grounded.sql.combinations import Combination, combinations
from core.testset.grounded.wording.checks import ROUND_TRIP
from core.testset.grounded.words.values import value_text

PURPOSE = "round_trip"
PROMPT = "round_trip"
SAMPLED = 20
"""Placeholder values on which both statements are run."""
READ = 2_000
"""Combinations from which those are drawn."""
MOST_ROWS = 1_000
"""Rows of the statement turned back that are read for one set of values; a right one has very few."""
LONGEST_REASON = 500
"""Characters of a model's reason that are kept."""
COMPARE = "Read the two side by side: either the wording leaves something open, or the model misread it."
MEND = "Correct the SQL template, or reject it with its wordings."
REWORD = "Reword it so that it can be read in one way only; if you find it clear, approve it as it is."


class BackInSql(BaseModel):
    """The form of a reply."""

    sql: str = Field(description="One SELECT with the question's placeholders, or empty.")
    reason: str = Field(description="Why there is no statement, or empty.")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTrips:
    """The result of the check.

    Attributes:
        texts: The wordings in their order, each with the check `ROUND_TRIP`, except those without a usable reply.
        passed: Wordings whose results were equal.
        flagged: Wordings that a person should review.
        failures: Reasons why wordings could not be checked: no usable reply. They have no check.
    """

    texts: tuple[TextTemplate, ...]
    passed: int
    flagged: int
    failures: tuple[str, ...]


def check_round_trips(
    chat: ChatModel,
    prompt: Prompt,
    source: DatabaseSource,
    texts: Sequence[TextTemplate],
    templates: Mapping[str, SqlTemplate],
    *,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> RoundTrips:
    """Turns each wording back into SQL and compares the results of both statements.

    Args:
        chat: The model; it is sent the schema and the wording with its placeholders.
        prompt: `PROMPT`, as the project has it.
        source: The database on which both are run.
        texts: The wordings.
        templates: Their SQL templates by id.
        seed: Of the sample of placeholder values.
        progress: Called with how many are done.
        should_stop: Called before each.

    Raises:
        Stopped: A stop was requested; replies so far are in the ledger.
        BudgetSpent: Nothing more may be sent.
    """
    schema = schema_text(source.schema)

    def check_wording(text: TextTemplate) -> Check | str:
        try:
            reply, _ = chat.ask_for(
                BackInSql,
                prompt.render(schema=schema, text=text.text),
                purpose=PURPOSE,
                case_id=text.id,
                prompt=prompt.ref,
            )
        except BudgetSpent:
            raise
        except CallFailed as error:
            return error.message
        return compare(reply, templates[text.sql_template_id], source, seed=seed)

    outcomes = in_order(
        texts,
        check_wording,
        concurrency=chat.concurrency,
        stage="Turning wordings back into SQL",
        progress=progress,
        should_stop=should_stop,
    )
    checks = [check for check in outcomes if isinstance(check, Check)]
    return RoundTrips(
        texts=tuple(
            replace(text, checks=(*(check for check in text.checks if check.name != ROUND_TRIP), outcome))
            if isinstance(outcome, Check)
            else text
            for text, outcome in zip(texts, outcomes, strict=True)
        ),
        passed=sum(check.passed for check in checks),
        flagged=sum(not check.passed for check in checks),
        failures=tuple(outcome for outcome in outcomes if isinstance(outcome, str)),
    )


def compare(reply: BackInSql, template: SqlTemplate, source: DatabaseSource, *, seed: int = 0) -> Check:
    """The check that a reply gives: passed where both statements have equal results on the sampled values."""
    back = " ".join(reply.sql.split())
    if too_long(back) is not None:
        return _flag("It could not be turned back into SQL: the reply is too long for one statement.", REWORD)
    if not back:
        why = " ".join(reply.reason.split())[:LONGEST_REASON] or "The model gave no reason."
        return _flag(f"It could not be turned back into SQL: {why}", REWORD)
    try:
        own = bind(template.sql, source.schema)
    except (UnsafeSql, InvalidTemplate) as error:
        return _flag(f"Its own SQL template does not fit the database: {_sentence(error)}.", MEND)
    try:
        bound = bind(back, source.schema)
        lacking = _tokens(own) ^ _tokens(bound)
        if lacking:
            return _differs(
                template.sql, back, f"They do not have the same placeholders ({', '.join(sorted(lacking))})"
            )
        samples = _sampled(source, own, template.id, seed)
        if not samples:
            return _differs(template.sql, back, "No placeholder value has an answer to compare")
        equal = sum(_answers(sample.answers) == _run(source, bound, own, sample) for sample in samples)
    except (UnsafeSql, InvalidTemplate) as error:
        return _differs(template.sql, back, f"What came back cannot be run: {_sentence(error)}")
    except (InvalidInput, LimitExceeded, SourceUnavailable) as error:
        return _differs(template.sql, back, f"The two could not be compared: {_sentence(error)}")
    if equal < len(samples):
        return _differs(
            template.sql,
            back,
            f"Results differ for {len(samples) - equal} of {len(samples)} sampled placeholder values",
        )
    return Check(
        name=ROUND_TRIP,
        passed=True,
        blocking=False,
        message=f"Turned back into SQL it gives equal results for {len(samples)} of {len(samples)} sampled values.",
        value=1.0,
    )


def _sampled(source: DatabaseSource, own: BoundTemplate, template_id: str, seed: int) -> list[Combination]:
    rows = list(islice(combinations(source, own), READ))
    if len(rows) <= SAMPLED:
        return rows
    places = sorted(random.Random(f"{seed} {template_id}").sample(range(len(rows)), SAMPLED))  # noqa: S311 - a sample
    return [rows[place] for place in places]


def _run(
    source: DatabaseSource, bound: BoundTemplate, own: BoundTemplate, combination: Combination
) -> frozenset[object]:
    """The results of the statement turned back, for the values of one combination of the template's own."""
    values = {
        placed.placeholder.token.casefold(): value
        for placed, value in zip(own.placeholders, combination.values, strict=True)
    }
    params = {placed.parameter: values[placed.placeholder.token.casefold()] for placed in bound.placeholders}
    with source.stream(bound.safe, params) as result:
        return _answers(islice(result.rows, MOST_ROWS))


def _answers(rows: object) -> frozenset[object]:
    """Rows as a set, each without the order of its columns: a name and a city are a city and a name."""
    return frozenset(
        tuple(sorted("" if value is None else value_text(value) for value in row))
        for row in rows  # type: ignore[attr-defined]
    )


def _tokens(bound: BoundTemplate) -> set[str]:
    return {placed.placeholder.token.casefold() for placed in bound.placeholders}


def _differs(own: str, back: str, difference: str) -> Check:
    return _flag("\n".join((f"{difference}.", " ".join(own.split()), back)), COMPARE)


def _flag(message: str, remedy: str) -> Check:
    return Check(name=ROUND_TRIP, passed=False, blocking=False, message=message, remedy=remedy, value=0.0)


def flag_lines(check: Check) -> tuple[str, str, str]:
    """A flag's reason, the template's statement, and the one turned back; the latter two empty where there is none."""
    lines = check.message.split("\n")
    return (lines[0], lines[1], lines[2]) if len(lines) == 3 else (check.message, "", "")


def _sentence(error: PlumblineError) -> str:
    return error.message.rstrip(".")
