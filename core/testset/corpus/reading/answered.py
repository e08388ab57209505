"""Questions that pages of questions and answers ask in their headings, where a few words answer them."""

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
from core.testset.corpus.reading.verbs import auxiliary_of
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


def answered_headings(chunk: Chunk, about: Subject | None, labels: Labels) -> Iterator[Fact]:
    """The questions of headings that one short line answers.

    A question that names nothing is asked of its document.

    Args:
        chunk: The passage.
        about: What its document is about; None where that has no name.
        labels: Letter case of the collection.
    """
    for match in _ASKED.finditer(chunk.text):
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


def _cut(match: re.Match[str], text: str) -> bool:
    """Whether an answer ends with its passage in the middle of a sentence, which the next line goes on with."""
    answer = match["answer"].strip()
    last = not text[match.end("answer") :].strip()
    verbal = any(word in FINITE or (auxiliary_of(word) or ("", ""))[0] in ("does", "do") for word in answer.split()[1:])
    return last and not answer.endswith((".", "!", ";")) and (len(answer) >= LONG_LINE or verbal)
