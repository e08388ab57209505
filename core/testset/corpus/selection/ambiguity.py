"""Whether another document than a question's own may give it another answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from core.domain.sources.chunks import Chunk
from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.judging.match.reference import contains
from core.testset.corpus.chunk_words import ChunkWords
from core.text.words import contains_phrase, content_words, fold

ONE_ANSWER = frozenset({QuestionKind.SIMPLE, QuestionKind.TABLE, QuestionKind.MULTIPLE_CHOICE})
"""Kinds with one value for an answer, of which a passage can be seen to give it or not."""
FEWEST_WORDS = 2
"""Content words from which a passage that has all of them is about the question."""
_NAMED = re.compile(r'According to (?:"(?P<quoted>[^"]+)"|(?P<plain>[^,"]+)),')
"""What a question says first about the document that it is on."""


class Readings:
    """Compares questions with every passage of the collection.

    Args:
        chunks: Every chunk.
        titles: Titles of documents by id.
    """

    def __init__(self, chunks: Sequence[Chunk], titles: Mapping[str, str]) -> None:
        self._words = ChunkWords(chunks, titles)
        self._texts = {chunk.id: chunk.text for chunk in chunks}
        self._titles = titles

    def second(self, question: DocumentQuestion) -> str:
        """Why a question has a second reading; empty where none shows.

        A passage of another document, with its title and headings, that has every content word of the question and not
        its answer may answer it otherwise; where the question says according to which document, only one that is called
        so, too. Kinds whose answer is worked out, or is a word, are not compared.
        """
        if question.kind not in ONE_ANSWER or not question.support:
            return ""
        stem = question.text.split("\n", 1)[0].removesuffix("Answer with the words of one option.").strip()
        words = " ".join(content_words(stem))
        if len(words.split()) < FEWEST_WORDS:
            return ""
        own = {part.document_id for part in question.support}
        named = self._named(stem, own)
        for document, chunk_ids in self._words.documents_with(words).items():
            if document in own or (named and not self._is_called(document, named)):
                continue
            if not any(contains(question.reference, self._texts[chunk_id], stem) for chunk_id in chunk_ids):
                title = self._titles.get(document) or document
                return f"{title} has all of its words too, and not its answer: it may have another reading."
        return ""

    def _named(self, stem: str, own: Collection[str]) -> str:
        """The name of its own document that a question begins with; empty where it does with none."""
        match = _NAMED.match(stem)
        name = (match["quoted"] or match["plain"]) if match else ""
        return name if name and any(self._is_called(document, name) for document in own) else ""

    def _is_called(self, document: str, name: str) -> bool:
        return any(contains_phrase(fold(called), name) for called in (self._titles.get(document, ""), document))
