"""What an SQL template asks, as two noun phrases: the answer and what it belongs to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from core.domain.schema import Schema, Table
from core.sources.database.words import split_words
from core.testset.grounded.binding import BoundPlaceholder, BoundTemplate, OutputColumn, bind
from core.testset.grounded.entities import labels
from core.testset.grounded.phrases import column_noun, is_plural, role_noun, table_noun

TEMPORAL = ("DATE", "TIME")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A template in words.

    Attributes:
        answer: What is asked for ("opening date").
        plural: Whether `answer` takes "are".
        subject: What it is asked of, without its first article, with the placeholders in quotes
            ("branch '[branch.name]'").
        joined: How the two are joined ("of", "for").
    """

    answer: str
    plural: bool
    subject: str
    joined: str = "of"

    @property
    def definite(self) -> str:
        """The subject with every article, for full sentences."""
        return f"the {self.subject}"

    @property
    def terse(self) -> str:
        """The subject as a fragment says it: articles only where a noun has no name of its own."""
        first, *rest = self.subject.split(" and the ") if self.joined == "for" else [self.subject]
        named = " of the " not in first or first.index("'") < first.index(" of the ")
        return " and ".join([first if named else f"the {first}", *rest])


@dataclass(frozen=True, slots=True)
class _Link:
    """One join: `child` points to `parent` by `columns`."""

    child: str
    parent: str
    columns: tuple[str, ...]


def meaning_of(sql: str, schema: Schema) -> Meaning | None:
    """Reads a template's meaning off its joins and comparisons.

    Args:
        sql: The template.
        schema: The database's tables.

    Returns:
        The meaning, or None where the statement is more than a selection, a projection and joins along keys.
    """
    bound = bind(sql, schema)
    tree = bound.safe.tree
    if not isinstance(tree, exp.Select) or not all(output.column for output in bound.outputs):
        return None
    if not bound.placeholders or not all(placed.plain for placed in bound.placeholders):
        return None
    tables = _sources(tree, schema)
    reader = _Reader(bound, schema, tables, _links(tree, tables))
    return reader.meaning()


def _sources(tree: exp.Select, schema: Schema) -> dict[str, Table]:
    return {node.alias_or_name.lower(): schema.table(node.name) for node in tree.find_all(exp.Table)}


def _links(tree: exp.Select, tables: dict[str, Table]) -> list[_Link]:
    """The joins along foreign keys; where none is declared, the side whose column is the primary key is the parent."""
    found = []
    for equal in tree.find_all(exp.EQ):
        left, right = equal.left, equal.right
        if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
            continue
        one, two = (left.table.lower(), left.name), (right.table.lower(), right.name)
        if one[0] not in tables or two[0] not in tables:
            continue
        for child, parent in ((one, two), (two, one)):
            if _points(tables[child[0]], child[1], tables[parent[0]], parent[1]):
                found.append(_Link(child[0], parent[0], (child[1],)))
                break
        else:
            child, parent = (two, one) if tables[one[0]].primary_key == (one[1],) else (one, two)
            found.append(_Link(child[0], parent[0], (child[1],)))
    return found


def _points(child: Table, column: str, parent: Table, referred: str) -> bool:
    return any(
        key.referred_table.casefold() == parent.name.casefold()
        and (column.casefold(), referred.casefold())
        in zip(
            (name.casefold() for name in key.columns), (name.casefold() for name in key.referred_columns), strict=False
        )
        for key in child.foreign_keys
    )


