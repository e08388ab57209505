"""The property that a question asks for: its words stand beside the value that is meant, those of the subject by all.

"Branch 17 has 24 employees, 120 lockers" is about branch 17 in all its figures; "lockers" stands beside one of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from core.judging.match.surroundings.language import FUNCTION_WORDS
from core.text.words import stem

OWN_FROM = re.compile(r",\s|\band\b")
"""Between two values: what stands before it belongs to the first of them."""
_WORD = re.compile(r"[^\W\d_]{2,}")
_VERB = r"(?:do|does|did|is|are|was|were|has|have|had|can|could|may|will)"
_ASKED = (
    re.compile(
        r"\bhow (?:many|much) [^?,]{2,80}? (?:is|are|was|were) "
        r"(?P<asked>(?:in |on )?[a-z]{3,}(?: [a-z]{3,})?)\s?(?:\?|$)"
    ),
    re.compile(
        rf"\bhow (?:many|much)(?: of the)? (?P<asked>[^?,]{{2,60}}?)(?= {_VERB}\b| (?:in|on|of|for|per|with)\b|\?|$)"
    ),
    re.compile(rf"\b(?:what|which) {_VERB} [^?]{{2,80}}? (?P<asked>cost|weigh|measure|earn|pay)s?\b"),
    re.compile(rf"\bwhen {_VERB} [^?]{{2,80}}? (?P<asked>[a-z]{{4,}})\s?(?:\?|$)"),
    re.compile(rf"\b(?:what|how (?:high|large|big|long)) {_VERB} (?:the )?(?P<asked>[^?]{{2,60}}?) (?:of|for|on|at)\b"),
    re.compile(
        rf"\b(?:what|how (?:high|large|big|long)) {_VERB} (?:the )?(?P<asked>[^?,]{{2,60}}?)"
        r"(?= (?:in|during|at|as|by|per|before|after|since|was|were)\b|\s?\?|$)"
    ),
    re.compile(rf"^(?:what|which) (?!{_VERB}\b)(?P<asked>[a-z]{{3,}}(?:-[a-z]+)?) (?:of|for) "),
    re.compile(r"^(?:(?:look up|find|give|state|name|tell me) )?(?:me )?(?:the )?(?P<asked>[^?]{2,60}?) of\b"),
)
_KINDS = frozenset(stem(word) for word in ("date", "day", "time", "number"))
"""Last words that say of what kind the value is, and not which one: "shipped date"."""
_DONE = re.compile(
    r"\bhow (?:many|much) [^?]{2,80}? (?:do|does|did) [^?]{2,80}? "
    r"(?P<done>[a-z]{3,})(?= (?:in|on|during|for|by|at)\b|\s?\?|$)"
)
"""What is done with the values asked for: "opened 17 and closed 23 branches"."""
_EACH = re.compile(r"\s?(?:each|apiece)\b")
_PRICE = frozenset(stem(word) for word in ("price", "cost", "rate", "fee"))


@dataclass(frozen=True, slots=True)
class AskedProperty:
    """What a question asks for of its subject.

    Attributes:
        head: The word family that says what it is ("limit" of "credit limit").
        words: All of its word families.
    """

    head: str
    words: frozenset[str]

    def closer(self, about: frozenset[str], other: frozenset[str], following: str = "", behind_other: str = "") -> bool:
        """Whether words beside a value are closer to it than those beside another one.

        Args:
            about: The word families beside the value.
            other: Those beside the other one.
            following: That of the word that follows the value: "16 cores at 3.2 GHz" has 16 cores.
            behind_other: That of the word that follows the other one.
        """
        if self.head not in about or (other & self.words) - about:
            return False
        return self._closeness(about, following) > self._closeness(other, behind_other)

    def _closeness(self, about: frozenset[str], following: str) -> tuple[bool, bool, int]:
        return self.head in about, self.head == following, len(self.words & about)


@lru_cache(maxsize=4_096)
def asked_property(question: str) -> AskedProperty | None:
    """The property that a question asks for; None where its form does not tell.

    Args:
        question: Match text of the question.

    >>> asked_property("what is the credit limit of the gold card?").head
    'limit'
    >>> asked_property("how many free withdrawals does the gold card have?").head == stem("withdrawals")
    True
    >>> asked_property("is the card free?") is None
    True
    """
    for pattern in _ASKED:
        if match := pattern.search(question):
            named = re.split(r"\b (?:per|in|on|of|for) ", match["asked"])[0]
            words = [stem(word) for word in _WORD.findall(named) if word not in FUNCTION_WORDS]
            while len(words) > 1 and words[-1] in _KINDS:
                words.pop()
            if words:
                done = _DONE.search(question)
                also = {stem(done["done"])} if done and done["done"] not in FUNCTION_WORDS else set()
                return AskedProperty(words[-1], frozenset(words) | also)
    return None


def priced(text: str, end: int) -> frozenset[str]:
    """The words for a price, where a figure is one: "at 31.23 each"."""
    return _PRICE if _EACH.match(text, end) else frozenset()


__all__ = ["OWN_FROM", "AskedProperty", "asked_property", "priced"]
