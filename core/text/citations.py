"""Marks of citation in a text: "[4]", "[1][2]", "[1, 3]", "[2-4]", which say where something stands and nothing else.

What is a mark is decided by a rule a person can check. It holds whole numbers from 1 to 99 in square brackets, or
several of them with commas, semicolons or hyphens between them, and it stands

- behind a word or a number with a blank between, or behind a punctuation mark;
- glued to a word of at least two letters or to a number only where the clause ends behind it, so "scores[1] = 5" and
  "x[1]" keep their index;
- at the beginning, where words follow ("[1] The fee is 5.").

Behind a function word that needs something more ("the fee is [45]", "a list of [3]"; not "according to [2]" or "on the
basis of [2]") and before a unit ("[4] EUR") it is what the sentence says and stays, as several numbers behind "in",
"by" or "from" do ("values in [1, 10]"). So do years ("[2024]"), 0, words, and a bracket that is all there is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.sentences import Sentence

_NUMBER = r"\^?[1-9]\d?"
_MARK = rf"(?:\[ ?{_NUMBER}(?: ?[,;\u2010-\u2015-] ?{_NUMBER})* ?\]|【 ?{_NUMBER} ?】)"
_MARKS = re.compile(rf"\s?{_MARK}(?:[,;]?\s?{_MARK})*")
_LIST = re.compile(r"\d\s*\D+\d")
_LAST_WORD = re.compile(r"(?<!/)([^\W\d_]+|\d)$")
_CLAUSE_ENDS = re.compile(r"\s*(?:$|[.,;:!?)\"'”’。，；！？])")
_WORDS_FOLLOW = re.compile(r"\s+\S")
_UNIT = re.compile(
    r"\s*(?:[%‰°€$£¥]|(?:eur|usd|chf|gbp|euros?|dollars?|francs?|pounds?|cents?|per ?cent|points?|million|billion"
    r"|thousand|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|times|k?m|km|cm|kg|people|persons|employees)\b)",
    re.IGNORECASE,
)
_WANTS_MORE = frozenset(
    """
    a about above am an are as at be been being below between both each equals every few for had has have is just most
    nor of off once only over per some than the this these those through to under until was were whose with within
    without
    """.split()  # noqa: SIM905
)
"""Function words that need something behind them, so what stands there is content."""
_RANGED = frozenset({"in", "from", "by"})
"""Before a single number they name a source ("as stated in [1]"), before several also a range ("values in [1, 10]")."""
_ACCORDING = re.compile(
    r"\b(?:according\s+to|basis\s+of|as\s+per|(?:line|accordance)\s+with)$|(?:^|[.;:!?]\s+)per$", re.IGNORECASE
)


def without_marks(text: str) -> str:
    """A text without its marks of citation; a text of marks only stays as it is.

    Args:
        text: One sentence, or a text of any length.

    >>> without_marks("The fee is 5 [1]. It is due monthly [1][2]."), without_marks("As stated in [1, 3], it is [45].")
    ('The fee is 5. It is due monthly.', 'As stated in [1, 3], it is [45].')
    >>> without_marks("Opened.[2-4]"), without_marks("See [2024] and scores[1] = 5."), without_marks("[1]")
    ('Opened.', 'See [2024] and scores[1] = 5.', '[1]')
    """
    if "[" not in text and "【" not in text:
        return text
    return _removed(text) or text


def cited_sentences(sentences: Sequence[Sentence]) -> list[tuple[str, Sentence]]:
    """The words of each sentence without marks; sentences of marks only are left out where there is any other."""
    pairs = [(_removed(sentence.text), sentence) for sentence in sentences]
    if all(words for words, _ in pairs):
        return pairs
    if any(words for words, _ in pairs):
        return [(words, sentence) for words, sentence in pairs if words]
    return [(sentence.text, sentence) for sentence in sentences]


def _removed(text: str) -> str:
    if "[" not in text and "【" not in text:
        return text
    return _MARKS.sub(_unless_content, text).strip()


def _unless_content(match: re.Match[str]) -> str:
    text, start, end = match.string, match.start(), match.end()
    before = text[max(0, start - 40) : start].rstrip()
    if not before:
        return "" if end == len(text) or _WORDS_FOLLOW.match(text, end) else match[0]
    word = _LAST_WORD.search(before)
    if word is None:
        return ""
    glued = not match[0][0].isspace()
    if glued and not (_CLAUSE_ENDS.match(text, end) and (len(word[0]) > 1 or word[0].isdigit())):
        return match[0]
    if _UNIT.match(text, end) or (word[0].casefold() in _WANTS_MORE and not _ACCORDING.search(before)):
        return match[0]
    return match[0] if word[0].casefold() in _RANGED and _LIST.search(match[0]) else ""
