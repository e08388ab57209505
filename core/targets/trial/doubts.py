"""Whether answers look as if they were misread: no passages, no ids, ids that no document has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from core.domain.results.responses import Response
from core.domain.sources.document_ids import KnownDocuments

SHOWN: Final = 3
LONGEST: Final = 60


def doubts_of(
    responses: Sequence[Response],
    documents: KnownDocuments | None,
    ids: Mapping[str, str] | None = None,
    *,
    texts: bool = True,
) -> list[str]:
    """What is suspicious in answers that came, one sentence each; empty where nothing is.

    Args:
        responses: Answers of a system. Those without an answer and without passages, and those that say they declined,
            tell nothing.
        documents: The project's documents; None where none are known.
        ids: Other names in the passages that could be those of their documents, with a value.
        texts: Whether passages should have a text.
    """
    telling = [item for item in responses if (item.answer is not None or item.contexts) and not item.abstained]
    if not telling:
        return []
    answers = "The answer has" if len(telling) == 1 else f"The first {len(telling):,} answers have"
    passages = [context for item in telling for context in item.contexts]
    if not passages:
        return [f"{answers} no passages, so neither retrieval nor what answers rest on can be judged."]
    doubts = []
    if texts and not any(context.text for context in passages):
        doubts.append(f"{answers} passages without a text, so what answers rest on cannot be judged.")
    named = tuple(dict.fromkeys(context.document_id for context in passages if context.document_id))
    if not named:
        doubts.append(f"{answers} passages without an id of their document, so recall and precision have no value.")
    elif documents is not None and not any(documents.find_all(documents.retrieved(name)) for name in named):
        examples = ", ".join(repr(name[:LONGEST]) for name in named[:SHOWN])
        doubts.append(f"{answers} ids that no document of the project has, such as {examples}.{_other(documents, ids)}")
    return doubts


def _other(documents: KnownDocuments, ids: Mapping[str, str] | None) -> str:
    """Which other name in the passages holds the id of a document, if one does."""
    fitting = [name for name, value in (ids or {}).items() if documents.find_all(documents.retrieved(value))]
    return f" Under {fitting[0]!r} the passages have one: name it as the document's id." if fitting else ""
