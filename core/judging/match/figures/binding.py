"""What a value is said of: the words of its own clause, beside those of clauses that give another value.

"Chai has 17 in stock, Chang 39" gives 17, but not for Chang. Words can show that another clause is nearer to the
question; they cannot show that two different words mean the same, so a doubt of this kind needs a judge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from core.judging.match.figures.asked import asked_property
from core.judging.match.figures.chosen.qualified import other_kind
from core.judging.match.figures.clauses import REACH, WORD, Clause, asked_words, clauses, families, generic_words
from core.judging.match.figures.period_ends import END_OF_PERIOD, other_end, same_end, side_of_a_span
from core.judging.match.readers.texts.codes import has_letters, is_code
from core.judging.match.readers.texts.normalise import match_text
from core.judging.match.readers.texts.titles import TITLES
from core.judging.match.surroundings.denial import NEGATORS
from core.judging.match.surroundings.objections import NEEDS_A_JUDGE, Objection
from core.judging.match.surroundings.relations import is_year_of_the_thing
from core.judging.match.values import Hit

_CLASS = re.compile(r"\b(?:which|what|whose)(?: of)?(?: the)? (\w+)")
"""What a question calls the kind of thing that it asks for."""
_MONTHS = re.compile(
    r"\b(?:january|february|march|april|june|july|august|september|october|november|december|may(?! be))\b"
)
_GOES_ON = re.compile(
    r"^\W*(?:it|its|this|that|these|those|he|she|they|his|her(?= (?:manager|name|answer))|their|who|which|where|there"
    r"|here|so|thus|therefore|hence|the (?:answer|latter|former|current|new|name|figure|value|amount|number|result"
    r"|total))\b"
)
_CONCLUDED = re.compile(r"\b(?:so|therefore|thus|hence|answer|result|final|overall|in total)\b")
_TOTALLED = re.compile(
    r"\b(?:for|making|giving|bringing (?:it|this) to|which (?:makes|gives)|comes? to)(?: an?| the)?(?: [a-z-]+)? total"
    r"(?: of)?(?: about| around)? ?(?:[a-z]{3} )?[€$£]?$"
    r"|\b(?:has|had|have|was|were|is|are) (?:in )?an? (?:[a-z-]+ )?total of ?(?:[a-z]{3} )?[€$£]?$"
    r"|\b(?:totall?ing|adding up to|which (?:totals|sums to)) ?(?:[a-z]{3} )?[€$£]?$"
)
"""In front of what several figures of a sentence come to."""
_BRACKET = re.compile(r"\s?\([^()]{1,80}\)")
"""Behind a name: where it is, what else it is called."""
_OF_EACH = re.compile(r"\b(?:each|every|per quarter|quarterly|monthly|individual(?:ly)?|apiece)\b")
_A_PART = re.compile(r"\d of (?:them|these|those|whom|which)\b")
"""A clause that counts some of what the one before it counts."""
_A_YEAR = re.compile(r"(?<![\w.,-])((?:19|20)\d\d)(?![\w-]|[.,]\d)")
_COUNTED = re.compile(
    r"(?<![\w.,-])(\d{1,4}) ?(months?|weeks?|days?|years?|hours?|minutes?|km|kg|mg|degrees|percent|%)"
)
_AMOUNT = re.compile(r"(?:[€$£]|\b(?:eur|usd|gbp|chf) )(\d[\d.,]*\d|\d)")
_SET_ASIDE = re.compile(
    r"\b(?:considered|evaluated|rejected|dropped|discarded|ruled out|dismissed|abandoned|not|never|no longer)\b"
)
_FIGURE = re.compile(r"(?<![\w.,])\d[\d.,]*(?<![.,])")
_CAPITALS = re.compile(
    r"(?<=[a-z,;] )[A-Z][\w'-]+|\b[A-Z][\w'-]+(?= [A-Z])|(?<=[A-Z][a-z] )[A-Z]\w+|\b[A-Z]{2,}\b"
    r"|(?<=[a-z] )(?:[A-Z][\w'-]+ ?)+|\b\d+[A-Z]\w*\b|\b[A-Za-z]+-?\d\w*\b"
)
_CODE = re.compile(r"(?<![\w-])(?=[\w./-]*\d)[A-Z][\w./-]*")
"""What is no name besides one without digits: "policy PI-7714"."""
MAX_NAMED = 4_000
"""Characters of an answer in which other names are looked for."""
MOST_ASKED = 1.5
"""A clause of another sentence counts where it has two thirds of what is asked."""
MOST_PLAIN = 2
"""A pronoun in so few clauses can mean nothing but what is asked."""
_LATER = re.compile(r"\b(?:years?|months?|weeks?|days?|minutes?|hours?) (?:later|earlier|before|after)\b")
"""A value that is told by its distance from another one."""
_NAME_ASKED = re.compile(r"\b(?:first|given|last|family|middle|sur) ?names?\b|\bforenames?\b")
_AS_A = re.compile(
    r"\b(?:works?|worked|working|serves?|served|acts?|acted|employed|appointed|hired) as (?:an? |the )?$"
)
"""In front of what somebody is, whatever stands behind it: "works as head nurse at"."""
_TELLS_WHEN = re.compile(r"\W*(?:after|before|since|until|once|when|because) (?:the |a |an )?")
"""Before a value with which a clause begins that tells when or why."""
_IS_NAMED = re.compile(
    r"(?<!\bit)(?<!\bthis)(?<!\bthat)(?<!\bthere)(?<![^a-z])(?: (?:is|was|are|were|of|amounts? to|totals?)"
    r"|:|=)(?: at| about| around)? ?(?:[a-z]{3} )?[€$£]?$"
)
"""A figure behind a name of its own: "the reorder level is 17"."""


def said_of_another(
    hit: Hit,
    text: str,
    question: str,
    others: Sequence[tuple[int, int]],
    *,
    value_is_words: bool,
    rivals: frozenset[str] = frozenset(),
) -> Objection | None:
    """Why a value may be said of something else than the question asks about, or None.

    Another clause has what the question names and the clause of the value lacks, while the value's own clause names
    something else in its place.

    Args:
        hit: The value.
        text: The text it was found in.
        question: Match text of the question.
        others: Spans of other values of its kind; a clause without one is no rival, unless the value is words.
        value_is_words: Whether the value is a name, so that any words may stand in its place.
        rivals: Word families of other names in the answer, as :func:`other_names_in` gives them.

    >>> answer = "chai has 17 units in stock, chang 39."
    >>> said_of_another(
    ...     Hit(rule="number", start=9, end=11, reason=""), answer, "how many units of chang are in stock?", [(34, 36)],
    ...     value_is_words=False,
    ... ).rule
    'needs a judge'
    """
    value = text[hit.start : hit.end]
    asked = asked_words(question) - families(value)
    if not asked:
        return None
    near = clauses(text, max(0, hit.start - REACH), min(len(text), hit.end + REACH), asked)
    own = next((clause for clause in near if clause.start <= hit.start < clause.end), None)
    if own is None:
        return None
    if not own.asked | own.foreign - families(value) and text[own.start - 1 : own.start] == "(":
        # a value alone in brackets is said of what stands before them
        own = max((clause for clause in near if clause.end < own.start), key=lambda clause: clause.end, default=own)
    if value_is_words and (other := _other_amount(text[own.start : own.end], text, question)):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'The answer gives "{value}" beside {other}.')
    of_the_thing = value_is_words and is_year_of_the_thing(text[own.start : hit.start], question)
    beside = text[own.start : own.end].replace(value, " ")
    if value_is_words and not of_the_thing and (other := _other_figure(beside, question)):
        return Objection(rule="other period", reason=f'The answer gives "{value}" for {other}, not for what is asked.')
    if value_is_words and (main := _main_clause(hit, own, near, text, rivals)):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'"{value}" stands beside what is asked ("{main}").')
    if not own.foreign - families(value):
        return None
    if not value_is_words and _TOTALLED.search(text[own.start : hit.start]) and not _OF_EACH.search(question):
        return None
    if objected := _named_otherwise(
        hit, own, near, text, question, others, value_is_words=value_is_words, rivals=rivals
    ):
        return objected
    return _nearer_clause(hit, own, near, text, question, others, value_is_words=value_is_words, rivals=rivals)


def _main_clause(hit: Hit, own: Clause, near: Sequence[Clause], text: str, rivals: frozenset[str]) -> str:
    """The clause in front that says what is asked of another name, where a value's only tells when or why; or empty."""
    if own.asked or not _TELLS_WHEN.fullmatch(text[own.start : hit.start]):
        return ""
    main = next((clause for clause in near if clause.end <= own.start and _beside(clause, own, text)), None)
    if main is None or not main.asked or not rivals & main.foreign:
        return ""
    return " ".join(text[main.start : main.end].split())[:80]


