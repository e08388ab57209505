"""Questions that make up for those a stratum does not give: of other kinds, then from the other strata."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from core.domain.testset.questions import DocumentQuestion, QuestionKind
from core.testset.corpus.questions.plan import dealt
from core.testset.corpus.writing import QuestionSource, Request, RequestOutcome

ROUNDS = 6
"""How often what is still missing is dealt to the kinds that gave all they were asked for."""
MOST_OF_A_STATEMENT = 3
"""Questions about one row, field or sentence: openly, as a choice, and whether it is so."""
MOST_OF_A_COLUMN = 3
MOST_OF_A_TABLE = 6
MOST_LOOKED_UP = 2
"""Of them, those in the words of the table, which hand a system the place of the answer."""
LEAST_OF_A_DOCUMENT = 8
"""Questions about one document, however many there are, up to twice its even share."""
TIMES_THE_SHARE = 2
MOST_OF_A_FACT = 1
"""A fact that is asked for openly is not asked about again by whether it is so."""
REASON = "Makes up for questions that other kinds or topics did not give."


class Sparing:
    """A source that asks about no statement, column, table or document too often, whatever the kinds.

    Else one table fills a test set, and one head that reads badly spoils ten questions of forty.

    Args:
        source: Where candidates come from.
        most_of_a_document: Questions about one document.
    """

    def __init__(self, source: QuestionSource, *, most_of_a_document: int = LEAST_OF_A_DOCUMENT) -> None:
        self._source = source
        self._most = (most_of_a_document, MOST_OF_A_TABLE, MOST_OF_A_COLUMN, MOST_LOOKED_UP, MOST_OF_A_FACT)
        self._asked: Counter[object] = Counter()
        self._offered: Counter[object] = Counter()
        """What is examined now, which counts until it is settled."""

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """The candidates of the source, without those of which enough alike are accepted or offered."""
        for question in self._source.candidates(kind, chunk_ids, most):
            places = [(part.chunk_id, part.start, part.end) for part in question.support]
            if places and all(self._times(place) >= MOST_OF_A_STATEMENT for place in places):
                continue
            shared = zip(question.pattern, self._most, strict=False)
            if any(self._times(part) >= most_alike for part, most_alike in shared if part):
                continue
            self._offered.update(_counted(question))
            yield question

    def settle(self, accepted: Sequence[DocumentQuestion]) -> None:
        """Counts what was accepted of the candidates so far, and no longer what was not."""
        self._offered.clear()
        for question in accepted:
            self._asked.update(_counted(question))

    def _times(self, what: object) -> int:
        return self._asked[what] + self._offered[what]


def _counted(question: DocumentQuestion) -> list[object]:
    """The statements of a question, and what it shares with others."""
    places: list[object] = [(part.chunk_id, part.start, part.end) for part in question.support]
    return places + list(dict.fromkeys(part for part in question.pattern if part))


def share_of_a_document(questions: int, documents: int) -> int:
    """How many questions a document gives at most: twice its even share, and no fewer than eight.

    >>> share_of_a_document(60, 20), share_of_a_document(60, 5)
    (8, 24)
    """
    return max(LEAST_OF_A_DOCUMENT, -(-TIMES_THE_SHARE * questions // max(1, documents)))


class Fresh:
    """A source without the questions that were examined before.

    Args:
        source: Where candidates come from.
        examined: Ids of questions that were examined.
    """

    def __init__(self, source: QuestionSource, examined: Iterable[str]) -> None:
        self._source = source
        self._examined = frozenset(examined)

    def candidates(
        self, kind: QuestionKind, chunk_ids: Iterable[str], most: int | None = None
    ) -> Iterator[DocumentQuestion]:
        """The candidates of the source that are new."""
        candidates = self._source.candidates(kind, chunk_ids, most)
        return (question for question in candidates if question.id not in self._examined)


def further_requests(outcomes: Sequence[RequestOutcome], kinds: Mapping[QuestionKind, int]) -> tuple[Request, ...]:
    """What is missing of each stratum, dealt to the kinds that it gave in full.

    What a stratum misses that gave no kind in full is divided among the others in proportion to their passages, as
    :func:`core.testset.corpus.allocation.allocate` divides what a small stratum cannot give.

    Args:
        outcomes: Of the requests so far, in any number for a stratum and kind.
        kinds: The parts of each kind in the plan.
    """
    missing: dict[str, int] = {}
    givers: dict[str, dict[QuestionKind, Request]] = {}
    for outcome in outcomes:
        request = outcome.request
        missing[request.stratum] = missing.get(request.stratum, 0) + outcome.missing
        if request.n and not outcome.missing:
            givers.setdefault(request.stratum, {})[request.kind] = request
        elif request.n:
            givers.setdefault(request.stratum, {}).pop(request.kind, None)
    able_strata = [stratum for stratum in missing if givers.get(stratum)]
    pool = sum(n for stratum, n in missing.items() if stratum not in able_strata)
    shares = _divided(pool, [len(next(iter(givers[stratum].values())).chunk_ids) for stratum in able_strata])
    further = []
    for stratum, share in zip(able_strata, shares, strict=True):
        able, n = givers[stratum], missing[stratum] + share
        if n < 1:
            continue
        deck = dealt({kind: kinds.get(kind, 0) for kind in able}, n)
        further += [
            Request(
                stratum=stratum,
                kind=kind,
                n=deck.count(kind),
                chunk_ids=able[kind].chunk_ids,
                most_answered=able[kind].most_answered,
            )
            for kind in dict.fromkeys(deck)
        ]
    return tuple(further)


def _divided(n: int, sizes: Sequence[int]) -> list[int]:
    """A number in proportion to sizes, rounded by the largest remainder, equal ones to the earlier.

    >>> _divided(5, [3, 1])
    [4, 1]
    """
    total = sum(sizes)
    if not total:
        return [0] * len(sizes)
    parts = [n * size // total for size in sizes]
    order = sorted(range(len(sizes)), key=lambda place: (parts[place] * total - n * sizes[place], place))
    for place in order[: n - sum(parts)]:
        parts[place] += 1
    return parts
