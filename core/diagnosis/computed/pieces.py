"""The passages of a page by the words in them: in which of them do several things stand together?"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence

from core.judging.facts.subjects import Subject
from core.judging.match.readers.texts.codes import of_its_shape
from core.text.pages import Page
from core.text.words import contains_phrase, fold, words

NAME = re.compile(r"(?<=[a-z,;] )[^\W\d_a-z][\w'-]*")
"""What names something within a sentence: a capital behind a small letter."""
PRONOUNS = frozenset("he she it they his her its their this these the".split())  # noqa: SIM905
"""Words with which a sentence goes on about what the one before it names."""


class Pieces:
    """The passages of a page by the words in them, in what they stand under and in the passage before."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._by_word: defaultdict[str, set[int]] = defaultdict(set)
        for number, piece in enumerate(page.pieces):
            for word in (*words(piece.folded), *words(piece.before)):
                self._by_word[word].add(number)

    def in_one_place(self, terms: Sequence[Subject], *, own: bool) -> str | None:
        """The passage in which, with what it stands under, all terms are; None where there is none.

        Anywhere on the row's own page will do.
        """
        pieces = self.page.pieces
        open_terms = [term for term in terms if not self.page.is_about(term.name)]
        # Words are looked up, and numbers are compared in what is left.
        open_terms.sort(key=lambda term: (term.value is not None, not term.name.isdigit()))
        here: Collection[int] = range(len(pieces))
        for term in open_terms:
            here = self._having(term, here)
        if here:
            return pieces[min(here)].passage.text
        if own and pieces and all(self._having(term, range(len(pieces))) for term in open_terms):
            return next((pieces[min(self._having(term, range(len(pieces))))].passage.text for term in open_terms), "")
        return self._in_one_part(open_terms) or self._in_one_thread(open_terms)

    def _having(self, term: Subject, among: Collection[int]) -> Collection[int]:
        """The passages among some that state a term."""
        written = [self._by_word.get(word, set()) for word in words(term.name)]
        near = set.intersection(*written) if written else set()
        pieces = self.page.pieces
        if term.value is None:
            within = near & among if isinstance(among, set) else near
            return {
                at for at in within if at in among and (pieces[at].names(term.name) or pieces[at].follows(term.name))
            }
        plain = {at for at in near if at in among and pieces[at].names(term.name)}
        return plain or {at for at in among if term.stated_in(pieces[at])}

    def _in_one_part(self, terms: Sequence[Subject]) -> str | None:
        """A passage of what stands under one heading, which has one of the terms, where all of them are."""
        pieces = self.page.pieces
        for term in terms:
            parts: defaultdict[str, list[int]] = defaultdict(list)
            for at in self._having(term, range(len(pieces))) if term.value is None else ():
                if contains_phrase(fold(pieces[at].passage.heading), term.name):
                    parts[pieces[at].passage.heading].append(at)
            for part in parts.values():
                having = [self._having(other, part) for other in terms if other is not term]
                if all(having):
                    return pieces[min(having[-1] if having else part)].passage.text
        return None

    def _in_one_thread(self, terms: Sequence[Subject]) -> str | None:
        """The last of successive sentences about one of the terms in which all others are.

        "Donor D-4373, Orla Dunne, was born in 1999. She weighs 77 kg. Orla usually gives at Limekiln Annex." A sentence
        goes on about the donor where it begins with a pronoun or with a word that the first one has, or names nothing,
        and where it names no other thing of its kind.
        """
        pieces = self.page.pieces
        for term in terms if len(terms) > 1 else ():
            for start in sorted(self._having(term, range(len(pieces)))) if term.value is None else ():
                thread = self._thread(start, term.name)
                having = [self._having(other, thread) for other in terms if other is not term]
                if len(thread) > 1 and all(having):
                    return pieces[max(min(found) for found in having)].passage.text
        return None

    def _thread(self, start: int, name: str) -> list[int]:
        """The passages of a block from one on that speak of the same thing."""
        pieces = self.page.pieces
        known, thread = pieces[start].words, [start]
        for at in range(start + 1, len(pieces)):
            passage, former = pieces[at].passage, pieces[at - 1].passage
            first = next(iter(words(passage.text)), "")
            goes_on = first in PRONOUNS or first in known or not NAME.search(passage.text)
            if passage.before != former.text or not goes_on or of_its_shape(name, pieces[at].folded):
                break
            thread.append(at)
        return thread