def _nearer_clause(
    hit: Hit,
    own: Clause,
    near: Sequence[Clause],
    text: str,
    question: str,
    others: Sequence[tuple[int, int]],
    *,
    value_is_words: bool,
    rivals: frozenset[str],
) -> Objection | None:
    """The clause beside that of a value which has more of what the question names and a value of its own, or None."""
    wanted = asked_property(question)
    goes_on = _GOES_ON.match(text[own.start : own.end])
    for clause in near:
        if clause is own or hit.start < clause.start < hit.end:
            continue
        beside = _beside(clause, own, text)
        words = text[clause.start : clause.end]
        if (goes_on and (clause.start < own.start or not beside)) or NEGATORS & set(WORD.findall(words)):
            continue
        if not value_is_words and _A_PART.search(words):
            continue
        if not _has_a_value(clause, words, question, others, value_is_words=value_is_words):
            continue
        more = clause.asked - own.asked
        elliptic = not clause.foreign and not value_is_words
        kept = wanted is not None and _has(wanted.head, own) and not _has(wanted.head, clause)
        nearer = own.asked <= clause.asked or len(more) > len(own.asked - clause.asked)
        whole = beside or MOST_ASKED * len(clause.asked) >= len(asked_words(question) | own.asked)
        told = more - families(" ".join(_CLASS.findall(question)))
        contrasted = (
            bool(told and rivals & families(words))
            if value_is_words
            else _in_contrast(hit, own, clause, text, question)
        )
        if (more and (elliptic or (nearer and not kept and whole))) or ((more or not value_is_words) and contrasted):
            about = " ".join(words.split())[:80]
            value = text[hit.start : hit.end]
            return Objection(
                rule=NEEDS_A_JUDGE,
                reason=f'"{value}" stands in another clause than what the question names ("{about}").',
            )
    return None