class _Reader:
    """Walks from the answer's table to the tables whose values are given."""

    def __init__(self, bound: BoundTemplate, schema: Schema, tables: dict[str, Table], links: Sequence[_Link]) -> None:
        self.bound = bound
        self.schema = schema
        self.tables = tables
        self.links = links
        self.given: defaultdict[str, list[BoundPlaceholder]] = defaultdict(list)
        for placed in bound.placeholders:
            self.given[placed.compared[0].source].append(placed)

    def meaning(self) -> Meaning | None:
        sources = {output.source for output in self.bound.outputs}
        if len(sources) != 1:
            return None
        source = sources.pop()
        named = self._named_by(source)
        if named is not None:
            link, answer = named
            return self._of(answer, self._entity(link.child, {source}))
        answer = " and ".join(dict.fromkeys(self._noun(output) for output in self.bound.outputs))
        between = self._between(source)
        if between is not None:
            return between if between.answer else Meaning(
                answer=answer, plural=is_plural(answer), subject=between.subject, joined="for"
            )  # fmt: skip
        return self._of(answer, self._entity(source, set()))

    def _of(self, answer: str, subject: str) -> Meaning | None:
        if not subject:
            return None
        return Meaning(answer=answer, plural=is_plural(answer), subject=subject)

    def _named_by(self, source: str) -> tuple[_Link, str] | None:
        """Where the answer is the name of what another row points to: "the branch of the adviser"."""
        if self.given[source]:
            return None
        pointing = [link for link in self.links if link.parent == source and self._reaches(link.child, {source})]
        columns = {output.column for output in self.bound.outputs}
        names = [set(label.columns) for label in labels(self.tables[source])]
        if len(pointing) != 1 or columns not in names:
            return None
        return pointing[0], role_noun(pointing[0].columns, self.tables[source].name)

    def _between(self, source: str) -> Meaning | None:
        """The subject of a row that ties several given things together: "the branch 'A' and the product 'B'"."""
        if self.given[source]:
            return None
        parents = [link.parent for link in self.links if link.child == source and self._reaches(link.parent, {source})]
        if len(parents) < 2:
            return None
        phrases = [self._entity(parent, {source}) for parent in parents]
        if not all(phrases):
            return None
        joined = " and the ".join(phrases)
        return Meaning(answer="", plural=False, subject=joined, joined="for")

    def _entity(self, source: str, seen: set[str]) -> str:
        """A row by the values given for it, or by the rows around it; empty where nothing leads to a value."""
        around = [
            link
            for link in self.links
            if source in (link.child, link.parent)
            and (other := link.parent if link.child == source else link.child) not in seen
            and self._reaches(other, seen | {source})
        ]
        noun = table_noun(self.tables[source].name)
        if len(around) == 1 and around[0].parent == source:
            noun = role_noun(around[0].columns, self.tables[source].name)
        own = self._own(source, noun)
        parts = [part for link in around if (part := self._related(link, source, seen | {source}))]
        if own and not parts:
            return own
        if not own and not parts:
            return ""
        return f"{own or noun} of the {' and of the '.join(parts)}"

    def _related(self, link: _Link, source: str, seen: set[str]) -> str:
        """The row at the other end of a join."""
        return self._entity(link.parent if link.child == source else link.child, seen)

    def _reaches(self, source: str, seen: set[str]) -> bool:
        if self.given[source]:
            return True
        nearby = {
            link.parent if link.child == source else link.child
            for link in self.links
            if source in (link.child, link.parent)
        }
        return any(self._reaches(other, seen | {source}) for other in nearby - seen)

    def _own(self, source: str, noun: str) -> str:
        """The values given for one row: its name in quotes, then everything else."""
        placed = self.given[source]
        if not placed:
            return ""
        table = self.tables[source]
        naming = self._naming(table, [item.compared[0].column.name for item in placed])
        names = [item for name in naming for item in placed if item.compared[0].column.name == name]
        rest = [item for item in placed if item not in names]
        quoted = " ".join(item.placeholder.token for item in names)
        phrase = f"{noun} '{quoted}'" if names else noun
        details = [f"{self._detail(item)} '{item.placeholder.token}'" for item in rest]
        return f"{phrase} with {' and '.join(details)}" if details else phrase

    @staticmethod
    def _naming(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
        for label in labels(table):
            words = split_words(label.columns[0])
            if set(label.columns) <= set(columns) and (len(label.columns) > 1 or words[-1] in ("name", "title", "label")
                                                       or table.primary_key == label.columns):  # fmt: skip
                return label.columns
        return ()

    def _detail(self, placed: BoundPlaceholder) -> str:
        origin = placed.compared[0]
        return column_noun(origin.column.name, origin.table.name, temporal=_temporal(origin.column.type))

    def _noun(self, output: OutputColumn) -> str:
        column = self.schema.table(output.table).column(output.column)
        for key in self.schema.table(output.table).foreign_keys:
            if key.columns == (column.name,):
                return role_noun(key.columns, key.referred_table)
        return column_noun(column.name, output.table, temporal=_temporal(column.type))


def _temporal(declared: str) -> bool:
    return any(part in declared.upper() for part in TEMPORAL)
