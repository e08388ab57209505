"""Words that two texts share: normal forms, tokens, F1 with multiplicity and the longest common subsequence."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.metrics.comparison.weights import UNSPACED
from core.metrics.prepared import Prepared

ARTICLES = {
    "en": ("a", "an", "the"),
    "de": tuple("der die das den dem des ein eine einen einem einer eines".split()),  # noqa: SIM905
    "fr": tuple("le la les un une des l d".split()),  # noqa: SIM905
    "es": tuple("el la los las un una unos unas".split()),  # noqa: SIM905
    "it": tuple("il lo la i gli le un uno una l".split()),  # noqa: SIM905
    "pt": tuple("o a os as um uma uns umas".split()),  # noqa: SIM905
    "nl": tuple("de het een".split()),  # noqa: SIM905
}
"""Words that normalisation leaves out, by language; other languages have none."""

_ELIDED = {"fr": re.compile(r"\b[ld]['’](?=\w)", re.IGNORECASE), "it": re.compile(r"\bl['’](?=\w)", re.IGNORECASE)}
_MARKS = "".join(chr(code) for code in range(0x300, 0x1D00) if unicodedata.category(chr(code))[0] == "M")
"""Accents and vowel signs: parts of words that ``\\w`` does not know."""
_LETTER = rf"(?!{UNSPACED.pattern})[^\W_]"
_TOKEN = re.compile(rf"{UNSPACED.pattern}[{_MARKS}]*|{_LETTER}(?:{_LETTER}|[{_MARKS}])*")
_ASCII_TOKEN = re.compile(r"[a-z0-9]+")
_NO_LETTER = re.compile(r"[^\w\s]|_")
_ASCII_SYMBOLS = frozenset("$+<=>^`|~")
_BETWEEN_DIGITS = frozenset(".,:/-'’")


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """How much of two texts is the same.

    Attributes:
        precision: Share of the answer, in [0, 1].
        recall: Share of the reference, in [0, 1].
    """

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean 2PR / (P + R), 0 where nothing is the same."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def normalise(text: str, language: str = "en") -> str:
    """The text in the normal form of SQuAD: one case, no punctuation, no articles, single blanks.

    Differs from SQuAD's script: Unicode NFKC and case folding first, punctuation of every script, the articles of the
    language. A mark between two digits and a minus sign before one stay, since "4.5" is not "45" and "-5" is not "5".
    A text of punctuation or articles only is left as it is, so that it still equals itself.

    Args:
        text: Any text.
        language: Whose articles go, as in "en".

    >>> normalise("The  Harbour-Street Branch!"), normalise("(4.50)"), normalise("Le  chat, l’eau", "fr")
    ('harbourstreet branch', '4.50', 'chat eau')
    """
    plain = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    bare = _ELIDED[language].sub("", plain) if language in _ELIDED else plain
    unpunctuated = _NO_LETTER.sub(_without_punctuation, bare.replace("−", "-"))
    articles = ARTICLES.get(language, ())
    return " ".join(word for word in unpunctuated.split() if word not in articles) or plain


def answer_tokens(text: str, language: str = "en") -> list[str]:
    """The words of a normalised text; in scripts without blanks between words every character is one.

    >>> answer_tokens("The branch in Zürich"), answer_tokens("東京支店 2014")
    (['branch', 'in', 'zürich'], ['東', '京', '支', '店', '2014'])
    """
    return UNSPACED.sub(lambda match: f" {match[0]} ", normalise(text, language)).split()


def rouge_tokens(text: str) -> list[str]:
    """Runs of letters and digits, in lower case, without stemming: on ASCII text exactly the tokens of rouge-score.

    Differs from rouge-score, which drops every letter beyond a to z: letters of all scripts count, with their accents,
    and in scripts without blanks between words every character is a token. A text without letters and digits is taken
    by its characters.

    >>> rouge_tokens("Don't pay 4.50!"), rouge_tokens("Zürich"), rouge_tokens("東京"), rouge_tokens("🎉")
    (['don', 't', 'pay', '4', '50'], ['zürich'], ['東', '京'], ['🎉'])
    """
    if text.isascii():
        return _ASCII_TOKEN.findall(text.lower()) or symbols(text)
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _TOKEN.findall(plain) or symbols(plain)


def symbols(text: str) -> list[str]:
    """The characters of a text without blanks."""
    return [character for character in text if not character.isspace()]


def bag_overlap(answer: Sequence[str], reference: Sequence[str]) -> Overlap:
    """Shared tokens, each as often as it stands in both: sum_w min(n_a(w), n_r(w)) over the length of either side.

    Edge cases: a side without tokens shares nothing.

    >>> round(bag_overlap(["a", "a", "b"], ["a", "b", "c"]).f1, 4)
    0.6667
    """
    shared = (Counter(answer) & Counter(reference)).total()
    return _overlap(shared, answer, reference)


def sequence_overlap(answer: Sequence[str], reference: Sequence[str]) -> Overlap:
    """The longest common subsequence over the length of either side (ROUGE-L).

    >>> sequence_overlap(["police", "kill", "the"], ["police", "killed", "the"]).f1 == 2 / 3
    True
    """
    return _overlap(longest_common_subsequence(answer, reference), answer, reference)


def longest_common_subsequence(first: Sequence[str], second: Sequence[str]) -> int:
    """How many tokens two sequences have in common in the same order, gaps allowed.

    Bit-parallel: one row of the table is one whole number, so 2,000 by 2,000 tokens take 2,000 additions.

    Reference:
        H. Hyyrö (2004), Bit-parallel LCS-length computation revisited.

    >>> longest_common_subsequence("abcbdab", "bdcaba")
    4
    """
    places: dict[str, int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    every = (1 << len(first)) - 1
    row = every
    for token in second:
        if (matches := row & places.get(token, 0)) != 0:
            row = (row + matches | row - matches) & every
    return len(first) - row.bit_count()


def best_reference(prepared: Prepared, score: Callable[[str], float]) -> tuple[int, float]:
    """The reference with the highest score and that score; the first of equals, blank references passed over.

    Raises:
        ValueError: Every reference is blank; a spec that needs a reference rules this out.
    """
    scored = {place: score(text) for place, text in enumerate(prepared.sample.references) if text.strip()}
    best = max(scored, key=lambda place: scored[place])
    return best, scored[best]


def answer_marks(prepared: Prepared) -> dict[str, object]:
    """What the detail of a comparison with references says of the answer: that it is empty, that it declines."""
    marks: dict[str, object] = {} if (prepared.sample.answer or "").strip() else {"rule": "empty answer"}
    return {**marks, "abstained": True} if prepared.abstained else marks


def _overlap(shared: int, answer: Sequence[str], reference: Sequence[str]) -> Overlap:
    if not shared:
        return Overlap(precision=0.0, recall=0.0)
    return Overlap(precision=shared / len(answer), recall=shared / len(reference))


def _without_punctuation(match: re.Match[str]) -> str:
    mark, text, place = match[0], match.string, match.start()
    if not (mark in _ASCII_SYMBOLS or unicodedata.category(mark)[0] == "P"):
        return mark
    before, after = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    inside = mark in _BETWEEN_DIGITS and before.isdigit()
    minus = mark == "-" and before in ("", " ", "(")
    return mark if after.isdigit() and (inside or minus) else ""
