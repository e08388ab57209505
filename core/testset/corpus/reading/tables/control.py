"""What controls a document and is not what it is about: its issues, who wrote and signed it, when it was filed."""

from __future__ import annotations

import re

from core.testset.corpus.reading.tables.grids import Grid

_ISSUES = re.compile(
    r"(?:issue|version|revision|rev|ver|edition|amendment|change|update)s?\.?(?: (?:no\.?|number|#|date))?",
    re.IGNORECASE,
)
_OF_ISSUES = re.compile(
    r"(?:.* )?(?:author|editor|changes?|amendments?|summary(?: of .*)?|reason(?: .*)?|date|status|by|"
    r"(?:approved|prepared|checked|issued)(?: by)?)",
    re.IGNORECASE,
)
_CONTROL = re.compile(
    r"(?:(?:document|file|page|record|form|report|memo|sheet) )?(?:authors?|originator|prepared|checked|compiled|"
    r"drafted|typed|printed|filed|uploaded|saved|signed|signature|sign-?off|distribution|written|"
    r"(?:file|print) date|file name|"
    r"date (?:written|filed|printed|signed|saved|prepared|closed|issued)|"
    r"date of (?:the )?(?:document|file|signature|printing|issue|revision|edition|publication)|"
    r"(?:issue|publication|revision|print|last saved|modification) date)(?: (?:by|on|no\.?|number|name))?",
    re.IGNORECASE,
)


def is_of_control(grid: Grid) -> bool:
    """Whether a table lists the issues of its document: "| Issue | Date | Author | Summary of change |"."""
    return bool(_ISSUES.fullmatch(grid.heads[0].strip())) and any(
        _OF_ISSUES.fullmatch(head.strip()) for head in grid.heads[1:]
    )


def controls(attribute: str) -> bool:
    """Whether a field tells how a document was made and filed, which nobody asks of what it says.

    >>> controls("author"), controls("file date"), controls("prepared by"), controls("owner")
    (True, True, True, False)
    """
    return _CONTROL.fullmatch(attribute.strip()) is not None