def _in_contrast(hit: Hit, own: Clause, clause: Clause, text: str, question: str) -> bool:
    """Whether two clauses of one sentence give a value each: this one for something else, that one for what is asked.

    "8,000 for loading and 6,000 for discharging", "11.5% in October and 10.8% in November".
    """
    if clause.start < own.start or not _beside(clause, own, text):
        return False
    behind, there = text[hit.end : own.end], text[clause.start : clause.end]
    asked, here = (frozenset(_MONTHS.findall(side)) for side in (question, text[own.start : own.end]))
    if asked:
        return bool(here) and asked.isdisjoint(here) and not asked.isdisjoint(_MONTHS.findall(there))
    tail = families(behind) - generic_words()
    return bool(tail - own.asked) and tail.isdisjoint(own.asked) and bool(clause.asked - own.asked)


def _has_a_value(
    clause: Clause, words: str, question: str, others: Sequence[tuple[int, int]], *, value_is_words: bool
) -> bool:
    """Whether a clause has something that may stand where the value is wanted."""
    if value_is_words:
        return bool(clause.foreign)
    return bool(_LATER.search(words)) or any(
        clause.start <= start < clause.end
        and not _named(words[start - clause.start : end - clause.start], question)
        and not other_kind(start - clause.start, words, question)
        for start, end in others
    )


def other_names_in(answer: str, question: str, reference: str) -> frozenset[str]:
    """Word families of the names of an answer that neither the question nor the reference has.

    A name is what has a capital inside a sentence, or capitals in a row.

    Args:
        answer: As written.
        question: Match text of the question.
        reference: Match text of the reference.

    >>> sorted(other_names_in("Bob Roy beat Ann Lee.", "who won?", "ann lee"))
    ['bob', 'roy']
    """
    has_digits = any(map(str.isdigit, reference))
    plain = answer[:MAX_NAMED] if has_digits else _CODE.sub(" ", answer[:MAX_NAMED])
    names = [match[0] for match in _CAPITALS.finditer(plain)]
    if is_code(reference) and not has_letters(reference):
        names = [name for name in names if any(map(str.isdigit, name))]
    named = " ".join(name for name in names if match_text(name).strip(".") not in TITLES)
    return families(match_text(named)) - families(question) - families(reference) - generic_words()


def _other_figure(words: str, question: str) -> str:
    """The year or the figure ("9 months") of a clause where the question names another one of its kind, or empty."""
    for pattern in (_A_YEAR, _COUNTED):
        asked, told = ({match.groups() for match in pattern.finditer(side)} for side in (question, words))
        kinds = {groups[1:] for groups in asked}
        told = {groups for groups in told if groups[1:] in kinds}
        if asked and told and not asked & told:
            return " ".join(sorted(told)[0])
    return ""


