"""Values of fields and cells in words: a name or a few words, and no sentence, list or piece of a program."""

from __future__ import annotations

import re

from core.testset.corpus.reading.clauses.splitting import FINITE
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of, infinitive

_IN_CODE = re.compile(
    r"[A-Za-z]_[A-Za-z]|[=@`*#~^]|\w\(|[a-z]\.[a-z]+\b(?!\.)|::|--\w|\w/\w+/|%[a-z]|[a-z][A-Z]\w*[a-z][A-Z]"
)
"""Names, calls and paths of programs."""
MOST_COMMAS = 3


def is_datum(value: str, most_words: int = 6) -> bool:
    """Whether a value in words is what a field holds, and no sentence, list or piece of a program.

    >>> is_datum("Boston Logan Airport"), is_datum("a ttl is required"), is_datum("st.space()"), is_datum("no, see")
    (True, False, False, False)
    """
    words = value.split()
    return (
        len(words) <= most_words
        and not _IN_CODE.search(value)
        and value.count(",") < MOST_COMMAS
        and not re.search(r", [a-z]", value)
        and (len(words) <= 4 or any(word[:1].isupper() or word[:1].isdigit() for word in words))
        and not any(word.casefold() in FINITE for word in words[:-1])
        and not (infinitive(words[0].casefold()) and len(words) > 2)
        and not (auxiliary_of(words[0].casefold()) and len(words) > 2)
    )
