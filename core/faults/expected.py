"""What a wrong answer with planted faults should be called: the first broken link of the chain.

An answer needs the knowledge, then the search, then the reader. Where two faults meet in one fact, mending the later
one alone would change nothing, so that the earlier one is its cause:

1. Every page that stated the fact states another value: a contradiction.
2. No page states the fact any more: a knowledge gap.
3. Some page states it, and none of them is among those that were retrieved: retrieval.
4. A page that states it was retrieved: the reader.

Either of two answers counts in two places:

- A page that states the fact was retrieved, but the texts that the system reports of it do not hold the passage. The
  search found the page and missed the part: retrieval or the reader.
- The value was changed and the answer does not come from the changed page, since search or reader fails as well.
  Nothing then shows where the other value stands, and no page states the true one: a contradiction or a knowledge gap.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.domain.results.responses import Context, Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.sources.documents import Document
from core.faults.kinds import Cause, FaultKind
from core.faults.planting import PlantedFault


def expected_causes(
    fault: PlantedFault,
    response: Response,
    before: Response,
    documents: Mapping[str, Document],
    known: KnownDocuments,
) -> tuple[Cause, ...]:
    """The causes that may be named for a wrong answer, the better one first.

    Args:
        fault: What was planted in its fact.
        response: The answer with what was retrieved for it.
        before: The right answer before any fault, with what was retrieved for that.
        documents: The pages of the copy, by id.
        known: Their ids.
    """
    if fault.kinds == (FaultKind.READER,) and response.contexts == before.contexts:
        return (Cause.READER,)  # with these passages the answer was right
    if FaultKind.VALUE_CHANGED in fault.kinds:
        return (Cause.CONTRADICTION, Cause.KNOWLEDGE_GAP) if fault.also else (Cause.CONTRADICTION,)
    if not fault.repeated:
        return (Cause.KNOWLEDGE_GAP,)
    retrieved, _ = known.resolve(response.document_ids)
    if set(fault.repeated).isdisjoint(retrieved):
        return (Cause.RETRIEVAL,)
    texts = [context for context in response.contexts if context.text.strip()]
    if texts and not _holds(fault, texts, documents, known):
        return Cause.RETRIEVAL, Cause.READER
    return (Cause.READER,)


def _holds(
    fault: PlantedFault, contexts: Sequence[Context], documents: Mapping[str, Document], known: KnownDocuments
) -> bool:
    """Whether the texts that were retrieved hold the passage, or the whole of another page that states the fact."""
    passage = _plain(fault.after)
    for context in contexts:
        page = known.find(context.document_id)
        if page in fault.repeated:
            text = _plain(context.text)
            if (passage and passage in text) or _plain(documents[page].text) in text:
                return True
    return False


def _plain(text: str) -> str:
    return " ".join(text.split())
