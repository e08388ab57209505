"""Does a document state a fact, leave it out, say something else, or can words not decide?

A fact is a subject (the values a question was filled with), a property (the words its wordings share) and a value
(any of the reference answers). A *document* states it: the subject may stand in the title, in a heading or in another
sentence of it, and only a passage that speaks about somebody else does not count. Looked at in this order:

1. PRESENT: a gold document states the value where the property belongs, whatever way it writes a date or a number.
2. PRESENT: another document states the value in a passage about the subject and the property, and the gold document
   contradicts it nowhere. A document that is called by the subject may state it in the words that the documents use
   for other subjects.
3. PRESENT: a document that the subject's page names with a word of the property states the rest of it: where the
   manager of Jane is Nancy, the page of Nancy states the birth date of Jane's manager.
4. CONTRADICTED: no document states the value, and a passage of the gold document about the subject whose own words are
   the property holds another value of the same kind. Where it is not known which document should hold the fact, those
   that are called by the subject stand in for it. The words of the property may be those that the documents use for
   other subjects; of a value that stands on many pages by chance they decide before anything else. What may be the
   value in another form contradicts nothing (:mod:`core.judging.facts.forms`).
5. UNDECIDED: the documents contradict each other; or a document holds the subject and the value, and words cannot tell
   whether they belong together; or the value is of a kind that documents put in other words; or two documents may state
   it together, where it is not known which should.
6. ABSENT: every document that mentions the subject was read, and none holds the value beside it.

Where a passage only mentions the property ("will be published in spring") nothing is contradicted and the fact is
absent; the fact is also absent where a date is less precise.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from core.domain.sources.documents import Document
from core.domain.sources.evidence import FactEvidence, FactFinding
from core.judging.facts.contradictions import contradiction, unreadable
from core.judging.facts.doubts import is_elses
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex, Titles
from core.judging.facts.links import beside_one_subject, linked, mentions_all, with_links
from core.judging.facts.reading import Reading, Source, read
from core.judging.facts.wordings.places import Place, in_place, other_in_place, standings, usual_place
from core.judging.facts.wordings.siblings import Wording, is_worded, stated_alike, states_of_another, worded_alike
from core.text.pages import Page, Piece
from core.text.passages import PassageKind

VERSION = 13
"""Grows when the same documents would be read in another way: what an older version found is then searched again."""


def find_evidence(
    fact: Fact,
    gold_documents: Sequence[Document],
    index: FactIndex,
    wrong_answers: Sequence[str] = (),
    *,
    gold_known: bool = True,
    gold_whole: bool = True,
    wording: Wording | None = None,
) -> FactFinding:
    """Finds what the documents say about one fact.

    Args:
        fact: What should be stated.
        gold_documents: The documents that should hold it; empty where they do not exist.
        index: All documents.
        wrong_answers: The wrong answers of targets, without abstentions; they show where another value stands.
        gold_known: Whether it is known which documents should hold it. Where it is not, a document that is called by
            the subject can contradict the fact; where it is, another document may be out of date.
        gold_whole: Whether all of these documents exist. Where the page of an order is missing, that of its customer
            says nothing of the order by itself.
        wording: How documents word the same property of other subjects, where that is known.

    Returns:
        The evidence with the passage; UNKNOWN without documents, without an answer, or without both subject and gold.
    """
    if not index.documents or not fact.values or not (fact.subjects or gold_documents):
        return FactFinding(evidence=FactEvidence.UNKNOWN)
    # What a single fact shows is enough to tell another value of the same shape, and for nothing else.
    wording, of_one = (None, wording) if wording is not None and wording.alone else (wording, None)
    gold = _own_pages(fact, gold_documents, whole=gold_whole)
    gold_ids = {document.id for document in gold_documents}
    others = [
        Source(document=document, page=page)
        for document, page in _mentioning(index, fact)
        if document.id not in gold_ids
    ]
    standing_in = () if gold_known else others
    # A small number stands on many pages by chance: the words beside it decide.
    decisive = None if fact.telling else wording
    if decisive and (other_value := worded_alike(fact, (*gold, *standing_in), decisive)):
        return other_value

    def of_another(piece: Piece) -> bool:
        return wording is not None and states_of_another(fact, piece.passage.text, wording)

    in_gold, elsewhere = read(fact, gold), read(fact, others, index.titles, of_another)
    if finding := in_gold.present():
        # "2.00" stands beside other words on the page, and in the words of the property there is only another value.
        if wording and in_gold.by_the_way and (other_value := worded_alike(fact, gold, wording)):
            return other_value
        repeated = elsewhere.present()
        return replace(finding, document_ids=(*finding.document_ids, *(repeated.document_ids if repeated else ())))
    other_value = contradiction(fact, gold, wrong_answers)
    behind = Reading(stated=[])
    if not elsewhere.stated:
        about = [*(source for source in gold if mentions_all(fact, source)), *others]
        behind = read(fact, linked(fact, about, index.titles))
    if stated := elsewhere.present() or behind.present():
        return _not_in_gold(fact, gold, stated, other_value, wording)
    if other_value := other_value or contradiction(fact, standing_in, wrong_answers):
        return other_value
    shown = wording or of_one
    if shown is not None and (other_value := worded_alike(fact, (*gold, *standing_in), shown)):
        return other_value
    if wording is not None and (usual := stated_alike(fact, (*gold, *standing_in), wording)):
        return usual
    # Where it is known how pages word the property, a small number beside other words on another page is another one.
    by_chance = decisive is not None and gold_known
    in_others = None if by_chance else elsewhere.doubtful or behind.doubtful
    doubtful = in_gold.doubtful or unreadable(fact, gold) or in_others
    if doubtful := doubtful or (None if gold_known else beside_one_subject(fact, index)):
        document, passage = doubtful
        return FactFinding(evidence=FactEvidence.UNDECIDED, document_id=document.id, passage=passage)
    return FactFinding(evidence=FactEvidence.ABSENT)


def placed(
    fact: Fact, finding: FactFinding, gold_documents: Sequence[Document], index: FactIndex, place: Place
) -> FactFinding:
    """What a fact comes to that no words of the question state, where documents have such facts in a usual place.

    Args:
        fact: What should be stated.
        finding: What was found without the place.
        gold_documents: As for :func:`find_evidence`.
        index: All documents.
        place: Where documents have the same property of other subjects.
    """
    sources = sources_about(fact, gold_documents, index)
    stated = in_place(fact, sources, place)
    if stated is not None:
        return stated
    return other_in_place(fact, sources, place) or finding


def by_itself(fact: Fact, finding: FactFinding, gold_documents: Sequence[Document], index: FactIndex) -> FactFinding:
    """An absent small number that stands by itself on a page called by its subject is undecided.

    "It can take 46 patients" has no word of "bed count", and where no other fact shows how pages word it, 46 may be it.
    """
    if fact.telling or finding.evidence is not FactEvidence.ABSENT or not any(value.number for value in fact.values):
        return finding
    for source, piece, _ in standings(fact, sources_about(fact, gold_documents, index)):
        if source.is_titled(fact, piece) and piece.passage.kind is not PassageKind.CELL:
            return replace(
                finding,
                evidence=FactEvidence.UNDECIDED,
                document_id=source.document.id,
                passage=piece.passage.text,
            )
    return finding


def beside_subject(fact: Fact, sources: Iterable[Source], titles: Titles) -> FactFinding | None:
    """Where documents say a rare value of nobody but the subjects, in whatever words; None where they do not.

    That states the fact where the value is nothing else of theirs: it is for the caller to know what else they have.

    Args:
        fact: What should be stated.
        sources: The documents about its subjects.
        titles: Of all documents.
    """
    if not fact.telling or any(value.reworded for value in fact.values):
        return None
    stated = [
        (0, source.document, piece)
        for source in sources
        for place, piece in enumerate(source.page.pieces)
        if fact.stated_in(piece) and source.is_about(fact, place) and not is_elses(fact, source.page, piece, titles)
    ]
    return Reading(stated=stated).present()


def place_of(facts: Sequence[tuple[Fact, Sequence[Document]]], index: FactIndex) -> Place | None:
    """The place in which documents have the values of most facts of a kind; None where there is none.

    Args:
        facts: Of several subjects, each with its gold documents.
        index: All documents.
    """
    read = [(fact, sources_about(fact, gold, index)) for fact, gold in facts]
    standing = [(fact, [at for _, _, at in standings(fact, sources)]) for fact, sources in read]
    place = usual_place([(fact.values[0].key, places) for fact, places in standing if places])
    if place is None:
        return None
    # Where the page of another subject has its value elsewhere and another one there, the place shows no contradiction.
    misled = any(
        places and not any(place.holds(at) for at in places) and other_in_place(fact, sources, place) is not None
        for (fact, sources), (_, places) in zip(read, standing, strict=True)
    )
    return replace(place, sure=not misled)


def sources_about(fact: Fact, gold_documents: Sequence[Document], index: FactIndex) -> list[Source]:
    """The gold documents, then every other one that mentions the subjects."""
    gold = [Source.of(document, gold=True) for document in gold_documents]
    ids = {source.document.id for source in gold}
    others = (Source(document=document, page=page) for document, page in _mentioning(index, fact))
    return [*gold, *(source for source in others if source.document.id not in ids)]


def _own_pages(fact: Fact, documents: Sequence[Document], *, whole: bool) -> tuple[Source, ...]:
    """The documents that should hold a fact, as far as they are about its subjects or are named by one that is."""
    gold = with_links(fact, [Source.of(document, gold=True) for document in documents])
    return gold if whole else tuple(source for source in gold if source.said is not None or mentions_all(fact, source))


def _not_in_gold(
    fact: Fact,
    gold: Sequence[Source],
    stated: FactFinding,
    other_value: FactFinding | None,
    wording: Wording | None,
) -> FactFinding:
    """What it means that another document states the fact and the gold document does not, or contradicts it."""
    # Another property may have all words of this one: the title of courtesy is no title.
    if other_value is None or (wording is not None and worded_alike(fact, gold, wording) is None):
        return stated
    # In the words that documents use for the property there is only the other value: the ship city of an order of
    # Ann Lee is not her city.
    if wording is not None and not is_worded(fact, stated.passage, wording):
        return other_value
    # The documents contradict each other: it is not for words to tell which of them is out of date.
    return replace(stated, evidence=FactEvidence.UNDECIDED)


def passages_state(
    fact: Fact,
    passages: Iterable[tuple[str, str]],
    stating: Collection[str],
    index: FactIndex | None = None,
    wording: Wording | None = None,
    evidence: str = "",
    place: Place | None = None,
) -> bool | None:
    """Whether passages that a target retrieved state a fact, by themselves or one that leads to another.

    Args:
        fact: What should be stated.
        passages: The id of the document and the text of each; a text may be empty where only the id is known.
        stating: Ids of the documents that state the fact. A passage of one of them is about the subject, whose name may
            stand in another part of the document.
        index: All documents, by which a passage gets the title of its document.
        wording: How documents word the same property of other subjects, where that is known; it decides about a value
            that stands in many passages by chance.
        evidence: The passage by which the documents state the fact, which counts in whatever words.
        place: Where documents have the same property of other subjects, where that is how they state this one.

    Returns:
        None where no passage has a text, so that it is not known what the target read.
    """
    whole = {
        document_id: document
        for document_id in stating
        if index is not None and (document := index.document(document_id)) is not None
    }
    behind = {
        source.document.id
        for source in with_links(fact, [Source.of(document, gold=True) for document in whole.values()])
        if source.said is not None
    }
    sources = read_passages(passages, {known for known in stating if known not in behind}, index)
    if not sources:
        return None
    if place is not None and in_place(fact, sources, place) is not None:
        return True
    if wording is not None and not wording.alone and not fact.telling:
        return stated_alike(fact, sources, wording) is not None or any(
            fact.shared <= piece.own or piece.passage.text == evidence for _, _, piece in read(fact, sources).stated
        )
    if not behind:
        return bool(read(fact, sources).stated)
    read_together = with_links(fact, [replace(source, gold=True) for source in sources])
    told = [source for source in read_together if source.said is not None]
    return bool(read(fact, [*sources, *told]).stated)


def read_passages(passages: Iterable[tuple[str, str]], gold: Collection[str], index: FactIndex | None) -> list[Source]:
    """Passages that a target retrieved, each with the title of its document; those without a text are left out.

    Args:
        passages: The id of the document and the text of each.
        gold: Ids of the documents that are known to be about the subject.
        index: All documents.
    """
    sources = []
    for document_id, text in passages:
        if text.strip():
            known = index.document(document_id) if index is not None else None
            document = Document(id=document_id, title=known.title if known else "", text=text)
            sources.append(Source.of(document, gold=document_id in gold))
    return sources


def _mentioning(index: FactIndex, fact: Fact) -> tuple[tuple[Document, Page], ...]:
    """Every document that mentions each subject in any spelling."""
    named = [subject.name for subject in fact.subjects if subject.value is None]
    written = [subject for subject in fact.subjects if subject.value is not None]
    if not named:
        return index.mentioning(fact.names)
    return tuple(
        (document, page)
        for document, page in index.mentioning(named)
        if all(subject.mentioned(page) for subject in written)
    )