def _other_amount(words: str, text: str, question: str) -> str:
    """An amount of a clause where the answer has the one of the question in another clause; or empty."""
    asked, told = set(_AMOUNT.findall(question)), set(_AMOUNT.findall(words))
    elsewhere = asked & set(_AMOUNT.findall(text))
    return sorted(told)[0] if len(asked) == 1 and told and elsewhere and not asked & told else ""


def _has(head: str, clause: Clause) -> bool:
    """Whether a clause has the word of the property, or one that begins with it: "hired" for "hire"."""
    return any(
        word.startswith(head) or (len(word) >= 3 and head.startswith(word)) for word in clause.asked | clause.foreign
    )


def _named_otherwise(
    hit: Hit,
    own: Clause,
    near: Sequence[Clause],
    text: str,
    question: str,
    others: Sequence[tuple[int, int]],
    *,
    value_is_words: bool,
    rivals: frozenset[str],
) -> Objection | None:
    """Whether a clause without a word of the question, or without that of the property, names something else."""
    value = text[hit.start : hit.end]
    words = text[own.start : max(own.end, hit.end)].strip()
    if value_is_words:
        return _beside_a_name(hit, own, near, text, question, rivals)
    wanted = asked_property(question)
    if hit.rule == "date":
        if (side := side_of_a_span(hit, text)) and same_end(side, question):
            return None
        if other_end(side or words, question):
            return Objection(rule="other value", reason=f'"{value}" is the other end: "{words[:80]}".')
        if END_OF_PERIOD.search(text[own.start : hit.start]):
            return None
        if same_end(words, question):
            return None
        if wanted and others and not _has(wanted.head, own) and wanted.head in asked_words(question):
            return Objection(rule=NEEDS_A_JUDGE, reason=f'What is asked is not in "{words[:80]}".')
        return None
    is_named = _IS_NAMED.search(text[own.start : hit.start])
    if not is_named or _CONCLUDED.search(words):
        return None
    if not own.asked and any(end <= hit.start for _, end in others):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'"{value}" is named otherwise: "{words[:80]}".')
    if wanted is None or _has(wanted.head, own):
        return None
    of_it = [clause for clause in near if clause is not own and wanted.head in clause.asked]
    if of_it and not any(clause.start <= start < clause.end for start, _ in others for clause in of_it):
        return Objection(rule=NEEDS_A_JUDGE, reason=f'"{value}" is named otherwise: "{words[:80]}".')
    return None


def _beside_a_name(
    hit: Hit, own: Clause, near: Sequence[Clause], text: str, question: str, rivals: frozenset[str]
) -> Objection | None:
    """Whether the clause of a name has no word of the question and another name stands in the answer."""
    value = text[hit.start : hit.end]
    words = text[own.start : max(own.end, hit.end)].strip()
    if own.asked or _AS_A.search(text[own.start : hit.start]) or (_GOES_ON.match(words) and len(near) < MOST_PLAIN):
        return None
    aside = _BRACKET.match(text, hit.end)
    told = " ".join(
        text[clause.start : clause.end]
        for clause in near
        if not _SET_ASIDE.search(text[clause.start : clause.end])
        and not (aside and aside.start() <= clause.start and clause.end <= aside.end())
    )
    rest = _beside_in_a_name(hit, text) if _NAME_ASKED.search(question) else frozenset()
    named = (rivals & families(told)) - families(value) - rest
    if not named:
        return None
    # The words as they stand: a family is a stem and no word.
    others = sorted({word for word in WORD.findall(told) if families(word) & named})[:3]
    return Objection(
        rule=NEEDS_A_JUDGE, reason=f'"{words[:80]}" does not say what is asked; beside it stands {", ".join(others)}.'
    )


def _beside_in_a_name(hit: Hit, text: str) -> frozenset[str]:
    """The words directly beside a name, which are the rest of it where a first or a last name is asked for."""
    before = re.search(r"([^\W\d_]+) $", text[max(0, hit.start - 40) : hit.start])
    after = re.match(r" ([^\W\d_]+)", text[hit.end : hit.end + 40])
    return families(" ".join(found[1] for found in (before, after) if found))


def _named(value: str, question: str) -> bool:
    """Whether the question itself has a figure, so that it says what is asked about: "branch 17"."""
    return value.strip() in _figures(question)


@lru_cache(maxsize=4_096)
def _figures(question: str) -> frozenset[str]:
    return frozenset(_FIGURE.findall(question))


def _beside(clause: Clause, own: Clause, text: str) -> bool:
    """Whether two clauses are parts of one sentence, or the other one is about all that is asked."""
    between = text[min(clause.end, own.end) : max(clause.start, own.start)]
    return not re.search(r"[.!?]\s", between + " ")
