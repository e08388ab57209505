"""How records and documents belong together: the state, the ways with what they match, a preview, the choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import pandas as pd
import streamlit as st

from core.domain.sources.document_mappings import DocumentMapping, Way
from core.domain.sources.projects import Role, Source, SourceKind
from core.knowledge.building import is_built
from core.knowledge.matching.proposing import Proposal
from core.knowledge.matching.service import Belonging, belonging, choose, try_rules
from core.store.database import Store
from pages.kit import cache, errors, project_reads, state
from pages.kit.frame import Page
from pages.kit.look import numbers, tables

LARGE: Final = 100_000
"""Rows of the database from which on a person is asked before they are read."""

MOST_RULES: Final = 12
"""Tables whose rules are shown to be changed."""

MOST_NAMED: Final = 6
"""Tables that one sentence names."""

NAMES: Final[Mapping[Way, str]] = {
    Way.EXACT: "The same id",
    Way.PATTERN: "A pattern of names",
    Way.FRONT_MATTER: "A field of the document",
    Way.COLUMN: "Named by a column",
    Way.CONTENT: "By title",
}

MEANINGS: Final[Mapping[Way, str]] = {
    Way.EXACT: "The document's id is table:key, as products:1, or the key alone.",
    Way.PATTERN: "The file's name holds the key, as product-01.md.",
    Way.FRONT_MATTER: "A field of the document holds the key or a column's value, as sku: 1.",
    Way.COLUMN: "The file's name is a column's value, as chai.md.",
    Way.CONTENT: "The title or first heading is what people call the row.",
}

WIDTHS: Final = {
    "Way": st.column_config.TextColumn(width=170),
    "With a document": st.column_config.TextColumn(width=150),
    "Not clear": st.column_config.NumberColumn(width=90),
    "What is compared": st.column_config.TextColumn(width=430),
}

TITLE: Final = "How records and documents belong together"


def draw(page: Page, source: Source) -> None:
    """One line where every record has its document by id; else the ways, a preview and the choice.

    Args:
        page: The Connect page.
        source: The documents.
    """
    if is_built(source):
        st.caption(f"{TITLE}: every document was written from a row and has its id.")
        return
    database = project_reads.source(page.store, page.project.id, SourceKind.DATABASE)
    rows = sum(table.rows for table in database.schema.tables) if database and database.schema else 0
    if rows > LARGE and not st.toggle(f"Compare the documents with {numbers.count(rows, 'row')}", key="match_large"):
        return
    with errors.shown():
        with st.spinner("Comparing records and documents"):
            now = _belonging(page.store, page.project.id)
        if now is None:
            return
        if now.chosen is None and now.now.matched == now.now.records:
            st.caption(f"{TITLE}: {_sentence(now.now)}, by its own id.")
            return
        if now.chosen is None and now.now.matched and now.proposals.best.way is Way.EXACT:
            with st.expander(f"{TITLE}: {_sentence(now.now)}, and no way finds more", key="match_section"):
                _all(page, now)
        else:
            st.subheader(TITLE, anchor=False)
            _all(page, now)


def _all(page: Page, now: Belonging) -> None:
    _state(now)
    tables.plain(_ways(now), key="match_ways", columns=WIDTHS)
    if page.may(Role.VALIDATOR):
        _choice(page, now)
    else:
        _preview(now.now)


@cache.read("sources", "test_sets")
def _belonging(store: Store, project_id: str) -> Belonging | None:
    return belonging(store, project_id)


@cache.read("sources", "test_sets")
def _tried(store: Store, project_id: str, way: Way, rules: tuple[tuple[str, str], ...]) -> Proposal:
    return try_rules(store, project_id, way, dict(rules))


def _sentence(proposal: Proposal) -> str:
    return f"{proposal.matched:,} of {numbers.count(proposal.records, 'record')} have a document"


def _state(now: Belonging) -> None:
    counted = now.proposals.tables
    tables_named = errors.plain(", ".join(counted[:MOST_NAMED]))
    more = f" and {len(counted) - MOST_NAMED:,} more" if len(counted) > MOST_NAMED else ""
    st.markdown(f"**{_sentence(now.now)}** ({tables_named}{more}), {how(now.chosen)}.")
    if now.not_counted:
        st.caption(f"Not counted: {errors.plain(_not_counted(now.not_counted))}.")
    if now.outdated:
        st.warning(
            "The database or the documents changed since this was chosen. What was matched then still counts; choose "
            "it again below to match what is new.",
            icon=":material/update:",
        )
    best = now.proposals.best
    if best.matched > now.now.matched:
        st.info(
            f"{NAMES[best.way]} would match {best.matched:,}. Nothing is matched until you choose it below.",
            icon=":material/lightbulb:",
        )


def _not_counted(reasons: Mapping[str, str]) -> str:
    """The tables whose records do not count, by reason."""
    by_reason: dict[str, list[str]] = {}
    for table, reason in reasons.items():
        by_reason.setdefault(reason, []).append(table)
    parts = []
    for reason, names in by_reason.items():
        more = f" and {len(names) - MOST_NAMED:,} more" if len(names) > MOST_NAMED else ""
        parts.append(f"{', '.join(names[:MOST_NAMED])}{more} ({reason})")
    return "; ".join(parts)


def how(chosen: DocumentMapping | None) -> str:
    """By which way records have documents, and who chose it."""
    if chosen is None:
        return "by the same id; nothing else is chosen"
    way = NAMES[chosen.way][0].lower() + NAMES[chosen.way][1:]
    by = way if way.startswith(("by ", "named by ")) else f"by {way}"
    return f"{by}, chosen by {errors.plain(chosen.created_by)} on {numbers.when(chosen.created_at)}"


def _ways(now: Belonging) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Way": NAMES[item.way],
                "With a document": f"{item.matched:,} of {item.records:,}",
                "Not clear": len(item.ambiguous),
                "What is compared": ", ".join(
                    f"{table}: {rule}" for table, rule in _shown(now, item.rules).items() if rule
                ),
            }
            for item in now.proposals.ways
        ]
    )


def _shown(now: Belonging, rules: Mapping[str, str]) -> dict[str, str]:
    """The rules of tables whose records count."""
    names = {name.casefold() for name in now.proposals.tables}
    return {table: rule for table, rule in rules.items() if table.casefold() in names}


def _choice(page: Page, now: Belonging) -> None:
    order = list(Way)
    way = st.selectbox(
        "Way",
        order,
        index=order.index(now.chosen.way if now.chosen else now.proposals.best.way),
        key="match_way",
        format_func=NAMES.__getitem__,
        help="What you see below is a preview. Test sets stay as they are; ids become documents when they are read.",
    )
    st.caption(errors.plain(MEANINGS[way]))
    is_chosen = now.chosen is not None and now.chosen.way is way
    proposed = dict(now.chosen.rules if is_chosen and now.chosen else now.proposals.of(way).rules)
    rules = {} if way is Way.EXACT else {**proposed, **_own_rules(now, way, proposed)}
    rules = {table: rule for table, rule in rules.items() if rule}
    preview = now.proposals.of(way)
    if rules != dict(preview.rules):
        preview = _tried(page.store, page.project.id, way, tuple(rules.items()))
    _preview(preview)
    if st.button("Use this way", key="match_choose", type="primary", disabled=way is Way.EXACT and now.chosen is None):
        mapping = choose(page.store, page.project.id, way, rules, actor=page.actor)
        state.say(
            f"{mapping.matched:,} of {numbers.count(mapping.records, 'record')} have a document now. Scores that runs "
            "already have stay; score a run again to measure its retrieval with them."
        )
        st.rerun()


def _own_rules(now: Belonging, way: Way, proposed: Mapping[str, str]) -> dict[str, str]:
    """What a person writes instead of what is proposed, by table."""
    if way is Way.CONTENT:
        return {}
    rules = {}
    cells = st.columns(2)
    for place, table in enumerate(now.proposals.tables[:MOST_RULES]):
        rules[table] = (
            cells[place % 2]
            .text_input(
                f"{errors.plain(table)}",
                value=proposed.get(table, ""),
                key=f"match_rule_{way}_{table}",
                placeholder="no rule: none of its records gets a document",
                help=HELP[way],
            )
            .strip()
        )
    return rules


HELP: Final[Mapping[Way, str]] = {
    Way.PATTERN: "{table} stands for the table's name, {key} for the key, {key:02} for a number of two digits or more, "
    "* for anything.",
    Way.FRONT_MATTER: "The field that holds the key, such as sku; or a field and the column it holds, such as "
    "name = ProductName.",
    Way.COLUMN: "The column whose value is the file's name.",
}


def _preview(proposal: Proposal) -> None:
    with_document = _matched(proposal)
    without = _unmatched(proposal)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown(f"**With a document**: {len(with_document):,}")
        if len(with_document):
            tables.plain(with_document, key="match_matched")
            tables.download(with_document, name="records-with-a-document", key="match_matched_csv")
    with right:
        unclear = f", {len(proposal.ambiguous):,} of them because it is not clear" if proposal.ambiguous else ""
        st.markdown(f"**Without**: {len(without):,}{unclear}")
        if len(without):
            tables.plain(without, key="match_unmatched")
            tables.download(without, name="records-without-a-document", key="match_unmatched_csv")


def _matched(proposal: Proposal) -> pd.DataFrame:
    pairs = {**proposal.matches, **proposal.own}
    return pd.DataFrame(
        [{"Record": gold, "Its document": ", ".join(documents)} for gold, documents in pairs.items()],
        columns=["Record", "Its document"],
    )


def _unmatched(proposal: Proposal) -> pd.DataFrame:
    reasons = {**proposal.ambiguous, **proposal.unmatched}
    return pd.DataFrame([{"Record": gold, "Why": why} for gold, why in reasons.items()], columns=["Record", "Why"])
