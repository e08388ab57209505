"""How documents state what a template asks for, learnt from its other facts: in which words, and in which place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence

from core.domain.sources.documents import Document
from core.domain.testset.cases import TestCase
from core.judging.facts.fact import Fact
from core.judging.facts.index import FactIndex
from core.judging.facts.search import place_of
from core.judging.facts.wordings.places import Place
from core.judging.facts.wordings.siblings import StatedFact, Wording, further_wordings, usual_wording, wording_of_one


class Learnt:
    """What the facts of a test set show of how documents state them; each looked for once.

    Args:
        index: All documents.
        stated: How a document states the fact of some wordings; None where none does.
        about: That fact, with its gold documents.
    """

    def __init__(
        self,
        index: FactIndex,
        stated: Callable[[Sequence[TestCase]], StatedFact | None],
        about: Callable[[Sequence[TestCase]], tuple[Fact, Sequence[Document]]],
    ) -> None:
        self._index = index
        self._stated = stated
        self._about = about
        self._of_column: defaultdict[str, defaultdict[str, list[TestCase]]] = defaultdict(lambda: defaultdict(list))
        self._of_template: defaultdict[str, defaultdict[str, list[TestCase]]] = defaultdict(lambda: defaultdict(list))
        self._wordings: dict[str, Wording | None] = {}
        self._further: dict[str, tuple[Wording, ...]] = {}
        self._places: dict[str, Place | None] = {}

    def add(self, case: TestCase) -> None:
        """Takes a case to learn from."""
        self._of_column[_asked_for(case)][case.group_id].append(case)
        self._of_template[case.sql_template_id][case.group_id].append(case)

    def wording(self, case: TestCase) -> Wording | None:
        """How documents word the property that a case asks for."""
        asked_for = _asked_for(case)
        if asked_for not in self._wordings:
            read = (self._stated(members) for members in self._of_column[asked_for].values())
            stated = [fact for fact in read if fact is not None]
            usual = usual_wording(stated) or wording_of_one(stated)
            self._wordings[asked_for] = usual
            self._further[asked_for] = tuple(one for one in further_wordings(stated) if one != usual)
        return self._wordings[asked_for]

    def further(self, case: TestCase) -> tuple[Wording, ...]:
        """Other wordings of the property, which some documents have."""
        self.wording(case)
        return self._further.get(_asked_for(case), ())

    def place(self, case: TestCase) -> Place | None:
        """Where documents have what the template of a case asks for."""
        template_id = case.sql_template_id
        if template_id not in self._places:
            known = [self._about(members) for members in self._of_template[template_id].values()]
            self._places[template_id] = place_of([pair for pair in known if pair[0].values], self._index)
        return self._places[template_id]


def _asked_for(case: TestCase) -> str:
    """What facts have in common that documents word alike: the column, of whatever table, else the SQL template."""
    return case.attributes.get("asks_for", "").rpartition(".")[2].casefold() or case.sql_template_id
