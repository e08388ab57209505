"""Questions that pages of questions and answers ask themselves, where a line or a paragraph answers them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.domain.sources.chunks import Chunk
from core.judging.match.reference import read_reference
from core.testset.corpus.reading.clauses.splitting import FINITE
from core.testset.corpus.reading.facts import Fact, FactRule
from core.testset.corpus.reading.labels import Labels
from core.testset.corpus.reading.naming.subjects import Subject, context_of
from core.testset.corpus.reading.prose import names_itself
from core.testset.corpus.reading.values import tells
from core.testset.corpus.reading.vocabulary.verbs import auxiliary_of
from core.text.blocks import LONG_LINE

_ASKED = re.compile(
    r"^(?:#{1,6} +|\*\*)?(?P<question>(?:What|Who|When|Where|How (?:many|much|long|often|large|far|old|big|high|fast))"
    r"\b[^\n|?]{6,140}\?)(?:\*\*)?[ \t]*#*\n(?:[=~-]{3,}[ \t]*\n)?\s*"
    r"(?P<answer>(?!Table:)[^\n|#]{1,90})(?=\n[ \t]*\n|\n#|\s*\Z)",
    re.MULTILINE,
)
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|this|that|these|those|he|she|his|her|here|there|such|same|we|our|us|also|else|my|mine)\b",
    re.IGNORECASE,
)
MOST_WORDS = 10
FEWEST_IN_A_PARAGRAPH, MOST_IN_A_PARAGRAPH = 5, 30
"""Words of an answer that is a paragraph, and so the reference of its question as a whole."""
MOST_SENTENCES = 2
FEWEST_QUESTIONS = 3
"""Questions of a document from which it is one of questions and answers."""
_LINE = re.compile(
    r"^(?:Q(?:uestion)? ?\d*(?:[.:)]| ) *|#{1,6} +|\*\*|\d{1,2}[.)] +)?(?P<question>(?:What|Who|When|Where|Which|Why|"
    r"How|Can|Do|Does|Is|Are|May|Must|Will|Should|Am)\b[^\n|?.]{6,110}\?)(?:\*\*)? *#*$",
    re.MULTILINE,
)
_HEADING = re.compile(r"^(?:#{1,6} +\S|Q(?:uestion)? ?\d*(?:[.:)] | {2}))", re.MULTILINE)
_ANSWER_MARK = re.compile(r"^A(?:nswer)?(?: ?[.:)]| {2}) *")
_NO_PARAGRAPH = re.compile(
    r"[|#\[\]<>{}]|^\s*(?:[-*+•]|\d+[.)]) |\bhttps?:|\bsee\b|\b(?:above|below)\b", re.MULTILINE | re.IGNORECASE
)
_LEFT_OPEN = re.compile(
    r"\b(?:it|they|them|this|that|these|those|he|she|here|there|such|same|also|else)\b", re.IGNORECASE
)


def answered_headings(chunk: Chunk, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The questions of headings that one short line answers.

    A question that names nothing is asked of its document.

    Args:
        chunk: The passage.
        about: What its document is about; None where that has no name.
        labels: Letter case of the collection.
    """
    short_lines = list(_ASKED.finditer(chunk.text))
    if about is not None:
        yield from _paragraphs(chunk, about, {match.start("question") for match in short_lines})
    for match in short_lines:
        question = " ".join(match["question"].split())
        answer = " ".join(match["answer"].split()).rstrip(".").strip()
        short = len(answer.split()) <= MOST_WORDS and not re.search(r"[.!?] |^\W", answer)
        if _POINTS.search(question) or not short or not tells(answer) or _cut(match, chunk.text):
            continue
        named = names_itself(f"the {question.split(maxsplit=1)[1]}", labels)
        if not named and about is None:
            continue
        lead = "" if named or about is None else f"{context_of(about)}, "
        yield Fact(
            chunk_id=chunk.id,
            document_id=chunk.document_id,
            rule=FactRule.CLAUSE,
            subject=about if about is not None and not named else Subject(words=question.rstrip("?")),
            attribute=question.rstrip("?"),
            value=answer,
            kind=read_reference(answer).kind,
            asked=f"{lead}{question[:1].lower()}{question[1:]}" if lead else question,
            start=match.start("question"),
            end=match.end("answer"),
        )


def _paragraphs(chunk: Chunk, about: Subject, asked: set[int]) -> Iterator[Fact]:
    """Questions that a whole paragraph answers, before the next question or heading."""
    lines, headings = list(_LINE.finditer(chunk.text)), list(_HEADING.finditer(chunk.text))
    for match in lines if len(lines) >= FEWEST_QUESTIONS else ():
        behind = [found.start() for found in (*lines, *headings) if found.start() >= match.end()]
        end = min(behind, default=0)
        told = chunk.text[match.end() : end].strip()
        answer = " ".join(_ANSWER_MARK.sub("", told).split())
        words = len(answer.split())
        question = " ".join(match["question"].split())
        if match.start("question") in asked or _LEFT_OPEN.search(question) or not end:
            continue  # it goes on in the next passage
        if not FEWEST_IN_A_PARAGRAPH <= words <= MOST_IN_A_PARAGRAPH or _NO_PARAGRAPH.search(told):
            continue
        if len(re.findall(r"[.!?](?= |$)", answer)) > MOST_SENTENCES:
            continue  # it goes on to what was not asked
        if "\n\n" in told or not answer.endswith((".", "!")):
            continue
        yield Fact(
            chunk_id=chunk.id,
            document_id=chunk.document_id,
            rule=FactRule.CLAUSE,
            subject=about,
            attribute=question.rstrip("?"),
            value=answer,
            kind=read_reference(answer).kind,
            asked=f"{context_of(about)}, {question[:1].lower()}{question[1:]}",
            start=match.start("question"),
            end=chunk.text.find(told, match.end()) + len(told),
        )


def _cut(match: re.Match[str], text: str) -> bool:
    """Whether an answer ends with its passage in the middle of a sentence, which the next line goes on with."""
    answer = match["answer"].strip()
    last = not text[match.end("answer") :].strip()
    verbal = any(word in FINITE or (auxiliary_of(word) or ("", ""))[0] in ("does", "do") for word in answer.split()[1:])
    return last and not answer.endswith((".", "!", ";")) and (len(answer) >= LONG_LINE or verbal)
