"""Whether a proposed wording asks what its SQL template asks, as far as words show it.

The checks of hand-written wordings trust that a person wrote a question. A model writes a placeholder alone, code, a
sentence that states an answer, or the words of its instructions; each kind is refused here with a true reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from core.domain.testset.templates import PLACEHOLDER, Check, SqlTemplate, TextTemplate
from core.testset.grounded.wording.generator import folded
from core.text.sense import loop, markup, shouted
from core.text.words import STOP_WORDS, WORD

CODE = re.compile(
    r"[=|]|;\s*$|\bselect\b.+\bfrom\b|\bwhere\b.+[<>=]|\b[^\W\d_]+_\w+|\b\w+\.[^\W\d]\w+\b", re.IGNORECASE
)
"""Signs and names of a database: a statement, ``branch_id``, ``branch.name``."""

ASKING = re.compile(
    r"\b(?:who|whom|whose|what|which|when|where|why|how|whether|tell|give|list|state|name|find|show|look|check|provide|"
    r"explain|describe|get|identify|specify|confirm|inform|know|learn|need|want|like|wish|please|could|can|would|ask|"
    r"wonder(?:ing)?|curious|interested|looking|clarify|advise|report|return|retrieve|fetch|send|say|help)\b"
    r"|\b(?:ask|identif|search|seek|find|determin|obtain|discover|request|enquir|inquir|question|wonder|interest|clarif|"
    r"establish|verif|confirm|learn|look|tell|know|need)\w*",
    re.IGNORECASE,
)
"""Words of a question or a request."""

STATES = re.compile(r"\b(?:is|are|was|were|has|have|had|opened|launched|belongs|located)\b", re.IGNORECASE)
"""Verbs that a sentence states something with."""

ABOUT_ITSELF = re.compile(
    r"(?:an? |the )?(?:[a-z]+,? )?(?:question|wording|sentence|placeholder|request)s? (?:about|that|which|for|of|to)\b"
    r"|not an? \w+ (?:that|but|for)\b",
    re.IGNORECASE,
)
"""A description of a wording in place of one."""

FIGURE = re.compile(r"\d[\d.,]*")
SHARED = 8
"""Words in a row that a wording may not have from its instructions; a form's description has shorter idioms."""


def refused(text: str, template: SqlTemplate, told: Collection[str] = ()) -> Check | None:
    """The first reason why a proposed wording is no question; None where it may be one.

    Args:
        text: The wording with its placeholders.
        template: What it was to word.
        told: What the model was told about the form, which it may repeat instead.
    """
    words = " ".join(PLACEHOLDER.sub(" ", text).split())
    for name, reason in _faults(text, words, template, told):
        if reason:
            return Check(name=name, passed=False, message=reason, remedy=REMEDIES[name])
    return None


REMEDIES: Mapping[str, str] = {
    "quoted": "Close the quotes right behind the placeholder.",
    "asks": "Ask in words for what the query selects.",
    "markup": "Write plain words only.",
    "capitals": "Write it as people write.",
    "repetition": "Say each thing once.",
    "plain_words": "Say it in words of somebody who knows nothing of databases.",
    "instructions": "Write a question, not the instructions.",
    "answer_hidden": "Leave every possible answer out.",
}
"""What to do about each, for the model."""


def _faults(text: str, words: str, template: SqlTemplate, told: Collection[str]) -> Iterator[tuple[str, str]]:
    yield "markup", markup(text) or _brackets(text)
    yield "quoted", _overfull_quotes(text)
    yield "asks", _asks_nothing(words)
    yield "capitals", shouted(words)
    yield "repetition", loop(words)
    code = CODE.search(words)
    yield "plain_words", f"It holds code: {code[0].strip()}." if code else ""
    yield "instructions", _repeats(words, told)
    yield "answer_hidden", _states(text, words, template, told)


def _brackets(text: str) -> str:
    """A placeholder that is none: ``[name]`` or an empty pair of quotes."""
    rest = PLACEHOLDER.sub("x", text)
    if (mark := re.search(r"\[[^\]]*\]?|\{[^}]*\}?", rest)) is not None:
        return f"It holds {mark[0]}, which is no placeholder."
    return "It holds a pair of quotes with nothing between them." if re.search(r"''|\"\"", rest) else ""


def _overfull_quotes(text: str) -> str:
    """A mark of the sentence that stands in the quotes of a value, and would be taken for a part of it."""
    mark = re.search(r"(['\"])(?:\[[^\[\].]+\.[^\[\].]+\])\s*[?!.,;:]+\1", text)
    return f"In {mark[0]} a mark of the sentence stands in the quotes of the value." if mark else ""


def _asks_nothing(words: str) -> str:
    spoken = [word.casefold() for word in WORD.findall(words)]
    if not spoken:
        return "It is only a placeholder."
    telling = [word for word in spoken if word not in STOP_WORDS]
    by_itself = {"who", "whom", "whose", "when", "where", "why"} & set(spoken) or {"how"} & set(spoken)
    return "" if telling or by_itself else "It does not say what it asks for."


def _repeats(words: str, told: Collection[str]) -> str:
    if (about := ABOUT_ITSELF.match(words)) is not None:
        return f"It speaks of itself: {about[0]!r}."
    spoken = [word.casefold() for word in WORD.findall(words)]
    runs = {tuple(spoken[place : place + SHARED]) for place in range(len(spoken) - SHARED + 1)}
    for text in told:
        given = [word.casefold() for word in WORD.findall(text)]
        if any(tuple(given[place : place + SHARED]) in runs for place in range(len(given) - SHARED + 1)):
            return "It repeats its instructions."
    return ""


def _states(text: str, words: str, template: SqlTemplate, told: Collection[str]) -> str:
    """A figure that nobody gave, or a sentence that states something and asks nothing."""
    given = " ".join((template.sql, *told))
    figure = next((found[0] for found in FIGURE.finditer(words) if found[0].rstrip(".,") not in given), "")
    if figure:
        return f"It states {figure.rstrip('.,')}, which the query does not hold."
    if not ASKING.search(words) and "?" not in text and STATES.search(words):
        return "It states something and asks nothing."
    return ""


def told_apart(
    texts: Sequence[TextTemplate],
    others: Sequence[TextTemplate],
    example_answers: Callable[[str], Sequence[str] | None],
) -> dict[str, str]:
    """Wordings that stand under several SQL templates with different answers, so that nobody can say what they ask.

    Args:
        texts: New wordings.
        others: Stored ones, which a new one may repeat.
        example_answers: Some answers of an SQL template by its id; None where they are not known, which is taken for
            different ones. Templates whose examples are equal may share a wording.

    Returns:
        By the id of each such new wording, another SQL template that it words.
    """
    ids: dict[str, list[str]] = defaultdict(list)
    for text in (*texts, *others):
        if text.sql_template_id not in ids[folded(text.text)]:
            ids[folded(text.text)].append(text.sql_template_id)
    found: dict[str, str] = {}
    for text in texts:
        for other in ids[folded(text.text)]:
            if other == text.sql_template_id:
                continue
            ours, theirs = example_answers(text.sql_template_id), example_answers(other)
            if ours is None or theirs is None or list(ours) != list(theirs):
                found.setdefault(text.id, other)
    return found
