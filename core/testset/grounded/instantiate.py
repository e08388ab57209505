"""Templates filled with the database's values: questions, ground truth, provenance (GRAMMAR, section 4.2)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from core.domain.errors import ExpensiveSql, InvalidInput, InvalidTemplate, LimitExceeded, Stopped
from core.domain.identity import short_hash
from core.domain.sources.schema import Schema
from core.domain.testset.cases import TestCase
from core.domain.testset.templates import PLACEHOLDER, Placeholder, SqlTemplate, TextTemplate
from core.sources.database import DatabaseSource
from core.testset.grounded.attributes import case_attributes
from core.testset.grounded.left_out import LeftOut
from core.testset.grounded.references import reference_text
from core.testset.grounded.sampling import allocate_groups
from core.testset.grounded.sql.binding import BoundTemplate, bind
from core.testset.grounded.sql.combinations import Combination, combinations, gold_ids
from core.testset.grounded.sql.operations import counts_by_group, is_complete, is_list, names_hold_answers
from core.testset.grounded.words.containment import contains_words
from core.testset.grounded.words.values import gives_away, said_value, value_text

NULL_ANSWER = "null answer"
SEVERAL_ANSWERS = "several answers"
SEVERAL_RECORDS = "several records of one name"
NO_WHOLE_LIST = "list of too many answers, or of another number than asked for"
BINARY = "value or answer is not text"
BLANK = "value or answer is blank"
GIVEN_AWAY = "question holds its answer"
SAME_QUESTION = "same question as another query"
OVER_LIMIT = "over the limit"
ANSWER_IN_QUESTION = "answer_in_question"
LIST_SEPARATOR = "; "
NO_WORDING = "template without a wording in every form"
OTHER_PLACEHOLDERS = "wording with other placeholders than its template"
STOPPED = "template ended by a limit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Instantiation:
    """The result of filling templates.

    Attributes:
        cases: Grouped by filled SQL query, then form, then wording; the same inputs give the same cases.
        counts: ``sql_templates``, ``sql_queries``, ``text_templates`` and ``questions`` by form (the paper's Table 2).
        drops: Filled SQL queries left out, by reason; for `NO_WORDING` SQL templates and for `OTHER_PLACEHOLDERS`
            wordings left out; for `STOPPED` SQL templates.
        left_out: The SQL templates that a limit ended; none of their facts is among the cases.
        unworded: The forms in which an SQL template that `NO_WORDING` left out has no wording, by its id.
    """

    cases: tuple[TestCase, ...]
    counts: Mapping[str, object]
    drops: Mapping[str, int]
    left_out: tuple[LeftOut, ...] = ()
    unworded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def lacking_forms(
    sql_templates: Sequence[SqlTemplate], text_templates: Sequence[TextTemplate]
) -> dict[str, tuple[str, ...]]:
    """The forms in which an SQL template has no wording and another one has, by its id; a balanced set leaves it out.

    Args:
        sql_templates: The templates to be filled.
        text_templates: The wordings that may be used.
    """
    ids = {template.id for template in sql_templates}
    worded = {(text.sql_template_id, text.form) for text in text_templates if text.sql_template_id in ids}
    forms = list(dict.fromkeys(text.form for text in text_templates if text.sql_template_id in ids))
    lacking = {key: tuple(form for form in forms if (key, form) not in worded) for key in ids}
    return {template.id: lacking[template.id] for template in sql_templates if lacking[template.id]}


def instantiate(
    source: DatabaseSource,
    sql_templates: Sequence[SqlTemplate],
    text_templates: Sequence[TextTemplate],
    *,
    balanced: bool = True,
    limit: int | None = None,
    seed: int = 0,
    allow_multiple: bool = False,
    keep_null: bool = False,
    progress: Callable[[str, int, int], None] = lambda stage, done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Instantiation:
    """Fills the templates with every fact of the database that they can ask for.

    Each template is answered by one set-based query; the Cartesian product of its placeholders is never built. An
    unsuitable fact is left out as a whole, never a single wording of it, so that groups stay comparable. A template
    whose query a limit ends is left out as a whole and reported; the others go on.

    Args:
        source: The database.
        sql_templates: In the order wanted; a repeated one counts once.
        text_templates: Their wordings, in the order wanted; those of other SQL templates are ignored.
        balanced: Every fact gets the same number of wordings in each form: the smallest number any template has.
        limit: The most questions; whole facts are sampled, one of each SQL template first, then in proportion to the
            templates. A limit below one fact's questions gives none.
        seed: Of the sample.
        allow_multiple: Keep facts with several different answers; any of them is then acceptable.
        keep_null: Keep facts whose answer is NULL, without a reference answer, and blank ones; only to reproduce
            recorded sets.
        progress: Called with the stage and the SQL templates filled.
        should_stop: Called before each SQL template.

    Raises:
        Stopped: A stop was requested.
        InvalidInput: The limit is below 1.
        InvalidTemplate: A template cannot be bound to the database, or its version with ids asks something else.
        UnsafeSql: A template is not one plain SELECT.
    """
    if limit is not None and limit < 1:
        raise InvalidInput(f"A test set of at most {limit} questions has none.", "Give a limit of 1 or more.")
    drops: Counter[str] = Counter()
    by_id = {template.id: template for template in reversed(sql_templates)}
    distinct = [by_id[template_id] for template_id in dict.fromkeys(template.id for template in sql_templates)]
    left_out: dict[str, LeftOut] = {}
    for template in distinct:
        try:  # reports a template that cannot be bound before any fault of its wordings
            bind(template.sql, source.schema)
        except ExpensiveSql as error:
            left_out[template.id] = LeftOut.by(error, template)
    fitting = _fitting(by_id, text_templates, drops)
    wordings, lacking = _wordings(distinct, fitting, balanced=balanced), lacking_forms(distinct, fitting)
    question_texts: set[str] = set()
    groups: dict[str, list[list[TestCase]]] = {}
    unworded: dict[str, tuple[str, ...]] = {}
    for number, template in enumerate(distinct):
        if should_stop():
            raise Stopped(f"The build was stopped after {number} of {len(distinct)} SQL templates.", "Resume it.")
        progress("Filling templates", number, len(distinct))
        texts = wordings.get(template.id)
        if not texts:
            drops[NO_WORDING] += 1
            unworded[template.id] = lacking.get(template.id, ())
            continue
        if template.id in left_out:
            continue
        dropped: Counter[str] = Counter()
        filled: list[list[TestCase]] = []
        options = {"allow_multiple": allow_multiple, "keep_null": keep_null}
        try:
            for group in _groups(source, template, texts, dropped, question_texts, **options):
                filled.append(group)  # noqa: PERF402 - what there is when a limit is reached has to be taken back
        except (LimitExceeded, ExpensiveSql) as error:
            left_out[template.id] = LeftOut.by(error, template)
            question_texts.difference_update(_question_key(case) for group in filled for case in group)
            continue
        drops.update(dropped)
        groups[template.id] = filled
    if left_out:
        drops[STOPPED] = len(left_out)
    progress("Filling templates", len(distinct), len(distinct))
    selected = _limited(groups, limit, seed, drops)
    cases = tuple(case for template_groups in selected for group in template_groups for case in group)
    return Instantiation(
        cases=cases,
        counts=_counts(cases),
        drops=dict(drops),
        left_out=tuple(left_out.values()),
        unworded=unworded,
    )


def _fitting(
    by_id: Mapping[str, SqlTemplate], text_templates: Sequence[TextTemplate], drops: Counter[str]
) -> list[TextTemplate]:
    """Wordings with exactly the placeholders of their SQL template; any other does not ask for one fact."""
    fitting = []
    for text in text_templates:
        template = by_id.get(text.sql_template_id)
        if template is None:
            continue
        if {item.key for item in text.placeholders} == {item.key for item in template.placeholders}:
            fitting.append(text)
        else:
            drops[OTHER_PLACEHOLDERS] += 1
    return fitting


def _wordings(
    sql_templates: Sequence[SqlTemplate], text_templates: Sequence[TextTemplate], *, balanced: bool
) -> dict[str, list[TextTemplate]]:
    """Wordings by SQL template, form by form; balanced ones cut to the smallest number."""
    forms = list(dict.fromkeys(text.form for text in text_templates))
    by_form = {
        template.id: [
            [text for text in text_templates if text.sql_template_id == template.id and text.form == form]
            for form in forms
        ]
        for template in sql_templates
    }
    if balanced:
        by_form = {key: lists for key, lists in by_form.items() if lists and all(lists)}
        smallest = min((len(texts) for lists in by_form.values() for texts in lists), default=0)
        by_form = {key: [texts[:smallest] for texts in lists] for key, lists in by_form.items()}
    return {key: [text for texts in lists for text in texts] for key, lists in by_form.items()}


def _groups(
    source: DatabaseSource,
    template: SqlTemplate,
    texts: Sequence[TextTemplate],
    drops: Counter[str],
    question_texts: set[str],
    *,
    allow_multiple: bool,
    keep_null: bool,
) -> Iterator[list[TestCase]]:
    """The cases of one SQL template, fact by fact."""
    plain = bind(template.sql, source.schema)
    width = len(plain.outputs)
    with_ids = bool(template.sql_with_ids)
    bound = _with_ids(template, plain, source) if with_ids else plain
    attributes = case_attributes(template, plain, source.schema)
    for combination in combinations(source, bound, with_ids=with_ids, answers=width):
        reason = _unusable(combination, plain, allow_multiple=allow_multiple, keep_null=keep_null)
        if not reason and names_hold_answers(template, plain) and gives_away(combination.values, combination.answers):
            reason = GIVEN_AWAY
        if not reason:
            group = _cases(template, texts, source.schema, bound, plain, combination, width, attributes)
            # Values of different types can read the same ('1' and 1), and then their group has the same id.
            reason = SAME_QUESTION if any(_question_key(case) in question_texts for case in group) else ""
        if reason:
            drops[reason] += 1
            continue
        question_texts.update(_question_key(case) for case in group)
        yield group


def _with_ids(template: SqlTemplate, plain: BoundTemplate, source: DatabaseSource) -> BoundTemplate:
    """The statement with id columns, bound; it must give the same answer to the same question."""
    bound = bind(template.sql_with_ids, source.schema)
    width = len(plain.outputs)
    placeholder_keys = {placed.placeholder.key for placed in bound.placeholders}
    answers = [(output.table, output.column) for output in bound.outputs[:width]]
    if placeholder_keys != {placed.placeholder.key for placed in plain.placeholders} or answers != [
        (output.table, output.column) for output in plain.outputs
    ]:
        raise InvalidTemplate(
            f"The statement with document ids does not ask the same: {template.sql_with_ids}",
            f"Repeat this statement and append the key columns to SELECT: {template.sql}",
        )
    return bound


def _question_key(case: TestCase) -> str:
    """A question as people see it: the number of blanks does not count."""
    return " ".join(case.question.split())


def _unusable(combination: Combination, plain: BoundTemplate, *, allow_multiple: bool, keep_null: bool) -> str:
    parts = [part for answer in combination.answers for part in answer]
    if any(isinstance(part, bytes) for part in (*combination.values, *parts)):
        return BINARY
    if not keep_null and any(not value_text(part).strip() for part in (*combination.values, *parts)):
        return BLANK
    if all(all(part is None for part in answer) for answer in combination.answers):
        return "" if keep_null else NULL_ANSWER
    if None in parts and not keep_null:
        return NULL_ANSWER
    if is_list(plain):
        return "" if is_complete(plain, len(combination.answers)) else NO_WHOLE_LIST
    if len(combination.answers) > 1 and not allow_multiple:
        return SEVERAL_ANSWERS
    # Two people of one name with five orders each have ten together: neither figure answers the question.
    if combination.rows > 1 and counts_by_group(plain) and not allow_multiple:
        return SEVERAL_RECORDS
    return ""


def _cases(
    template: SqlTemplate,
    texts: Sequence[TextTemplate],
    schema: Schema,
    bound: BoundTemplate,
    plain: BoundTemplate,
    combination: Combination,
    width: int,
    attributes: Mapping[str, str],
) -> list[TestCase]:
    values = {
        placed.placeholder.key: value for placed, value in zip(bound.placeholders, combination.values, strict=True)
    }
    filled = [[*key, value_text(value)] for key, value in sorted(values.items(), key=lambda item: item[0])]
    group_id = short_hash({"template": template.id, "values": filled})
    references = tuple(
        dict.fromkeys(
            reference_text(answer, plain.outputs, schema)
            for answer in combination.answers
            if any(part is not None for part in answer)
        )
    )
    if is_list(plain) and len(references) > 1:
        # All of them are wanted: one answer with several parts.
        references = (LIST_SEPARATOR.join(sorted(references, key=str.casefold)),)
    base = TestCase(
        case_id="",
        question="",
        reference_answers=references,
        group_id=group_id,
        sql=plain.sql,
        sql_params=_params(plain, values),
        gold_document_ids=gold_ids(bound, combination, answers=width),
        tables=plain.tables,
        attributes=attributes,
        sql_template_id=template.id,
    )
    shown = {
        placed.placeholder.key: said_value(values[placed.placeholder.key], placed.table, placed.column)
        for placed in bound.placeholders
    }
    return [_worded(base, text, fill(text.text, shown)) for text in texts]


def _worded(base: TestCase, text: TextTemplate, question: str) -> TestCase:
    """One wording of a fact; an attribute marks cases whose question holds the answer in a name."""
    gives_answer = any(contains_words(question, reference) for reference in base.reference_answers)
    return replace(
        base,
        case_id=short_hash({"group": base.group_id, "form": text.form, "text": text.id}),
        question=question,
        form=text.form,
        text_template_id=text.id,
        attributes={**base.attributes, ANSWER_IN_QUESTION: "yes" if gives_answer else "no"},
    )


def fill(text: str, values: Mapping[tuple[str, str], object]) -> str:
    """A wording with values in place of its placeholders, in one pass: a value that looks like one stays as it is.

    Args:
        text: The wording.
        values: By :attr:`Placeholder.key`.
    """
    return PLACEHOLDER.sub(lambda match: value_text(values.get(Placeholder.of(match).key, match[0])), text)


def _limited(
    groups: Mapping[str, list[list[TestCase]]], limit: int | None, seed: int, drops: Counter[str]
) -> list[list[list[TestCase]]]:
    """Whole facts, one of each template and then in proportion, until no further one fits under the limit."""
    everything = list(groups.values())
    total = sum(len(group) for template_groups in everything for group in template_groups)
    if limit is None or total <= limit:
        return everything
    shares = allocate_groups(
        limit,
        [len(template_groups) for template_groups in everything],
        # A fact has every wording of its template, so that all groups of a template have one size.
        [len(template_groups[0]) if template_groups else 1 for template_groups in everything],
    )
    cases = []
    for template_id, template_groups, share in zip(groups, everything, shares, strict=True):
        order = list(range(len(template_groups)))
        random.Random(f"{seed}:{template_id}").shuffle(order)  # noqa: S311 - a sample, not a secret
        sampled = order[:share]
        drops[OVER_LIMIT] += len(template_groups) - len(sampled)
        cases.append([template_groups[place] for place in sorted(sampled)])
    return cases


def _counts(cases: Sequence[TestCase]) -> dict[str, object]:
    texts = dict.fromkeys((case.form, case.text_template_id) for case in cases)
    return {
        "sql_templates": len({case.sql_template_id for case in cases}),
        "sql_queries": len({case.group_id for case in cases}),
        "text_templates": dict(Counter(form for form, _ in texts)),
        "questions": dict(Counter(case.form for case in cases)),
    }


def _params(bound: BoundTemplate, values: Mapping[tuple[str, str], object]) -> dict[str, object]:
    """The values by the parameters of the statement without id columns, plain enough to be stored."""
    return {placed.parameter: _plain(values[placed.placeholder.key]) for placed in bound.placeholders}


def _plain(value: object) -> object:
    return value if isinstance(value, str | int | float | bool) else value_text(value)
