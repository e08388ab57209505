"""The meaning of an SQL template, from its joins and comparisons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from sqlglot import exp

from core.domain.sources.schema import ForeignKey, Schema, Table
from core.sources.database.words import split_words
from core.testset.grounded.entities import DESCRIBING, NUMBERS, best_label, labels
from core.testset.grounded.numbered import OWN_NUMBER, number_within
from core.testset.grounded.sql.binding import BoundPlaceholder, BoundTemplate, OutputColumn, bind, conjuncts
from core.testset.grounded.wording.asking import Asked, of_column, of_row, what_is, who_did
from core.testset.grounded.wording.joins import Link, links_of, sources_of
from core.testset.grounded.wording.meaning import Meaning, Subject, meaning
from core.testset.grounded.wording.pairs import of_pair, people_first
from core.testset.grounded.words.dates import NOUN_OF, event_phrase, says_again
from core.testset.grounded.words.people import HANDLERS, is_person
from core.testset.grounded.words.phrases import column_phrase, done_by, participle_of, role_noun, table_noun
from core.testset.grounded.words.vocabulary import SUMS

DESCRIBED = 0.5
"""Weight of a label that only describes a row."""
UNSAID = ("group", "having", "limit", "offset", "with", "with_", "windows", "qualify")
"""Clauses that no wording here can say."""


def _joined(subjects: Sequence[Subject]) -> str:
    """What a row ties together: "the ship 'A' and the berth 'B'", or "the ship 'A' handled by the officer 'C'"."""
    handling = [subject for subject in subjects if subject.noun and subject.noun.split()[-1] in HANDLERS]
    others = [subject for subject in subjects if subject not in handling]
    if len(handling) != 1 or not others:
        return " and ".join(subject.phrase for subject in subjects)
    return f"{' and '.join(subject.phrase for subject in others)} handled by {handling[0].phrase}"


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
    if not bound.placeholders or not all(placed.plain for placed in bound.placeholders) or not _is_simple(tree):
        return None
    tables = sources_of(bound)
    reader = _Reader(bound, schema, tables, links_of(tree, tables))
    return reader.meaning()


def _is_simple(tree: exp.Select) -> bool:
    """Whether every part of the statement can be worded: leaving out a filter would make it another question."""
    if any(tree.args.get(part) for part in UNSAID) or len(list(tree.find_all(exp.Select))) > 1:
        return False
    conditions = conjuncts(tree)
    for join in tree.args.get("joins") or ():
        if join.args.get("using") or join.args.get("method"):
            return False
        if join.args.get("on"):
            on = join.args["on"].unnest()
            conditions.extend(on.flatten() if isinstance(on, exp.And) else [on])
    return all(
        isinstance(condition, exp.EQ)
        and all(isinstance(side.unnest(), exp.Column | exp.Placeholder) for side in (condition.left, condition.right))
        for condition in conditions
    )


class _Reader:
    """Walks from the answer's table to the tables whose values are given."""

    def __init__(self, bound: BoundTemplate, schema: Schema, tables: dict[str, Table], links: Sequence[Link]) -> None:
        self.bound = bound
        self.schema = schema
        self.tables = tables
        self.links = links
        self.own_placeholders: defaultdict[str, list[BoundPlaceholder]] = defaultdict(list)
        self.pointed: defaultdict[str, list[Subject]] = defaultdict(list)
        for placed in bound.placeholders:
            origin = placed.compared[0]
            table = self.tables[origin.source]
            key = next((key for key in table.foreign_keys if key.columns == (origin.column.name,)), None)
            if key is None or table.primary_key == key.columns:
                self.own_placeholders[origin.source].append(placed)
            else:
                # The value names another row: the card "of the account 'X'", not "with account 'X'".
                noun = self._role(_spoken(table, key), self.schema.table(key.referred_table))
                self.pointed[origin.source].append(
                    Subject(phrase=f"the {noun} '{placed.placeholder.token}'", noun=noun)
                )

    def meaning(self) -> Meaning | None:
        sources = {output.source for output in self.bound.outputs}
        if len(sources) != 1:
            return None
        source = sources.pop()
        naming = self._named_by(source)
        if naming is not None:
            link, request = naming
            subject = self._entity(link.child, {source})
            return meaning(request, subject.phrase) if subject else None
        between = self._between(source)
        subject = between or self._entity(source, set())
        if subject is None:
            return None
        joined = "of" if subject.noun else "for"
        columns = {output.column for output in self.bound.outputs}
        if len(columns) > 1 and any(columns == set(label.columns) for label in labels(self.tables[source])):
            return meaning(what_is("full name", joined), subject.phrase, joined=joined)
        if len(self.bound.outputs) > 1:
            answer = " and ".join(dict.fromkeys(self._noun(output) for output in self.bound.outputs))
            return meaning(what_is(answer, joined, several=True), subject.phrase, joined=joined, several=True)
        own = table_noun(self.tables[source].spoken)
        if between and not subject.noun and self._noun(self.bound.outputs[0]) == "amount" and own.split()[-1] in SUMS:
            return meaning(what_is(own, joined), subject.phrase, joined=joined)  # the price for a show and a rank
        return meaning(self._question_ways(self.bound.outputs[0], subject), subject.phrase, joined=joined)

    def _question_ways(self, output: OutputColumn, subject: Subject) -> Asked:
        column = self.schema.table(output.table).column(output.column)
        answer = self._noun(output)
        if not subject.noun:
            return of_pair(column, answer, subject.parts)
        for key in self.schema.table(output.table).foreign_keys:
            if key.columns == (column.name,):
                noun = table_noun(self.schema.table(key.referred_table).spoken)
                if is_person(noun) and set(split_words(column.spoken)) & NUMBERS:
                    # A number is no answer to "who".
                    return what_is(column_phrase(self.schema.table(output.table), column))
                return of_row(answer, same_as_table=answer == noun, person=is_person(noun))
        temporal = column.temporal
        return of_column(
            column, answer, self.schema.table(output.table).spoken, temporal=temporal, of_person=is_person(subject.noun)
        )

    def _named_by(self, source: str) -> tuple[Link, Asked] | None:
        """Where the answer is the name of what another row points to: "the branch of the adviser"."""
        if self.own_placeholders[source]:
            return None
        pointing = [link for link in self.links if link.parent == source and self._reaches(link.child, {source})]
        columns = {output.column for output in self.bound.outputs}
        # A serial number is no second answer to "What is the machine of the order?".
        name = best_label(self.tables[source])
        if len(pointing) != 1 or name is None or columns != set(name.columns):
            return None
        answer = self._role(pointing[0].columns, self.tables[source])
        called = self.tables[source].column(name.columns[0])
        if is_person(answer) and len(name.columns) == 1 and set(split_words(called.spoken)) & NUMBERS:
            # A number is no answer to "who".
            return pointing[0], what_is(f"{column_phrase(self.tables[source], called)} of the {answer}")
        if len(name.columns) > 1 or not set(split_words(called.spoken)) & NUMBERS:
            deed = done_by(pointing[0].columns, self.tables[source].spoken)
            if deed and answer == table_noun(self.tables[source].spoken):
                return pointing[0], who_did(deed)
        one_of_many = self.tables[pointing[0].child].association
        belongs = answer == table_noun(self.tables[source].spoken) and not one_of_many
        person = is_person(table_noun(self.tables[source].spoken))
        return pointing[0], of_row(answer, same_as_table=belongs, person=person)

    def _between(self, source: str) -> Subject | None:
        """The subject of a row that ties several given things together: "the branch 'A' and the product 'B'"."""
        if self.own_placeholders[source]:
            return None
        pointed = self.pointed[source]
        parents = [link for link in self.links if link.child == source and self._reaches(link.parent, {source})]
        if len(parents) + len(pointed) < 2:
            return None
        subjects = [*pointed, *(self._entity(link.parent, {source}, self._tied(link)) for link in parents)]
        if not all(subjects):
            return None
        tied = [subject for subject in subjects if subject]
        if self._only_ties(source, [subject.noun for subject in tied]):
            tied = people_first(tied)
            return Subject(phrase=_joined(tied), parts=tuple(tied))
        noun = table_noun(self.tables[source].spoken)
        return Subject(phrase=f"the {noun} of {_joined(tied)}", noun=noun)

    def _only_ties(self, source: str, nouns: Sequence[str]) -> bool:
        """Whether a row is nothing that people have a word for: an association, or named after what it ties."""
        table = self.tables[source]
        own = set(split_words(table_noun(table.spoken)))
        tied = [set(split_words(noun)) for noun in nouns]
        return table.association or (own <= set().union(*tied) and all(own & words for words in tied))

    def _tied(self, link: Link) -> str:
        """What a row is for the row that ties it to others: a lecturer, where that is more than a member of staff."""
        return self._role(link.columns, self.tables[link.parent])

    def _entity(self, source: str, visited: set[str], role: str = "") -> Subject | None:
        """A row by the values given for it, or by the rows around it; None where no value can be reached."""
        around = [
            link
            for link in self.links
            if source in (link.child, link.parent)
            and (other := link.parent if link.child == source else link.child) not in visited
            and self._reaches(other, visited | {source})
        ]
        noun = role or table_noun(self.tables[source].spoken)
        if (
            not role
            and len(around) == 1
            and around[0].parent == source
            and not self.tables[around[0].child].association
        ):
            noun = self._role(around[0].columns, self.tables[source])
        own = self._own(source, noun)
        parts = [*self.pointed[source]]
        parts += [part for link in around if (part := self._related(link, source, visited | {source}))]
        if not own and not parts:
            return None
        if not own and len(parts) == 1 and self.tables[source].association:
            return parts[0]
        if not parts:
            return Subject(phrase=f"the {own}", noun=noun)
        deed = done_by(around[0].columns, self.tables[source].spoken) if len(around) == 1 and not own else ""
        if deed and len(parts) == 1 and around[0].parent == source and noun == table_noun(self.tables[source].spoken):
            return Subject(phrase=f"the {noun} who {deed} {parts[0].phrase}", noun=noun)
        if len(parts) == 1 and (by := self._done_by(around, source, noun)):
            return Subject(phrase=f"the {own or noun} {by} by {parts[0].phrase}", noun=noun)
        if len(parts) == 1 and self._sees_to(parts[0], source):
            return Subject(phrase=f"the {own or noun} handled by {parts[0].phrase}", noun=noun)
        # "Stake '3' of the glacier" rather than "the stake '3'".
        called = own if own and self._number(source) else f"the {own or noun}"
        return Subject(phrase=f"{called} of {' and of '.join(part.phrase for part in parts)}", noun=noun)

    def _done_by(self, around: Sequence[Link], source: str, noun: str) -> str:
        """What the one row around did to this one: "made" for the ``inspected_by`` of an inspection; else empty."""
        if len(around) != 1 or around[0].child != source:
            return ""
        participle = participle_of(around[0].columns, self.tables[around[0].parent].spoken)
        return "made" if participle and says_again(participle, noun) else participle

    def _sees_to(self, subject: Subject, source: str) -> bool:
        """Whether a row that is told by its date was handled by somebody rather than theirs: an employee's orders."""
        dated = any(placed.compared[0].column.temporal for placed in self.own_placeholders[source])
        by_trade = bool(subject.noun) and (subject.noun.split()[-1] in HANDLERS or subject.noun == "staff member")
        return dated and by_trade and not subject.noun.split()[0].endswith(("ed", "ing"))

    def _related(self, link: Link, source: str, visited: set[str]) -> Subject | None:
        """The row at the other end of a join; one that is pointed to by what it is for the other."""
        if link.child == source:
            return self._entity(link.parent, visited, self._tied(link))
        return self._entity(link.child, visited)

    def _reaches(self, source: str, visited: set[str]) -> bool:
        if self.own_placeholders[source] or self.pointed[source]:
            return True
        nearby = {
            link.parent if link.child == source else link.child
            for link in self.links
            if source in (link.child, link.parent)
        }
        return any(self._reaches(other, visited | {source}) for other in nearby - visited)

    def _own(self, source: str, noun: str) -> str:
        """The values given for one row: its name in quotes, then everything else."""
        placed = self.own_placeholders[source]
        if not placed:
            return ""
        table = self.tables[source]
        naming = self._naming(table, [item.compared[0].column.name for item in placed]) or self._number(source)
        names = [item for name in naming for item in placed if item.compared[0].column.name == name]
        rest = [item for item in placed if item not in names]
        quoted = " ".join(item.placeholder.token for item in names)
        phrase = f"{noun} '{quoted}'" if names else noun
        phrases: list[str] = []
        for item in rest:
            condition = self._condition(item)
            phrases.append(
                f" with {self._detail(item)}"
                if not condition and not any(" with " in earlier for earlier in phrases)
                else f" and {self._detail(item)}"
                if not condition
                else f" {condition}"
            )
            phrases[-1] += f" '{item.placeholder.token}'"
        return phrase + "".join(phrases)

    def _number(self, source: str) -> tuple[str, ...]:
        """The column of the number that tells a row from others of the same row, where that alone is given for it."""
        within = number_within(self.schema, self.tables[source])
        placed = [item.compared[0].column.name for item in self.own_placeholders[source]]
        return (within[1],) if within and placed == [within[1]] else ()

    def _condition(self, placed: BoundPlaceholder) -> str:
        """The phrase for a date that identifies a row: "opened on", "dated"; empty for other columns."""
        origin = placed.compared[0]
        if not origin.column.temporal:
            return ""
        words = split_words(origin.column.spoken)
        own = split_words(table_noun(origin.table.spoken))
        if len(words) == 2 and (NOUN_OF.get(words[0], "") in own or words[0] in {f"{own[-1]}ed", f"{own[-1]}d"}):
            return "of"  # "the germination test of" a day rather than "the germination test tested on" it
        return event_phrase(origin.column.spoken) or ("dated" if self._detail(placed) == "date" else "")

    @staticmethod
    def _role(columns: Sequence[str], referred: Table) -> str:
        """The role of a row for the one that points to it; a key that only repeats the other's name has none."""
        if tuple(name.casefold() for name in columns) == tuple(name.casefold() for name in referred.primary_key):
            return table_noun(referred.spoken)
        return role_noun(columns, referred.spoken, [referred.column(name).spoken for name in referred.primary_key])

    @staticmethod
    def _naming(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
        for label in labels(table):
            words = split_words(table.column(label.columns[0]).spoken)
            if set(label.columns) <= set(columns) and (
                len(label.columns) > 1
                or words[-1] in ("name", "title", "label", *DESCRIBING)
                or (words[-1] in OWN_NUMBER and set(words) <= OWN_NUMBER | set(split_words(table_noun(table.spoken))))
                or label.weight <= DESCRIBED
                or words == split_words(table_noun(table.spoken))[-len(words) :]
                or table.primary_key == label.columns
                or label.columns == table.label
            ):
                return label.columns
        return ()

    def _detail(self, placed: BoundPlaceholder) -> str:
        origin = placed.compared[0]
        return column_phrase(origin.table, origin.column)

    def _noun(self, output: OutputColumn) -> str:
        column = self.schema.table(output.table).column(output.column)
        for key in self.schema.table(output.table).foreign_keys:
            if key.columns == (column.name,):
                referred = self.schema.table(key.referred_table)
                return role_noun(
                    _spoken(self.schema.table(output.table), key),
                    referred.spoken,
                    [referred.column(name).spoken for name in key.referred_columns],
                )
        return column_phrase(self.schema.table(output.table), column)


def _spoken(table: Table, key: ForeignKey) -> tuple[str, ...]:
    """The columns of a key in the words that roles are made of."""
    return tuple(table.column(name).spoken for name in key.columns)
