"""Retrieved documents under the ids that the project has for them, whatever a system calls them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.domain.results.responses import Response
from core.domain.sources.document_ids import KnownDocuments
from core.domain.testset.cases import TestCase


def under_own_ids(
    ask: Callable[[TestCase], Response], documents: KnownDocuments | None
) -> Callable[[TestCase], Response]:
    """What asks, with each passage's document named as the project names it.

    Args:
        ask: Puts a case to the target.
        documents: The run's documents; None where none are known, and ids then stay as they came.
    """
    if documents is None:
        return ask

    def asked(case: TestCase) -> Response:
        response = ask(case)
        own = {name: documents.retrieved(name) for name in response.document_ids}
        if all(name == document_id for name, document_id in own.items()):
            return response
        contexts = tuple(replace(passage, document_id=own[passage.document_id]) for passage in response.contexts)
        return replace(response, contexts=contexts)

    return asked
