"""Which of its contexts an answer names, by marks such as ``[1]``."""

from __future__ import annotations

import re

from core.domain.results.responses import Response

_MARK = re.compile(r"\[\s*(\d{1,3}(?:\s*[,;\u2013-]\s*\d{1,3})*)\s*\]")
_RANGE = re.compile(r"(\d+)(?:\s*[\u2013-]\s*(\d+))?")


def cited_documents(response: Response) -> tuple[str, ...]:
    """Ids of the documents that the answer names, each once, in the order of the marks.

    Args:
        response: Of a target whose contexts are numbered from 1 in the order in which they stand. A number beyond them
            names nothing.

    >>> from core.domain.results.responses import Context
    >>> contexts = tuple(Context(document_id=name) for name in "abc")
    >>> cited_documents(Response(case_id="c", answer="It is 5 [3][1-2]. See [9].", contexts=contexts))
    ('c', 'a', 'b')
    """
    numbers: dict[int, None] = {}
    for mark in _MARK.findall(response.answer or ""):
        for first, last in _RANGE.findall(mark):
            numbers.update(dict.fromkeys(range(int(first), int(last or first) + 1)))
    named = [response.contexts[number - 1].document_id for number in numbers if 1 <= number <= len(response.contexts)]
    return tuple(dict.fromkeys(named))
