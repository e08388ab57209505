"""Names of records and of documents in one spelling, so that they can be compared by looking them up."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from core.domain.sources.document_ids import normalise_id
from core.sources.database.words import split_words
from core.testset.grounded.words.inflection import singular

LONGEST = 300
"""Characters of a name that are looked at; what is longer is no name."""
_SIGNS = re.compile(r"[\W_]+")
_ENDING = re.compile(r"\.[^\W_]{1,5}\Z")
_ZEROS = re.compile(r"\A0+(?=\d)")


def plain(text: str) -> str:
    """Words in lower case with one blank between them, without accents and signs; empty for what is no name.

    >>> plain("Queso_Cabrales"), plain("  Gumbär Gummibärchen! "), plain("queso-cabrales")
    ('queso cabrales', 'gumbar gummibarchen', 'queso cabrales')
    """
    return prose(text) if len(text) <= LONGEST else ""


def prose(text: str) -> str:
    """The same of a text of any length."""
    apart = unicodedata.normalize("NFKD", text.replace("'", "").replace("\u2019", ""))
    letters = "".join(sign for sign in apart if not unicodedata.combining(sign))
    return _SIGNS.sub(" ", letters.casefold()).strip()


def key(text: str) -> str:
    """A key as keys are compared: no letter case, no zeros in front, one dash between the parts of a composite one.

    >>> key("007"), key("ALFKI"), key("10048_011"), key("3.0")
    ('7', 'alfki', '10048-11', '3')
    """
    parts = plain(normalise_id(text)).split(" ")
    return "-".join(_ZEROS.sub("", part) for part in parts)


def without_ending(name: str) -> str:
    """A path without the ending of its file.

    >>> without_ending("a/product-01.md"), without_ending("products:1"), without_ending("v1.25 notes")
    ('a/product-01', 'products:1', 'v1.25 notes')
    """
    return _ENDING.sub("", name)


def last_part(name: str) -> str:
    """The name of a file without its folders."""
    return PurePosixPath(name).name if "/" in name else name


def table_names(table: str) -> tuple[str, ...]:
    """How a table and one of its rows may be called in names of files, most usual first, in lower case.

    >>> table_names("Order Details"), table_names("branch")
    (('order details', 'order detail', 'orderdetails', 'orderdetail'), ('branch', 'branches'))
    """
    words = split_words(table.rpartition(".")[2])
    if len(words) > 1 and words[0] in ("tbl", "dim", "fact", "t"):
        words = words[1:]
    one = singular(words[-1])
    several = words[-1] if one != words[-1] else plural(one)
    phrases = dict.fromkeys([plain(table), *(" ".join([*words[:-1], word]) for word in (one, several))])
    glued = (phrase.replace(" ", "") for phrase in phrases)
    return tuple(filter(None, dict.fromkeys([*phrases, *glued])))


def plural(word: str) -> str:
    """The plural of an English noun, by rule.

    >>> [plural(word) for word in ("branch", "company", "product", "day")]
    ['branches', 'companies', 'products', 'days']
    """
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
