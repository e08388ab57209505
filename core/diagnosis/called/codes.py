"""Values of a list of codes: a passage about the subject that has one of them states it, whatever words it uses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.text.pages import Page, page_of
from core.text.words import contains_phrase, fold, stems

LEAST_TELLING = 4
"""Letters of a word that tells one label of a list from others."""


def stated_as_code(finding: FactFinding, answers: Sequence[str], codes: Sequence[str]) -> FactFinding:
    """What an undecided fact comes to where its answer is one of a list: "is zoned open space" names one zone only.

    Args:
        finding: With the passage that has the answer, about the subject.
        answers: With what documents call them.
        codes: All that the answer could be, as documents call it; empty where that is no list.
    """
    listed = {fold(code) for code in codes}
    mine = {fold(answer) for answer in answers} & listed
    text = fold(finding.passage)
    named = {code for code in listed if contains_phrase(text, code)}
    # "Pending review" has "Pending" in it.
    named = {code for code in named if not any(code != other and contains_phrase(other, code) for other in named)}
    if not mine or not named or not named <= mine:
        return finding
    return replace(finding, evidence=FactEvidence.PRESENT, document_ids=(finding.document_id,))


def code_on_page(documents: Sequence[Document], answers: Sequence[str], codes: Sequence[str]) -> FactFinding | None:
    """What a record's own page says where it names one of the list and no other; None where it names several or none.

    Args:
        documents: The record's own pages.
        answers: With what documents call them.
        codes: As above.
    """
    listed = {fold(code) for code in codes}
    mine = {fold(answer) for answer in answers} & listed
    for document in documents if mine else ():
        pieces = page_of(document).pieces
        named = {code: piece for piece in pieces for code in listed if contains_phrase(piece.folded, code)}
        only = [code for code in named if not any(code != other and contains_phrase(other, code) for other in named)]
        if len(only) == 1:
            return FactFinding(
                evidence=FactEvidence.PRESENT if only[0] in mine else FactEvidence.CONTRADICTED,
                document_id=document.id,
                passage=named[only[0]].passage.text,
                document_ids=(document.id,),
                other_value="" if only[0] in mine else only[0],
            )
    return None


def code_beside(
    pages: Iterable[tuple[Document, Page]], subjects: Sequence[str], answers: Sequence[str], codes: Sequence[str]
) -> FactFinding | None:
    """The first passage that names every subject and the answer, and no other one of the list; None without such.

    "Otto Iversen, master, with the line since 2001" has no word of "rank", and names one rank.

    Args:
        pages: Those that mention the subjects.
        subjects: Folded.
        answers: With what documents call them.
        codes: As above.
    """
    listed = {fold(code) for code in codes}
    mine = {fold(answer) for answer in answers} & listed
    for document, page in pages if mine and subjects else ():
        for piece in page.pieces:
            if not all(piece.names(name) for name in subjects):
                continue
            named = {code for code in listed if contains_phrase(piece.folded, code)}
            if named and named <= mine:
                return FactFinding(
                    evidence=FactEvidence.PRESENT,
                    document_id=document.id,
                    passage=piece.passage.text,
                    document_ids=(document.id,),
                )
    return None


def has_passage(passages: Iterable[tuple[str, str]], finding: FactFinding) -> bool:
    """Whether retrieved passages have the one that states a fact, of the same document.

    Args:
        passages: The id of the document and the text of each.
        finding: Of the fact.
    """
    text = fold(finding.passage)
    return bool(text) and any(known == finding.document_id and text in fold(passage) for known, passage in passages)


def has_part_of_label(documents: Sequence[Document], answers: Sequence[str], codes: Sequence[str]) -> bool:
    """Whether a passage of a record's own page has a telling word of the answer and of no other of the list.

    "It is set aside for transfer" may say what a list calls "to be transferred".

    Args:
        documents: The record's own pages.
        answers: With what documents call them.
        codes: All that the answer could be, as documents call it.
    """
    mine = frozenset(family for answer in answers for family in stems(answer))
    others = frozenset(family for code in codes if code not in answers for family in stems(code))
    telling = {family for family in mine - others if len(family) >= LEAST_TELLING}
    for document in documents if telling else ():
        for piece in page_of(document).pieces:
            if piece.stems & telling and not piece.stems & (others - mine):
                return True
    return False
